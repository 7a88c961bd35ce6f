/// The layout of a search's memory: rows of platforms and of RAPTOR routes in one array.
///
/// There is room for the routes and calls of the largest window that was searched, so that a search
/// of another day needs no other memory.
struct SearchLayout: Sendable {
    /// The numbers of a ride: route, departure, and the positions of boarding and alighting.
    static let rideWidth = 3
    /// The shift of the boarding position; the lower bits hold the alighting position.
    ///
    /// No position exceeds ``ServiceWindow/positionLimit``.
    static let positionBits: Int32 = 15
    /// The value for platforms where no journey may end; any negative number has this meaning.
    static let noEgress: Int32 = -1

    /// How many platforms there are.
    private(set) var platformCount = 0
    /// The number of routes for which there is room.
    private(set) var routeCount = 0
    /// The number of calls for which there is room.
    private(set) var callCount = 0

    /// The earliest arrival at each platform.
    var arrivals: Int { 0 }
    /// Seconds from each platform to the destination; negative if no journey may end.
    var egress: Int { platformCount }
    /// When each platform is ready, if it became ready earlier in the previous round.
    var fresh: Int { 2 * platformCount }
    /// 1 where this round brought an earlier arrival.
    var isImproved: Int { 3 * platformCount }
    /// A list of the fresh platforms.
    var marked: Int { 4 * platformCount }
    /// A list of the improved platforms.
    var improved: Int { 5 * platformCount }
    /// The least seconds to the destination: from the arrival at each platform, from being ready
    /// there, and aboard at each call; see ``LowerBounds``.
    var remaining: Int { 6 * platformCount }
    /// The length of that part.
    var remainingCount: Int { 2 * platformCount + callCount }
    /// The first call on each route where a rider may board.
    var routeStarts: Int { remaining + remainingCount }
    /// The last call on each route where a rider may board.
    var routeEnds: Int { routeStarts + routeCount }
    /// A list of the routes that pass fresh platforms; one longer than there are routes.
    var touched: Int { routeStarts + 2 * routeCount }
    /// 1 for each route that leads to a platform where the journey may end.
    var leadsThere: Int { routeStarts + 3 * routeCount + 1 }
    /// The departure of each route that was boarded last, in this search or an earlier one, even of
    /// another day: where to start looking for the next.
    var hints: Int { leadsThere + routeCount }

    /// The time at which each platform is ready after that many trips.
    func ready(_ round: Int) -> Int {
        routeStarts + 5 * routeCount + 1 + round * platformCount * (2 + Self.rideWidth)
    }
    /// The platform from which riders came to be ready in that round.
    func readyFrom(_ round: Int) -> Int { ready(round) + platformCount }
    /// The rides that ended in that round.
    func rides(_ round: Int) -> Int { ready(round) + 2 * platformCount }

    /// The total length for that many rounds.
    func length(rounds: Int) -> Int { ready(rounds + 1) }

    /// The earliest arrivals after that many trips, at least 1, in a search for a range of moments
    /// with at most `rounds` trips; they follow all other rows.
    func arrivals(after round: Int, rounds: Int) -> Int {
        length(rounds: rounds) + (round - 1) * platformCount
    }

    /// Makes room for a window.
    ///
    /// - Returns: whether the layout has changed, so that the old memory must not be used.
    mutating func makeRoom(for window: ServiceWindow) -> Bool {
        let (routes, calls) = (window.routes.count, window.stops.count)
        guard window.platformCount != platformCount || routes > routeCount || calls > callCount
        else { return false }
        if window.platformCount != platformCount { self = SearchLayout() }
        platformCount = window.platformCount
        routeCount = max(routeCount, routes)
        callCount = max(callCount, calls)
        return true
    }

    /// Sets the initial state, which a search restores when it ends.
    func prepare(_ numbers: inout [Int32], rounds: Int) {
        if numbers.isEmpty {
            numbers = Array(repeating: 0, count: ready(0))
            for platform in 0..<platformCount {
                numbers[egress + platform] = Self.noEgress
                numbers[fresh + platform] = Raptor.never
            }
            for route in 0..<routeCount { numbers[routeStarts + route] = .max }
        }
        let missing = length(rounds: rounds) - numbers.count
        if missing > 0 { numbers.append(contentsOf: repeatElement(0, count: missing)) }
    }
}
