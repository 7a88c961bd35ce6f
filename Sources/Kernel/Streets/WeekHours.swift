/// A moment of the week on the city's clocks, for rules that hold at certain hours: milliseconds
/// since Monday, 0:00.
public struct WeekMoment: Sendable, Equatable {
    /// Milliseconds in a week.
    public static let weekMilliseconds: Int64 = 604_800_000

    /// Milliseconds since Monday, 0:00; less than a week.
    public let milliseconds: UInt32

    /// Creates a moment this many milliseconds after some Monday, 0:00, or before it if negative.
    public init(milliseconds: Int64) {
        let rest = milliseconds % Self.weekMilliseconds
        self.milliseconds = UInt32(rest < 0 ? rest + Self.weekMilliseconds : rest)
    }

    /// The moment this many milliseconds later, or earlier if negative.
    func adding(_ milliseconds: Int64) -> WeekMoment {
        WeekMoment(milliseconds: Int64(self.milliseconds) + milliseconds)
    }

    /// The minute of the week.
    var minute: UInt16 { UInt16(truncatingIfNeeded: milliseconds / 60_000) }
}

/// A set of hours of the week.
public struct WeekHours: Sendable, Hashable {
    /// Minutes in a week.
    public static let weekMinutes: UInt16 = 10_080

    /// The minutes since Monday, 0:00, ascending; the ranges neither overlap nor touch.
    public private(set) var minutes: [Range<UInt16>]

    /// Creates the hours covered by at least one of some ranges of minutes; anything beyond the
    /// week is cut off.
    public init(_ ranges: [Range<UInt16>] = []) {
        minutes = []
        let inside = ranges.map { $0.clamped(to: 0..<Self.weekMinutes) }.filter { !$0.isEmpty }
        for range in inside.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = minutes.last, range.lowerBound <= last.upperBound {
                minutes[minutes.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                minutes.append(range)
            }
        }
    }

    /// Whether a minute of the week is in the set.
    public func contains(_ minute: UInt16) -> Bool {
        minutes.contains { $0.contains(minute) }
    }
}
