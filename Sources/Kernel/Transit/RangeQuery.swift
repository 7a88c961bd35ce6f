/// A query for all best journeys from one place to many that begin within a range of moments.
///
/// It has a mirror: journeys from many places to one that end within a range of moments. `access`
/// are then the ways from the last platforms to the one place, and journeys begin at the ends.
public struct RangeQuery: Sendable {
    /// One of the many places.
    public struct End: Sendable {
        /// The ways between platforms and the place.
        public var ways: [Raptor.AccessEgress]
        /// Journeys must take less time than this, in seconds: what a walk all the way takes, or
        /// the horizon.
        public var span: Int32

        /// Creates an end from its ways and the limit on the duration of journeys.
        public init(ways: [Raptor.AccessEgress], span: Int32) {
            self.ways = ways
            self.span = span
        }
    }

    /// The ways between the one place and platforms.
    public var access: [Raptor.AccessEgress]
    /// The places at which journeys end.
    public var ends: [End]
    /// When journeys may begin, in the window's seconds; in the mirror, when they may end.
    public var moments: ClosedRange<Int32>
    /// The greatest number of trips, 1 to ``Raptor/tripLimit``.
    public var maxTrips: Int
    /// Which vehicles and stops they may use.
    public var conditions: RideConditions

    /// Creates a query from one place to many.
    public init(
        access: [Raptor.AccessEgress],
        ends: [End],
        moments: ClosedRange<Int32>,
        maxTrips: Int,
        conditions: RideConditions = RideConditions()
    ) {
        self.access = access
        self.ends = ends
        self.moments = moments
        self.maxTrips = min(max(maxTrips, 0), Raptor.tripLimit)
        self.conditions = conditions
    }
}

/// A journey of a ``RangeQuery`` by its times: no other between the places leaves as late, arrives
/// as early and takes as few trips.
public struct Connection: Sendable, Equatable {
    /// The number of the end in the query.
    public var end: Int
    /// When it leaves its origin, in the window's seconds.
    public var departure: Int32
    /// When it arrives, in the window's seconds.
    public var arrival: Int32
    /// How many trips it takes.
    public var trips: Int
    /// The metres walked on one of the journeys with these times.
    public var walkMetres: UInt32
}
