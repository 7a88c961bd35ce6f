public import Chronology
public import Geo
public import Transit

/// A query: how to get from one place to another.
public struct JourneyQuery: Sendable {
    /// The default for the greatest number of transfers.
    public static let defaultMaxTransfers = 7

    /// Where the journey begins.
    public var origin: Endpoint
    /// Where the journey ends.
    public var destination: Endpoint
    /// The earliest departure, or the latest arrival.
    public var time: Instant
    /// Whether `time` is the latest arrival.
    public var isArriveBy: Bool
    /// The greatest number of transfers.
    public var maxTransfers: Int
    /// The greatest total length of all walks, in metres; nil for no limit.
    public var maxWalkMetres: UInt32?
    /// Whether walking is a criterion like time and transfers.
    ///
    /// Then journeys are also found that take longer but walk less. A window of departures ignores
    /// this.
    public var comparesWalking = false
    /// What means of travel emit, and whether that is limited or compared; nil if it does not
    /// count.
    ///
    /// A window of departures ignores that emissions are compared.
    public var emissions: EmissionTerms?
    /// The limit on the price of tickets; nil for none.
    ///
    /// Fares that are unknown keep to no limit. Ways by own vehicles and taxis cost no tickets.
    /// Where tickets are limited, walking and emissions are not compared.
    public var money: MoneyTerms?
    /// How far, and for how long, they may use their own vehicle, all the way or to the first stop,
    /// or a taxi or a rented vehicle to the first stop or from the last one.
    public var vehicleLimit = VehicleLimit()
    /// Within how many seconds of ``time`` journeys with rides must end or, by arrival, begin; nil
    /// for as long as they may take.
    ///
    /// A window of departures ignores this.
    public var longestSeconds: Int32?
    /// The permitted means of transport.
    public var modes: TravelModes
    /// When some means of transport are not used; travel times between many places and areas that
    /// one reaches ignore it for ways without rides.
    public var avoided: [AvoidedSpan] = []
    /// How long they wait for a taxi to the first stop, at the moments at which they order it.
    ///
    /// Empty where they take none there.
    public var taxiAccess: [TaxiWait] = []
    /// The same for a taxi from the last stop, which they order when they are there.
    public var taxiEgress: [TaxiWait] = []
    /// The ways by rented vehicles from ``origin`` to the first stop; nil where they rent none.
    ///
    /// Who uses a wheelchair never rents.
    public var rentalAccess: RentalPaths?
    /// The ways by rented vehicles from the last stop to ``destination``; nil where they rent none.
    public var rentalEgress: RentalPaths?
    /// Whether they use a wheelchair: only ways without steps, and only vehicles and stops that
    /// are stated to take wheelchairs.
    public var wheelchair: Bool

    /// Creates a query; parameters that are left out have their defaults.
    public init(
        from origin: Endpoint,
        to destination: Endpoint,
        time: Instant,
        isArriveBy: Bool = false,
        maxTransfers: Int = Self.defaultMaxTransfers,
        maxWalkMetres: UInt32? = nil,
        modes: TravelModes = TravelModes(),
        wheelchair: Bool = false
    ) {
        self.origin = origin
        self.destination = destination
        self.time = time
        self.isArriveBy = isArriveBy
        self.maxTransfers = maxTransfers
        self.maxWalkMetres = maxWalkMetres
        self.modes = modes
        self.wheelchair = wheelchair
    }

    /// Whether some amount is limited.
    var hasLimits: Bool { maxWalkMetres != nil || emissions?.limit != nil || money != nil }
    /// Whether journeys are also found that take longer but have less of some amount.
    var comparesAmounts: Bool { comparesWalking || emissions?.isCompared == true }

    /// Whether a way without rides keeps to the limits on vehicles and emissions, and uses no means
    /// when it is avoided.
    func allows(_ walk: Walk) -> Bool {
        let other = time.adding(seconds: Int64(isArriveBy ? 0 &- walk.seconds : walk.seconds))
        guard vehicleLimit.allows(walk),
            !avoids(walk.means, during: min(time, other)..<max(time, other))
        else { return false }
        guard let emissions, emissions.limit != nil else { return true }
        return emissions.allows(emissions.rates.micrograms(walk))
    }
}

/// The most of a way by the traveller's own bicycle or car, all the way or to the first stop, or by
/// taxi or a rented vehicle to the first stop or from the last one.
public struct VehicleLimit: Sendable, Hashable {
    /// How long it may be, in metres; nil for any length.
    public var metres: UInt32?
    /// How many seconds it may take, with the wait for a taxi; nil for any number.
    public var seconds: Int32?

    /// A limit; by default none.
    public init(metres: UInt32? = nil, seconds: Int32? = nil) {
        self.metres = metres
        self.seconds = seconds
    }

    /// Whether a way keeps to it; walks do.
    func allows(_ way: Walk) -> Bool {
        switch way.means {
        case .bicycle, .car, .taxi, .rental:
            way.metres <= metres ?? .max && way.seconds <= seconds ?? .max
        case .walk, .ride: true
        }
    }
}

/// The means of transport that a traveller may use.
public struct TravelModes: Sendable, Hashable {
    /// Whether to walk all the way; walks to and from stops are always permitted.
    public var walk: Bool
    /// Whether to cycle, all the way or to the first stop.
    public var bicycle: Bool
    /// Whether to drive, all the way or to the first stop.
    public var car: Bool
    /// The vehicles of public transport, as a set of ``TransitMode/bit``.
    public var transit: UInt32

    /// Creates a choice of means; by default walking and all of public transport.
    public init(
        walk: Bool = true,
        bicycle: Bool = false,
        car: Bool = false,
        transit: UInt32 = TransitMode.all
    ) {
        self.walk = walk
        self.bicycle = bicycle
        self.car = car
        self.transit = transit
    }
}

/// How long one waits for a taxi that is ordered within some time.
///
/// Several of them are a function of the moment. Where none covers a moment, no taxi can be ordered
/// then. Where a later order is picked up earlier, travellers order later.
public struct TaxiWait: Sendable, Hashable {
    /// The first moment at which the taxi may be ordered.
    public var first: Instant
    /// The last moment at which the taxi may be ordered.
    public var last: Instant
    /// How long one waits for it, in seconds.
    public var seconds: Int32

    /// A wait for taxis that are ordered from one moment to another.
    public init(from first: Instant, through last: Instant, seconds: Int32) {
        self.first = first
        self.last = last
        self.seconds = seconds
    }
}

/// A place where a journey begins or ends.
public enum Endpoint: Sendable, Hashable {
    /// A stop, or a station with all its stops.
    case stop(StopIndex)
    /// A coordinate on the map.
    case place(Coordinate)
}
