public import Chronology

/// The last known place of a taxi, at the resolution that the dispatcher needs.
public enum Place: Hashable, Sendable {
    /// The taxi has never reported.
    case unknown
    /// The taxi is outside all zones.
    case outside
    /// The taxi is in this zone.
    case zone(ZoneNumber)
}

/// What a driver is doing for a request.
public enum Work: Hashable, Sendable {
    /// The driver is working on no request.
    case none
    /// The driver was offered the request and has not answered.
    case offer(RequestNumber)
    /// The driver accepted the request and has not ended the ride.
    case ride(RequestNumber)
}

/// The states of a driver (R22, and out of contact).
public enum TaxiStatus: UInt8, Hashable, Sendable, CaseIterable {
    /// Waiting in the queue of a zone.
    case available
    /// An offer is open (R30).
    case pendingConfirmation
    /// From accepting to the end of the ride.
    case riding
    /// Off duty, by choice or by a rule.
    case unavailable
    /// On duty and outside all zones (R25).
    case outOfCity
    /// On duty and not reporting (G1).
    case outOfContact
    /// The taxi is no longer registered.
    case removed
}

/// A queue position that a driver out of contact gets back when the taxi reports in time (G1).
public struct KeptTurn: Hashable, Sendable {
    /// The zone of the queue.
    public var zone: ZoneNumber
    /// The position in that queue.
    public var rank: Rank
}

/// A queue position that a driver who was sent to another zone gets back in the own zone.
public struct HomeTurn: Hashable, Sendable {
    /// The zone of the queue.
    public var zone: ZoneNumber
    /// The position in that queue.
    public var rank: Rank
    /// The driver gets the position back before this moment, not at it.
    public var until: Moment
}

/// A taxi and its driver (R13).
public struct Taxi: Hashable, Sendable {
    /// The number from the registration.
    public let number: TaxiNumber
    /// The taxi's code, assigned by the city (R2).
    public var code: String
    /// The seats and the wheelchair space of the taxi.
    public var capacity: Capacity
    /// The moment at which its licence expires.
    public var licensedUntil: Moment
    /// Whether the driver has switched to available.
    public var isOnDuty = false
    /// Whether the taxi is reporting.
    public var isReachable = false
    /// Whether the taxi was removed from the register.
    public var isRemoved = false
    /// The last known place of the taxi.
    public var place = Place.unknown
    /// The offer or ride that the taxi is occupied with.
    public var work = Work.none
    /// The position in the queue of its zone, if it is in one.
    public var rank: Rank?
    /// The queue position kept while the taxi is out of contact.
    public var keptTurn: KeptTurn?
    /// When a driver on duty whose taxi is not reporting becomes unavailable.
    public var graceEnds: Moment?
    /// How many offers were ignored in a row (G4).
    public var ignoredOffers: UInt8 = 0
    /// The position in the queue of the own zone that a driver keeps after a ride in another zone
    /// came to nothing, until the driver is back.
    public var homeTurn: HomeTurn?

    init(number: TaxiNumber, code: String, capacity: Capacity, licensedUntil: Moment) {
        self.number = number
        self.code = code
        self.capacity = capacity
        self.licensedUntil = licensedUntil
    }

    /// The single state of the taxi (I1).
    public var status: TaxiStatus {
        if isRemoved { return .removed }
        switch work {
        case .ride: return .riding
        case .offer: return .pendingConfirmation
        case .none: break
        }
        guard isOnDuty else { return .unavailable }
        guard isReachable else { return .outOfContact }
        guard case .zone = place else { return .outOfCity }
        return .available
    }

    /// The zone that the taxi is in, if any.
    public var zone: ZoneNumber? {
        if case .zone(let zone) = place { return zone }
        return nil
    }
}
