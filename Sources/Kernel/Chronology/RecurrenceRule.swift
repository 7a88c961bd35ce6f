/// A rule by which a date or time recurs: `RRULE` of RFC 5545, 3.3.10, with all its parts.
///
/// A rule is a value that anybody may change; ``flaw`` says what is wrong with it. It speaks of
/// readings of a clock (``LocalTime``) and knows no zone: ``RecurrenceSet`` adds that.
///
/// Lists are in any order and may repeat themselves; an empty list is a part that is not there.
public struct RecurrenceRule: Hashable, Sendable {
    /// What is counted, from the shortest to the longest.
    public enum Frequency: UInt8, Sendable, CaseIterable {
        /// Every so many seconds.
        case secondly
        /// Every so many minutes.
        case minutely
        /// Every so many hours.
        case hourly
        /// Every so many days.
        case daily
        /// Every so many weeks.
        case weekly
        /// Every so many months.
        case monthly
        /// Every so many years.
        case yearly
    }

    /// When a rule ends.
    public enum End: Hashable, Sendable {
        /// The rule never ends.
        case never
        /// The rule ends after so many occurrences, at least 1.
        case count(Int32)
        /// The last possible day, which is included.
        case date(CivilDate)
        /// The last possible reading of the clocks, which is included.
        case local(LocalTime)
        /// The last possible instant, which is included.
        case instant(Instant)
    }

    /// A day of the week, or one of those days of a month or year.
    public struct Weekday: Hashable, Sendable {
        /// The day, 0 for Monday to 6 for Sunday.
        public var day: Int32
        /// Which of those days of the month or year, from its end where negative; 0 for all.
        public var ordinal: Int32

        /// Creates a day of the week.
        public init(_ day: Int32, ordinal: Int32 = 0) {
            self.day = day
            self.ordinal = ordinal
        }
    }

    /// What is counted.
    public var frequency: Frequency
    /// Every how many of them, at least 1.
    public var interval: Int32 = 1
    /// When the rule ends.
    public var end = End.never
    /// Seconds, 0 to 60; there being no leap seconds, 60 is 59.
    public var seconds: [Int32] = []
    /// Minutes, 0 to 59.
    public var minutes: [Int32] = []
    /// Hours, 0 to 23.
    public var hours: [Int32] = []
    /// Days of the week.
    public var weekdays: [Weekday] = []
    /// Days of the month, 1 to 31, or -1 to -31 from its end.
    public var monthDays: [Int32] = []
    /// Days of the year, 1 to 366, or -1 to -366 from its end.
    public var yearDays: [Int32] = []
    /// Weeks of the year (ISO 8601), 1 to 53, or -1 to -53 from its end.
    public var weeks: [Int32] = []
    /// Months, 1 to 12.
    public var months: [Int32] = []
    /// Which occurrences of each period count, 1 to 366, or -1 to -366 from its end.
    public var positions: [Int32] = []
    /// The day on which weeks begin, 0 for Monday.
    public var weekStart: Int32 = 0

    /// Creates the rule that something recurs every day, week, month or whatever is counted.
    public init(_ frequency: Frequency) {
        self.frequency = frequency
    }

    /// What makes the rule invalid (RFC 5545, 3.3.10); nil where it is valid.
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

    /// Whether the rule has any part that says which times of a period are meant.
    private var selects: Bool {
        !(seconds.isEmpty && minutes.isEmpty && hours.isEmpty && isEveryDay)
    }

    /// Whether no part says which days are meant.
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

/// The parts of a rule, as RFC 5545 calls them.
public enum RecurrencePart: UInt8, Hashable, Sendable, CaseIterable {
    /// `FREQ`.
    case frequency
    /// `INTERVAL`.
    case interval
    /// `COUNT`.
    case count
    /// `UNTIL`.
    case until
    /// `BYSECOND`.
    case seconds
    /// `BYMINUTE`.
    case minutes
    /// `BYHOUR`.
    case hours
    /// `BYDAY`.
    case weekdays
    /// `BYMONTHDAY`.
    case monthDays
    /// `BYYEARDAY`.
    case yearDays
    /// `BYWEEKNO`.
    case weeks
    /// `BYMONTH`.
    case months
    /// `BYSETPOS`.
    case positions
    /// `WKST`.
    case weekStart
    /// `RSCALE` (RFC 7529), of which only the Gregorian calendar is known.
    case calendar
    /// `SKIP` (RFC 7529), of which only `OMIT` is known.
    case skip

    /// The name of the part in a text.
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
    /// The text is not a list of parts, each with a name and a value.
    case notParts
    /// A part whose name nobody knows.
    case unknownPart
    /// A part that stands there twice.
    case repeated(RecurrencePart)
    /// There is no `FREQ`.
    case noFrequency
    /// A value that is not one of its part, or out of its range.
    case badValue(RecurrencePart)
    /// Both `COUNT` and `UNTIL`.
    case countAndUntil
    /// A part that has no meaning with the rule's frequency.
    case notWithFrequency(RecurrencePart)
    /// A weekday with a number, in a rule without months or years to number it in.
    case numberedWeekday
    /// `BYSETPOS` without another part to choose from.
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
