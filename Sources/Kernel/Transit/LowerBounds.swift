import Columns

/// The least time that is still needed to reach a cell of the network with perfect connections; it
/// lets a search skip whatever can no longer become the best.
///
/// A ride takes at least the sum of the quickest runs between its calls, and a rider who alights
/// must change before boarding again; only waiting counts as nothing. So there are three bounds:
/// for a rider who has arrived at a platform, for one who is ready to board there, and for one
/// aboard a vehicle at a call. The last one distinguishes the two directions of a line, and lines
/// that only pass nearby.
///
/// Bounds are kept for a few *cells* of nearby platforms, not for each platform, since a row of
/// them takes a search over the whole network (``BoundSearch``), which may take longer than the
/// journeys themselves: it is made when a journey first ends in the cell, and kept while there is
/// room, for all threads. Source of the idea: the lower bounds of ALT (Goldberg, Harrelson,
/// "Computing the shortest path: A* search meets graph theory", SODA 2005).
///
/// Bounds are those of all runs, whatever a search may ride: with fewer runs it never takes less.
final class LowerBounds: Sendable {
    /// Networks with more footpaths than this get no bounds: a row takes a search over them all,
    /// which in a metropolis of 1.7 million footpaths takes longer (0.2 s, against 0.04 s for the
    /// 95th percentile of whole journeys, 2026-11-21) than bounds ever save.
    static let wayLimit = 200_000
    /// The greatest size of all rows in bytes, for a day and a direction.
    ///
    /// The row that was used least recently makes room for the next; one row is always kept,
    /// however long.
    private static let byteLimit = 32 << 20

    /// How many platforms there are.
    private let platformCount: Int
    /// The platforms' cells.
    private let cells: [Int32]
    /// How many calls there are.
    private let callCount: Int
    /// What a row is made from.
    private let tables: BoundSearch.Tables
    /// Whether there are no bounds: the network is too large, or some run goes back in time.
    let isVoid: Bool
    /// The rows by cell.
    private let rows: SharedCache<Int32, [Int32]>

    /// How many rows are kept.
    var rowCount: Int { rows.count }

    /// The length of a row: bounds from the arrival at each platform, from being ready at each
    /// platform, and aboard at each call.
    var rowLength: Int { 2 * platformCount + callCount }

    /// The bounds of a window.
    ///
    /// - Parameters:
    ///   - window: the window.
    ///   - network: how riders change in it.
    ///   - bytes: the greatest size of all rows in bytes; one row is always kept.
    /// - Complexity: linear in the number of the window's times.
    init(_ window: ServiceWindow, _ network: ChangeNetwork, bytes: Int = byteLimit) {
        platformCount = window.platformCount
        callCount = window.stops.count
        let rowBytes = MemoryLayout<Int32>.stride * (2 * platformCount + callCount)
        rows = SharedCache(limit: max(1, bytes / max(1, rowBytes)))
        cells = network.cells
        let isTooLarge = network.wayCount > Self.wayLimit || cells.count != platformCount
        let rides = isTooLarge ? nil : Self.leastRides(window)
        isVoid = rides == nil
        var tables = BoundSearch.Tables()
        if let rides {
            let stops = window.stops.map { Int32(truncatingIfNeeded: $0.rawValue) }
            tables.append(zip(stops, window.flags).map { $0 << 1 | Int32($1 & 1) })
            tables.append(rides)
            let places = window.flags.indices.filter { window.flags[$0] & 2 != 0 }
            let (offsets, alightings) = Self.grouped(places, platformCount) { stops[$0] }
            tables.append(offsets)
            tables.append(alightings)
            Self.append(network, to: &tables)
        }
        self.tables = tables
    }

    /// The least seconds from each call to the next of its pattern, negative from the last one; nil
    /// where some run goes back in time.
    private static func leastRides(_ window: ServiceWindow) -> [Int32]? {
        var leastRides = Array(repeating: Int32(-1), count: window.stops.count)
        for route in window.routes {
            let stopCount = Int(route.stopCount)
            let count = Int(route.instanceCount)
            let start = Int(route.firstTime)
            for position in 0..<max(0, stopCount - 1) {
                var least = Raptor.never
                for instance in 0..<count {
                    let arrival = start + instance * stopCount + position
                    let since = max(
                        window.arrivals[arrival],
                        window.departure(of: route, instance: instance, position: position)
                    )
                    least = min(least, window.arrivals[arrival + 1] &- since)
                }
                if least < 0 { return nil }
                let call = Int(route.firstStop) + position
                // Routes of one pattern share its calls.
                let known = leastRides[call]
                leastRides[call] = known < 0 ? least : min(known, least)
            }
        }
        return leastRides
    }

    /// Adds pairs of the platform where riders arrive and the seconds from then on, by the platform
    /// to which a way leads.
    private static func append(_ network: ChangeNetwork, to tables: inout BoundSearch.Tables) {
        var all: [(from: Int32, to: Int32, seconds: Int32)] = []
        for platform in 0..<network.platformCount {
            let from = Int32(truncatingIfNeeded: platform)
            // A damaged file may hold times with which a sum would not fit into an Int32.
            if let change = network.change(PlatformIndex(row: platform)) {
                all.append((from, from, min(change, Raptor.never)))
            }
            for number in network.ways(PlatformIndex(row: platform)) {
                let way = network.way(number)
                let to = Int32(truncatingIfNeeded: way.platform.rawValue)
                all.append((from, to, min(way.seconds, Raptor.never)))
            }
        }
        let (offsets, order) = grouped(Array(all.indices), network.platformCount) { all[$0].to }
        tables.append(offsets)
        tables.append(order.flatMap { [all[Int($0)].from, all[Int($0)].seconds] })
    }

    /// Things in the order of their platforms, and where those of each platform begin.
    private static func grouped(
        _ things: [Int],
        _ platformCount: Int,
        by platform: (Int) -> Int32
    ) -> (offsets: [Int32], things: [Int32]) {
        var offsets = [Int32](repeating: 0, count: platformCount + 1)
        for thing in things { offsets[Int(platform(thing)) + 1] += 1 }
        for number in 0..<platformCount { offsets[number + 1] += offsets[number] }
        var places = offsets
        var ordered = [Int32](repeating: 0, count: things.count)
        for thing in things {
            let place = Int(platform(thing))
            ordered[Int(places[place])] = Int32(truncatingIfNeeded: thing)
            places[place] += 1
        }
        return (offsets, ordered)
    }

    /// The bounds to the cell of a platform, computed at the first call; the value must not be
    /// void.
    func row(_ platform: Int) -> [Int32] {
        let cell = cells[platform]
        return rows.value(for: cell) { bounds(to: cell) }
    }

    /// The least seconds from being ready to board at each platform to the end of a journey; nil
    /// without bounds.
    ///
    /// - Parameter egress: the ways from the last stop to the end.
    /// - Returns: the seconds by the number of the platform.
    func leastSeconds(to egress: [Raptor.AccessEgress]) -> [Int32]? {
        guard !isVoid else { return nil }
        // From the arrival at each platform, then from being ready there.
        var least = [Int32](repeating: Raptor.never, count: 2 * platformCount)
        for way in egress.sorted(by: { $0.seconds < $1.seconds })
        where way.platform.row < platformCount {
            let seconds = max(0, way.seconds)
            // A bound never decreases along a path by more than the path takes.
            if least[way.platform.row] <= seconds { continue }
            let row = row(way.platform.row)
            for place in least.indices { least[place] = min(least[place], row[place] &+ seconds) }
        }
        return Array(least[platformCount...])
    }

    private func bounds(to cell: Int32) -> [Int32] {
        let platforms = (0..<platformCount).filter { cells[$0] == cell }
        let queueLength = BoundSearch.queueLength(platformCount: platformCount)
        var bounds = Array(repeating: Raptor.never, count: rowLength)
        var queue = [Int32](repeating: 0, count: queueLength)
        unsafe bounds.withUnsafeMutableBufferPointer { bounds in
            unsafe queue.withUnsafeMutableBufferPointer { queue in
                unsafe tables.numbers.withUnsafeBufferPointer { numbers in
                    guard let row = unsafe Row(bounds), let queue = unsafe Row(queue),
                        let numbers = unsafe ReadRow(numbers)
                    else { return }
                    var search = BoundSearch(
                        tables,
                        numbers,
                        platformCount: platformCount,
                        row: row,
                        rowLength: rowLength,
                        queue: queue
                    )
                    search.run(to: platforms)
                }
            }
        }
        return bounds
    }
}
