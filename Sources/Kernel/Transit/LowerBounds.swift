import Columns

/// The least time that is still needed to a cell of the network, however well everything fits:
/// what lets a search pass over what can no longer become the best.
///
/// A ride takes at least the sum of the quickest runs between the calls that it passes, and who
/// alights must change before boarding again; only waiting counts as nothing. So there are three
/// bounds: of who has arrived at a platform, of who is ready to board there, and of who sits in a
/// vehicle at a call. The last one tells apart the two directions of a line, and lines that only
/// pass nearby.
///
/// Bounds are kept for a few *cells* of nearby platforms, not for each platform, since a row of
/// them takes a search over the whole network (``BoundSearch``), which may take longer than the
/// journeys themselves: it is made when a journey first ends in the cell, and kept while there is
/// room. Source of the idea: the lower bounds of ALT (Goldberg, Harrelson,
/// "Computing the shortest path: A* search meets graph theory", SODA 2005).
struct LowerBounds: Sendable {
    /// Networks with more footpaths than this get no bounds: a row takes a search over them all,
    /// which in a metropolis of 1.7 million footpaths takes longer (0.2 s, against 0.04 s for the
    /// 95th percentile of whole journeys, 2026-11-21) than bounds ever save.
    private static let wayLimit = 200_000
    /// How many bytes of rows are kept at the most.
    ///
    /// The row that was used least recently makes room for the next; one row is always kept,
    /// however long.
    private static let byteLimit = 64 << 20

    /// How many platforms there are.
    private let platformCount: Int
    /// The platforms' cells.
    private let cells: [Int32]
    /// How many calls there are.
    private var callCount = 0
    /// What a row is made from.
    private var tables = BoundSearch.Tables()
    /// Whether there are no bounds: the network is too large, or some run goes back in time.
    private(set) var isVoid = false

    /// The rows that have been made, by cell, and when each was used last.
    private var rows: [Kept?] = []
    private var uses: Int64 = 0
    /// How many rows are kept.
    private(set) var rowCount = 0

    /// How many rows may be kept.
    private let rowLimit: Int

    private struct Kept {
        let bounds: [Int32]
        var lastUse: Int64
    }

    /// How many numbers a row has: bounds from the arrival at each platform, from being ready at
    /// each platform, and aboard at each call.
    var rowLength: Int { 2 * platformCount + callCount }

    /// The bounds of a window.
    ///
    /// - Parameters:
    ///   - window: the window.
    ///   - network: how riders change in it.
    ///   - bytes: how many bytes of rows are kept at the most; one row always is.
    /// - Complexity: the window's times.
    init(_ window: ServiceWindow, _ network: ChangeNetwork, bytes: Int = byteLimit) {
        platformCount = window.platformCount
        let rowBytes = MemoryLayout<Int32>.stride * (2 * platformCount + window.stops.count)
        rowLimit = max(1, bytes / max(1, rowBytes))
        cells = window.cells
        isVoid = network.ways.count > Self.wayLimit || cells.count != platformCount
        guard !isVoid else { return }
        rows = Array(repeating: nil, count: Int(cells.max() ?? -1) + 1)
        callCount = window.stops.count
        let stops = window.stops.map { Int32(truncatingIfNeeded: $0.rawValue) }
        tables.append(zip(stops, window.flags).map { $0 << 1 | Int32($1 & 1) })
        tables.append(leastRides(window))
        let places = window.flags.indices.filter { window.flags[$0] & 2 != 0 }
        let (offsets, alightings) = grouped(places) { stops[$0] }
        tables.append(offsets)
        tables.append(alightings)
        appendWays(network)
    }

    /// The least seconds from each call to the next of its pattern; negative from the last one.
    private mutating func leastRides(_ window: ServiceWindow) -> [Int32] {
        var leastRides = Array(repeating: Int32(-1), count: callCount)
        for route in window.routes {
            let stopCount = Int(route.stopCount)
            let count = Int(route.instanceCount)
            let start = Int(route.firstTime)
            for position in 0..<max(0, stopCount - 1) {
                var least = Raptor.never
                for instance in 0..<count {
                    let arrival = start + instance * stopCount + position
                    let departure = start + position * count + instance
                    let since = max(window.arrivals[arrival], window.departures[departure])
                    least = min(least, window.arrivals[arrival + 1] &- since)
                }
                if least < 0 { isVoid = true }
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
    private mutating func appendWays(_ network: ChangeNetwork) {
        var all: [(from: Int32, to: Int32, seconds: Int32)] = []
        for platform in 0..<platformCount {
            let from = Int32(truncatingIfNeeded: platform)
            // A damaged file may hold times with which a sum would not fit into an Int32.
            if let change = network.change(PlatformIndex(row: platform)) {
                all.append((from, from, min(change, Raptor.never)))
            }
            for way in network.ways(PlatformIndex(row: platform)) {
                let to = Int32(truncatingIfNeeded: way.platform.rawValue)
                all.append((from, to, min(way.seconds, Raptor.never)))
            }
        }
        let (offsets, order) = grouped(Array(all.indices)) { all[$0].to }
        tables.append(offsets)
        tables.append(order.flatMap { [all[Int($0)].from, all[Int($0)].seconds] })
    }

    /// Things in the order of their platforms, and where those of each platform begin.
    private func grouped(
        _ things: [Int],
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

    /// The bounds to the cell of a platform, found at the first call; not to be asked of a void
    /// value.
    mutating func row(_ platform: Int) -> [Int32] {
        let cell = Int(cells[platform])
        uses += 1
        if let kept = rows[cell] {
            rows[cell]?.lastUse = uses
            return kept.bounds
        }
        if rowCount >= rowLimit { dropOldest() }
        let bounds = bounds(to: cell)
        rows[cell] = Kept(bounds: bounds, lastUse: uses)
        rowCount += 1
        return bounds
    }

    private mutating func dropOldest() {
        let kept = rows.indices.filter { rows[$0] != nil }
        guard
            let oldest = kept.min(by: {
                (rows[$0]?.lastUse ?? 0) < (rows[$1]?.lastUse ?? 0)
            })
        else { return }
        rows[oldest] = nil
        rowCount -= 1
    }

    private func bounds(to cell: Int) -> [Int32] {
        let platforms = (0..<platformCount).filter { Int(cells[$0]) == cell }
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
