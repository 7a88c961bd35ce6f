public import Chronology

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
    /// The zone of each live request and reservation, in the order of request numbers; nil if
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
