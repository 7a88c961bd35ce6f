import Encoding
package import Identity
package import LiveUpdates
import Localization
package import Notify
import WebCore

/// The taxi's events that refresh parts of open pages.
package enum TaxiEvent: String, RefreshEvent {
    /// The service was suspended or resumed (R12).
    case service
    /// A passenger's request or ride has changed, or the taxi has moved (R58, R61, R62).
    case ride
    /// A driver's queue position, offer or ride has changed (R50).
    case drive
    /// Requests or taxis have changed, which concerns the operators' pages.
    case operations
}

/// A driver's new queue position, for the driver's open page.
///
/// It is the only event that contains the change itself. In a large fleet queue positions change
/// far more often than anything else, and reloading whole pages for one sentence would be wasteful.
/// The event concerns only the driver who receives it. Its log position prevents a page from
/// returning to an older state.
struct QueuePositionEvent: LiveEvent {
    /// The number of log events up to this state.
    let sequence: Int64
    /// The queue position in words.
    let standing: DriveStanding

    var name: String { "place" }

    /// The heading and the screen reader announcement in each language.
    var payload: String {
        let words = Language.allCases.map { language in
            let texts = [standing.title, standing.said].map {
                "\(JSONString.quoted($0.in(language)))"
            }
            return ",\"\(language.rawValue)\":[\(texts.joined(separator: ","))]"
        }
        return "{\"at\":\(sequence)\(words.joined())}"
    }
}

/// The taxi's part of the event streams.
package struct TaxiLiveProduct: LiveProduct {
    package typealias Refresh = TaxiEvent

    /// Creates the taxi's part of the event streams.
    package init() {}

    /// The topics of people who order, drive and operate taxis.
    package func topics(for follower: EventFollower) -> Set<Topic> {
        switch follower {
        case .visitor: return [.service]
        case .guest(let number): return [.service, .guest(number)]
        case .session(let standing):
            guard let person = standing.person, !standing.mustChangePassword else {
                return [.service]
            }
            var topics: Set<Topic> = [.service, .person(person)]
            if standing.roles.contains(.driver) { topics.insert(.driver(person)) }
            if !standing.roles.isDisjoint(with: [.serviceOperator, .administrator]) {
                topics.insert(.operations)
            }
            return topics
        }
    }
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
