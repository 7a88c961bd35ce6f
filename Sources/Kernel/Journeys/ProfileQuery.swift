public import Chronology

/// A question for all best journeys between one place and many within a window of time.
public struct ProfileQuery: Sendable {
    /// The one place.
    public var place: Endpoint
    /// The many places.
    public var others: [Endpoint]
    /// Whether journeys lead from the many places to the one.
    public var isInward: Bool
    /// The earliest departure, or the latest arrival.
    public var time: Instant
    /// Whether `time` is the latest arrival.
    public var isArriveBy: Bool
    /// How much later than `time` journeys leave at the most, or earlier than it they arrive, in
    /// seconds.
    public var windowSeconds: Int32
    /// How many times riders may change at the most.
    public var maxTransfers: Int
    /// By which means they travel.
    public var modes: TravelModes
    /// Whether they use a wheelchair.
    public var wheelchair: Bool
    /// How long they wait for a taxi to the first stop, as ``JourneyQuery/taxiAccess``.
    public var taxiAccess: [TaxiWait] = []
    /// How long they wait for a taxi from the last stop.
    public var taxiEgress: [TaxiWait] = []

    /// Creates a question; parameters that are left out have their defaults.
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

    /// The question about one pair of places.
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
        query.taxiAccess = taxiAccess
        query.taxiEgress = taxiEgress
        return query
    }
}

/// The answer for one pair of places.
public struct PlaceProfile: Sendable, Equatable {
    /// A journey by its times.
    public struct Journey: Sendable, Equatable {
        /// When it leaves.
        public var departure: Instant
        /// When it arrives.
        public var arrival: Instant
        /// How many times riders change.
        public var transfers: Int
    }

    /// The journeys with rides that no other beats in departure, arrival and number of transfers,
    /// nor the way without rides, in the order of departure.
    public var journeys: [Journey]
    /// How long the way without rides takes, in seconds; nil where there is none within
    /// ``Planner/horizonSeconds``.
    ///
    /// It can begin at any time.
    public var directSeconds: Int32?
}
