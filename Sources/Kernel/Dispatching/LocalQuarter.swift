public import Chronology

/// A quarter of an hour of a city's local time.
public struct LocalQuarter: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The number of quarters in a week.
    public static let perWeek = 7 * perDay
    /// The number of quarters in a day.
    public static let perDay = 96

    /// The quarters since 1970-01-01, 0:00 local time.
    ///
    /// When the clocks go back, four quarters have the same number twice.
    public let rawValue: Int64

    /// Creates a quarter from its number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates the quarter that contains a moment.
    public init(of moment: Moment, in zone: ZoneTable) {
        let (date, second) = zone.local(Instant(seconds: moment.milliseconds / 1_000))
        rawValue = Int64(date.daysSince1970) * Int64(Self.perDay) + Int64(second / 900)
    }

    /// Orders quarters by time.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Returns a later quarter; an earlier one for a negative count.
    public func adding(_ count: Int) -> LocalQuarter {
        LocalQuarter(rawValue: rawValue + Int64(count))
    }

    /// The place in the week, from 0 on Monday at 0:00.
    public var ofWeek: Int {
        // 1970-01-01 was a Thursday.
        let week = Int64(Self.perWeek)
        let since = (rawValue + 3 * Int64(Self.perDay)) % week
        return Int(since < 0 ? since + week : since)
    }
}
