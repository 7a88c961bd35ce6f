package import Identity
package import Notify

/// What a product contributes to the event streams of browsers.
package protocol LiveProduct: Sendable {
    /// The product's events that refresh parts of open pages.
    associatedtype Refresh: RefreshEvent

    /// The topics of the product that somebody may follow.
    ///
    /// Access to these topics is decided here and nowhere else.
    func topics(for follower: EventFollower) -> Set<Topic>
}

/// The events of a product after which parts of open pages refresh themselves, as an enum.
///
/// The raw value is the event's name. An element with an `id` and the attribute
/// `data-live="NAMES"` refreshes after each event with one of these names.
///
/// Such an event says that something has changed, but never what: the page that is fetched again
/// shows what its visitor may see.
package protocol RefreshEvent: CaseIterable, RawRepresentable<String>, Sendable {}

/// An event that contains the change itself, for a script of its product.
package protocol LiveEvent: Sendable {
    /// The name by which the script listens for the event: letters, digits, hyphens and points.
    var name: String { get }
    /// The change, which everybody who may follow the event's topic may read.
    var payload: String { get }
}

/// Who follows events, as far as access to topics depends on it.
package enum EventFollower: Sendable {
    /// The holder of a session.
    case session(SessionStanding)
    /// A person without an account whom a product knows by a contact.
    case guest(PersonNumber)
    /// A browser without a session or a known contact.
    case visitor
}

extension LiveProduct {
    /// The names of the product's refresh events.
    var refreshNames: [String] { Refresh.allCases.map(\.rawValue) }
}
