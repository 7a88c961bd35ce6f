/// Round-based search for the earliest arrivals by number of trips.
///
/// Round k knows, for each platform, the earliest time at which a rider who took at most k trips
/// is ready to board there. It follows each lane that passes a platform improved in round k − 1
/// once, always on the earliest departure that can be caught. Source: Delling, Pajor, Werneck,
/// "Round-Based Public Transit Routing", Transportation Science 49(3), 2015,
/// doi:10.1287/trsc.2014.0534.
///
/// Arrival and readiness are told apart: who arrives must change before boarding again, which
/// takes the platform's time or a footpath, and exactly one of them. The last arrival at an egress
/// platform needs no change.
///
/// A value of this type is a workspace: it keeps its memory from search to search, and belongs to
/// one thread. Run on a mirrored window it finds the latest departures.
public struct Raptor: Sendable {
    /// The time of what cannot be reached.
    public static let never = Int32.max / 2
    /// More trips than this are never looked for.
    public static let tripLimit = 32

    /// A platform where a journey may begin or end, and how long it takes to get there or on.
    public struct Stopover: Sendable, Equatable {
        /// The platform.
        public let platform: Int32
        /// Seconds from the origin to the platform, or from it to the destination.
        public let seconds: Int32

        /// A platform and the seconds to or from it.
        public init(platform: Int32, seconds: Int32) {
            self.platform = platform
            self.seconds = seconds
        }
    }

    /// What to look for.
    public struct Query: Sendable {
        /// Where journeys may begin.
        public var access: [Stopover]
        /// Where journeys may end.
        public var egress: [Stopover]
        /// When they begin, in the window's seconds.
        public var start: Int32
        /// They must arrive before this, in the window's seconds.
        public var bound: Int32
        /// How many trips they may take, 1 to ``Raptor/tripLimit``.
        public var maxTrips: Int

        /// A search from access to egress platforms.
        public init(
            access: [Stopover],
            egress: [Stopover],
            start: Int32,
            bound: Int32,
            maxTrips: Int
        ) {
            self.access = access
            self.egress = egress
            self.start = start
            self.bound = bound
            self.maxTrips = min(max(maxTrips, 0), Raptor.tripLimit)
        }
    }

    /// What the opposite search knows: when riders are ready, at most so many trips after its
    /// start.
    struct Limits {
        /// Its ``Raptor/ready``.
        let ready: [Int32]
        /// How many trips the whole journey takes.
        let trips: Int
    }

    /// How a platform was reached in a round: the ride that ended there.
    struct Ride: Sendable {
        var lane: Int32 = -1
        var instance: Int32 = 0
        var board: Int32 = 0
        var alight: Int32 = 0
    }

    let window: ServiceWindow
    let changes: ChangeNetwork
    private let platformCount: Int

    /// The rounds of the last search: 0 is before any trip.
    public private(set) var roundCount = 0
    /// For each round the earliest arrival at the destination with exactly as many trips, where
    /// it is earlier than with fewer; ``never`` elsewhere.
    public private(set) var destinationArrivals: [Int32] = []
    /// For each round the egress that gives it.
    private(set) var destinationEgress: [Stopover] = []

    /// When riders are ready to board; a row of platforms for each round.
    private(set) var ready: [Int32] = []
    /// The rides that ended in each round; a row of platforms for each round.
    private(set) var rides: [Ride] = []
    /// The platform from which riders came to be ready; a row of platforms for each round.
    private(set) var readyFrom: [Int32] = []

    private var arrivals: [Int32]
    private var egressSeconds: [Int32]
    private var laneStarts: [Int32]
    private var touchedLanes: [Int32] = []
    private var isMarked: [Bool]
    private var marked: [Int32] = []
    private var improved: [Int32] = []
    private var bound: Int32 = 0

    /// A workspace for searches in a window.
    public init(_ window: ServiceWindow, _ changes: ChangeNetwork) {
        self.window = window
        self.changes = changes
        platformCount = window.platformCount
        arrivals = Array(repeating: Self.never, count: platformCount)
        egressSeconds = Array(repeating: -1, count: platformCount)
        laneStarts = Array(repeating: Int32.max, count: window.lanes.count)
        isMarked = Array(repeating: false, count: platformCount)
    }

    /// Searches; the results are in ``destinationArrivals`` and behind ``journey(round:)``.
    ///
    /// - Parameters:
    ///   - query: what to look for.
    ///   - limits: what a search from the other end found; arrivals from which it says that the
    ///     other end cannot be reached are passed over. Nil to pass over none.
    mutating func search(_ query: Query, limits: Limits? = nil) {
        begin(query)
        var round = 1
        while round <= query.maxTrips, !marked.isEmpty {
            appendRound(round)
            collectLanes()
            for lane in touchedLanes {
                scan(Int(lane), round: round, limits: limits)
            }
            relaxChanges(round: round)
            roundCount = round + 1
            round += 1
        }
        for stopover in query.egress { egressSeconds[Int(stopover.platform)] = -1 }
    }

    private mutating func begin(_ query: Query) {
        bound = min(query.bound, Self.never)
        for platform in marked { isMarked[Int(platform)] = false }
        marked.removeAll(keepingCapacity: true)
        for platform in 0..<platformCount { arrivals[platform] = Self.never }
        destinationArrivals = [Self.never]
        destinationEgress = [Stopover(platform: 0, seconds: 0)]
        roundCount = 1
        appendRow(0)
        for stopover in query.access {
            let time = query.start &+ stopover.seconds
            let platform = Int(stopover.platform)
            if time < ready[platform] {
                ready[platform] = time
                mark(stopover.platform)
            }
        }
        for stopover in query.egress {
            let known = egressSeconds[Int(stopover.platform)]
            if known < 0 || stopover.seconds < known {
                egressSeconds[Int(stopover.platform)] = stopover.seconds
            }
        }
    }

    /// Makes room for a round's row, which begins as nothing reached.
    private mutating func appendRow(_ round: Int) {
        let needed = (round + 1) * platformCount
        if ready.count < needed {
            ready.append(contentsOf: repeatElement(Self.never, count: needed - ready.count))
            rides.append(contentsOf: repeatElement(Ride(), count: needed - rides.count))
            readyFrom.append(contentsOf: repeatElement(-1, count: needed - readyFrom.count))
        }
        let start = round * platformCount
        for platform in start..<(start + platformCount) {
            ready[platform] = Self.never
        }
    }

    private mutating func appendRound(_ round: Int) {
        appendRow(round)
        let row = round * platformCount
        for platform in 0..<platformCount {
            ready[row + platform] = ready[row - platformCount + platform]
            rides[row + platform].lane = -1
        }
        destinationArrivals.append(Self.never)
        destinationEgress.append(Stopover(platform: 0, seconds: 0))
        improved.removeAll(keepingCapacity: true)
    }

    private mutating func mark(_ platform: Int32) {
        guard !isMarked[Int(platform)] else { return }
        isMarked[Int(platform)] = true
        marked.append(platform)
    }

    /// Finds the lanes that pass marked platforms, and where to begin on each.
    private mutating func collectLanes() {
        touchedLanes.removeAll(keepingCapacity: true)
        for platform in marked {
            isMarked[Int(platform)] = false
            let first = Int(window.boardingOffsets[Int(platform)])
            let last = Int(window.boardingOffsets[Int(platform) + 1])
            for boarding in first..<last {
                let place = window.boardings[boarding]
                let start = laneStarts[Int(place.lane)]
                if start == Int32.max { touchedLanes.append(place.lane) }
                if place.position < start { laneStarts[Int(place.lane)] = place.position }
            }
        }
        marked.removeAll(keepingCapacity: true)
    }

    /// Rides along a lane, always on the earliest departure that can be caught.
    private mutating func scan(_ number: Int, round: Int, limits: Limits?) {
        let lane = window.lanes[number]
        let count = Int(lane.instanceCount)
        let stopCount = Int(lane.stopCount)
        let firstTime = Int(lane.firstTime)
        let readyRow = (round - 1) * platformCount
        let row = round * platformCount
        let limitRow = limits.map { ($0.trips - round) * platformCount } ?? 0
        var instance = count
        var board = 0
        var position = Int(laneStarts[number])
        laneStarts[number] = Int32.max
        while position < stopCount {
            let platform = Int(window.stops[Int(lane.firstStop) + position])
            let flags = window.flags[Int(lane.firstStop) + position]
            if instance < count, flags & 2 != 0 {
                let time = window.arrivals[firstTime + instance * stopCount + position]
                if time < arrivals[platform], time < bound,
                    limits.map({ time <= 0 &- $0.ready[limitRow + platform] }) ?? true
                {
                    arrivals[platform] = time
                    if rides[row + platform].lane < 0 { improved.append(Int32(platform)) }
                    rides[row + platform] = Ride(
                        lane: Int32(number),
                        instance: Int32(instance),
                        board: Int32(board),
                        alight: Int32(position)
                    )
                    arrive(platform, time, round)
                }
            }
            if flags & 1 != 0 {
                let time = ready[readyRow + platform]
                let column = firstTime + position * count
                if time < bound, instance == count || earlier(instance, column, time) {
                    let caught = firstDeparture(column, instance, notBefore: time)
                    if caught < instance {
                        instance = caught
                        board = position
                    }
                }
            }
            position += 1
        }
    }

    /// Whether the departure before an instance can still be caught.
    private func earlier(_ instance: Int, _ column: Int, _ time: Int32) -> Bool {
        instance > 0 && window.departures[column + instance - 1] >= time
    }

    /// The first of the departures `0..<end` of a column that is not before a time; `end` if all
    /// are.
    private func firstDeparture(_ column: Int, _ end: Int, notBefore time: Int32) -> Int {
        var low = 0
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if window.departures[column + middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Notes an arrival at an egress platform.
    private mutating func arrive(_ platform: Int, _ time: Int32, _ round: Int) {
        let seconds = egressSeconds[platform]
        guard seconds >= 0, time &+ seconds < bound else { return }
        bound = time &+ seconds
        destinationArrivals[round] = bound
        destinationEgress[round] = Stopover(platform: Int32(platform), seconds: seconds)
    }

    /// Lets riders who arrived in this round change.
    private mutating func relaxChanges(round: Int) {
        let row = round * platformCount
        for platform in improved {
            let arrival = arrivals[Int(platform)]
            let change = changes.seconds[Int(platform)]
            if change >= 0 { become(platform, readyAt: arrival &+ change, from: platform, row) }
            let first = Int(changes.offsets[Int(platform)])
            let last = Int(changes.offsets[Int(platform) + 1])
            for number in first..<last {
                let way = changes.ways[number]
                let time = arrival &+ way.seconds
                if time >= bound { break }
                become(way.platform, readyAt: time, from: platform, row)
            }
        }
    }

    private mutating func become(
        _ platform: Int32,
        readyAt time: Int32,
        from origin: Int32,
        _ row: Int
    ) {
        guard time < ready[row + Int(platform)], time < bound else { return }
        ready[row + Int(platform)] = time
        readyFrom[row + Int(platform)] = origin
        mark(platform)
    }
}
