package import Dispatching

/// Something that a driver or a passenger is told, in the outbox until it has arrived.
///
/// A notice is a hint: what it is about is read from the state, which is the truth.
package struct Notice: Hashable, Sendable {
    /// Who is told.
    package enum Recipient: Hashable, Sendable {
        /// A driver.
        case driver(TaxiNumber)
        /// A passenger.
        case passenger(PassengerNumber)
        /// Everybody who is connected.
        case everybody
    }

    /// What somebody is told.
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

    /// Who is told.
    package var recipient: Recipient
    /// What.
    package var kind: Kind
    /// The request that it is about, if any.
    package var request: RequestNumber?
    /// The taxi that a passenger is told of; another may have been found for him since.
    package var taxi: TaxiNumber?
    /// Further: how a request ended, or why a driver is off duty or in a queue; 0 where there is
    /// nothing more.
    package var detail: UInt8 = 0

    /// The kind of receiver, as the outbox names it.
    package var channel: String {
        switch recipient {
        case .driver: "driver"
        case .passenger: "passenger"
        case .everybody: "everybody"
        }
    }

    /// The notice as a JSON object, for the outbox.
    package var payload: [UInt8] {
        var fields = ["\"kind\":\"\(kind.rawValue)\""]
        switch recipient {
        case .driver(let taxi): fields.append("\"taxi\":\(taxi.rawValue)")
        case .passenger(let passenger): fields.append("\"passenger\":\(passenger.rawValue)")
        case .everybody: break
        }
        if let request { fields.append("\"request\":\(request.rawValue)") }
        if let taxi { fields.append("\"by\":\(taxi.rawValue)") }
        if detail != 0 { fields.append("\"detail\":\(detail)") }
        return Array("{\(fields.joined(separator: ","))}".utf8)
    }
}
