/// The least time that is still needed to a cell of the network, however well everything fits:
/// what lets a search pass over what can no longer become the best.
///
/// A ride takes at least the sum of the quickest runs between the calls that it passes, and who
/// alights must change before boarding again; only waiting counts as nothing. So there are three
/// bounds: of who has arrived at a platform, of who is ready to board there, and of who sits in a
/// vehicle at a call. The last one tells apart the two directions of a line, and lines that only
/// pass nearby.
///
/// Bounds are kept for *cells* of nearby platforms, not for each platform, since a row of them
/// takes a search over the whole network: it is made when a journey first ends in the cell, and
/// kept while there is room. Source of the idea: the lower bounds of ALT (Goldberg, Harrelson,
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
    /// The platform of each call, shifted by one; bit 0 where riders may board.
    private var calls: [Int32] = []
    /// The least seconds from each call to the next of its pattern; negative from the last one.
    private var leastRides: [Int32]
    /// Where, for each platform, the first of the calls stands at which riders may alight there.
    private var alightingOffsets: [Int32] = []
    private var alightings: [Int32] = []
    /// Where, for each platform, the first of the ways stands that lead to it.
    private var wayOffsets: [Int32] = []
    /// Pairs of the platform where riders arrive and the seconds from then on.
    private var ways: [Int32] = []
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
    var rowLength: Int { 2 * platformCount + leastRides.count }

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
        leastRides = []
        isVoid = network.ways.count > Self.wayLimit || cells.count != platformCount
        guard !isVoid else { return }
        rows = Array(repeating: nil, count: Int(cells.max() ?? -1) + 1)
        calls = zip(window.stops, window.flags).map { $0 << 1 | Int32($1 & 1) }
        leastRides = Array(repeating: -1, count: calls.count)
        for lane in window.lanes { measureRides(of: lane, in: window) }
        indexAlightings(window)
        indexWays(network)
    }

    private mutating func measureRides(of lane: ServiceWindow.Lane, in window: ServiceWindow) {
        let stopCount = Int(lane.stopCount)
        let count = Int(lane.instanceCount)
        let start = Int(lane.firstTime)
        for position in 0..<max(0, stopCount - 1) {
            var least = Raptor.never
            for instance in 0..<count {
                let arrival = start + instance * stopCount + position
                let departure = start + position * count + instance
                let since = max(window.arrivals[arrival], window.departures[departure])
                least = min(least, window.arrivals[arrival + 1] &- since)
            }
            if least < 0 { isVoid = true }
            let call = Int(lane.firstStop) + position
            // Lanes of one pattern share its calls.
            let known = leastRides[call]
            leastRides[call] = known < 0 ? least : min(known, least)
        }
    }

    private mutating func indexAlightings(_ window: ServiceWindow) {
        let places = window.flags.indices.filter { window.flags[$0] & 2 != 0 }
        (alightingOffsets, alightings) = grouped(places) { window.stops[$0] }
    }

    private mutating func indexWays(_ network: ChangeNetwork) {
        var all: [(from: Int32, to: Int32, seconds: Int32)] = []
        for platform in 0..<platformCount {
            let from = Int32(truncatingIfNeeded: platform)
            let change = network.seconds[platform]
            if change >= 0 { all.append((from, from, change)) }
            for way in Int(network.offsets[platform])..<Int(network.offsets[platform + 1]) {
                all.append((from, network.ways[way].platform, network.ways[way].seconds))
            }
        }
        let order: [Int32]
        (wayOffsets, order) = grouped(Array(all.indices)) { all[$0].to }
        ways = order.flatMap { [all[Int($0)].from, all[Int($0)].seconds] }
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

    /// Label-correcting search backwards from all platforms of a cell, by rounds as journeys have
    /// them: along the lines to where riders may have boarded, then to where they came from.
    private func bounds(to cell: Int) -> [Int32] {
        var bounds = Array(repeating: Raptor.never, count: rowLength)
        var open: [Int] = []
        for platform in 0..<platformCount where Int(cells[platform]) == cell {
            bounds[platform] = 0
            open.append(platform)
        }
        // Who walks into the cell has arrived too.
        for platform in open {
            for way in Int(wayOffsets[platform])..<Int(wayOffsets[platform + 1]) {
                let before = Int(ways[2 * way])
                if bounds[before] == Raptor.never { open.append(before) }
                bounds[before] = min(bounds[before], ways[2 * way + 1])
            }
        }
        var isOpen = [Bool](repeating: false, count: 2 * platformCount)
        while !open.isEmpty {
            let boarded = board(open, &bounds, &isOpen)
            open = arrive(boarded, &bounds, &isOpen)
        }
        return bounds
    }

    /// Follows all lines back from platforms; returns where riders may have been ready, as places
    /// in the row, if that is sooner than known.
    private func board(
        _ open: [Int],
        _ bounds: inout [Int32],
        _ isOpen: inout [Bool]
    ) -> [Int] {
        let aboard = 2 * platformCount
        var boarded: [Int] = []
        for platform in open {
            isOpen[platform] = false
            for place in Int(alightingOffsets[platform])..<Int(alightingOffsets[platform + 1]) {
                var seconds = bounds[platform]
                var call = Int(alightings[place]) - 1
                while call >= 0, leastRides[call] >= 0 {
                    seconds = min(seconds &+ leastRides[call], Raptor.never)
                    if seconds >= bounds[aboard + call] { break }
                    bounds[aboard + call] = seconds
                    let before = platformCount + Int(calls[call] >> 1)
                    if calls[call] & 1 != 0, seconds < bounds[before] {
                        bounds[before] = seconds
                        if !isOpen[before] { boarded.append(before) }
                        isOpen[before] = true
                    }
                    call -= 1
                }
            }
        }
        return boarded
    }

    /// Follows all changes back from where riders are ready; returns the platforms where they may
    /// have arrived, if that is sooner than known.
    private func arrive(
        _ boarded: [Int],
        _ bounds: inout [Int32],
        _ isOpen: inout [Bool]
    ) -> [Int] {
        var open: [Int] = []
        for place in boarded {
            isOpen[place] = false
            let platform = place - platformCount
            for way in Int(wayOffsets[platform])..<Int(wayOffsets[platform + 1]) {
                let before = Int(ways[2 * way])
                let seconds = min(bounds[place] &+ ways[2 * way + 1], Raptor.never)
                guard seconds < bounds[before] else { continue }
                bounds[before] = seconds
                if !isOpen[before] { open.append(before) }
                isOpen[before] = true
            }
        }
        return open
    }
}
