/// What a search reads, as rows: the tables of a window and of a network, and the window's times.
///
/// The arrays must outlive the rows.
struct WindowRows {
    /// The routes, ``SearchTables/routeWidth`` numbers each.
    let routes: ReadRow
    let calls: ReadRow
    let boardingOffsets: ReadRow
    let boardings: ReadRow
    let alightingOffsets: ReadRow
    let alightings: ReadRow
    let partOffsets: ReadRow
    let parts: ReadRow
    let accessible: ReadRow
    /// The seconds to change at each platform; negative if that is impossible.
    let changes: ReadRow
    let wayOffsets: ReadRow
    let ways: ReadRow
    /// The metres of each way, as ``ChangeNetwork`` has them.
    let wayMetres: ReadRow
    let arrivalTimes: ReadRow
    let departureTimes: ReadRow
    /// How many platforms there are.
    let platformCount: Int
    /// How many routes there are.
    let routeCount: Int

    /// The rows of a window and a network.
    ///
    /// - Parameters:
    ///   - tables: the layout of the window's tables.
    ///   - numbers: their numbers.
    ///   - network: the layout of the network's tables.
    ///   - changes: their numbers.
    ///   - arrivals: the window's arrivals.
    ///   - departures: the window's departures.
    init(
        _ tables: SearchTables,
        _ numbers: ReadRow,
        _ network: ChangeNetwork,
        _ changes: ReadRow,
        arrivals: ReadRow,
        departures: ReadRow
    ) {
        func table(_ start: Int, _ end: Int) -> ReadRow {
            numbers.part(start, count: end - start)
        }
        routes = table(0, tables.calls)
        calls = table(tables.calls, tables.boardingOffsets)
        boardingOffsets = table(tables.boardingOffsets, tables.boardings)
        boardings = table(tables.boardings, tables.alightingOffsets)
        alightingOffsets = table(tables.alightingOffsets, tables.alightings)
        alightings = table(tables.alightings, tables.partOffsets)
        partOffsets = table(tables.partOffsets, tables.parts)
        parts = table(tables.parts, tables.accessible)
        accessible = table(tables.accessible, tables.numbers.count)
        self.changes = changes.part(0, count: network.platformCount)
        wayOffsets = changes.part(network.wayOffsets, count: network.platformCount + 1)
        ways = changes.part(network.ways, count: 2 * network.wayCount)
        wayMetres = changes.part(network.wayMetres, count: network.wayCount)
        arrivalTimes = arrivals
        departureTimes = departures
        platformCount = tables.platformCount
        routeCount = tables.routeCount
    }
}

/// Where a search finds the times of a route.
struct RouteRows {
    /// The route's first call.
    let firstCall: Int
    /// How many calls it has.
    let stopCount: Int
    /// How many departures it has.
    let count: Int
    /// Its first arrival.
    let firstTime: Int
    /// Its first departure in the window.
    let firstDeparture: Int
    /// When vehicles leave.
    let times: ReadRow
    /// The distance from the time of one departure at a call to that of the next.
    let stride: Int
    private let stopStride: Int
    private let start: Int

    /// The times of a route.
    @inline(__always)
    init(_ rows: WindowRows, _ route: Int) {
        let record = route * SearchTables.routeWidth
        firstCall = Int(rows.routes[record])
        stopCount = Int(rows.routes[record + 1])
        count = Int(rows.routes[record + 2])
        firstTime = Int(rows.routes[record + 3])
        firstDeparture = Int(rows.routes[record + 5])
        // If vehicles do not wait, arrivals are departures too, and lie next to what is read next.
        let isPunctual = rows.routes[record + 4] & SearchTables.isPunctual != 0
        times = isPunctual ? rows.arrivalTimes : rows.departureTimes
        stride = isPunctual ? stopCount : 1
        stopStride = isPunctual ? 1 : count
        start = isPunctual ? firstTime : Int(rows.routes[record + 6])
    }

    /// Where the departure times of a call begin.
    @inline(__always)
    func column(_ call: Int) -> Int { start &+ (call &- firstCall) &* stopStride }
}
