package import Chronology
import Localization

/// Messages to people about their calendar.
package enum CalendarMessage: Sendable, Equatable, Codable {
    /// It is time to leave for an entry (V41).
    case departure(Departure, page: Link)
    /// An entry can no longer be reached in time (V47).
    case unreachable(Unreachable, page: Link)

    /// An entry that is not reached.
    package struct Unreachable: Sendable, Equatable, Codable {
        /// What the entry is called.
        package let title: String
        /// When it begins, or may begin.
        package let moment: Moment

        package init(_ title: String, at moment: Moment) {
            self.title = title
            self.moment = moment
        }
    }

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

    var kind: Kind {
        switch self {
        case .departure: .departure
        case .unreachable: .unreachable
        }
    }

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
        case .unreachable(let entry, let page):
            Letter(
                language,
                CalendarMessageTexts.unreachableSubject(entry.title),
                CalendarMessageTexts.unreachableAction,
                page,
                CalendarMessageTexts.unreachableText(entry.title, city.local(entry.moment))
            )
        }
    }
}
