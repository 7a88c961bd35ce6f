/// A day of the proleptic Gregorian calendar, without a time or a zone.
public struct CivilDate: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Days since 1970-01-01; negative before it.
    public var daysSince1970: Int32

    /// The day that many days after 1970-01-01.
    @inlinable
    public init(daysSince1970: Int32) {
        self.daysSince1970 = daysSince1970
    }

    /// Creates a day from its numbers; nil if there is no such day.
    ///
    /// - Parameters:
    ///   - year: 1 to 9999.
    ///   - month: 1 to 12.
    ///   - day: 1 to the length of the month.
    public init?(year: Int32, month: Int32, day: Int32) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        self.init(unchecked: year, month, day)
    }

    /// Creates a day from numbers that are known to be valid, of a year from -9999 to 29999.
    init(unchecked year: Int32, _ month: Int32, _ day: Int32) {
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil: years
        // begin in March, so that the leap day is the last one.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        daysSince1970 = era * 146_097 + dayOfEra - 719_468
    }

    /// The day's year, month (1 to 12) and day of the month (1 to 31).
    public var numbers: (year: Int32, month: Int32, day: Int32) {
        // civil_from_days of the same source.
        let shifted = daysSince1970 &+ 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The day of the week, 0 for Monday to 6 for Sunday (ISO 8601 minus one).
    public var weekday: Int32 {
        let remainder = (daysSince1970 % 7 + 3) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    /// The day `days` later, or earlier where negative.
    @inlinable
    public func adding(days: Int32) -> CivilDate {
        CivilDate(daysSince1970: daysSince1970 &+ days)
    }

    /// Orders dates by the calendar.
    @inlinable
    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }

    /// How many days a month has.
    public static func length(ofMonth month: Int32, year: Int32) -> Int32 {
        switch month {
        case 2:
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            return leap ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }
}
