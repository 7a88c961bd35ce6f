package import Chronology
import OpenData
import Streets

extension ResolvedPlace {
    /// When the place is open within a span, according to the map.
    ///
    /// Holidays count as other days. Spans that touch at midnight are one.
    ///
    /// - Parameters:
    ///   - span: the span; some days.
    ///   - zone: the city's clocks.
    /// - Returns: the spans in order; nil if the map states no hours, or none that are understood.
    package func openings(in span: Range<Instant>, zone: ZoneTable) -> [Range<Instant>]? {
        guard let text = match?.openingHours, let week = WeekHours(openingHours: text[...]) else {
            return nil
        }
        var openings: [Range<Instant>] = []
        var date = zone.local(span.lowerBound).date
        let last = zone.local(span.upperBound).date
        while date <= last {
            let midnight = date.weekday * Self.dayMinutes
            for minutes in week.minutes {
                let from = max(0, Int32(minutes.lowerBound) - midnight)
                let to = min(Self.dayMinutes, Int32(minutes.upperBound) - midnight)
                guard from < to else { continue }
                var start = max(span.lowerBound, zone.instant(date, second: from * 60))
                let end = min(span.upperBound, zone.instant(date, second: to * 60))
                // Where clocks are put forward, an hour may not exist.
                guard start < end else { continue }
                if let before = openings.last, before.upperBound >= start {
                    start = before.lowerBound
                    openings.removeLast()
                }
                openings.append(start..<end)
            }
            date = date.adding(days: 1)
        }
        return openings
    }

    private static let dayMinutes: Int32 = 1_440
}
