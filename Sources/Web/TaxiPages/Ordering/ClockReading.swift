package import Chronology

/// What a day and a time that somebody wrote mean on the city's clocks.
package enum ClockReading: Hashable, Sendable {
    /// The clocks show it once.
    case once(Instant)
    /// They go back and show it twice.
    case twice(first: Instant, second: Instant)
    /// They jump over it; the same moment is called that.
    case skipped(LocalTime)

    /// What clocks in a zone make of it.
    package init(_ local: LocalTime, in zone: ZoneTable) {
        let first = local.instant(in: zone)
        let shown = LocalTime(first, in: zone)
        guard shown == local else {
            self = .skipped(shown)
            return
        }
        // Where it comes twice, the second time goes by the offset that holds a day later.
        let wall = Int64(local.date.daysSince1970) * 86_400 + Int64(local.second)
        let offset = zone.offset(at: Instant(seconds: wall + 86_400))
        let second = Instant(seconds: wall - Int64(offset))
        let isTwice = second > first && LocalTime(second, in: zone) == local
        self = isTwice ? .twice(first: first, second: second) : .once(first)
    }
}

/// Reads days and times as browsers send them, and as people write them where a browser has no
/// calendar.
package enum WrittenReading {
    /// A day: 2026-11-25, 25/11/2026, 25.11.2026; nil for anything else.
    package static func day(_ text: String) -> CivilDate? {
        if let date = CivilDate(iso8601: text) { return date }
        for mark: Character in ["/", ".", " "] {
            let parts = text.split(separator: mark, omittingEmptySubsequences: false)
            guard parts.count == 3, let day = number(parts[0], 1...2),
                let month = number(parts[1], 1...2), let year = number(parts[2], 4...4)
            else { continue }
            return CivilDate(year: year, month: month, day: day)
        }
        return nil
    }

    /// A time of day in seconds: 6:00, 06:00, 06.00, 06:00:00; nil for anything else.
    package static func second(_ text: String) -> Int32? {
        for mark: Character in [":", "."] {
            let parts = text.split(separator: mark, omittingEmptySubsequences: false)
            guard (2...3).contains(parts.count), let hour = number(parts[0], 1...2), hour < 24,
                let minute = number(parts[1], 2...2), minute < 60
            else { continue }
            // Some browsers send seconds; nobody reserves a taxi to the second.
            if parts.count == 3, number(parts[2], 2...2) == nil { continue }
            return hour * 3_600 + minute * 60
        }
        return nil
    }

    private static func number(_ text: Substring, _ digits: ClosedRange<Int>) -> Int32? {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return digits.contains(text.utf8.count) && isNumber ? Int32(text) : nil
    }
}

extension Instant {
    /// The second in which a moment lies.
    package init(_ moment: Moment) {
        self.init(seconds: moment.milliseconds / 1_000)
    }
}
