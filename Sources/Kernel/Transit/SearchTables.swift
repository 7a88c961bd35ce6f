/// The data that a search reads most often, in one block of memory: lanes, boardings and changes.
///
/// It is made from a ``ServiceWindow`` and a ``ChangeNetwork``, whose indices are within bounds; so
/// are all indices here.
struct SearchTables: Sendable {
    /// The numbers of a lane: its first call, how many calls and departures it has, its first time
    /// in the window, and 1 where no departure waits anywhere.
    static let laneWidth = 5
    /// The flag for boarding; a call is its platform shifted by two, and the flags.
    static let boards: Int32 = 1
    /// The flag for alighting.
    static let alights: Int32 = 2

    /// All tables, one after the other, beginning with the lanes.
    let numbers: [Int32]
    /// How many lanes there are.
    let laneCount: Int
    /// How many platforms there are.
    let platformCount: Int
    /// The offset of the calls.
    let calls: Int
    /// The offset, for each platform, of its first boarding.
    let boardingOffsets: Int
    /// Where the boardings begin: pairs of lane and call.
    let boardings: Int
    /// Where the seconds to change at each platform begin.
    let changes: Int
    /// The offset, for each platform, of its first footpath.
    let wayOffsets: Int
    /// Where the ways begin: pairs of platform and seconds.
    let ways: Int
    /// The offset, for each platform, of its first alighting.
    let alightingOffsets: Int
    /// Where the alightings begin: pairs of lane and call.
    let alightings: Int

    /// Builds the tables of a window.
    init(_ window: ServiceWindow, _ network: ChangeNetwork) {
        laneCount = window.lanes.count
        platformCount = window.platformCount
        var numbers: [Int32] = []
        for lane in window.lanes {
            numbers += [lane.firstStop, lane.stopCount, lane.instanceCount, lane.firstTime]
            numbers.append(Self.waits(lane, window) ? 0 : 1)
        }
        calls = numbers.count
        for (stop, flags) in zip(window.stops, window.flags) {
            numbers.append(stop << 2 | Int32(flags & 3))
        }
        boardingOffsets = numbers.count
        numbers += window.boardingOffsets
        boardings = numbers.count
        for boarding in window.boardings {
            let firstCall = window.lanes[Int(boarding.lane)].firstStop
            numbers += [boarding.lane, firstCall + boarding.position]
        }
        changes = numbers.count
        numbers += network.seconds
        wayOffsets = numbers.count
        numbers += network.offsets
        ways = numbers.count
        for way in network.ways { numbers += [way.platform, way.seconds] }
        let alighted = Self.alightings(window)
        alightingOffsets = numbers.count
        var count: Int32 = 0
        for pairs in alighted {
            numbers.append(count)
            count += Int32(pairs.count / 2)
        }
        numbers.append(count)
        alightings = numbers.count
        for pairs in alighted { numbers += pairs }
        self.numbers = numbers
    }

    /// Whether a lane has a departure that leaves somewhere at another time than it arrives.
    private static func waits(_ lane: ServiceWindow.Lane, _ window: ServiceWindow) -> Bool {
        let (stops, count) = (Int(lane.stopCount), Int(lane.instanceCount))
        let start = Int(lane.firstTime)
        for instance in 0..<count {
            for position in 0..<stops {
                let arrival = window.arrivals[start + instance * stops + position]
                if arrival != window.departures[start + position * count + instance] {
                    return true
                }
            }
        }
        return false
    }

    /// For each platform the pairs of lane and call at which riders may alight there.
    private static func alightings(_ window: ServiceWindow) -> [[Int32]] {
        var result = Array(repeating: [Int32](), count: window.platformCount)
        for (number, lane) in window.lanes.enumerated() {
            for call in lane.firstStop..<(lane.firstStop + lane.stopCount)
            where window.flags[Int(call)] & 2 != 0 {
                result[Int(window.stops[Int(call)])] += [Int32(truncatingIfNeeded: number), call]
            }
        }
        return result
    }
}
