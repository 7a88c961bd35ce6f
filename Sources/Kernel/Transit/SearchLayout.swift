/// The layout of a search's memory: rows of platforms and of lanes in one array of numbers.
struct SearchLayout: Sendable {
    /// The numbers of a ride: lane, departure, position of boarding, position of alighting.
    static let rideWidth = 4

    /// How many platforms there are.
    let platformCount: Int
    /// How many lanes there are.
    let laneCount: Int
    /// How many calls there are.
    let callCount: Int

    /// The earliest arrival at each platform.
    var arrivals: Int { 0 }
    /// Seconds from each platform to the destination; negative where no journey may end.
    var egress: Int { platformCount }
    /// When each platform is ready, where that became earlier in the round before.
    var fresh: Int { 2 * platformCount }
    /// 1 where this round brought an earlier arrival.
    var isImproved: Int { 3 * platformCount }
    /// A list of the fresh platforms.
    var marked: Int { 4 * platformCount }
    /// A list of the improved platforms.
    var improved: Int { 5 * platformCount }
    /// Seconds that are needed at the least to the destination: from the arrival at each platform,
    /// from being ready there, and aboard at each call; as ``LowerBounds`` has them.
    var remaining: Int { 6 * platformCount }
    /// The length of that part.
    var remainingCount: Int { 2 * platformCount + callCount }
    /// The first call on each lane where a rider may board.
    var laneStarts: Int { remaining + remainingCount }
    /// The last call on each lane where a rider may board.
    var laneEnds: Int { laneStarts + laneCount }
    /// A list of the lanes that pass fresh platforms; one longer than lanes.
    var touched: Int { laneStarts + 2 * laneCount }
    /// 1 for each lane that leads to a platform where the journey may end.
    var leadsThere: Int { laneStarts + 3 * laneCount + 1 }
    /// The departure of each lane that was boarded last, in this search or an earlier one: where to
    /// start looking for the next.
    var hints: Int { leadsThere + laneCount }

    /// The time at which each platform is ready after that many trips.
    func ready(_ round: Int) -> Int {
        laneStarts + 5 * laneCount + 1 + round * platformCount * (2 + Self.rideWidth)
    }
    /// The platform from which riders came to be ready in that round.
    func readyFrom(_ round: Int) -> Int { ready(round) + platformCount }
    /// The rides that ended in that round.
    func rides(_ round: Int) -> Int { ready(round) + 2 * platformCount }

    /// The total length for that many rounds.
    func length(rounds: Int) -> Int { ready(rounds + 1) }

    /// Sets the initial state, which a search restores when it ends.
    func prepare(_ numbers: inout [Int32], rounds: Int) {
        if numbers.isEmpty {
            numbers = Array(repeating: 0, count: ready(0))
            for platform in 0..<platformCount {
                numbers[egress + platform] = -1
                numbers[fresh + platform] = Raptor.never
            }
            for lane in 0..<laneCount { numbers[laneStarts + lane] = .max }
        }
        let missing = length(rounds: rounds) - numbers.count
        if missing > 0 { numbers.append(contentsOf: repeatElement(0, count: missing)) }
    }
}
