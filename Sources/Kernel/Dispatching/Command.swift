public import Chronology

/// An input to the dispatcher from a driver, a passenger, an operator or the location service.
///
/// The dispatcher itself reads no clock, draws no random numbers and looks nothing up on a
/// map. The caller puts all of that into the command, so that the same commands always
/// give the same decisions.
public enum Command: Hashable, Sendable {
    // MARK: The city

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
    /// Confirms that the city's data is complete; before it only the commands above count (R4).
    case completeSetup
    /// Suspends the service: requests and reservations are no longer served (R12).
    case suspend(reason: String)
    /// Resumes the service after a suspension.
    case resume

    // MARK: Drivers

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

    // MARK: Offers

    // The taxi and the epoch identify the offer. The request is the one that the driver was shown;
    // the ride may since have passed to a passenger who shares it.

    /// The driver's device shows the offer.
    case confirmDelivery(RequestNumber, TaxiNumber, epoch: Int64)
    /// The offer could not be delivered to the driver (R53).
    case reportUndeliverable(RequestNumber, TaxiNumber, epoch: Int64)
    /// The driver accepts the offer.
    case accept(RequestNumber, TaxiNumber, epoch: Int64)
    /// The driver refuses the offer.
    case refuse(RequestNumber, TaxiNumber, epoch: Int64)

    // MARK: Rides

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
    /// The driver states that the taxi is at the destination, or at the meeting point, without a
    /// position that confirms it.
    case stateArrival(TaxiNumber, isDestination: Bool)
    /// The driver ends the ride (R65 to R67); a reason overrides the checks where
    /// the policy allows it.
    case endRide(TaxiNumber, reason: String?)

    // MARK: Passengers

    /// A passenger requests a taxi now.
    case request(RequestForm)
    /// A passenger reserves a taxi for a later time (R72 to R79).
    case reserve(RequestForm, due: Moment)
    /// The passenger cancels the request or reservation.
    case cancel(RequestNumber)
    /// A passenger joins an open shared ride (R85).
    case join(RequestForm, RequestNumber, SharingEstimate)

    // MARK: Console

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

/// The registered data of a taxi.
public struct TaxiForm: Hashable, Sendable {
    /// The taxi's code, assigned by the city; unique (R2).
    public var code: String
    /// The seats and the wheelchair space of the taxi.
    public var capacity: Capacity
    /// The moment at which its licence expires.
    public var licensedUntil: Moment

    /// Creates the data of a taxi.
    public init(
        code: String,
        capacity: Capacity = Capacity(seats: 4),
        licensedUntil: Moment = .never
    ) {
        self.code = code
        self.capacity = capacity
        self.licensedUntil = licensedUntil
    }
}

/// A new set of zones, with the zone of each taxi and request in it.
public struct ZoneDrawing: Hashable, Sendable {
    /// The names of the zones, in the order of their numbers; unique.
    public var names: [String]
    /// The hash of the zone set, which identifies the borders.
    public var hash: UInt64
    /// The place of each taxi, in the order of taxi numbers, including removed taxis.
    public var places: [Place]
    /// The zone of each live request and reservation, in the order of request numbers; nil where
    /// the meeting point lies outside all zones.
    public var requests: [Redrawn]

    /// The new zone of one request.
    public struct Redrawn: Hashable, Sendable {
        /// The number of the request.
        public var request: RequestNumber
        /// The new zone; nil if the meeting point lies outside all zones.
        public var zone: ZoneNumber?

        /// Assigns a zone to a request.
        public init(request: RequestNumber, zone: ZoneNumber?) {
            self.request = request
            self.zone = zone
        }
    }

    /// Creates a drawing of zones with these names.
    public init(names: [String], hash: UInt64, places: [Place] = [], requests: [Redrawn] = []) {
        self.names = names
        self.hash = hash
        self.places = places
        self.requests = requests
    }
}

/// The result of comparing the passenger's code (R59).
public enum CodeCheck: UInt8, Hashable, Sendable {
    /// No code was required.
    case none
    /// The code was correct.
    case right
    /// The code did not match.
    case wrong
}

/// The effects of joining a shared ride, estimated on the street network (R86).
public struct SharingEstimate: Hashable, Sendable {
    /// The joiner's walk to the meeting point, in seconds.
    public var walkSeconds: Int32
    /// When the taxi reaches the meeting point, in seconds from now; an estimate until a
    /// driver has accepted.
    public var taxiSeconds: Int32
    /// The longest detour of any passenger of the ride, in percent of the direct way.
    public var detourPercent: Int32
    /// The longest additional wait of any passenger of the ride, in seconds.
    public var extraWaitSeconds: Int32

    /// Creates an estimate.
    public init(
        walkSeconds: Int32,
        taxiSeconds: Int32,
        detourPercent: Int32,
        extraWaitSeconds: Int32
    ) {
        self.walkSeconds = walkSeconds
        self.taxiSeconds = taxiSeconds
        self.detourPercent = detourPercent
        self.extraWaitSeconds = extraWaitSeconds
    }
}
