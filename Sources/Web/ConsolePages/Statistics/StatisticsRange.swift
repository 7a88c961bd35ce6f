import Chronology
import Encoding
import Localization

/// Consecutive days in the city's time zone, whose statistics are shown together.
struct StatisticsRange: Hashable, Sendable {
    let first: CivilDate
    let last: CivilDate

    /// The number of days that a range has at most: a whole leap year.
    static let longest: Int32 = 366
    /// The number of past days that can be viewed: ten years.
    static let daysBack: Int32 = 3_653
    /// The number of days up to which figures are shown by day; longer ranges are shown by week.
    private static let byDay: Int32 = 31

    /// Creates the range from one day to another, which is not before it.
    init(_ first: CivilDate, _ last: CivilDate) {
        precondition(first <= last, "a range of days ends before it begins")
        self.first = first
        self.last = last
    }

    /// Creates a range with a number of days that ends with a given day.
    init(_ days: Int32, endingWith last: CivilDate) {
        self.init(last.adding(days: 1 - days), last)
    }

    /// The number of days.
    var count: Int32 { last.daysSince1970 - first.daysSince1970 + 1 }

    /// The range of the same length before this one.
    var before: StatisticsRange {
        StatisticsRange(count, endingWith: first.adding(days: -1))
    }

    /// The days in order.
    var dates: [CivilDate] { (0..<count).map { first.adding(days: $0) } }

    /// The groups into which charts and tables divide a range.
    enum Step: Sendable {
        case hour
        case day
        case week

        /// The number of days in a group, at least one.
        fileprivate var days: Int32 { self == .week ? 7 : 1 }
    }

    /// The groups of this range; weeks are counted from its first day, and the last may be short.
    var step: Step { count == 1 ? .hour : count <= Self.byDay ? .day : .week }

    /// The first day of each group of days; not for a range that is divided into hours.
    var groups: [CivilDate] {
        stride(from: 0, to: count, by: Int(step.days)).map { first.adding(days: $0) }
    }

    /// The group to which a day of this range belongs, from 0.
    func group(of date: CivilDate) -> Int {
        precondition(first <= date && date <= last, "a day outside the range has no group")
        return Int((date.daysSince1970 - first.daysSince1970) / step.days)
    }

    /// The ranges that one press chooses, by the day that is today.
    static func usual(_ today: CivilDate) -> [(name: Text, range: StatisticsRange)] {
        let monthDay = today.numbers.day
        return [
            (StatisticsTexts.today, StatisticsRange(today, today)),
            (StatisticsTexts.yesterday, StatisticsRange(1, endingWith: today.adding(days: -1))),
            (StatisticsTexts.days(7), StatisticsRange(7, endingWith: today)),
            (StatisticsTexts.days(28), StatisticsRange(28, endingWith: today)),
            (StatisticsTexts.thisMonth, StatisticsRange(monthDay, endingWith: today)),
        ]
    }
}

extension StatisticsRange {
    /// Why two days are not a range, and which field says so.
    struct Fault: Error {
        var field: String
        var text: Text
    }

    /// Creates the range that a form asks for: today if both fields are empty, otherwise one of
    /// them stands for both.
    init(from: String, to: String, today: CivilDate) throws(Fault) {
        func day(_ text: String, _ field: String) throws(Fault) -> CivilDate? {
            let text = text.trimmingBlanks()
            guard !text.isEmpty else { return nil }
            guard let date = CivilDate(iso8601: text), date <= today,
                date > today.adding(days: -Self.daysBack)
            else { throw Fault(field: field, text: StatisticsTexts.badDay) }
            return date
        }
        let (start, end) = (try day(from, "from"), try day(to, "to"))
        let first = start ?? end ?? today
        let last = end ?? first
        guard first <= last else { throw Fault(field: "to", text: StatisticsTexts.badOrder) }
        guard last.daysSince1970 - first.daysSince1970 < Self.longest else {
            throw Fault(field: "from", text: StatisticsTexts.tooLong(Self.longest))
        }
        self.init(first, last)
    }
}
