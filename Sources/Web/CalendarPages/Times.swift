import Agenda
import Chronology
import Localization
import Markup
import OpenData
import TaxiPages
import TravelPages
import WebCore

/// Times and days as the calendar writes them.
extension CalendarPages {
    /// The time of day at an instant; arrivals are rounded up to the next minute.
    func clockText(_ instant: Instant, roundsUp: Bool = false) -> String {
        let seconds = instant.seconds + (roundsUp ? 59 : 0)
        return clockTime(Moment(milliseconds: seconds * 1_000))
    }

    /// From when until when something is.
    ///
    /// A time that was found for a task begins when its owner arrives, so like an arrival it is
    /// rounded up.
    func clockRange(_ span: Range<Instant>, isFixed: Bool = true) -> HTML {
        let start = clockText(span.lowerBound, roundsUp: !isFixed)
        let end = clockText(span.upperBound, roundsUp: !isFixed)
        return "<time>\(start)</time>–<time>\(end)</time>"
    }

    /// A weekday and a date, such as Friday 27 November.
    func weekdayAndDay(_ date: CivilDate, hasYear: Bool, _ context: RequestContext) -> String {
        let numbers = date.numbers
        let parts =
            [
                LaterTexts.weekdays[Int(date.weekday)], Text(same: "\(numbers.day)"),
                LaterTexts.months[Int(numbers.month) - 1],
            ] + (hasYear ? [Text(same: "\(numbers.year)")] : [])
        return context.say(Text(joining: parts, separator: " "))
    }
}

extension TravelMeans {
    /// The name of the means of travel.
    var text: Text {
        switch self {
        case .walk: PlanTexts.walk
        case .transit: PlanTexts.transit
        case .bicycle: PlanTexts.bicycle
        case .car: PlanTexts.car
        case .taxi: PlanTexts.taxi
        }
    }
}
