import Columns

/// The data that a search reads most often, in one block of memory: routes, boardings and changes.
///
/// It is made from a ``ServiceWindow`` and a ``ChangeNetwork``, whose indices are within bounds; so
/// are all indices here.
struct SearchTables: Sendable {
    /// The numbers of a route: its first call, how many calls and departures it has, its first time
    /// in the window, and 1 where no departure waits anywhere.
    static let routeWidth = 5
    /// The flag for boarding; a call is its platform shifted by two, and the flags.
    static let boards: Int32 = 1
    /// The flag for alighting.
    static let alights: Int32 = 2

    /// All tables, one after the other, beginning with the routes.
    let numbers: [Int32]
    /// How many routes there are.
    let routeCount: Int
    /// How many platforms there are.
    let platformCount: Int
    /// The offset of the calls.
    let calls: Int
    /// The offset, for each platform, of its first boarding.
    let boardingOffsets: Int
    /// Where the boardings begin: pairs of route and call.
    let boardings: Int
    /// Where the seconds to change at each platform begin.
    let changes: Int
    /// The offset, for each platform, of its first footpath.
    let wayOffsets: Int
    /// Where the ways begin: pairs of platform and seconds.
    let ways: Int
    /// The offset, for each platform, of its first alighting.
    let alightingOffsets: Int
    /// Where the alightings begin: pairs of route and call.
    let alightings: Int

    /// Builds the tables of a window.
    init(_ window: ServiceWindow, _ network: ChangeNetwork) {
        routeCount = window.routes.count
        platformCount = window.platformCount
        var numbers: [Int32] = []
        for route in window.routes {
            numbers += [route.firstStop, route.stopCount, route.instanceCount, route.firstTime]
            numbers.append(Self.waits(route, window) ? 0 : 1)
        }
        calls = numbers.count
        for (stop, flags) in zip(window.stops, window.flags) {
            numbers.append(Int32(truncatingIfNeeded: stop.rawValue) << 2 | Int32(flags & 3))
        }
        boardingOffsets = numbers.count
        numbers += window.boardingOffsets
        boardings = numbers.count
        for boarding in window.boardings {
            let firstCall = window.routes[boarding.route.row].firstStop
            let route = Int32(truncatingIfNeeded: boarding.route.rawValue)
            numbers += [route, firstCall + boarding.position]
        }
        changes = numbers.count
        numbers += network.seconds
        wayOffsets = numbers.count
        numbers += network.offsets
        ways = numbers.count
        for way in network.ways {
            numbers += [Int32(truncatingIfNeeded: way.platform.rawValue), way.seconds]
        }
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

    /// Whether a route has a departure that leaves somewhere at another time than it arrives.
    private static func waits(_ route: ServiceWindow.RaptorRoute, _ window: ServiceWindow) -> Bool {
        let (stops, count) = (Int(route.stopCount), Int(route.instanceCount))
        let start = Int(route.firstTime)
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

    /// For each platform the pairs of route and call at which riders may alight there.
    private static func alightings(_ window: ServiceWindow) -> [[Int32]] {
        var result = Array(repeating: [Int32](), count: window.platformCount)
        for (number, route) in window.routes.enumerated() {
            for call in route.firstStop..<(route.firstStop + route.stopCount)
            where window.flags[Int(call)] & 2 != 0 {
                result[window.stops[Int(call)].row] += [Int32(truncatingIfNeeded: number), call]
            }
        }
        return result
    }
}
