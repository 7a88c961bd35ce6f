public import Chronology

/// A query for all best journeys between one place and many within a window of time.
public struct ProfileQuery: Sendable {
    /// The place at one end of all journeys.
    public var place: Endpoint
    /// The places at the other end.
    public var others: [Endpoint]
    /// Whether journeys lead from ``others`` to ``place``.
    public var isInward: Bool
    /// The earliest departure, or the latest arrival.
    public var time: Instant
    /// Whether `time` is the latest arrival.
    public var isArriveBy: Bool
    /// The length of the window in seconds: how much later than `time` journeys may leave or, by
    /// arrival, how much earlier they may arrive.
    public var windowSeconds: Int32
    /// The greatest number of transfers.
    public var maxTransfers: Int
    /// The permitted means of transport.
    public var modes: TravelModes
    /// Whether the traveller uses a wheelchair.
    public var wheelchair: Bool
    /// When some means of transport are not used; ways without rides ignore it.
    public var avoided: [AvoidedSpan] = []
    /// How long they wait for a taxi to the first stop, as ``JourneyQuery/taxiAccess``.
    public var taxiAccess: [TaxiWait] = []
    /// How long they wait for a taxi from the last stop.
    public var taxiEgress: [TaxiWait] = []

    /// Creates a query; parameters that are left out have their defaults.
    public init(
        _ place: Endpoint,
        _ others: [Endpoint],
        isInward: Bool = false,
        time: Instant,
        isArriveBy: Bool = false,
        windowSeconds: Int32,
        maxTransfers: Int = JourneyQuery.defaultMaxTransfers,
        modes: TravelModes = TravelModes(),
        wheelchair: Bool = false
    ) {
        self.place = place
        self.others = others
        self.isInward = isInward
        self.time = time
        self.isArriveBy = isArriveBy
        self.windowSeconds = windowSeconds
        self.maxTransfers = maxTransfers
        self.modes = modes
        self.wheelchair = wheelchair
    }

    /// The query for one pair of places.
    func pair(_ other: Endpoint) -> JourneyQuery {
        var query = JourneyQuery(
            from: isInward ? other : place,
            to: isInward ? place : other,
            time: time,
            isArriveBy: isArriveBy,
            maxTransfers: maxTransfers,
            modes: modes,
            wheelchair: wheelchair
        )
        query.avoided = avoided
        query.taxiAccess = taxiAccess
        query.taxiEgress = taxiEgress
        return query
    }
}

/// The answer for one pair of places.
public struct PlaceProfile: Sendable, Equatable {
    /// A journey by its times.
    public struct Journey: Sendable, Equatable {
        /// When the journey leaves its origin.
        public var departure: Instant
        /// When the journey reaches its destination.
        public var arrival: Instant
        /// The number of transfers.
        public var transfers: Int
        /// The metres walked on one of the journeys with these times.
        public var walkMetres: UInt32
    }

    /// The journeys with rides, in the order of departure: those that neither another journey beats
    /// in departure, arrival and number of transfers, nor the way without rides.
    public var journeys: [Journey]
    /// The seconds that the way without rides takes; nil if there is none within
    /// ``Planner/horizonSeconds``.
    ///
    /// It can begin at any time.
    public var directSeconds: Int32?
}
