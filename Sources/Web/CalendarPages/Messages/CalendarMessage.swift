package import Chronology
package import Localization
package import Notify

/// Messages to people about their calendar.
package enum CalendarMessage: Message {
    /// It is time to leave for an entry (V41).
    case departure(Departure, page: Link)
    /// An entry can no longer be reached in time (V47).
    case unreachable(Unreachable, page: Link)

    /// An entry that is not reached.
    package struct Unreachable: Sendable, Equatable {
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
    package struct Departure: Sendable, Equatable {
        /// What the journey leads to.
        package let title: String
        /// The moment at which to set out.
        package let moment: Moment

        package init(for title: String, at moment: Moment) {
            self.title = title
            self.moment = moment
        }
    }

    /// The kind of the message.
    package var kind: any NotificationKind {
        switch self {
        case .departure: CalendarNotificationKind.departure
        case .unreachable: CalendarNotificationKind.unreachable
        }
    }

    /// The message in a language.
    package func letter(in language: Language, from city: City) -> Letter {
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
