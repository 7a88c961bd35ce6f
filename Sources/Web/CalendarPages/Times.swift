import Agenda
import Chronology
import Localization
import Markup
import OpenData
import TaxiPages
import TravelPages
import WebCore

/// Times as the calendar writes them.
extension CalendarPages {
    /// From when until when something is.
    ///
    /// A time that was found for a task begins when its owner arrives, so like an arrival it is
    /// rounded up.
    func clockRange(_ span: Range<Instant>, isFixed: Bool = true) -> HTML {
        let start = clockTime(span.lowerBound, roundsUp: !isFixed)
        let end = clockTime(span.upperBound, roundsUp: !isFixed)
        return "<time>\(start)</time>–<time>\(end)</time>"
    }

    /// From when until when each piece of a task is, as one text.
    func clockTimes(_ spans: [Range<Instant>]) -> String {
        spans.map { span in
            let start = clockTime(span.lowerBound, roundsUp: true)
            return "\(start)–\(clockTime(span.upperBound, roundsUp: true))"
        }.joined(separator: ", ")
    }
}
