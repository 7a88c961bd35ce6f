/// A rule by which a date or time recurs: `RRULE` of RFC 5545, 3.3.10, with all its parts.
///
/// A rule may hold any values; ``flaw`` tells what is wrong with them. It describes readings of a
/// clock (``LocalTime``) and knows no time zone; ``RecurrenceSet`` adds one.
///
/// Lists may be in any order and contain repetitions; an empty list stands for a missing part.
public struct RecurrenceRule: Hashable, Sendable {
    /// The unit of the interval, from the shortest to the longest.
    public enum Frequency: UInt8, Sendable, CaseIterable {
        /// Every n-th second.
        case secondly
        /// Every n-th minute.
        case minutely
        /// Every n-th hour (`HOURLY`).
        case hourly
        /// Every n-th day (`DAILY`).
        case daily
        /// Every n-th week (`WEEKLY`).
        case weekly
        /// Every n-th month.
        case monthly
        /// Every n-th year (`YEARLY`).
        case yearly
    }

    /// When a rule ends.
    public enum End: Hashable, Sendable {
        /// The rule never ends.
        case never
        /// The rule ends after this many occurrences, at least 1.
        case count(Int32)
        /// The last possible day, which is included.
        case date(CivilDate)
        /// The last possible reading of the clocks, which is included.
        case local(LocalTime)
        /// The last possible instant, which is included.
        case instant(Instant)
    }

    /// A day of the week: each of them, or the n-th of a month or year.
    public struct Weekday: Hashable, Sendable {
        /// The day, 0 for Monday to 6 for Sunday.
        public var day: Int32
        /// Which of those days of the month or year, negative from its end; 0 for each.
        public var ordinal: Int32

        /// Creates a day of the week, by default each of them.
        public init(_ day: Int32, ordinal: Int32 = 0) {
            self.day = day
            self.ordinal = ordinal
        }
    }

    /// The unit in which the rule counts.
    public var frequency: Frequency
    /// The interval in that unit, at least 1.
    public var interval: Int32 = 1
    /// When the rule ends.
    public var end = End.never
    /// Seconds of the minute, 0 to 60; clocks without leap seconds take 60 as 59.
    public var seconds: [Int32] = []
    /// Minutes of the hour, 0 to 59.
    public var minutes: [Int32] = []
    /// Hours of the day, 0 to 23.
    public var hours: [Int32] = []
    /// Days of the week.
    public var weekdays: [Weekday] = []
    /// Days of the month, 1 to 31, or -1 to -31 counted from its end.
    public var monthDays: [Int32] = []
    /// Days of the year, 1 to 366, or -1 to -366 counted from its end.
    public var yearDays: [Int32] = []
    /// Weeks of the year (ISO 8601), 1 to 53, or -1 to -53 counted from its end.
    public var weeks: [Int32] = []
    /// Months of the year, 1 to 12.
    public var months: [Int32] = []
    /// Which occurrences of each period count, 1 to 366, or -1 to -366 counted from its end.
    public var positions: [Int32] = []
    /// The day on which weeks begin, 0 for Monday.
    public var weekStart: Int32 = 0

    /// Creates a rule that recurs in every unit: every day, every week and so on.
    public init(_ frequency: Frequency) {
        self.frequency = frequency
    }

    /// What makes the rule invalid (RFC 5545, 3.3.10); nil if it is valid.
    public var flaw: RecurrenceFailure? {
        if interval < 1 { return .badValue(.interval) }
        if case .count(let count) = end, count < 1 { return .badValue(.count) }
        if let part = partOutOfRange { return .badValue(part) }
        if let part = partOfOtherFrequency { return .notWithFrequency(part) }
        let isNumbered = weekdays.contains { $0.ordinal != 0 }
        let mayBeNumbered = frequency == .monthly || frequency == .yearly && weeks.isEmpty
        if isNumbered, !mayBeNumbered { return .numberedWeekday }
        if !positions.isEmpty, !selects { return .positionsAlone }
        return nil
    }

    /// Whether any part selects times within a period.
    private var selects: Bool {
        !(seconds.isEmpty && minutes.isEmpty && hours.isEmpty && isEveryDay)
    }

    /// Whether no part selects days.
    var isEveryDay: Bool {
        weekdays.isEmpty && monthDays.isEmpty && yearDays.isEmpty && weeks.isEmpty
            && months.isEmpty
    }

    private var partOutOfRange: RecurrencePart? {
        func holds(_ list: [Int32], _ range: ClosedRange<Int32>, _ ends: Bool = false) -> Bool {
            list.allSatisfy { range.contains($0) || ends && $0 < 0 && range.contains(0 &- $0) }
        }
        if !holds(seconds, 0...60) { return .seconds }
        if !holds(minutes, 0...59) { return .minutes }
        if !holds(hours, 0...23) { return .hours }
        let hasWeekdays = weekdays.allSatisfy {
            (0...6).contains($0.day) && (-53...53).contains($0.ordinal)
        }
        if !hasWeekdays { return .weekdays }
        if !holds(monthDays, 1...31, true) { return .monthDays }
        if !holds(yearDays, 1...366, true) { return .yearDays }
        if !holds(weeks, 1...53, true) { return .weeks }
        if !holds(months, 1...12) { return .months }
        if !holds(positions, 1...366, true) { return .positions }
        return (0...6).contains(weekStart) ? nil : .weekStart
    }

    private var partOfOtherFrequency: RecurrencePart? {
        if !weeks.isEmpty, frequency != .yearly { return .weeks }
        let isBetween = [.daily, .weekly, .monthly].contains(frequency)
        if !yearDays.isEmpty, isBetween { return .yearDays }
        return !monthDays.isEmpty && frequency == .weekly ? .monthDays : nil
    }
}

/// The parts of a rule; ``name`` is what RFC 5545 calls each.
public enum RecurrencePart: UInt8, Hashable, Sendable, CaseIterable {
    /// The unit in which the rule counts.
    case frequency
    /// Every how many units it recurs.
    case interval
    /// After how many occurrences it ends.
    case count
    /// The last possible date or time.
    case until
    /// Seconds of the minute.
    case seconds
    /// Minutes of the hour.
    case minutes
    /// Hours of the day.
    case hours
    /// Days of the week.
    case weekdays
    /// Days of the month.
    case monthDays
    /// Days of the year.
    case yearDays
    /// Weeks of the year.
    case weeks
    /// Months of the year.
    case months
    /// Occurrences of each period.
    case positions
    /// The first day of the week.
    case weekStart
    /// The calendar (RFC 7529); only the Gregorian one is supported.
    case calendar
    /// What becomes of days that do not exist (RFC 7529); only `OMIT` is supported.
    case skip

    /// The name of the part in a rule's text.
    public var name: String {
        switch self {
        case .frequency: "FREQ"
        case .interval: "INTERVAL"
        case .count: "COUNT"
        case .until: "UNTIL"
        case .seconds: "BYSECOND"
        case .minutes: "BYMINUTE"
        case .hours: "BYHOUR"
        case .weekdays: "BYDAY"
        case .monthDays: "BYMONTHDAY"
        case .yearDays: "BYYEARDAY"
        case .weeks: "BYWEEKNO"
        case .months: "BYMONTH"
        case .positions: "BYSETPOS"
        case .weekStart: "WKST"
        case .calendar: "RSCALE"
        case .skip: "SKIP"
        }
    }
}

/// Why a rule is invalid.
public enum RecurrenceFailure: Error, Hashable, Sendable {
    /// The text is not a list of names with values.
    case notParts
    /// A part has an unknown name.
    case unknownPart
    /// A part occurs twice.
    case repeated(RecurrencePart)
    /// There is no `FREQ`.
    case noFrequency
    /// A value has the wrong form or is out of range.
    case badValue(RecurrencePart)
    /// The rule has both `COUNT` and `UNTIL`.
    case countAndUntil
    /// A part does not apply to the rule's frequency.
    case notWithFrequency(RecurrencePart)
    /// A weekday has a number, but the rule has no months or years to number it in.
    case numberedWeekday
    /// `BYSETPOS` stands without another part to choose from.
    case positionsAlone

    /// The reason in one line.
    public var reason: String {
        switch self {
        case .notParts: "not a list of NAME=VALUE"
        case .unknownPart: "has a part that does not exist"
        case .repeated(let part): "has two parts \(part.name)"
        case .noFrequency: "has no FREQ"
        case .badValue(let part): "has a wrong value of \(part.name)"
        case .countAndUntil: "has both COUNT and UNTIL"
        case .notWithFrequency(let part): "has \(part.name), which its FREQ does not allow"
        case .numberedWeekday: "numbers weekdays, which only months and years without BYWEEKNO do"
        case .positionsAlone: "has BYSETPOS without another BY part"
        }
    }
}
