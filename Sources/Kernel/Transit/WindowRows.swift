/// What a search reads, as rows: the tables of a window and of a network, and the window's times.
///
/// The arrays outlive the rows.
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
    /// Seconds to change at each platform; negative where nobody can.
    let changes: ReadRow
    let wayOffsets: ReadRow
    let ways: ReadRow
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
        arrivalTimes = arrivals
        departureTimes = departures
        platformCount = tables.platformCount
        routeCount = tables.routeCount
    }
}
