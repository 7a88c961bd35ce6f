/// A question for all best journeys from one place to many that begin within a range of moments.
///
/// It has a mirror: journeys from many places to one that end within a range of moments. `access`
/// are then the ways from the last platforms to the one place, and the ends are where journeys
/// begin.
public struct RangeQuery: Sendable {
    /// One of the many places.
    public struct End: Sendable {
        /// The ways between platforms and the place.
        public var ways: [Raptor.AccessEgress]
        /// Journeys must take less time than this, in seconds: what a walk all the way takes, or
        /// the horizon.
        public var span: Int32

        /// A place, the ways between it and platforms, and how long journeys may take.
        public init(ways: [Raptor.AccessEgress], span: Int32) {
            self.ways = ways
            self.span = span
        }
    }

    /// The ways between the one place and platforms.
    public var access: [Raptor.AccessEgress]
    /// The many places.
    public var ends: [End]
    /// When journeys may begin, in the window's seconds; in the mirror when they may end.
    public var moments: ClosedRange<Int32>
    /// How many trips they may take, 1 to ``Raptor/tripLimit``.
    public var maxTrips: Int
    /// Which vehicles and stops they may use.
    public var conditions: RideConditions

    /// A question from one place to many.
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
    /// The number of the end in the question.
    public var end: Int
    /// When it leaves, in the window's seconds.
    public var departure: Int32
    /// When it arrives.
    public var arrival: Int32
    /// How many trips it takes.
    public var trips: Int
}
