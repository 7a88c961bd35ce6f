package import Chronology

/// Hours of the day, on the city's clocks, in which a mode is not used (V72).
///
/// A ride or a way may end at the moment at which they begin, and begin at the one at which they
/// end. Walking is about trips that are on foot all the way, as it is wherever modes are chosen:
/// walks to stops and to vehicles are always permitted.
package struct ModeHours: Sendable, Hashable {
    /// The mode that is not used in these hours.
    package let mode: TripMode
    /// The first minute of the day, from 0 to 1,439.
    package let startMinute: Int32
    /// The minute after the last, from 1 to 1,440; if it is not after the first one, it is one of
    /// the next day.
    package let endMinute: Int32

    /// The minutes of a day.
    private static let dayMinutes: Int32 = 1_440

    /// Hours that may pass midnight; nil if the minutes are none of a day or the same.
    package init?(_ mode: TripMode, from startMinute: Int32, to endMinute: Int32) {
        guard (0..<Self.dayMinutes).contains(startMinute),
            (0...Self.dayMinutes).contains(endMinute), startMinute != endMinute
        else { return nil }
        self.mode = mode
        self.startMinute = startMinute
        self.endMinute = endMinute == 0 ? Self.dayMinutes : endMinute
    }

    /// Reads hours such as `bike@20:00-07:00`; nil for a text that is malformed.
    ///
    /// `metro@22:00-` lasts until midnight, `metro@-06:00` begins at midnight, and `car` alone
    /// means the whole day.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard let mode = parts.first.flatMap({ TripMode(named: $0) }), parts.count <= 2 else {
            return nil
        }
        guard parts.count == 2 else {
            self.init(mode, from: 0, to: Self.dayMinutes)
            return
        }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, !(ends[0].isEmpty && ends[1].isEmpty),
            let start = ends[0].isEmpty ? 0 : Self.minute(ends[0]),
            let end = ends[1].isEmpty ? Self.dayMinutes : Self.minute(ends[1])
        else { return nil }
        self.init(mode, from: start, to: end)
    }

    /// Reads hours from three fields of a form: the mode, and when they begin and end; without
    /// both times, the whole day.
    package init?(mode: String, from start: String, to end: String) {
        self.init(start.isEmpty && end.isEmpty ? mode : "\(mode)@\(start)-\(end)")
    }

    /// The rule as ``init(_:)`` reads it.
    package var text: String {
        isWholeDay ? mode.name : "\(mode.name)@\(Self.clock(startMinute))-\(Self.clock(endMinute))"
    }

    /// Whether the mode is never used.
    package var isWholeDay: Bool { startMinute == 0 && endMinute == Self.dayMinutes }

    /// The first hours that a span of time touches; nil if it touches none.
    ///
    /// - Complexity: O(d) for the days of the span.
    package func touched(by span: Range<Instant>, in zone: ZoneTable) -> Range<Instant>? {
        let first = zone.local(span.lowerBound).date
        let last = zone.local(span.upperBound).date
        let passesMidnight = endMinute <= startMinute
        var day = first.adding(days: -1)
        while day <= last {
            let next = day.adding(days: 1)
            let end =
                endMinute == Self.dayMinutes
                ? zone.instant(next, second: 0)
                : zone.instant(passesMidnight ? next : day, second: endMinute * 60)
            let start = zone.instant(day, second: startMinute * 60)
            // Where the clocks go forward, the hours may not exist.
            if start < end, span.lowerBound < end, start < span.upperBound { return start..<end }
            day = next
        }
        return nil
    }

    /// A minute of the day as `20:00`.
    package static func clock(_ minute: Int32) -> String {
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }

    /// Reads `7:00` or `07:00`, up to `24:00`; nil for any other text.
    private static func minute(_ text: some StringProtocol) -> Int32? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int32(parts[0]), let minute = Int32(parts[1]), minute < 60
        else { return nil }
        let all = hour * 60 + minute
        return all <= dayMinutes ? all : nil
    }
}
