import Columns

/// The state of a search for a range of moments between two moments, besides its rows of platforms:
/// when vehicles leave near the one place, and the best arrivals at the many.
struct RangeLabels {
    /// A departure that can be caught by setting out at a moment, and not later.
    struct Event {
        let moment: Int32
        /// When a journey that starts at the moment is at the platform.
        let ready: Int32
        let platform: Int32
        let route: Int32
        let call: Int32
    }

    /// An arrival that is better than all at later moments.
    struct Found {
        let end: Int
        let arrival: Int32
        let trips: Int
        /// The way from its last platform.
        let egress: Raptor.AccessEgress
    }

    /// The departures in the range, the latest moment first.
    let events: [Event]
    /// How many trips journeys may take.
    let maxTrips: Int
    /// The ways from the one place, without those that a quicker one makes useless.
    let access: [Raptor.AccessEgress]
    /// The platforms where journeys may end.
    let endPlatforms: [Int]
    /// What the last moment brought.
    var found: [Found] = []

    /// For each end and each number of trips from 0 to `maxTrips`, the earliest arrival so far.
    private var best: [Int32]
    /// The greatest duration of journeys to each end; 0 if no platform leads there.
    private let spans: [Int32]
    /// Where the ways of each platform begin; one more than there are platforms.
    private let wayOffsets: [Int32]
    /// The ways: pairs of end and way.
    private let ways: [(end: Int32, way: Raptor.AccessEgress)]
    private var improved: [Int] = []
    /// For each end that a round has improved, the way from the last platform.
    private var egress: [Raptor.AccessEgress?]

    /// Labels of a search that has searched no moment.
    init(_ query: RangeQuery, in space: LaidOutWindow) {
        let platformCount = space.window.platformCount
        maxTrips = query.maxTrips
        access = Self.quickest(query.access, platformCount)
        events = Self.events(query, access, space)
        best = Array(repeating: Raptor.never, count: query.ends.count * (query.maxTrips + 1))
        egress = Array(repeating: nil, count: query.ends.count)
        var all: [(end: Int32, way: Raptor.AccessEgress)] = []
        var spans: [Int32] = []
        for (number, end) in query.ends.enumerated() {
            let ways = Self.quickest(end.ways, platformCount)
            spans.append(ways.isEmpty ? 0 : end.span)
            all += ways.map { (Int32(truncatingIfNeeded: number), $0) }
        }
        self.spans = spans
        all.sort { ($0.way.platform, $0.end) < ($1.way.platform, $1.end) }
        var offsets = [Int32](repeating: 0, count: platformCount + 1)
        for (_, way) in all { offsets[way.platform.row + 1] += 1 }
        for platform in 0..<platformCount { offsets[platform + 1] += offsets[platform] }
        ways = all
        wayOffsets = offsets
        endPlatforms = (0..<platformCount).filter { offsets[$0] < offsets[$0 + 1] }
    }

    /// The ways to platforms that exist, each the quickest one at some moment.
    private static func quickest(
        _ ways: [Raptor.AccessEgress],
        _ platformCount: Int
    ) -> [Raptor.AccessEgress] {
        var quickest: [Raptor.AccessEgress] = []
        let sorted = ways.sorted { ($0.platform, $0.seconds) < ($1.platform, $1.seconds) }
        var start = 0
        for way in sorted where way.platform.row < platformCount {
            if way.platform != quickest.last?.platform { start = quickest.count }
            let isUseless = quickest[start...].contains {
                $0.first <= way.first && way.last <= $0.last
            }
            if !isUseless { quickest.append(way) }
        }
        return quickest
    }

    /// All departures that can be caught by setting out within the range.
    ///
    /// Departures that the conditions forbid may be among them; the search passes over them.
    private static func events(
        _ query: RangeQuery,
        _ access: [Raptor.AccessEgress],
        _ space: LaidOutWindow
    ) -> [Event] {
        let window = space.window
        let modes = Int32(truncatingIfNeeded: query.conditions.modes & TransitMode.all)
        var events: [Event] = []
        for way in access {
            let first = way.end(leavingAt: query.moments.lowerBound)
            for boarding in window.boardings(way.platform) {
                let route = window.routes[boarding.route.row]
                let record = boarding.route.row * SearchTables.routeWidth
                let isAllowed =
                    query.conditions.acceptEverything
                    || space.tables.numbers[record + 4] & modes != 0
                guard isAllowed else { continue }
                let position = Int(boarding.position)
                let count = Int(route.instanceCount)
                var (low, high) = (0, count)
                while low < high {
                    let middle = (low + high) / 2
                    let time = window.departure(of: route, instance: middle, position: position)
                    if time < first { low = middle + 1 } else { high = middle }
                }
                var known: Int32?
                for instance in low..<count {
                    let time = window.departure(of: route, instance: instance, position: position)
                    let moment = way.start(arrivingBy: time)
                    if moment > query.moments.upperBound { break }
                    // Those who set out last catch all later departures as well.
                    if moment == known, moment == way.last { break }
                    // A journey that starts then catches the first of several that leave at once;
                    // in a damaged file a way may take so long that the moment wraps.
                    if moment == known || moment < query.moments.lowerBound { continue }
                    known = moment
                    events.append(
                        Event(
                            moment: moment,
                            ready: way.end(leavingAt: moment),
                            platform: Int32(truncatingIfNeeded: way.platform.rawValue),
                            route: Int32(truncatingIfNeeded: boarding.route.rawValue),
                            call: route.firstStop + boarding.position
                        )
                    )
                }
            }
        }
        events.sort { ($1.moment, $0.platform) < ($0.moment, $1.platform) }
        return events
    }

    /// No arrival at or after this in a round is worth anything to any end.
    func bound(_ round: Int, at moment: Int32) -> Int32 {
        var bound = Int32.min
        for end in spans.indices where spans[end] > 0 {
            bound = max(bound, min(best[end * (maxTrips + 1) + round], moment &+ spans[end]))
        }
        return bound
    }

    /// Notes the arrival of a round at a platform.
    mutating func arrive(_ platform: Int, at time: Int32, round: Int, since moment: Int32) {
        for number in Int(wayOffsets[platform])..<Int(wayOffsets[platform + 1]) {
            let (end, way) = ways[number]
            arrive(end: Int(end), by: way, at: time, round: round, since: moment)
        }
    }

    private mutating func arrive(
        end: Int,
        by way: Raptor.AccessEgress,
        at platformTime: Int32,
        round: Int,
        since moment: Int32
    ) {
        let time = way.end(leavingAt: platformTime)
        let start = end * (maxTrips + 1)
        guard time < best[start + round], time < moment &+ spans[end] else { return }
        for later in round...maxTrips {
            // More trips never arrive later, so the rest is as early already.
            if best[start + later] <= time { break }
            best[start + later] = time
        }
        if egress[end] == nil { improved.append(end) }
        egress[end] = way
    }

    /// Records which ends a round has improved.
    mutating func collect(round: Int) {
        for end in improved {
            guard let way = egress[end] else { continue }
            egress[end] = nil
            let arrival = best[end * (maxTrips + 1) + round]
            found.append(Found(end: end, arrival: arrival, trips: round, egress: way))
        }
        improved.removeAll(keepingCapacity: true)
    }
}
