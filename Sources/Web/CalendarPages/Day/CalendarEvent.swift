import HTTPTypes
import Identity
package import LiveUpdates
package import Notify
import TaxiPages
import WebCore

/// The calendar's event that refreshes parts of open pages (V91).
package enum CalendarEvent: String, RefreshEvent {
    /// The entries of a person, their settings or a plan of theirs have changed.
    case calendar
}

/// The calendar's part of the event streams.
package struct CalendarLiveProduct: LiveProduct {
    package typealias Refresh = CalendarEvent

    /// Creates the calendar's part of the event streams.
    package init() {}

    /// The topic of the person themselves: nobody else follows their calendar.
    package func topics(for follower: EventFollower) -> Set<Topic> {
        guard case .session(let standing) = follower, let person = standing.person,
            !standing.mustChangePassword
        else { return [] }
        return [.person(person)]
    }
}

extension CalendarPages {
    /// Refreshes the open pages of a person's calendar, on all devices.
    func refreshPages(of person: PersonNumber) {
        environment.live.publish(CalendarEvent.calendar, on: .person(person))
    }

    /// Routes whose actions refresh the open pages of the person's other devices.
    func refreshing(_ routes: [Route]) -> [Route] {
        routes.map { route in
            guard route.method == .post else { return route }
            var route = route
            let answer = route.answer
            route.answer = { context in
                let response = try await answer(context)
                // Whatever was stored is answered with a redirect.
                if response.status == .seeOther, let person = context.session?.person {
                    refreshPages(of: person)
                }
                return response
            }
            return route
        }
    }
}
