public import Chronology

/// What somebody asks of the dispatcher.
///
/// Nothing in a command is read from a clock, drawn at random or looked up on a map by the
/// dispatcher: whoever gives the command has done it, so that the same commands always decide the
/// same.
public enum Command: Hashable, Sendable {
    // MARK: The city

    /// Puts a policy into force; open offers keep their deadlines (F21).
    case adopt(Policy)
    /// Draws the zones, first or anew (R3, R7, G5).
    case drawZones(ZoneDrawing)
    /// Enters a taxi (R1, R6); its number is the next one.
    case register(TaxiForm)
    /// Changes what is known of a taxi.
    case change(TaxiNumber, TaxiForm)
    /// Takes a taxi from the register (R6), unless it has a ride.
    case remove(TaxiNumber)
    /// Confirms that the city's data is complete; before it only the commands above count (R4).
    case completeSetup
    /// Suspends the duty to serve requests and reservations (R12).
    case suspend(reason: String)
    /// Ends a suspension.
    case resume

    // MARK: Drivers

    /// The driver turns his toggle to available (R14, R15).
    case goOnDuty(TaxiNumber)
    /// The driver turns his toggle to unavailable (R14, R16).
    case goOffDuty(TaxiNumber)
    /// The taxi is in that zone, or outside, for sure (G8).
    case locate(TaxiNumber, Place)
    /// The taxi has not been heard from for `driver.stale_s`.
    case loseContact(TaxiNumber)
    /// The taxi is heard from again, at that place.
    case regainContact(TaxiNumber, Place)

    // MARK: Offers

    // The taxi and the epoch say which offer is meant; the request is the one the driver was
    // shown, which may have passed to one who shares it since.

    /// The driver's device shows the offer.
    case confirmDelivery(RequestNumber, TaxiNumber, epoch: Int64)
    /// The offer cannot be brought to the driver (R53).
    case reportUndeliverable(RequestNumber, TaxiNumber, epoch: Int64)
    /// The driver accepts.
    case accept(RequestNumber, TaxiNumber, epoch: Int64)
    /// The driver refuses.
    case refuse(RequestNumber, TaxiNumber, epoch: Int64)

    // MARK: Rides

    /// The taxi was seen at the meeting point.
    case reachMeetingPoint(TaxiNumber)
    /// So many passengers are aboard, and the code was right, wrong or not asked for.
    case board(TaxiNumber, aboard: UInt8, code: CodeCheck)
    /// Nobody came (R64), neither the passenger nor any who share the ride.
    case reportNoShow(TaxiNumber)
    /// One of those who share a ride did not come; the others ride without him (R87, F26).
    case leaveBehind(TaxiNumber, RequestNumber)
    /// The driver cannot carry the ride out that he accepted, and nobody is aboard yet: another
    /// taxi is looked for, and he goes off duty.
    case giveBack(TaxiNumber, GiveBackCause)
    /// The taxi was seen at the destination.
    case reachDestination(TaxiNumber)
    /// The taxi is at the destination, or at the meeting point, by the driver's word: he said
    /// where he is, and nothing measured it.
    case stateArrival(TaxiNumber, isDestination: Bool)
    /// The driver ends the ride (R65 to R67); with a reason against the checks, where the policy
    /// lets him.
    case endRide(TaxiNumber, reason: String?)

    // MARK: Passengers

    /// A taxi now.
    case request(RequestForm)
    /// A taxi at that hour (R72 to R79).
    case reserve(RequestForm, due: Moment)
    /// The passenger no longer wants it.
    case cancel(RequestNumber)
    /// Rides along with an open shared ride (R85).
    case join(RequestForm, RequestNumber, SharingEstimate)

    // MARK: The dispatcher's console

    /// Offers the request to that taxi out of turn.
    case assign(RequestNumber, TaxiNumber, reason: String)
    /// Sets a request aside.
    case park(RequestNumber, reason: String)
    /// Takes up a request that was set aside.
    case unpark(RequestNumber)
    /// Puts a driver before all in his queue whose turn was not given back before.
    case restoreTurn(TaxiNumber, reason: String)
    /// Takes a driver off duty.
    case takeOffDuty(TaxiNumber, reason: String)
    /// Cancels a request, a reservation or a ride.
    case withdraw(RequestNumber, reason: String)
    /// Ends a ride against the checks.
    case closeRide(TaxiNumber, reason: String)
    /// Takes a request for which nobody is aboard yet from that taxi, whose driver goes off duty;
    /// another is looked for.
    case replace(RequestNumber, TaxiNumber, reason: String)
}

/// What is entered of a taxi.
public struct TaxiForm: Hashable, Sendable {
    /// The code that the city gave it; unique (R2).
    public var code: String
    /// What it can carry.
    public var capacity: Capacity
    /// The moment from which its licence no longer holds.
    public var licensedUntil: Moment

    /// A taxi of that code.
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

/// The zones to put into force, and where everything lies in them.
public struct ZoneDrawing: Hashable, Sendable {
    /// The names of the zones, in the order of their numbers; unique.
    public var names: [String]
    /// Identifies the borders: the hash of the zone set.
    public var hash: UInt64
    /// The place of each taxi in the order of numbers, removed ones too.
    public var places: [Place]
    /// The zone of each live request and reservation, in the order of numbers; none where its
    /// meeting point lies outside.
    public var requests: [Redrawn]

    /// One request's new zone.
    public struct Redrawn: Hashable, Sendable {
        /// The request.
        public var request: RequestNumber
        /// Its new zone.
        public var zone: ZoneNumber?

        /// That request in that zone.
        public init(request: RequestNumber, zone: ZoneNumber?) {
            self.request = request
            self.zone = zone
        }
    }

    /// Zones of these names.
    public init(names: [String], hash: UInt64, places: [Place] = [], requests: [Redrawn] = []) {
        self.names = names
        self.hash = hash
        self.places = places
        self.requests = requests
    }
}

/// What came of comparing the passenger's code (R59).
public enum CodeCheck: UInt8, Hashable, Sendable {
    /// No code was asked for.
    case none
    /// It was the ride's.
    case right
    /// It was not.
    case wrong
}

/// What a joiner would cost and gain, as the streets say (R86).
public struct SharingEstimate: Hashable, Sendable {
    /// The joiner's walk to the meeting point, in seconds.
    public var walkSeconds: Int32
    /// When the taxi gets there, in seconds from now; an estimate while none has accepted.
    public var taxiSeconds: Int32
    /// The longest detour of any sharer, in percent of his direct way.
    public var detourPercent: Int32
    /// The longest further wait of any sharer, in seconds.
    public var extraWaitSeconds: Int32

    /// An estimate of these numbers.
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
