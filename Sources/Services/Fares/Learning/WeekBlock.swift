package import Chronology
package import Streets

/// A part of the week in which traffic is much the same: several hours of a working day, a Saturday
/// or a Sunday.
///
/// The rush hours are blocks of an hour, and nights are one block. There are few of them, so that
/// each is learned from enough drives, and so that plans of days compare few moments.
package struct WeekBlock: Hashable, Comparable, Sendable {
    /// How many there are.
    package static let count = 2 * weekend.count + weekdays.count

    /// Its number, from 0: blocks of working days come first, then those of Saturdays and Sundays.
    package let number: Int

    /// The hours at which blocks of working days begin.
    private static let weekdays: [Int] = [0, 6, 7, 8, 9, 12, 14, 16, 17, 18, 19, 20]
    /// The hours at which blocks of Saturdays and Sundays begin.
    private static let weekend: [Int] = [0, 7, 10, 13, 17, 20]

    /// All blocks in the order of their numbers.
    package static let all = (0..<count).map { WeekBlock(number: $0) }

    private init(number: Int) {
        self.number = number
    }

    /// The block of a moment on the city's clocks.
    package init(_ time: LocalTime) {
        self.init(weekday: Int(time.date.weekday), hour: Int(time.second) / 3_600)
    }

    /// The block of a minute since Monday, 0:00.
    package init(minute: UInt16) {
        self.init(weekday: Int(minute) / 1_440, hour: Int(minute) % 1_440 / 60)
    }

    private init(weekday: Int, hour: Int) {
        precondition((0..<7).contains(weekday), "a week has seven days")
        let starts = weekday < 5 ? Self.weekdays : Self.weekend
        let first = weekday < 5 ? 0 : Self.weekdays.count + (weekday - 5) * Self.weekend.count
        number = first + (starts.lastIndex { $0 <= hour } ?? 0)
    }

    /// The earlier of two blocks of a day is the lesser.
    package static func < (one: WeekBlock, other: WeekBlock) -> Bool {
        one.number < other.number
    }

    /// The hours of the week of some blocks, by their numbers.
    package static func hours(of numbers: [Int]) -> WeekHours {
        WeekHours(
            numbers.flatMap { number -> [Range<UInt16>] in
                let isWeekend = number >= weekdays.count
                let starts = isWeekend ? weekend : weekdays
                let position = isWeekend ? (number - weekdays.count) % weekend.count : number
                let saturday = 5 + (number - weekdays.count) / weekend.count
                let end = position + 1 < starts.count ? starts[position + 1] : 24
                return (isWeekend ? [saturday] : Array(0..<5)).map { day in
                    UInt16(day * 1_440 + starts[position] * 60)..<UInt16(day * 1_440 + end * 60)
                }
            }
        )
    }
}
