package import Identity
package import Notify
import WebCore

/// What pages are told of at the moment it happens, by the names that they ask for: an element
/// with `data-live="service"` is fetched anew when such an event comes.
///
/// An event says that something has changed, never what: the page shows what its visitor may see.
/// One kind alone is otherwise, and no case of these: ``QueueNews``.
package enum LiveEvent: String, CaseIterable, Sendable {
    /// The service was suspended, or goes on (R12).
    case service
    /// A passenger's request or ride has changed, or the taxi has moved (R58, R61, R62).
    case ride
    /// A driver's place, offer or ride has changed (R50).
    case drive
    /// Something happened to requests or taxis: for the pages of the city's operators.
    case operations
}

extension Topic {
    /// What concerns everybody.
    package static let service = Topic("service")
    /// What operators and administrators follow.
    package static let operations = Topic("operations")

    /// What concerns one person: the own rides and reservations.
    package static func person(_ number: PersonNumber) -> Topic {
        Topic("person/\(number.rawValue)")
    }

    /// What concerns one driver at work: the queue, offers, the ride.
    package static func driver(_ number: PersonNumber) -> Topic {
        Topic("driver/\(number.rawValue)")
    }

    /// What concerns a passenger without an account: the ride that was asked for.
    package static func guest(_ number: PersonNumber) -> Topic {
        Topic("guest/\(number.rawValue)")
    }
}

extension Visit {
    /// What the visitor may listen to.
    package var topics: Set<Topic> {
        if let session { return session.standing.topics }
        return guest.map { [.service, .guest($0.number)] } ?? [.service]
    }
}

extension SessionStanding {
    /// What who is signed in may listen to: decided here, and nowhere else.
    package var topics: Set<Topic> {
        guard let person, !mustChangePassword else { return [.service] }
        var topics: Set<Topic> = [.service, .person(person)]
        if roles.contains(.driver) { topics.insert(.driver(person)) }
        if !roles.isDisjoint(with: [.serviceOperator, .administrator]) {
            topics.insert(.operations)
        }
        return topics
    }
}
