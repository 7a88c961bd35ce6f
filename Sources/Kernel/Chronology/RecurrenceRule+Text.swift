extension RecurrenceRule {
    /// Reads a rule such as `FREQ=MONTHLY;BYDAY=-1FR` (RFC 5545, 3.3.10).
    ///
    /// Case does not matter, and parts may come in any order. A trailing semicolon, which some
    /// programs write, is ignored.
    ///
    /// - Throws: what is wrong with it.
    public init(text: ArraySlice<UInt8>) throws(RecurrenceFailure) {
        var bytes = text.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        if bytes.last == UInt8(ascii: ";") { bytes.removeLast() }
        self.init(.daily)
        var seen: UInt32 = 0
        for item in bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { throw .notParts }
            let name = item[..<equals]
            let known = RecurrencePart.allCases.first { $0.name.utf8.elementsEqual(name) }
            guard let part = known else { throw .unknownPart }
            let bit: UInt32 = 1 << UInt32(part.rawValue)
            if seen & bit != 0 { throw .repeated(part) }
            seen |= bit
            guard set(part, to: item[(equals + 1)...]) else { throw .badValue(part) }
        }
        func has(_ part: RecurrencePart) -> Bool { seen >> UInt32(part.rawValue) & 1 == 1 }
        guard has(.frequency) else { throw .noFrequency }
        if has(.count), has(.until) { throw .countAndUntil }
        if let flaw { throw flaw }
    }

    /// The rule as RFC 5545 writes it, in ASCII.
    public var text: [UInt8] {
        var text = "FREQ=\(Self.name(of: frequency))"
        if interval != 1 { text += ";INTERVAL=\(interval)" }
        switch end {
        case .never: break
        case .count(let count): text += ";COUNT=\(count)"
        case .date(let date): text += ";UNTIL=\(Self.string(date.basic))"
        case .local(let time): text += ";UNTIL=\(Self.string(time.basic))"
        case .instant(let instant):
            text += ";UNTIL=\(Self.string(LocalTime(instant, in: .utc).basic))Z"
        }
        let lists: [(RecurrencePart, [Int32])] = [
            (.seconds, seconds), (.minutes, minutes), (.hours, hours), (.monthDays, monthDays),
            (.yearDays, yearDays), (.weeks, weeks), (.months, months), (.positions, positions),
        ]
        for (part, list) in lists where !list.isEmpty {
            var items = ""
            for number in list { items += items.isEmpty ? "\(number)" : ",\(number)" }
            text += ";\(part.name)=\(items)"
        }
        var days = ""
        for weekday in weekdays {
            let number = weekday.ordinal == 0 ? "" : "\(weekday.ordinal)"
            days += "\(days.isEmpty ? "" : ",")\(number)\(Self.name(ofDay: weekday.day))"
        }
        if !days.isEmpty { text += ";BYDAY=\(days)" }
        if weekStart != 0 { text += ";WKST=\(Self.name(ofDay: weekStart))" }
        return Array(text.utf8)
    }

    private mutating func set(_ part: RecurrencePart, to value: ArraySlice<UInt8>) -> Bool {
        switch part {
        case .frequency:
            let match = Frequency.allCases.first { Self.name(of: $0).utf8.elementsEqual(value) }
            guard let match else { return false }
            frequency = match
        case .interval:
            guard let number = Digits.number(value), number > 0 else { return false }
            interval = number
        case .count:
            guard let number = Digits.number(value), number > 0 else { return false }
            end = .count(number)
        case .until:
            guard let until = Self.until(value) else { return false }
            end = until
        case .seconds: return Self.read(value, into: &seconds)
        case .minutes: return Self.read(value, into: &minutes)
        case .hours: return Self.read(value, into: &hours)
        case .monthDays: return Self.read(value, into: &monthDays)
        case .yearDays: return Self.read(value, into: &yearDays)
        case .weeks: return Self.read(value, into: &weeks)
        case .months: return Self.read(value, into: &months)
        case .positions: return Self.read(value, into: &positions)
        case .weekdays: return readWeekdays(value)
        case .weekStart:
            guard let day = Self.day(named: value) else { return false }
            weekStart = day
        case .calendar: return value.elementsEqual("GREGORIAN".utf8)
        case .skip: return value.elementsEqual("OMIT".utf8)
        }
        return true
    }

    private static func until(_ value: ArraySlice<UInt8>) -> End? {
        if let date = CivilDate(basic: value) { return .date(date) }
        if value.last == UInt8(ascii: "Z") {
            return LocalTime(basic: value.dropLast()).map { .instant($0.instant(in: .utc)) }
        }
        return LocalTime(basic: value).map { .local($0) }
    }

    /// Reads comma-separated numbers; refuses a list longer than the number of possible values.
    private static func read(_ value: ArraySlice<UInt8>, into list: inout [Int32]) -> Bool {
        for item in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let number = signed(item), list.count < 732 else { return false }
            list.append(number)
        }
        return !list.isEmpty
    }

    private mutating func readWeekdays(_ value: ArraySlice<UInt8>) -> Bool {
        for item in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let day = Self.day(named: item.suffix(2)), weekdays.count < 749 else {
                return false
            }
            let number = item.dropLast(2)
            guard let ordinal = number.isEmpty ? 0 : Self.signed(number) else { return false }
            guard number.isEmpty || ordinal != 0 else { return false }
            weekdays.append(Weekday(day, ordinal: ordinal))
        }
        return !weekdays.isEmpty
    }

    private static func signed(_ bytes: ArraySlice<UInt8>) -> Int32? {
        switch bytes.first {
        case UInt8(ascii: "-"): Digits.number(bytes.dropFirst()).map { 0 - $0 }
        case UInt8(ascii: "+"): Digits.number(bytes.dropFirst())
        default: Digits.number(bytes)
        }
    }

    private static func name(of frequency: Frequency) -> String {
        switch frequency {
        case .secondly: "SECONDLY"
        case .minutely: "MINUTELY"
        case .hourly: "HOURLY"
        case .daily: "DAILY"
        case .weekly: "WEEKLY"
        case .monthly: "MONTHLY"
        case .yearly: "YEARLY"
        }
    }

    private static func name(ofDay day: Int32) -> String {
        switch day {
        case 0: "MO"
        case 1: "TU"
        case 2: "WE"
        case 3: "TH"
        case 4: "FR"
        case 5: "SA"
        default: "SU"
        }
    }

    private static func day(named bytes: ArraySlice<UInt8>) -> Int32? {
        (0...6).first { name(ofDay: $0).utf8.elementsEqual(bytes) }
    }

    private static func string(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
