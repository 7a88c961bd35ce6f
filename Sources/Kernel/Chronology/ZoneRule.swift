/// How the clocks of a zone change in every year after the last change of its table.
///
/// It is the rule of a POSIX `TZ` string such as `CET-1CEST,M3.5.0,M10.5.0/3`, which ends each file
/// of the IANA database (RFC 9636, 3.3).
public struct ZoneRule: Hashable, Sendable {
    /// A change that occurs every year, on the clocks that are about to change.
    public struct Change: Hashable, Sendable {
        /// The day of the year on which a change occurs.
        public enum Day: Hashable, Sendable {
            /// The day of the year from 1 to 365, never counting 29 February.
            case ofCommonYear(Int32)
            /// The day of the year from 0 to 365, counting 29 February.
            case ofYear(Int32)
            /// The n-th weekday (0 for Monday) of a month; n is 1 to 5, and 5 means the last.
            case ofMonth(month: Int32, week: Int32, weekday: Int32)
        }

        /// The day of the change.
        public var day: Day
        /// Seconds after midnight of that day; may be negative or exceed a day.
        public var second: Int32

        /// Creates a change from its day and second.
        public init(day: Day, second: Int32) {
            self.day = day
            self.second = second
        }

        /// The reading of the clocks at which the change occurs in a year, in seconds since
        /// 1970-01-01T00:00.
        func wallSeconds(year: Int32) -> Int64 {
            let first = CivilDate(unchecked: year, 1, 1)
            let date: CivilDate
            switch day {
            case .ofCommonYear(let number):
                let isLeap = CivilDate.length(ofMonth: 2, year: year) == 29
                date = first.adding(days: number &- (isLeap && number >= 60 ? 0 : 1))
            case .ofYear(let number):
                date = first.adding(days: number)
            case .ofMonth(let month, let week, let weekday):
                let start = CivilDate(unchecked: year, month, 1)
                let length = CivilDate.length(ofMonth: month, year: year)
                var offset = (weekday &- start.weekday &+ 7) % 7 &+ (week &- 1) &* 7
                while offset >= length { offset &-= 7 }
                date = start.adding(days: offset)
            }
            return Int64(date.daysSince1970) * 86_400 + Int64(second)
        }
    }

    /// Seconds east of UTC in standard time.
    public var standard: Int32
    /// Seconds east of UTC in summer time.
    public var summer: Int32
    /// When summer time begins, on the clocks of standard time.
    public var begins: Change
    /// When summer time ends, on the clocks of summer time.
    public var ends: Change

    /// Creates a rule from two offsets and the changes between them.
    public init(standard: Int32, summer: Int32, begins: Change, ends: Change) {
        self.standard = standard
        self.summer = summer
        self.begins = begins
        self.ends = ends
    }

    /// Seconds east of UTC at an instant, by the latest change in the year before, the same year or
    /// the year after.
    func offset(at seconds: Int64) -> Int32 {
        let day = (seconds &+ Int64(standard)) / 86_400
        // No calendar has dates beyond these years.
        guard day > -1_000_000, day < 4_000_000 else { return standard }
        let year = CivilDate(daysSince1970: Int32(day)).numbers.year
        var latest = Int64.min
        var offset = standard
        for year in (year - 1)...(year + 1) {
            let begin = begins.wallSeconds(year: year) - Int64(standard)
            let end = ends.wallSeconds(year: year) - Int64(summer)
            if end <= seconds, end > latest { (latest, offset) = (end, standard) }
            // If summer time begins at the moment when it ends, it never ends.
            if begin <= seconds, begin >= latest { (latest, offset) = (begin, summer) }
        }
        return offset
    }
}
