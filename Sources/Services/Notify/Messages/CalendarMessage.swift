package import Chronology
import Localization

/// Messages to people about their calendar.
package enum CalendarMessage: Sendable, Equatable, Codable {
    /// It is time to leave for an entry (V41).
    case departure(Departure, page: Link)

    /// A journey that begins now.
    package struct Departure: Sendable, Equatable, Codable {
        /// What the journey leads to.
        package let title: String
        /// When it begins.
        package let moment: Moment

        package init(for title: String, at moment: Moment) {
            self.title = title
            self.moment = moment
        }
    }

    var kind: Kind { .departure }

    func letter(in language: Language, from city: City) -> Letter {
        switch self {
        case .departure(let departure, let page):
            Letter(
                language,
                CalendarMessageTexts.departureSubject(departure.title),
                CalendarMessageTexts.departureAction,
                page,
                CalendarMessageTexts.departureText(city.local(departure.moment))
            )
        }
    }
}
