public import Chronology

/// A decision of the dispatcher: the log is a list of events, and the state is their sum.
public enum Event: Hashable, Sendable {
    /// What happened to the city as a whole: its rules, zones, register and service.
    case city(City)
    /// What happened to a taxi and its driver outside offers and rides.
    case taxi(Taxi)
    /// What happened to a request, a reservation or a joiner.
    case request(Request)
    /// What happened to the offer of a request to a driver.
    case offer(Offer)
    /// What happened to a ride after a driver accepted it.
    case ride(Ride)

    /// The request, reservation or joiner that arrived with the event, if any.
    public var arrival: RequestNumber? {
        switch self {
        case .request(.requested(let number, _)), .request(.reserved(let number, _, _, _)),
            .request(.joined(let number, _, _)):
            number
        case .city, .taxi, .request, .offer, .ride: nil
        }
    }

    /// What happened to the city as a whole: its rules, zones, register and service.
    public enum City: Hashable, Sendable {
        /// A policy came into force.
        case policyAdopted(Policy)
        /// The zones were drawn for the first time or again.
        case zonesDrawn(ZoneDrawing)
        /// A taxi was registered.
        case taxiRegistered(TaxiNumber, TaxiForm)
        /// The registered data of a taxi changed.
        case taxiChanged(TaxiNumber, TaxiForm)
        /// A taxi was removed from the register.
        case taxiRemoved(TaxiNumber)
        /// The city confirmed that its data is complete (R4).
        case setupCompleted
        /// The service was suspended (R12).
        case suspended(reason: String)
        /// The service was resumed.
        case resumed
        /// The service was down until now.
        case restarted
    }

    /// What happened to a taxi and its driver outside offers and rides.
    public enum Taxi: Hashable, Sendable {
        /// A driver went on duty.
        case wentOnDuty(TaxiNumber)
        /// A driver went off duty or was taken off; an operator gives a reason.
        case wentOffDuty(TaxiNumber, OffDutyCause, reason: String)
        /// A taxi moved to another place.
        case placed(TaxiNumber, Place)
        /// A taxi stopped reporting; its turn is kept until the given moment.
        case contactLost(TaxiNumber, keptUntil: Moment)
        /// A taxi reports again.
        case contactRegained(TaxiNumber)
        /// A driver got a position in the queue of a zone.
        case enqueued(TaxiNumber, ZoneNumber, Rank, QueueCause)
        /// A driver left the queue of the zone.
        case dequeued(TaxiNumber, QueueCause)
        /// An operator restored a driver's turn; the new position follows as ``enqueued``.
        case turnRestored(TaxiNumber, reason: String)
        /// A driver out of contact lost a ride through no fault of their own: the queue position
        /// due to them is kept as long as the one of their lost contact.
        case turnKept(TaxiNumber, ZoneNumber, Rank)
        /// A driver was sent to another zone and lost the ride through no fault of their own: the
        /// position in the queue of the own zone is kept until the given moment.
        case homeTurnKept(TaxiNumber, ZoneNumber, Rank, until: Moment)
    }

    /// What happened to a request, a reservation or a joiner.
    public enum Request: Hashable, Sendable {
        /// A request for a taxi arrived.
        case requested(RequestNumber, RequestForm)
        /// A reservation was made; its first attempt starts at `firstTry`.
        case reserved(RequestNumber, RequestForm, due: Moment, firstTry: Moment)
        /// A passenger joined the second request's shared ride.
        case joined(RequestNumber, RequestForm, RequestNumber)
        /// An attempt to find a taxi for a reservation began.
        case reservationTried(RequestNumber)
        /// A due reservation was postponed to its next attempt.
        case reservationPostponed(RequestNumber, PostponeCause, nextTry: Moment)
        /// A request was held for a taxi that has an open offer for another one (R56).
        case held(RequestNumber, nextTry: Moment)
        /// A held request is tried again.
        case heldTried(RequestNumber)
        /// An operator set a request aside.
        case parked(RequestNumber, reason: String)
        /// A request that was set aside is being served again.
        case unparked(RequestNumber)
        /// An operator chose a driver for a request; the offer follows.
        case assigned(RequestNumber, TaxiNumber, reason: String)
        /// A request ended; an operator gives a reason.
        case ended(RequestNumber, RequestOutcome, reason: String)
        /// The owner left a shared ride, and the first joiner became its owner.
        case ownerChanged(from: RequestNumber, to: RequestNumber)
    }

    /// What happened to the offer of a request to a driver.
    public enum Offer: Hashable, Sendable {
        /// The request was offered to a driver; the sequence number of this event is the offer's
        /// epoch.
        case offered(RequestNumber, TaxiNumber, deadline: Moment, OfferRule)
        /// An open offer got a new deadline after the service was down.
        case offerRenewed(RequestNumber, deadline: Moment)
        /// The driver's device shows the offer.
        case offerDelivered(RequestNumber)
        /// An offer closed without a ride.
        case offerClosed(RequestNumber, OfferOutcome)
        /// The driver accepted the offer.
        case accepted(RequestNumber)
    }

    /// What happened to a ride after a driver accepted it.
    public enum Ride: Hashable, Sendable {
        /// The driver stated where the taxi is, without a position that confirms it; the
        /// resulting arrival follows.
        case arrivalStated(RequestNumber)
        /// The taxi reached the meeting point.
        case meetingPointReached(RequestNumber)
        /// A wrong code was entered.
        case codeRejected(RequestNumber)
        /// That many passengers boarded.
        case boarded(RequestNumber, aboard: UInt8)
        /// The taxi reached the destination.
        case destinationReached(RequestNumber)
        /// The taxi is not coming: its driver gave the ride back, or an operator took it
        /// away and gave a reason.
        ///
        /// The search starts again with the request's old position in the order.
        case givenBack(RequestNumber, GiveBackCause, reason: String)
    }
}
