package import Dispatching
import Encoding

/// A notice to a driver or passenger, kept in the outbox until it is delivered.
///
/// A notice is only a hint; its subject is read from the state, which is authoritative.
package struct Notice: Hashable, Sendable {
    /// The recipient of a notice.
    package enum Recipient: Hashable, Sendable {
        case driver(TaxiNumber)
        case passenger(PassengerNumber)
        /// All connected people.
        case everybody
    }

    /// The kind of a notice.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case offer
        case offerWithdrawn
        case offerExpired
        case offerRenewed
        case ride
        case rideCancelled
        case queued
        case offDuty
        case turnRestored
        case taxiFound
        case taxiThere
        case taxiLost
        case searching
        case held
        case sharingJoined
        case sharingOwner
        case sharingLeft
        case booked
        case ended
        case reservationEnded
        case suspended
        case resumed
    }

    package var recipient: Recipient
    package var kind: Kind
    /// The request that it is about, if any.
    package var request: RequestNumber?
    /// The taxi that a passenger is told about; it may have been replaced since.
    package var taxi: TaxiNumber?
    /// A detail by kind: the outcome of a request, or the reason why a driver is off duty or
    /// queued; 0 if there is none.
    package var detail: UInt8 = 0

    /// The name of the recipient's type in the outbox.
    package var channel: String {
        switch recipient {
        case .driver: "driver"
        case .passenger: "passenger"
        case .everybody: "everybody"
        }
    }

    /// The notice as a JSON object for the outbox.
    package var payload: [UInt8] {
        var members = [(name: "kind", json: JSONString.quoted(kind.rawValue))]
        switch recipient {
        case .driver(let taxi): members.append(("taxi", "\(taxi.rawValue)"))
        case .passenger(let passenger): members.append(("passenger", "\(passenger.rawValue)"))
        case .everybody: break
        }
        if let request { members.append(("request", "\(request.rawValue)")) }
        if let taxi { members.append(("by", "\(taxi.rawValue)")) }
        if detail != 0 { members.append(("detail", "\(detail)")) }
        return Array(JSONString.object(of: members).utf8)
    }
}
