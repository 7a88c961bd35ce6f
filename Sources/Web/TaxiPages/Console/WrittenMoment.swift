package import Chronology

extension ZoneTable {
    /// Parses a local time in this zone, written as `2026-11-30 08:30` or with a `T`; nil for any
    /// other text.
    package func moment(written text: String) -> Moment? {
        let pattern = /(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::\d{2})?/
        guard let match = text.wholeMatch(of: pattern),
            let date = CivilDate(iso8601: String(match.1)), let hour = Int32(match.2),
            let minute = Int32(match.3), hour < 24, minute < 60
        else { return nil }
        let instant = instant(date, second: hour * 3_600 + minute * 60)
        return Moment(milliseconds: instant.seconds * 1_000)
    }
}
