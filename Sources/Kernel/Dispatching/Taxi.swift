public import Chronology

/// Where a taxi was last known to be, as far as the dispatcher cares.
public enum Place: Hashable, Sendable {
    /// Never heard from.
    case unknown
    /// Outside all zones.
    case outside
    /// In this zone.
    case zone(ZoneNumber)
}

/// What a driver does for a request.
public enum Work: Hashable, Sendable {
    /// Nothing.
    case none
    /// He was offered it and has not answered.
    case offer(RequestNumber)
    /// He accepted it and has not ended the ride.
    case ride(RequestNumber)
}

/// The states of a driver (R22, and out of contact).
public enum TaxiStatus: UInt8, Hashable, Sendable, CaseIterable {
    /// In the queue of his zone.
    case available
    /// Asked, not yet answered (R30).
    case pendingConfirmation
    /// From accepting to the end of the ride.
    case riding
    /// Off duty, by his own wish or by a rule.
    case unavailable
    /// On duty and outside all zones (R25).
    case outOfCity
    /// On duty and not heard from (G1).
    case outOfContact
    /// No longer registered.
    case removed
}

/// A turn that a driver out of contact gets back when he is heard from in time (G1).
public struct KeptTurn: Hashable, Sendable {
    /// The zone he was queued in.
    public var zone: ZoneNumber
    /// The place he had there.
    public var rank: Rank
}

/// A taxi and its driver (R13).
public struct Taxi: Hashable, Sendable {
    /// Its number.
    public let number: TaxiNumber
    /// The code that the city gave it (R2).
    public var code: String
    /// What it can carry.
    public var capacity: Capacity
    /// The moment from which its licence no longer holds.
    public var licensedUntil: Moment
    /// Whether the driver's toggle stands on available.
    public var isOnDuty = false
    /// Whether it is heard from.
    public var isReachable = false
    /// Whether it was taken from the register.
    public var isRemoved = false
    /// Where it is.
    public var place = Place.unknown
    /// What it does.
    public var work = Work.none
    /// Its place in the queue of its zone, if it is in one.
    public var rank: Rank?
    /// The turn kept for it while it is out of contact.
    public var keptTurn: KeptTurn?
    /// When a driver on duty who is not heard from becomes unavailable.
    public var graceEnds: Moment?
    /// Offers ignored in a row (G4).
    public var ignoredOffers: UInt8 = 0

    init(number: TaxiNumber, code: String, capacity: Capacity, licensedUntil: Moment) {
        self.number = number
        self.code = code
        self.capacity = capacity
        self.licensedUntil = licensedUntil
    }

    /// The one state that it is in (I1).
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

    /// The zone it is in, if any.
    public var zone: ZoneNumber? {
        if case .zone(let zone) = place { return zone }
        return nil
    }
}
