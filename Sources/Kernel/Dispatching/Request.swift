public import Chronology

/// What a passenger asks for; where exactly is known to the service around the dispatcher.
public struct RequestForm: Hashable, Sendable {
    /// Who asks.
    public var passenger: PassengerNumber
    /// Whether he has no account.
    public var isGuest: Bool
    /// The zone of the meeting point; none when it lies outside all zones.
    public var zone: ZoneNumber?
    /// Seats and room.
    public var needs: Capacity
    /// Whether a destination was given.
    public var hasDestination: Bool
    /// Whether others may share the ride (R83).
    public var isShared: Bool

    /// A request of that passenger.
    public init(
        passenger: PassengerNumber,
        isGuest: Bool = false,
        zone: ZoneNumber?,
        needs: Capacity = Capacity(seats: 1),
        hasDestination: Bool = false,
        isShared: Bool = false
    ) {
        self.passenger = passenger
        self.isGuest = isGuest
        self.zone = zone
        self.needs = needs
        self.hasDestination = hasDestination
        self.isShared = isShared
    }
}

/// A place that a taxi gave up when it was asked, to be given back when the question is withdrawn.
public struct FormerPlace: Hashable, Sendable {
    /// The zone whose queue it stood in.
    public var zone: ZoneNumber
    /// The place it had there.
    public var rank: Rank
}

/// A question to a driver that waits for an answer.
public struct Offer: Hashable, Sendable {
    /// Who is asked.
    public var taxi: TaxiNumber
    /// The sequence number of the event that opened the offer; an answer must name it (I11).
    public var epoch: Int64
    /// An answer counts before this moment, not at it.
    public var deadline: Moment
    /// Whether the driver's device has said that it shows the offer.
    public var isDelivered = false
    /// The place that the taxi gave up; none when a redraw found it outside that zone.
    public var former: FormerPlace?
}

/// A ride from accepting to its end.
public struct Ride: Hashable, Sendable {
    /// How far a ride has come.
    public enum Stage: UInt8, Hashable, Sendable {
        /// The taxi drives to the meeting point.
        case onTheWay
        /// It has reached the meeting point.
        case atMeetingPoint
        /// The passenger is aboard.
        case aboard
    }

    /// Who drives.
    public var taxi: TaxiNumber
    /// How far it has come.
    public var stage = Stage.onTheWay
    /// When the meeting point was reached.
    public var reachedAt: Moment?
    /// Whether the destination was reached while the passenger was aboard.
    public var isAtDestination = false
    /// Wrong codes entered so far.
    public var wrongCodes: UInt8 = 0
    /// How many the driver said he picked up (R89).
    public var aboard: UInt8 = 0
    /// The place that the taxi gave up; none when a redraw found it outside that zone.
    public var former: FormerPlace?
    /// The request for which it was accepted, where that one has left and another goes on with the
    /// ride.
    public var acceptedFor: RequestNumber?
}

/// A request, a reservation or a joiner, from its arrival to its end.
public struct Request: Hashable, Sendable {
    /// Where a request stands.
    public enum Phase: Hashable, Sendable {
        /// A reservation between tries: the next is due then.
        case reserved(nextTry: Moment)
        /// Being decided; never seen between two commands.
        case seeking
        /// A driver is asked.
        case offered(Offer)
        /// No taxi may take it now, but one asked for another request may soon (R56).
        case held(nextTry: Moment)
        /// A dispatcher set it aside.
        case parked
        /// A driver accepted.
        case riding(Ride)
        /// It rides with the request of that number (R83).
        case joined(RequestNumber)
    }

    /// Its number.
    public let number: RequestNumber
    /// What was asked for.
    public var form: RequestForm
    /// What the taxi must carry: the needs of the form, and of all who ride along.
    public var needs: Capacity
    /// The zone whose queue serves it.
    public var zone: ZoneNumber
    /// The hour of a reservation.
    public var due: Moment?
    /// Its place in the order of its zone: the sequence number of the event that made it arrive;
    /// for a reservation that of the event that made it due (G12).
    public var arrival: Int64
    /// Where it stands.
    public var phase: Phase
    /// Whether it is the passenger's one live request (R68): a reservation becomes it with its
    /// first try.
    public var isLive: Bool
    /// How often it was tried again while held (C3).
    public var heldTries: Int32 = 0
    /// How often a reservation was tried (R79).
    public var tries: Int32 = 0
    /// Who was asked, in order; not asked again (R54, I8).
    public var asked: [TaxiNumber] = []
    /// How many offers were made in this pass.
    public var offers: Int32 = 0
    /// Under `reservation.snapshot_eligibility` those who were queued when the try began, sorted.
    public var eligible: [TaxiNumber]?
    /// Those who ride along, in the order in which they joined.
    public var joiners: [RequestNumber] = []
    /// Whether a driver who had accepted does not come, and no other has accepted since.
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

    /// The request for which its ride was accepted: what is told of a ride stays the same when it
    /// passes to who shares it.
    public var acceptedFor: RequestNumber { ride?.acceptedFor ?? number }

    /// Whether it is held for a taxi.
    public var isHeld: Bool {
        if case .held = phase { return true }
        return false
    }
}
