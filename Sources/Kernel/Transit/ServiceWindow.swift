public import Chronology
import Columns

/// All runs of two days, laid out for search.
///
/// A *RAPTOR route* is a stop sequence with departures that never overtake each other, so that a
/// rider at a stop takes the first departure of each route, found by binary search. It is not a
/// route of the feed: the types that search call it a route for short, as the literature does.
/// Patterns split into RAPTOR routes here and not at import, since which runs meet depends on the
/// day: runs of yesterday, of another zone, on the night when the clocks change, or delayed.
///
/// Times are seconds from the window's epoch. The mirrored window is the same window seen
/// backwards, with negated times and with stops and departures in reverse order: the earliest
/// arrival in it is the latest departure in reality. One search serves both directions, so they
/// cannot disagree.
///
/// Copying a day's times costs some milliseconds once, and makes every query faster than checking
/// calendars along the way (decision 0004).
///
/// One window serves searches with all ``RideConditions``. The runs of a RAPTOR route have the same
/// modes, part by part, so that a search rides it, or some of its parts, or none of it. Vehicles
/// with and without room for wheelchairs share RAPTOR routes, because two routes for each line
/// would slow down all other searches; a search for a wheelchair skips the departures that are not
/// accessible.
public struct ServiceWindow: Sendable {
    /// The length of a window in seconds: a query's day and the day on which it may arrive.
    public static let length: Int32 = 2 * 86_400
    /// How much longer or shorter than 24 hours the window's days may be, in seconds, when clocks
    /// change; runs this long before and after the window also belong to it.
    static let clockChange: Int32 = 2 * 3_600

    /// The instant from which the window's times count: midnight of its first day.
    public let epoch: Instant
    /// The first day of the window.
    public let firstDate: CivilDate
    /// How many platforms the timetable has.
    public let platformCount: Int

    /// A stop sequence with departures that never overtake each other.
    public struct RaptorRoute: Sendable {
        /// The timetable's pattern.
        public internal(set) var pattern: PatternIndex
        /// The route's first stop in the window's `stops` and `flags`.
        public internal(set) var firstStop: Int32
        /// The number of its stops.
        public internal(set) var stopCount: Int32
        /// The route's first departure in `instances`.
        public internal(set) var firstInstance: Int32
        /// How many departures it has.
        public internal(set) var instanceCount: Int32
        /// The route's first time in `arrivals`.
        public internal(set) var firstTime: Int32
        /// The route's first time in `departures`; nil if no vehicle waits anywhere, so that each
        /// leaves when it arrives.
        var firstDeparture: Int32?
        /// The route's first part in `parts`.
        var firstPart: Int32
        /// How many parts it has.
        var partCount: Int32
    }

    /// A stretch of a RAPTOR route that conditions allow or forbid as a whole: one trip of each
    /// run, or several that are alike.
    ///
    /// Riders stay seated from one part to the next.
    struct Part: Sendable, Equatable {
        /// The position where the part begins.
        var first: Int32
        /// The position where it ends; the next part may begin there or later.
        var last: Int32
        /// The mode, as a ``TransitMode/bit``.
        var mode: UInt32
        /// Whether it is accessible by wheelchair on those departures that are accessible at all.
        var takesWheelchairs: Bool
    }

    /// A run on a specific day.
    public struct Instance: Sendable, Equatable {
        /// The run in the timetable.
        public let run: RunIndex
        /// The service day, in days since 1970-01-01.
        public let day: Int32
    }

    /// The RAPTOR routes of the window.
    public internal(set) var routes: [RaptorRoute] = []
    /// The platform of each stop of each route.
    public internal(set) var stops: [PlatformIndex] = []
    /// The flags of each stop of each route: bit 0 boarding, bit 1 alighting, bits 2 and 3 the
    /// same in a wheelchair.
    public internal(set) var flags: [UInt8] = []
    /// The departures of each route in their order.
    public internal(set) var instances: [Instance] = []
    /// Whether each departure is accessible by wheelchair, at least on some of its parts.
    var takesWheelchairs: [Bool] = []
    /// The parts of each route in their order.
    var parts: [Part] = []
    /// The arrivals at each stop, departure after departure.
    public internal(set) var arrivals: [Int32] = []
    /// The departures at each stop, stop after stop; only for routes with vehicles that wait
    /// somewhere, which saves nearly half of the memory.
    public internal(set) var departures: [Int32] = []
    /// Where the boardings of each platform begin; one more than there are platforms.
    var boardingOffsets: [Int32] = []
    /// Where riders can board, platform by platform.
    var boardings: [Boarding] = []

    /// A place where riders can board.
    struct Boarding: Sendable {
        /// The RAPTOR route.
        let route: RaptorRouteIndex
        /// The stop's position in the route.
        let position: Int32
    }

    init(epoch: Instant, firstDate: CivilDate, platformCount: Int) {
        self.epoch = epoch
        self.firstDate = firstDate
        self.platformCount = platformCount
    }

    /// Fills in where riders can board, from routes, stops and flags.
    mutating func indexBoardings() {
        var counts = [Int32](repeating: 0, count: platformCount + 1)
        forEachBoarding { platform, _, _ in counts[platform + 1] += 1 }
        for platform in 0..<platformCount { counts[platform + 1] += counts[platform] }
        boardingOffsets = counts
        boardings = Array(
            repeating: Boarding(route: .zero, position: 0),
            count: Int(counts[platformCount])
        )
        var places = counts
        forEachBoarding { platform, route, position in
            boardings[Int(places[platform])] = Boarding(route: route, position: position)
            places[platform] += 1
        }
    }

    /// Where riders can board at a platform.
    func boardings(_ platform: PlatformIndex) -> ArraySlice<Boarding> {
        boardings[Int(boardingOffsets[platform.row])..<Int(boardingOffsets[platform.row + 1])]
    }

    private func forEachBoarding(_ body: (Int, RaptorRouteIndex, Int32) -> Void) {
        for (number, route) in routes.enumerated() {
            // Nobody boards at the last stop.
            for position in 0..<max(0, route.stopCount - 1)
            where flags[Int(route.firstStop + position)] & 1 != 0 {
                let platform = stops[Int(route.firstStop + position)]
                body(platform.row, RaptorRouteIndex(row: number), position)
            }
        }
    }

    /// The same window reversed in time.
    public func mirrored() -> ServiceWindow {
        var mirror = ServiceWindow(
            epoch: epoch,
            firstDate: firstDate,
            platformCount: platformCount
        )
        mirror.routes = routes
        mirror.stops = stops
        mirror.flags = flags
        mirror.instances = instances
        mirror.takesWheelchairs = takesWheelchairs
        mirror.parts = parts
        mirror.arrivals = arrivals
        mirror.departures = departures
        for route in routes {
            let stopCount = Int(route.stopCount)
            let count = Int(route.instanceCount)
            let start = Int(route.firstTime)
            for position in 0..<stopCount {
                let source = Int(route.firstStop) + stopCount - 1 - position
                let target = Int(route.firstStop) + position
                mirror.stops[target] = stops[source]
                mirror.flags[target] = (flags[source] & 5) << 1 | (flags[source] & 10) >> 1
            }
            mirror.mirrorParts(of: route, in: parts)
            for instance in 0..<count {
                let other = count - 1 - instance
                mirror.instances[Int(route.firstInstance) + instance] =
                    instances[Int(route.firstInstance) + other]
                mirror.takesWheelchairs[Int(route.firstInstance) + instance] =
                    takesWheelchairs[Int(route.firstInstance) + other]
                for position in 0..<stopCount {
                    let opposite = stopCount - 1 - position
                    mirror.arrivals[start + instance * stopCount + position] =
                        0 &- departure(of: route, instance: other, position: opposite)
                    guard let departures = route.firstDeparture else { continue }
                    mirror.departures[Int(departures) + position * count + instance] =
                        0 &- arrivals[start + other * stopCount + opposite]
                }
            }
        }
        mirror.indexBoardings()
        return mirror
    }

    private mutating func mirrorParts(of route: RaptorRoute, in others: [Part]) {
        let first = Int(route.firstPart)
        let count = Int(route.partCount)
        for number in 0..<count {
            let part = others[first + count - 1 - number]
            parts[first + number].first = route.stopCount - 1 - part.last
            parts[first + number].last = route.stopCount - 1 - part.first
            parts[first + number].mode = part.mode
            parts[first + number].takesWheelchairs = part.takesWheelchairs
        }
    }

    /// When a departure of a route arrives at a position.
    public func arrival(_ route: RaptorRouteIndex, instance: Int, position: Int) -> Int32 {
        let values = routes[route.row]
        return arrivals[Int(values.firstTime) + instance * Int(values.stopCount) + position]
    }

    /// When a departure of a route leaves a position.
    public func departure(_ route: RaptorRouteIndex, instance: Int, position: Int) -> Int32 {
        departure(of: routes[route.row], instance: instance, position: position)
    }

    /// When a departure of a route leaves a position.
    func departure(of route: RaptorRoute, instance: Int, position: Int) -> Int32 {
        guard let first = route.firstDeparture else {
            return arrivals[Int(route.firstTime) + instance * Int(route.stopCount) + position]
        }
        return departures[Int(first) + position * Int(route.instanceCount) + instance]
    }
}
