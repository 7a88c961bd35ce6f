/// The least time that is still needed from each platform to a cell of the network, however
/// well everything fits: what lets a search pass over what can no longer become the best.
///
/// A ride takes at least the sum of the quickest runs between the stops that it passes; waiting
/// and changing at a stop count as nothing. Bounds are kept for *cells* of nearby platforms, not
/// for each platform, since a row of them takes a search over the whole network: it is made when
/// a journey first ends in the cell. Source of the idea: the lower bounds of ALT (Goldberg,
/// Harrelson, "Computing the shortest path: A* search meets graph theory", SODA 2005).
struct LowerBounds: Sendable {
    /// Networks with more footpaths than this get no bounds: a row takes a search over them all,
    /// which in a metropolis of 1.7 million footpaths takes longer (0.2 s, against 0.04 s for the
    /// 95th percentile of whole journeys, 2026-11-21) than bounds ever save.
    private static let wayLimit = 200_000

    /// Where the ways into each platform begin; one more than platforms.
    private var offsets: [Int32]
    /// The ways into each platform: pairs of the platform before it and the seconds it takes.
    private var ways: [Int32] = []
    /// The platforms' cells.
    private let cells: [Int32]
    /// The bounds by cell; empty where they have not been asked for.
    private var rows: [[Int32]]
    /// Whether some run goes back in time, so that nothing can be said.
    private var isVoid = false

    /// The bounds of a window.
    ///
    /// - Complexity: the window's times, and a sort of its lanes' stops.
    init(_ window: ServiceWindow, _ network: ChangeNetwork) {
        let count = window.platformCount
        guard network.ways.count <= Self.wayLimit else {
            cells = []
            rows = []
            offsets = []
            isVoid = true
            return
        }
        cells = window.cells
        rows = Array(repeating: [], count: Int(cells.max() ?? -1) + 1)
        var passages: [Passage] = []
        for lane in 0..<window.lanes.count {
            Self.addPassages(of: lane, in: window, to: &passages)
        }
        for platform in 0..<count {
            for way in Int(network.offsets[platform])..<Int(network.offsets[platform + 1]) {
                passages.append(
                    Passage(
                        to: network.ways[way].platform,
                        from: Int32(truncatingIfNeeded: platform),
                        seconds: network.ways[way].seconds
                    )
                )
            }
        }
        isVoid = passages.contains { $0.seconds < 0 } || cells.count != count
        passages.sort { ($0.to, $0.from, $0.seconds) < ($1.to, $1.from, $1.seconds) }
        offsets = Array(repeating: 0, count: count + 1)
        var last = Passage(to: -1, from: -1, seconds: 0)
        for passage in passages where passage.to != last.to || passage.from != last.from {
            offsets[Int(passage.to) + 1] += 1
            ways += [passage.from, passage.seconds]
            last = passage
        }
        for platform in 0..<count { offsets[platform + 1] += offsets[platform] }
    }

    /// A way from a platform to another, and the least time that it takes.
    private struct Passage {
        let to: Int32
        let from: Int32
        let seconds: Int32
    }

    private static func addPassages(
        of number: Int,
        in window: ServiceWindow,
        to passages: inout [Passage]
    ) {
        let lane = window.lanes[number]
        let count = Int(lane.stopCount)
        var least = Array(repeating: Raptor.never, count: max(0, count - 1))
        for instance in 0..<Int(lane.instanceCount) {
            for position in least.indices {
                let arrival = window.arrival(number, instance: instance, position: position + 1)
                let since = max(
                    window.arrival(number, instance: instance, position: position),
                    window.departure(number, instance: instance, position: position)
                )
                least[position] = min(least[position], arrival &- since)
            }
        }
        for (position, seconds) in least.enumerated() {
            let first = Int(lane.firstStop) + position
            passages.append(
                Passage(to: window.stops[first + 1], from: window.stops[first], seconds: seconds)
            )
        }
    }

    /// The cell of a platform; nil where no bounds can be given.
    func cell(_ platform: Int) -> Int? {
        isVoid ? nil : Int(cells[platform])
    }

    /// The bounds to a cell by platform, found at the first call.
    mutating func row(_ cell: Int) -> [Int32] {
        if rows[cell].isEmpty { rows[cell] = bounds(to: cell) }
        return rows[cell]
    }

    /// Label-correcting search backwards from all platforms of a cell.
    private func bounds(to cell: Int) -> [Int32] {
        var bounds = cells.map { Int($0) == cell ? 0 : Raptor.never }
        var isQueued = cells.map { Int($0) == cell }
        var queue = cells.indices.filter { Int(cells[$0]) == cell }
        var head = 0
        while head < queue.count {
            let platform = queue[head]
            head += 1
            isQueued[platform] = false
            for way in Int(offsets[platform])..<Int(offsets[platform + 1]) {
                let before = Int(ways[2 * way])
                let seconds = bounds[platform] &+ ways[2 * way + 1]
                guard seconds < bounds[before] else { continue }
                bounds[before] = seconds
                if !isQueued[before] {
                    isQueued[before] = true
                    queue.append(before)
                }
            }
        }
        return bounds
    }
}
