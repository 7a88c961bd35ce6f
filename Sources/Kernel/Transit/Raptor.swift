import Columns

/// Round-based search for the earliest arrivals by number of trips.
///
/// Round k knows, for each platform, the earliest time at which a rider who took at most k trips is
/// ready to board there. It scans each RAPTOR route that passes a platform improved in round k − 1
/// once, always on the earliest departure that can be caught. Source: Delling, Pajor, Werneck,
/// "Round-Based Public Transit Routing", Transportation Science 49(3), 2015,
/// doi:10.1287/trsc.2014.0534.
///
/// Arrival and readiness are distinct: a rider who arrives must change before boarding again,
/// either within the platform's change time or on one footpath. The last arrival at an egress
/// platform needs no change.
///
/// A value of this type is a workspace for searches of all days: it reuses its memory from search
/// to search, and belongs to one thread. On a mirrored window it finds the latest departures.
public struct Raptor: Sendable {
    /// The time at an unreachable platform.
    public static let never = Int32.max / 2
    /// The greatest number of trips of a journey.
    public static let tripLimit = 32

    /// The input of a search.
    public struct Query: Sendable {
        /// Where journeys may begin.
        public var access: [AccessEgress]
        /// Where journeys may end.
        public var egress: [AccessEgress]
        /// When they begin, in the window's seconds.
        public var start: Int32
        /// The time before which they must arrive, in the window's seconds.
        public var bound: Int32
        /// The greatest number of trips, 1 to ``Raptor/tripLimit``.
        public var maxTrips: Int
        /// Which vehicles and stops they may use.
        public var conditions: RideConditions

        /// Creates a search from access to egress platforms.
        public init(
            access: [AccessEgress],
            egress: [AccessEgress],
            start: Int32,
            bound: Int32,
            maxTrips: Int,
            conditions: RideConditions = RideConditions()
        ) {
            self.access = access
            self.egress = egress
            self.start = start
            self.bound = bound
            self.maxTrips = min(max(maxTrips, 0), Raptor.tripLimit)
            self.conditions = conditions
        }
    }

    /// The results of the search from the other end, which limit this one: when riders are ready
    /// after at most a given number of trips from its start.
    struct Limits<Carried: Criterion> {
        /// The workspace of the search from the other end.
        let search: Raptor
        /// The labels of that search, if the criterion has an amount.
        let bags: LabelBags<Carried>
        /// The number of trips of the whole journey.
        let trips: Int
    }

    /// The result of a search.
    struct Outcome: Sendable {
        /// For each round the earliest arrival at the destination, if it is earlier than with fewer
        /// trips; otherwise ``never``.
        var arrivals = [Raptor.never]
        /// The last platform of each of these journeys; nil elsewhere.
        var lastPlatforms: [PlatformIndex?] = [nil]

        mutating func appendRound() {
            arrivals.append(Raptor.never)
            lastPlatforms.append(nil)
        }
    }

    /// How a platform was reached in a round: the ride that ended there.
    struct Ride: Sendable {
        let route: RaptorRouteIndex
        let instance: Int32
        let board: Int32
        let alight: Int32
    }

    private(set) var layout = SearchLayout()
    /// The memory, in that layout.
    private(set) var numbers: [Int32] = []
    /// Whether the last search had bounds other than 0.
    private var isLed = false
    private var outcome = Outcome()

    /// Creates a workspace; it allocates its memory at the first search.
    init() {}

    /// The number of rounds of the last search, including round 0 without trips.
    public var roundCount: Int { outcome.arrivals.count }
    /// For each round the earliest arrival at the destination with exactly as many trips, if it is
    /// earlier than with fewer; otherwise ``never``.
    public var destinationArrivals: [Int32] { outcome.arrivals }
    /// The last platform of each of these journeys; nil elsewhere.
    var lastPlatforms: [PlatformIndex?] { outcome.lastPlatforms }

    /// When riders are ready to board at a platform, after a round of the last search.
    func ready(_ round: Int, _ platform: PlatformIndex) -> Int32 {
        numbers[layout.ready(round) + platform.row]
    }

    /// The platform from which riders walked to a platform in the round that made it ready; nil if
    /// they came from the origin.
    func readyFrom(_ round: Int, _ platform: PlatformIndex) -> PlatformIndex? {
        let origin = numbers[layout.readyFrom(round) + platform.row]
        return origin < 0 ? nil : PlatformIndex(row: Int(origin))
    }

    /// The earliest arrival at a platform with so many trips, after a search for a range.
    func arrival(after trips: Int, _ platform: PlatformIndex, rounds: Int) -> Int32 {
        numbers[layout.arrivals(after: trips, rounds: rounds) + platform.row]
    }

    /// The ride that ended at a platform in a round, if it brought an earlier arrival.
    func ride(_ round: Int, _ platform: PlatformIndex) -> Ride {
        let start = layout.rides(round) + SearchLayout.rideWidth * platform.row
        return Ride(
            route: RaptorRouteIndex(row: Int(numbers[start])),
            instance: numbers[start + 1],
            board: numbers[start + 2] >> SearchLayout.positionBits,
            alight: numbers[start + 2] & (1 << SearchLayout.positionBits - 1)
        )
    }

    /// Runs the search; the results are in ``destinationArrivals`` and
    /// ``journey(round:of:in:isMirrored:)``, or in `bags` where riders carry anything.
    ///
    /// - Parameters:
    ///   - query: the input; access and egress at platforms that do not exist are ignored.
    ///   - space: the window to search in.
    ///   - criterion: the criterion besides time and trips.
    ///   - bags: the workspace for their labels.
    ///   - limits: the results of a search from the other end; arrivals from which that end cannot
    ///     be reached are pruned. Nil for no pruning.
    mutating func search<Carried: Criterion>(
        _ query: Query,
        in space: LaidOutWindow,
        carrying criterion: Carried,
        _ bags: inout LabelBags<Carried>,
        limits: Limits<Carried>? = nil
    ) {
        var query = query
        let platformCount = space.window.platformCount
        query.access.removeAll { $0.platform.row >= platformCount }
        query.egress.removeAll { $0.platform.row >= platformCount }
        prepare(for: space.window, rounds: Carried.isCarried ? 0 : query.maxTrips)
        outcome = Outcome()
        if Carried.isCarried { bags.begin(query, criterion, platformCount: platformCount) }
        guard !space.window.arrivals.isEmpty else { return }
        // A search with limits needs no bounds: the limits lead it to the other end.
        let stepFree = query.conditions.wheelchair
        let bounds =
            limits != nil || query.egress.isEmpty ? nil : space.lowerBounds(stepFree: stepFree)
        setRemaining(query.egress, bounds)
        let found = withScan(query, space, criterion, &bags, limits) { scan in
            scan.run(query)
            return scan.outcome
        }
        if let found { outcome = found }
    }

    /// Allocates the memory for a search in a window.
    ///
    /// - Parameters:
    ///   - window: the window.
    ///   - rounds: the greatest number of trips.
    ///   - keepsArrivals: whether there is a row of arrivals for each round, as a search for a
    ///     range of moments needs; these rows and the rows of readiness are then empty.
    mutating func prepare(for window: ServiceWindow, rounds: Int, keepsArrivals: Bool = false) {
        if layout.makeRoom(for: window) {
            numbers = []
            isLed = false
        }
        layout.prepare(&numbers, rounds: rounds)
        guard keepsArrivals else { return }
        let length = layout.arrivals(after: rounds + 1, rounds: rounds)
        let missing = length - numbers.count
        if missing > 0 { numbers.append(contentsOf: repeatElement(0, count: missing)) }
        for round in 0...rounds {
            let ready = layout.ready(round)
            for place in ready..<(ready + layout.platformCount) { numbers[place] = Self.never }
        }
        for place in layout.arrivals(after: 1, rounds: rounds)..<length {
            numbers[place] = Self.never
        }
    }

    /// Stores the lower bounds to the end of the journey; nil for none.
    ///
    /// A bound never decreases along a path by more than the path takes. So the bounds are valid
    /// for every egress at which they do not exceed the remaining time there, and only the others
    /// need rows of their own.
    mutating func setRemaining(_ egress: [AccessEgress], _ bounds: LowerBounds?) {
        let start = layout.remaining
        guard let bounds, !bounds.isVoid else {
            guard isLed else { return }
            isLed = false
            for place in start..<(start + layout.remainingCount) { numbers[place] = 0 }
            return
        }
        isLed = true
        var rowCount = 0
        let nearestFirst = egress.sorted { ($0.seconds, $0.platform) < ($1.seconds, $1.platform) }
        for path in nearestFirst {
            let platform = path.platform.row
            let seconds = max(0, path.seconds)
            if rowCount > 0, numbers[start + platform] <= seconds { continue }
            let row = bounds.row(platform)
            let isFirst = rowCount == 0
            rowCount += 1
            unsafe numbers.withUnsafeMutableBufferPointer { memory in
                unsafe row.withUnsafeBufferPointer { row in
                    guard let memory = unsafe Row(memory), let row = unsafe ReadRow(row) else {
                        return
                    }
                    // There may be room for more calls than the window has; they are not read.
                    let remaining = memory.part(start, count: row.count)
                    if isFirst { remaining.fill(Self.never) }
                    remaining.lower(to: row, adding: seconds)
                }
            }
        }
    }

    /// Lends the inner loops all memory that they need.
    ///
    /// - Returns: what `body` returns; nil in a window without runs.
    mutating func withScan<Carried: Criterion, Result>(
        _ query: Query,
        _ space: LaidOutWindow,
        _ criterion: Carried,
        _ bags: inout LabelBags<Carried>,
        _ limits: Limits<Carried>?,
        _ body: (inout RaptorScan<Carried>) -> Result
    ) -> Result? {
        // The labels are moved and not copied: a second owner of their memory would cause a copy of
        // all of it.
        var own = LabelBags<Carried>()
        swap(&own, &bags)
        defer { swap(&own, &bags) }
        let (window, tables, layout) = (space.window, space.tables, layout)
        let network = space.network(stepFree: query.conditions.wheelchair)
        let opposite = limits?.search.numbers ?? []
        return unsafe numbers.withUnsafeMutableBufferPointer { memory in
            unsafe opposite.withUnsafeBufferPointer { opposite in
                unsafe tables.numbers.withUnsafeBufferPointer { numbers in
                    unsafe network.numbers.withUnsafeBufferPointer { changes in
                        unsafe window.arrivals.withUnsafeBufferPointer { arrivals in
                            unsafe window.departures.withUnsafeBufferPointer { departures in
                                guard let memory = unsafe Row(memory),
                                    let numbers = unsafe ReadRow(numbers),
                                    let changes = unsafe ReadRow(changes),
                                    let arrivals = unsafe ReadRow(arrivals)
                                else { return nil }
                                var scan = RaptorScan(
                                    WindowRows(
                                        tables,
                                        numbers,
                                        network,
                                        changes,
                                        arrivals: arrivals,
                                        // If no vehicle waits anywhere, nothing is read there.
                                        departures: unsafe ReadRow(departures) ?? arrivals
                                    ),
                                    memory: memory,
                                    layout: layout,
                                    opposite: unsafe ReadRow(opposite),
                                    limits: limits,
                                    query,
                                    criterion,
                                    own
                                )
                                own = LabelBags()
                                let result = body(&scan)
                                own = scan.bags
                                return result
                            }
                        }
                    }
                }
            }
        }
    }
}
