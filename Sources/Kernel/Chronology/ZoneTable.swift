/// The offsets of one time zone from UTC: a table of the instants at which they change, and the
/// rule by which they change after the last of these.
public struct ZoneTable: Sendable, Equatable {
    /// The instants from which each offset holds, in seconds since 1970 UTC, ascending; the first
    /// offset also holds before.
    public let starts: [Int64]
    /// Seconds east of UTC, one for each of `starts`.
    public let offsets: [Int32]
    /// The changes of every year after the last of ``starts``; nil if the last offset remains.
    public let rule: ZoneRule?

    /// The zone whose offset is always 0.
    public static let utc = ZoneTable(starts: [0], offsets: [0])

    /// Creates a zone from the changes of its offset.
    ///
    /// Both arrays have the same length, at least 1, and `starts` ascends. Otherwise the zone is
    /// UTC, since a damaged file must not trap.
    public init(starts: [Int64], offsets: [Int32], rule: ZoneRule? = nil) {
        let ascending = zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }
        if starts.isEmpty || starts.count != offsets.count || !ascending {
            self.starts = [0]
            self.offsets = [0]
            self.rule = nil
        } else {
            self.starts = starts
            self.offsets = offsets
            self.rule = rule
        }
    }

    /// Seconds east of UTC at an instant.
    public func offset(at instant: Instant) -> Int32 {
        if let rule, instant.seconds >= starts[starts.count - 1] {
            return rule.offset(at: instant.seconds)
        }
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= instant.seconds { low = middle } else { high = middle }
        }
        return offsets[low]
    }

    /// The date and the second of the day that the zone's clocks show at an instant.
    public func local(_ instant: Instant) -> (date: CivilDate, second: Int32) {
        let shifted = instant.seconds &+ Int64(offset(at: instant))
        var days = shifted / 86_400
        var second = shifted % 86_400
        if second < 0 {
            second += 86_400
            days -= 1
        }
        return (CivilDate(daysSince1970: Int32(truncatingIfNeeded: days)), Int32(second))
    }

    /// The instant at which the zone's clocks show a date and a second of the day.
    ///
    /// A reading that occurs twice, when clocks go back, means the first occurrence. A reading that
    /// is skipped, when clocks go forward, is converted with the offset from before the change (RFC
    /// 5545, 3.3.5). This is correct if changes are at least three days apart and offsets at most
    /// 15 hours.
    public func instant(_ date: CivilDate, second: Int32) -> Instant {
        let wall = Int64(date.daysSince1970) * 86_400 + Int64(second)
        // The offset a day earlier is the one before any change near that reading.
        let before = offset(at: Instant(seconds: wall - 86_400))
        let first = Instant(seconds: wall - Int64(before))
        if offset(at: first) == before { return first }
        let after = offset(at: Instant(seconds: wall + 86_400))
        let second = Instant(seconds: wall - Int64(after))
        return offset(at: second) == after ? second : first
    }

    /// The instant from which the times of a service day count: noon minus twelve hours, which is
    /// midnight except on days when the clocks change.
    ///
    /// Source: GTFS reference, "Time".
    public func serviceDayStart(_ date: CivilDate) -> Instant {
        instant(date, second: 43_200).adding(seconds: -43_200)
    }
}
