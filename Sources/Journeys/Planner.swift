import Chronology
import Columns
import Transit

/// Answers questions about journeys in a city.
///
/// A workspace for one thread: it keeps the days it has laid out and its memory from question to
/// question.
public struct Planner: Sendable {
    /// The latest arrival after the time asked for, in seconds, and the earliest departure before
    /// a time of arrival.
    public static let horizonSeconds: Int32 = 86_400
    /// How many days' timetables are kept laid out.
    private static let windowLimit = 4

    /// The city.
    public let city: City
    private let placePlatforms: PlacePlatforms
    private var laidOut: [LaidOut] = []

    /// A timetable laid out for search.
    private struct LaidOut {
        let date: CivilDate
        let filter: ServiceWindow.Filter
        let epoch: Instant
        var search: TransitSearch
    }

    /// A planner for a city.
    public init(_ city: City) {
        self.city = city
        placePlatforms = PlacePlatforms(city.timetable)
    }

    /// The best journeys: those that no other beats in both time and number of transfers, fewest
    /// transfers first.
    ///
    /// Each leaves as late as its arrival allows (or, asked by arrival, arrives as early as its
    /// departure allows). A direct walk has no transfers; journeys that gain no time over it are
    /// left out.
    public mutating func journeys(_ query: JourneyQuery) -> [Itinerary] {
        let origin = approach(query.origin, city.timetable.footpaths)
        let destination = approach(query.destination, city.timetable.reverseFootpaths)
        let direct = directWalk(query)
        let index = layOut(for: query)
        let epoch = laidOut[index].epoch
        let time = Int32(truncatingIfNeeded: query.time.seconds &- epoch.seconds)
        let walkSeconds = direct.map(\.seconds) ?? (Self.horizonSeconds &+ 1)
        let span = min(walkSeconds, Self.horizonSeconds &+ 1)
        let raptorQuery = Raptor.Query(
            access: origin.stopovers,
            egress: destination.stopovers,
            start: time,
            bound: query.isArriveBy ? time &- span : time &+ span,
            maxTrips: query.maxTransfers &+ 1
        )
        let journeys =
            query.isArriveBy
            ? laidOut[index].search.latestDepartures(raptorQuery)
            : laidOut[index].search.earliestArrivals(raptorQuery)
        var itineraries = journeys.map { itinerary($0, origin, destination, epoch) }
        // A trip without transfers that beats the walk leaves it no place in the answer.
        if let direct, itineraries.first.map({ $0.transfers > 0 }) ?? true {
            itineraries.insert(walk(direct, query), at: 0)
        }
        return itineraries
    }

    /// The laid-out timetable for a question's day, made if it is not there.
    private mutating func layOut(for query: JourneyQuery) -> Int {
        let local = city.timetable.zone.local(query.time).date
        let date = query.isArriveBy ? local.adding(days: -1) : local
        if let known = laidOut.firstIndex(where: { $0.date == date && $0.filter == query.filter }) {
            return known
        }
        let window = ServiceWindow(city.timetable, from: date, filter: query.filter)
        let search = TransitSearch(
            window: window,
            mirrored: window.mirrored(),
            changes: ChangeNetwork(city.timetable, isMirrored: false),
            mirroredChanges: ChangeNetwork(city.timetable, isMirrored: true)
        )
        if laidOut.count >= Self.windowLimit { laidOut.removeFirst() }
        laidOut.append(
            LaidOut(date: date, filter: query.filter, epoch: window.epoch, search: search)
        )
        return laidOut.count - 1
    }

    /// The platforms at a place and those one footpath away, each with its quickest walk.
    private func approach(_ endpoint: Endpoint, _ footpaths: Timetable.Footpaths) -> Approach {
        guard case .stop(let stop) = endpoint else { return Approach(walks: [:]) }
        let count = city.timetable.platforms.count
        var walks: [Int32: Walk] = [:]
        for platform in platforms(of: stop) {
            walks[Int32(platform)] = Walk(seconds: 0, metres: 0)
        }
        for platform in platforms(of: stop) {
            for path in footpaths.of(platform)
            where footpaths.use[path] != Timetable.FootpathUse.changeOnly {
                let target = Int32(footpaths.target.index(path, below: count))
                let walk = Walk(
                    seconds: max(0, footpaths.seconds[path]),
                    metres: footpaths.metres[path]
                )
                if let known = walks[target], known.seconds <= walk.seconds { continue }
                walks[target] = walk
            }
        }
        return Approach(walks: walks)
    }

    /// The platforms of a stop and of all stops inside it.
    func platforms(of stop: StopIndex) -> [Int] {
        placePlatforms.of(stop)
    }

    /// Whether a stop is another one or inside it.
    func isWithin(_ stop: Int, _ place: StopIndex) -> Bool {
        var ancestor = stop
        // Boarding area, platform, station: two steps at the most.
        for _ in 0..<3 {
            if ancestor == Int(place.rawValue) { return true }
            ancestor = Int(city.timetable.stops.parent[ancestor])
        }
        return false
    }
}

/// A walk.
struct Walk: Sendable {
    /// How long it takes.
    let seconds: Int32
    /// How long it is.
    let metres: UInt32
}

/// The platforms from which a journey may take its first ride, or to which its last may lead.
struct Approach: Sendable {
    /// The walk to or from each platform.
    let walks: [Int32: Walk]

    /// The same for the search, in the order of platforms.
    var stopovers: [Raptor.Stopover] {
        walks.map { Raptor.Stopover(platform: $0.key, seconds: $0.value.seconds) }
            .sorted { $0.platform < $1.platform }
    }
}
