public import Chronology

/// What of a timetable does not run for some time, whatever the timetable says: lines on strike,
/// closed stops, cancelled trips.
///
/// It is applied where days are laid out (decision 0053), so searches do not know of it.
public struct TimetableClosures: Sendable, Hashable {
    /// The lines that do not run.
    public var routes: [ClosedRoutes] = []
    /// The stops at which nobody boards or alights.
    public var platforms: [ClosedPlatforms] = []
    /// The trips that do not run, each on one service day.
    public var trips: Set<CancelledTrip> = []

    /// Nothing that does not run.
    public init() {}

    /// Whether everything runs as the timetable says.
    public var isEmpty: Bool { routes.isEmpty && platforms.isEmpty && trips.isEmpty }

    /// Lines that do not run for some time.
    ///
    /// A trip is left out if any of its time between its first departure and its last arrival lies
    /// in the span: nobody knows where a vehicle that is under way then ends.
    public struct ClosedRoutes: Sendable, Hashable {
        /// The lines that do not run in the span.
        public var routes: Set<RouteIndex>
        /// When they do not run.
        public var span: Range<Instant>

        /// Lines that do not run during a span.
        public init(_ routes: Set<RouteIndex>, during span: Range<Instant>) {
            self.routes = routes
            self.span = span
        }
    }

    /// Stops at which nobody boards or alights for some time; vehicles pass them.
    public struct ClosedPlatforms: Sendable, Hashable {
        /// The platforms at which nobody boards or alights.
        public var platforms: Set<PlatformIndex>
        /// When nobody boards a vehicle that leaves then, or alights from one that arrives then.
        public var span: Range<Instant>
        /// Whether they are closed to wheelchairs only, as where a lift is out of order.
        public var isForWheelchairs: Bool

        /// Stops that are closed during a span.
        public init(
            _ platforms: Set<PlatformIndex>,
            during span: Range<Instant>,
            isForWheelchairs: Bool = false
        ) {
            self.platforms = platforms
            self.span = span
            self.isForWheelchairs = isForWheelchairs
        }
    }

    /// A trip that does not run on a day.
    public struct CancelledTrip: Sendable, Hashable {
        /// The trip, by its index in the timetable.
        public var trip: TripIndex
        /// The GTFS service day, whose trips may run past midnight.
        public var day: CivilDate

        /// A trip that does not run on a service day.
        public init(_ trip: TripIndex, on day: CivilDate) {
            self.trip = trip
            self.day = day
        }
    }

    /// How far from a window something may be closed and still change it, in seconds: trips that
    /// begin before it or end after it belong to it.
    private static let windowMargin: Int64 = 43_200
    /// The same for the service days of trips.
    private static let windowDays: Int32 = 3

    /// Whether the window that begins with a day differs from that of the timetable.
    func change(_ date: CivilDate, beginningAt epoch: Instant) -> Bool {
        let start = epoch.adding(seconds: -Self.windowMargin)
        let end = epoch.adding(seconds: Int64(ServiceWindow.length) + Self.windowMargin)
        return routes.contains { $0.span.overlaps(start..<end) }
            || platforms.contains { $0.span.overlaps(start..<end) }
            || trips.contains { abs($0.day.daysSince1970 - date.daysSince1970) <= Self.windowDays }
    }
}
