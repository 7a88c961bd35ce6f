package import Chronology
package import Dispatching

/// One thing that happened to a request, with all that is needed to say it in a sentence.
package enum Fact: Hashable, Sendable {
    /// It arrived in a zone.
    case asked(zone: String, Capacity, isShared: Bool)
    /// It was booked for later; the search begins then.
    case booked(zone: String, Capacity, due: Moment, firstTry: Moment)
    /// It rides along with another.
    case joined(RequestNumber)
    /// Somebody rides along with it.
    case gainedJoiner(RequestNumber)
    /// A reservation's search begins, for the nth time.
    case tried(Int)
    /// A reservation waits for its next try.
    case postponed(PostponeCause, nextTry: Moment)
    /// A driver was asked; who stood before him was passed over, with reasons.
    case offered(taxi: String, OfferRule, place: Int, deadline: Moment, passed: [Passed])
    /// A driver's device showed the offer.
    case shown(taxi: String)
    /// A new deadline after the service had been down.
    case renewed(taxi: String, deadline: Moment)
    /// A driver did not take it.
    case declined(taxi: String, OfferOutcome)
    /// A driver took it.
    case accepted(taxi: String)
    /// It waits for a driver who is being asked for another.
    case held(nextTry: Moment)
    /// It is tried again after it was held, for the nth time.
    case heldTried(Int)
    /// A dispatcher chose the driver.
    case assigned(taxi: String, reason: String)
    /// A dispatcher set it aside.
    case parked(reason: String)
    /// It was taken up again.
    case unparked
    /// The driver's word alone says where his taxi is; what it shows follows.
    case stated(taxi: String)
    /// The taxi is there.
    case reached(taxi: String)
    /// A wrong code was entered.
    case wrongCode(taxi: String)
    /// So many are aboard.
    case boarded(taxi: String, Int)
    /// The taxi is at the destination.
    case arrived(taxi: String)
    /// The taxi that had accepted does not come; a dispatcher who replaces it states a reason.
    case givenBack(taxi: String, GiveBackCause, reason: String)
    /// It passed to a joiner, or came from the former owner.
    case changedOwner(from: RequestNumber, to: RequestNumber)
    /// It ended.
    case ended(RequestOutcome, reason: String)

    /// A driver who stood before the one who was asked.
    package struct Passed: Hashable, Sendable {
        /// His taxi.
        package var taxi: String
        /// Why he was not asked.
        package var reason: Reason
    }

    /// Why a driver was not asked.
    package enum Reason: Hashable, Sendable {
        /// His taxi cannot carry what was asked for.
        case tooSmall
        /// He had been asked for this request before.
        case askedBefore
        /// He came after the reservation's try had begun (C6).
        case cameLater
        /// A dispatcher chose another.
        case assigned
        /// He stood further back: so many were before him.
        case furtherBack(ahead: Int)
        /// He was in another zone.
        case elsewhere(zone: String)
        /// He was in no state to be asked.
        case status(TaxiStatus)
        /// He was asked himself.
        case chosen
    }
}

/// Something that happened, and when.
package struct Told: Hashable, Sendable {
    /// When.
    package var at: Moment
    /// What.
    package var fact: Fact
}
