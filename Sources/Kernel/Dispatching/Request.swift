public import Chronology

/// What a passenger requests; the service around the dispatcher stores the exact places.
public struct RequestForm: Hashable, Sendable {
    /// The passenger who requests.
    public var passenger: PassengerNumber
    /// Whether the passenger has no account.
    public var isGuest: Bool
    /// The zone of the meeting point; nil when it lies outside all zones.
    public var zone: ZoneNumber?
    /// The seats and the wheelchair space that are needed.
    public var needs: Capacity
    /// Whether a destination was given.
    public var hasDestination: Bool
    /// Whether others may share the ride (R83).
    public var isShared: Bool
    /// The other zones from which a taxi can come when the own zone has none, nearest first; those
    /// of equal time by number.
    public var neighbours: [NeighbouringZone]

    /// The greatest number of ``neighbours``, more zones than most cities have.
    public static let neighbourLimit = 256

    /// Creates a form for a request, a reservation or a joiner.
    public init(
        passenger: PassengerNumber,
        isGuest: Bool = false,
        zone: ZoneNumber?,
        needs: Capacity = Capacity(seats: 1),
        hasDestination: Bool = false,
        isShared: Bool = false,
        neighbours: [NeighbouringZone] = []
    ) {
        self.passenger = passenger
        self.isGuest = isGuest
        self.zone = zone
        self.needs = needs
        self.hasDestination = hasDestination
        self.isShared = isShared
        self.neighbours = neighbours
    }
}

/// A zone from which a taxi can be sent to a meeting point in another.
public struct NeighbouringZone: Hashable, Sendable, BitwiseCopyable {
    /// The zone of the taxi.
    public var zone: ZoneNumber
    /// How long a taxi of the zone drives to the meeting point, in seconds.
    public var seconds: Int32

    /// Creates a neighbour from its zone and the driving time.
    public init(zone: ZoneNumber, seconds: Int32) {
        self.zone = zone
        self.seconds = seconds
    }
}

/// The queue position that a taxi gave up for an offer, restored when the offer is withdrawn.
public struct FormerPlace: Hashable, Sendable {
    /// The zone of the queue.
    public var zone: ZoneNumber
    /// The position in that queue.
    public var rank: Rank
}

/// An offer that waits for the driver's answer.
public struct Offer: Hashable, Sendable {
    /// The taxi to which the request is offered.
    public var taxi: TaxiNumber
    /// The sequence number of the event that opened the offer; an answer must name it (I11).
    public var epoch: Int64
    /// An answer counts before this moment, not at it.
    public var deadline: Moment
    /// Whether the driver's device confirmed that it shows the offer.
    public var isDelivered = false
    /// The queue position that the taxi gave up; nil when a redraw found the
    /// taxi outside that zone.
    public var former: FormerPlace?
}

/// A ride, from acceptance to its end.
public struct Ride: Hashable, Sendable {
    /// The progress of a ride.
    public enum Stage: UInt8, Hashable, Sendable {
        /// The taxi drives to the meeting point.
        case onTheWay
        /// The taxi has reached the meeting point.
        case atMeetingPoint
        /// The passengers have boarded.
        case aboard
    }

    /// The taxi that carries out the ride.
    public var taxi: TaxiNumber
    /// The progress of the ride.
    public var stage = Stage.onTheWay
    /// When the meeting point was reached.
    public var reachedAt: Moment?
    /// Whether the destination was reached while the passenger was aboard.
    public var isAtDestination = false
    /// How many wrong codes were entered.
    public var wrongCodes: UInt8 = 0
    /// How many passengers boarded, as the driver stated (R89).
    public var aboard: UInt8 = 0
    /// The queue position that the taxi gave up; nil when a redraw found the
    /// taxi outside that zone.
    public var former: FormerPlace?
    /// The request for which the ride was accepted, if that request has left and
    /// another continues the ride.
    public var acceptedFor: RequestNumber?
}

/// A request, a reservation or a joiner, from its arrival to its end.
public struct Request: Hashable, Sendable {
    /// The phase of a request.
    public enum Phase: Hashable, Sendable {
        /// A reservation between attempts; the next one starts at `nextTry`.
        case reserved(nextTry: Moment)
        /// A decision is in progress; never seen between two commands.
        case seeking
        /// The request is offered to a driver.
        case offered(Offer)
        /// No taxi may take it now, but one with an open offer for another request may soon (R56).
        case held(nextTry: Moment)
        /// An operator set the request aside.
        case parked
        /// A driver accepted the request.
        case riding(Ride)
        /// The passenger shares the ride of that request (R83).
        case joined(RequestNumber)
    }

    /// The number, in order of arrival.
    public let number: RequestNumber
    /// The passenger's input.
    public var form: RequestForm
    /// What the taxi must carry: the needs of the form and of all joiners.
    public var needs: Capacity
    /// The zone whose queue serves the request.
    public var zone: ZoneNumber
    /// The time of a reservation; nil for a request.
    public var due: Moment?
    /// The position in the order of its zone: the sequence number of the event by which the request
    /// arrived or, for a reservation, became due (G12).
    public var arrival: Int64
    /// The phase of the request.
    public var phase: Phase
    /// Whether it is the passenger's one live request (R68); a reservation becomes live
    /// with its first attempt.
    public var isLive: Bool
    /// How many times it was tried again while held (C3).
    public var heldTries: Int32 = 0
    /// How many times a reservation was tried (R79).
    public var tries: Int32 = 0
    /// The taxis that were asked, in order; they are not asked again (R54, I8).
    public var asked: [TaxiNumber] = []
    /// How many offers were made in this pass.
    public var offers: Int32 = 0
    /// With `reservation.snapshot_eligibility`, the taxis that were queued when the
    /// attempt began, sorted.
    public var eligible: [TaxiNumber]?
    /// The requests that joined this one, in the order in which they joined.
    public var joiners: [RequestNumber] = []
    /// Whether a driver who had accepted is not coming, and no other has accepted since.
    public var hasLostTaxi = false

    /// The open offer, if there is one.
    public var offer: Offer? {
        if case .offered(let offer) = phase { return offer }
        return nil
    }

    /// The ride, once a driver accepted.
    public var ride: Ride? {
        if case .riding(let ride) = phase { return ride }
        return nil
    }

    /// The request for which the ride was accepted; it identifies the ride even after the ride
    /// has passed to a joiner.
    public var acceptedFor: RequestNumber { ride?.acceptedFor ?? number }

    /// Whether the request is held for a taxi.
    public var isHeld: Bool {
        if case .held = phase { return true }
        return false
    }
}
