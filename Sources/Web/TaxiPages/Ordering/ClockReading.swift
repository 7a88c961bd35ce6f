package import Chronology
package import Localization

/// The meaning of a local date and time in a time zone.
package enum ClockReading: Hashable, Sendable {
    /// The local time occurs once.
    case once(Instant)
    /// The local time occurs twice, because the clocks go back.
    case twice(first: Instant, second: Instant)
    /// The local time does not occur, because the clocks go forward.
    ///
    /// The value is the adjusted time.
    case skipped(LocalTime)

    /// Interprets a local time in a time zone.
    package init(_ local: LocalTime, in zone: ZoneTable) {
        let first = local.instant(in: zone)
        let shown = LocalTime(first, in: zone)
        guard shown == local else {
            self = .skipped(shown)
            return
        }
        // The second occurrence has the offset that applies a day later.
        let wall = Int64(local.date.daysSince1970) * 86_400 + Int64(local.second)
        let offset = zone.offset(at: Instant(seconds: wall + 86_400))
        let second = Instant(seconds: wall - Int64(offset))
        let isTwice = second > first && LocalTime(second, in: zone) == local
        self = isTwice ? .twice(first: first, second: second) : .once(first)
    }
}

/// Parses dates and times as browsers send them, and as people type them into browsers without a
/// date picker.
package enum WrittenReading {
    /// Parses a date such as 2026-11-25, 25/11/2026 or 25.11.2026; nil for any other text.
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

    /// Parses a time such as 6:00, 06:00, 06.00 or 06:00:00 into seconds of the day; nil for any
    /// other text.
    package static func second(_ text: String) -> Int32? {
        for mark: Character in [":", "."] {
            let parts = text.split(separator: mark, omittingEmptySubsequences: false)
            guard (2...3).contains(parts.count), let hour = number(parts[0], 1...2), hour < 24,
                let minute = number(parts[1], 2...2), minute < 60
            else { continue }
            // Some browsers send seconds, which a pickup time does not need.
            if parts.count == 3, number(parts[2], 2...2) == nil { continue }
            return hour * 3_600 + minute * 60
        }
        return nil
    }

    /// A typed date and time as people write them, such as Wednesday 2 December, 10:15; what was
    /// typed, if that is not a date and a time.
    package static func words(_ day: String, _ time: String) -> Text {
        guard let date = self.day(day), let second = second(time) else {
            return Text(same: "\(day) \(time)")
        }
        let clock = LocalTime(date: date, second: second).clockTime()
        return Text(joining: [LaterTexts.weekdayAndDay(date), Text(same: ", \(clock)")])
    }

    private static func number(_ text: Substring, _ digits: ClosedRange<Int>) -> Int32? {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return digits.contains(text.utf8.count) && isNumber ? Int32(text) : nil
    }
}

extension Instant {
    /// Rounds a moment down to whole seconds.
    package init(_ moment: Moment) {
        self.init(seconds: moment.milliseconds / 1_000)
    }
}
