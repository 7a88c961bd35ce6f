package import Identity
package import Notify
import WebCore

/// The kinds of live events.
///
/// An element with `data-live="service"` reloads on each such event.
///
/// An event says that something has changed, but never what: the reloaded page shows what its
/// visitor may see. The only exception is ``QueueNews``, which is not a case of this type.
package enum LiveEvent: String, CaseIterable, Sendable {
    /// The service was suspended or resumed (R12).
    case service
    /// A passenger's request or ride has changed, or the taxi has moved (R58, R61, R62).
    case ride
    /// A driver's queue position, offer or ride has changed (R50).
    case drive
    /// Requests or taxis have changed, which concerns the operators' pages.
    case operations
}

extension Topic {
    /// The topic of events for all visitors.
    package static let service = Topic("service")
    /// The topic of events for operators and administrators.
    package static let operations = Topic("operations")

    /// The topic of a person's own rides and reservations.
    package static func person(_ number: PersonNumber) -> Topic {
        Topic("person/\(number.rawValue)")
    }

    /// The topic of a driver's work: queue, offers and rides.
    package static func driver(_ number: PersonNumber) -> Topic {
        Topic("driver/\(number.rawValue)")
    }

    /// The topic of a guest's ride.
    package static func guest(_ number: PersonNumber) -> Topic {
        Topic("guest/\(number.rawValue)")
    }
}

extension RequestContext {
    /// The topics that the visitor may follow.
    package var topics: Set<Topic> {
        if let session { return session.standing.topics }
        return guest.map { [.service, .guest($0.number)] } ?? [.service]
    }
}

extension SessionStanding {
    /// The topics that a session may follow.
    ///
    /// Access to topics is decided here and nowhere else.
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
