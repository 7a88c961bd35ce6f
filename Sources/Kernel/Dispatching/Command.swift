public import Chronology

/// An input to the dispatcher from a driver, a passenger, an operator or the location service.
///
/// The dispatcher itself reads no clock, draws no random numbers and looks nothing up on a
/// map. The caller puts all of that into the command, so that the same commands always
/// give the same decisions.
public enum Command: Hashable, Sendable {
    /// The data and rules of the city; only these count before the set-up is complete (R4).
    case city(City)
    /// What a driver or the location service reports of a taxi.
    case driver(Driver)
    /// The answers to an offer.
    case offer(Offer)
    /// The steps of a ride, from the meeting point to its end.
    case ride(Ride)
    /// What a passenger asks for.
    case passenger(Passenger)
    /// What an operator decides, outside the normal order.
    case console(Console)

    /// The data and rules of the city; only these count before the set-up is complete (R4).
    public enum City: Hashable, Sendable {
        /// Puts a policy into force; open offers keep their deadlines (F21).
        case adopt(Policy)
        /// Draws the zones for the first time or again (R3, R7, G5).
        case drawZones(ZoneDrawing)
        /// Registers a taxi (R1, R6); it gets the next taxi number.
        case register(TaxiForm)
        /// Changes the registered data of a taxi.
        case change(TaxiNumber, TaxiForm)
        /// Removes a taxi from the register (R6), unless it has a ride.
        case remove(TaxiNumber)
        /// Confirms that the city's data is complete; before it, only commands of this group are
        /// accepted (R4).
        case completeSetup
    }

    /// What a driver or the location service reports of a taxi.
    public enum Driver: Hashable, Sendable {
        /// The driver switches to available (R14, R15).
        case goOnDuty(TaxiNumber)
        /// The driver switches to unavailable (R14, R16).
        case goOffDuty(TaxiNumber)
        /// The taxi is confirmed to be in that zone, or outside all zones (G8).
        case locate(TaxiNumber, Place)
        /// No report has come from the taxi for `driver.stale_s`.
        case loseContact(TaxiNumber)
        /// The taxi reports again, from that place.
        case regainContact(TaxiNumber, Place)
    }

    /// The answers to an offer.
    ///
    /// The taxi and the epoch identify the offer. The request is the one that the driver was shown;
    /// the ride may since have passed to a passenger who shares it.
    public enum Offer: Hashable, Sendable {
        /// The driver's device shows the offer.
        case confirmDelivery(RequestNumber, TaxiNumber, epoch: Int64)
        /// The offer could not be delivered to the driver (R53).
        case reportUndeliverable(RequestNumber, TaxiNumber, epoch: Int64)
        /// The driver accepts the offer.
        case accept(RequestNumber, TaxiNumber, epoch: Int64)
        /// The driver refuses the offer.
        case refuse(RequestNumber, TaxiNumber, epoch: Int64)
    }

    /// The steps of a ride, from the meeting point to its end.
    public enum Ride: Hashable, Sendable {
        /// The taxi was detected at the meeting point.
        case reachMeetingPoint(TaxiNumber)
        /// That many passengers have boarded; `code` says whether their code was right,
        /// wrong or not required.
        case board(TaxiNumber, aboard: UInt8, code: CodeCheck)
        /// No passenger came (R64): neither the owner nor anyone who shares the ride.
        case reportNoShow(TaxiNumber)
        /// One passenger of a shared ride did not come; the others travel without them (R87, F26).
        case leaveBehind(TaxiNumber, RequestNumber)
        /// The driver cannot carry out the accepted ride, and nobody has boarded: another taxi is
        /// sought, and the driver goes off duty.
        case giveBack(TaxiNumber, GiveBackCause)
        /// The taxi was detected at the destination.
        case reachDestination(TaxiNumber)
        /// The driver states that the taxi is at the destination, or at the meeting point, without
        /// a position that confirms it.
        case stateArrival(TaxiNumber, isDestination: Bool)
        /// The driver ends the ride (R65 to R67); a reason overrides the checks where
        /// the policy allows it.
        case endRide(TaxiNumber, reason: String?)
    }

    /// What a passenger asks for.
    public enum Passenger: Hashable, Sendable {
        /// A passenger requests a taxi now.
        case request(RequestForm)
        /// A passenger reserves a taxi for a later time (R72 to R79).
        case reserve(RequestForm, due: Moment)
        /// The passenger cancels the request or reservation.
        case cancel(RequestNumber)
        /// A passenger joins an open shared ride (R85).
        case join(RequestForm, RequestNumber, SharingEstimate)
    }

    /// What an operator decides, outside the normal order.
    public enum Console: Hashable, Sendable {
        /// Suspends the service: requests and reservations are no longer served (R12).
        case suspend(reason: String)
        /// Resumes the service after a suspension.
        case resume
        /// Offers the request to that taxi, ahead of the queue.
        case assign(RequestNumber, TaxiNumber, reason: String)
        /// Sets a request aside, so that no taxi is sought for it.
        case park(RequestNumber, reason: String)
        /// Resumes the search for a request that was set aside.
        case unpark(RequestNumber)
        /// Moves a driver to the head of the queue, behind drivers whose turn was restored earlier.
        case restoreTurn(TaxiNumber, reason: String)
        /// Takes a driver off duty.
        case takeOffDuty(TaxiNumber, reason: String)
        /// Cancels a request, a reservation or a ride.
        case withdraw(RequestNumber, reason: String)
        /// Ends a ride although the checks do not allow it.
        case closeRide(TaxiNumber, reason: String)
        /// Takes a request from a taxi that nobody has boarded.
        ///
        /// The driver goes off duty, and another taxi is sought.
        case replace(RequestNumber, TaxiNumber, reason: String)
    }
}
