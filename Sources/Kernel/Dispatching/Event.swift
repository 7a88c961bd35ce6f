public import Chronology

/// What the dispatcher decided: the log is a list of these, and the state is their sum.
public enum Event: Hashable, Sendable {
    // MARK: The city

    /// A policy came into force.
    case policyAdopted(Policy)
    /// The zones were drawn.
    case zonesDrawn(ZoneDrawing)
    /// A taxi was entered.
    case taxiRegistered(TaxiNumber, TaxiForm)
    /// What is known of a taxi changed.
    case taxiChanged(TaxiNumber, TaxiForm)
    /// A taxi was taken from the register.
    case taxiRemoved(TaxiNumber)
    /// The city's data is complete (R4).
    case setupCompleted
    /// The service is suspended (R12).
    case suspended(reason: String)
    /// The service goes on.
    case resumed
    /// The service was down until now.
    case restarted

    // MARK: Drivers

    /// A driver went on duty.
    case wentOnDuty(TaxiNumber)
    /// A driver went off duty, or was taken off; a dispatcher states a reason.
    case wentOffDuty(TaxiNumber, OffDutyCause, reason: String)
    /// A taxi is at another place.
    case placed(TaxiNumber, Place)
    /// A taxi is not heard from; its turn is kept until then.
    case contactLost(TaxiNumber, keptUntil: Moment)
    /// A taxi is heard from again.
    case contactRegained(TaxiNumber)
    /// A driver was given a place in the queue of a zone.
    case enqueued(TaxiNumber, ZoneNumber, Rank, QueueCause)
    /// A driver left the queue of his zone.
    case dequeued(TaxiNumber, QueueCause)
    /// A dispatcher gave a driver his turn back; the place follows.
    case turnRestored(TaxiNumber, reason: String)
    /// A driver who is not heard from lost his ride: the turn that this gives him in that zone is
    /// kept for him as long as his contact that was lost.
    case turnKept(TaxiNumber, ZoneNumber, Rank)

    // MARK: Requests

    /// A request arrived.
    case requested(RequestNumber, RequestForm)
    /// A reservation was booked; its first try is then.
    case reserved(RequestNumber, RequestForm, due: Moment, firstTry: Moment)
    /// A passenger rides along with that request.
    case joined(RequestNumber, RequestForm, RequestNumber)
    /// A due reservation looks for a taxi.
    case reservationTried(RequestNumber)
    /// A due reservation waits for its next try.
    case reservationPostponed(RequestNumber, PostponeCause, nextTry: Moment)
    /// A request waits for a taxi that is pending for another (R56).
    case held(RequestNumber, nextTry: Moment)
    /// A held request is tried again.
    case heldTried(RequestNumber)
    /// A dispatcher set a request aside.
    case parked(RequestNumber, reason: String)
    /// A request that was set aside is taken up.
    case unparked(RequestNumber)
    /// A dispatcher chose a driver for a request; the offer follows.
    case assigned(RequestNumber, TaxiNumber, reason: String)
    /// A request ended; a dispatcher states a reason.
    case ended(RequestNumber, RequestOutcome, reason: String)
    /// The owner of a shared ride left, and the first joiner owns it now.
    case ownerChanged(from: RequestNumber, to: RequestNumber)

    // MARK: Offers

    /// A driver was asked; the sequence number of this event is the offer's epoch.
    case offered(RequestNumber, TaxiNumber, deadline: Moment, OfferRule)
    /// An open offer got a new deadline after the service was down.
    case offerRenewed(RequestNumber, deadline: Moment)
    /// The driver's device shows the offer.
    case offerDelivered(RequestNumber)
    /// An offer closed without a ride.
    case offerClosed(RequestNumber, OfferOutcome)
    /// A driver accepted.
    case accepted(RequestNumber)

    // MARK: Rides

    /// The driver said himself where he is, and nothing measured it: the arrival that this shows
    /// follows.
    case arrivalStated(RequestNumber)
    /// The taxi is at the meeting point.
    case meetingPointReached(RequestNumber)
    /// A wrong code was entered.
    case codeRejected(RequestNumber)
    /// So many passengers are aboard.
    case boarded(RequestNumber, aboard: UInt8)
    /// The taxi is at the destination.
    case destinationReached(RequestNumber)
    /// The taxi does not come: its driver gave the ride back, or it was taken from him, for which a
    /// dispatcher states a reason. The request looks for another from its old place in the order.
    case givenBack(RequestNumber, GiveBackCause, reason: String)
}
