package import Chronology
package import Dispatching

/// An event of a request, with all data needed to describe it in a sentence.
package enum Fact: Hashable, Sendable {
    /// The request arrived in a zone.
    case asked(zone: String, Capacity, isShared: Bool)
    /// A reservation was made; the search starts at `firstTry`.
    case booked(zone: String, Capacity, due: Moment, firstTry: Moment)
    /// The request joined another ride.
    case joined(RequestNumber)
    /// Another request joined this ride.
    case gainedJoiner(RequestNumber)
    /// The search for a reservation started for the given time.
    case tried(Int)
    /// A reservation waits for its next attempt.
    case postponed(PostponeCause, nextTry: Moment)
    /// A driver got an offer; drivers ahead in the queue were passed over for the given reasons.
    case offered(taxi: String, OfferRule, place: Int, deadline: Moment, passed: [Passed])
    /// The driver's device displayed the offer.
    case shown(taxi: String)
    /// The offer got a new deadline after an outage of the service.
    case renewed(taxi: String, deadline: Moment)
    /// A driver did not accept the offer.
    case declined(taxi: String, OfferOutcome)
    /// A driver accepted the offer.
    case accepted(taxi: String)
    /// The request waits for a driver who has an offer for another request.
    case held(nextTry: Moment)
    /// A held request is tried again for the given time.
    case heldTried(Int)
    /// A dispatcher assigned the driver.
    case assigned(taxi: String, reason: String)
    /// A dispatcher set the request aside.
    case parked(reason: String)
    /// A dispatcher reactivated the request.
    case unparked
    /// The position is based on the driver's statement alone; the fact that it supports follows.
    case stated(taxi: String)
    /// The taxi reached the pickup point.
    case reached(taxi: String)
    /// A wrong boarding code was entered.
    case wrongCode(taxi: String)
    /// The given number of passengers boarded.
    case boarded(taxi: String, Int)
    /// The taxi reached the destination.
    case arrived(taxi: String)
    /// The accepted taxi will not come; a dispatcher who replaces it states a reason.
    case givenBack(taxi: String, GiveBackCause, reason: String)
    /// The ride passed to a joiner, or came from the former owner.
    case changedOwner(from: RequestNumber, to: RequestNumber)
    /// The request ended.
    case ended(RequestOutcome, reason: String)

    /// A driver ahead in the queue who was passed over.
    package struct Passed: Hashable, Sendable {
        /// The code of the driver's taxi.
        package var taxi: String
        package var reason: Reason
    }

    /// The reason why a driver got no offer.
    package enum Reason: Hashable, Sendable {
        /// The taxi cannot carry the passengers.
        case tooSmall
        /// The driver already had an offer for this request.
        case askedBefore
        /// The driver was queued after the reservation's attempt had started (C6).
        case cameLater
        /// A dispatcher chose another driver.
        case assigned
        /// The driver was further back in the queue, behind `ahead` others.
        case furtherBack(ahead: Int)
        /// The driver was in another zone.
        case elsewhere(zone: String)
        /// The own zone of the request had no driver who may take it, and the driver who got the
        /// offer was in a zone nearer than this driver's.
        case nearer(zone: String)
        /// The driver's status did not permit an offer.
        case status(TaxiStatus)
        /// The driver got the offer.
        case chosen
    }
}

/// A fact with its time.
package struct Told: Hashable, Sendable {
    /// When it happened.
    package var at: Moment
    package var fact: Fact
}
