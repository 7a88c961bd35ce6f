package import Chronology
import OpenData

extension Disruption {
    /// The disruption in English, for the command line and for programs.
    package func text(in zone: ZoneTable) -> String {
        switch kind {
        case .strike(let company) where isRevoked:
            "the strike of \(company) is probably revoked: it is no longer in the register"
        case .strike(let company):
            "strike of \(company): its lines are not used \(Self.hours(spans, zone))"
        case .alert(let header, _, _):
            header.text(in: "en")
                + (isClosing ? ": what it is about is not used \(Self.hours(spans, zone))" : "")
        }
    }

    private static func hours(_ spans: [Range<Instant>], _ zone: ZoneTable) -> String {
        words(spans, in: zone, until: " to ") { $0.iso8601 }
    }

    /// Spans day by day, such as `2026-11-30 08:45 to 15:00, 18:00 to 24:00`.
    ///
    /// - Parameters:
    ///   - spans: the spans in order.
    ///   - zone: the clocks.
    ///   - until: what stands between the beginning and the end of a span.
    ///   - name: the name of a day.
    /// - Returns: the spans; a day is named where it changes.
    package static func words(
        _ spans: some Sequence<Range<Instant>>,
        in zone: ZoneTable,
        until: String,
        _ name: (CivilDate) -> String
    ) -> String {
        var day: CivilDate?
        return spans.map { span in
            let start = LocalTime(span.lowerBound, in: zone)
            let end = LocalTime(span.upperBound, in: zone)
            let date = start.date == day ? "" : "\(name(start.date)) "
            day = start.date
            let isMidnight = end.second == 0 && end.date == start.date.adding(days: 1)
            let last =
                isMidnight
                ? "24:00"
                : (end.date == start.date ? "" : "\(name(end.date)) ") + end.clockTime()
            return "\(date)\(start.clockTime())\(until)\(last)"
        }.joined(separator: ", ")
    }
}
