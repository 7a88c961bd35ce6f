import Columns
import Heap

/// The quickest way at a certain hour, if the quickest one of the best hours is closed or slower
/// then.
///
/// A* (Hart, Nilsson, Raphael 1968) whose estimates are the exact costs of the best hours, found in
/// the hierarchy when a vertex is first examined (Strasser, Zeitz, "A fast and tight heuristic for
/// A* in road networks", SEA 2021). No passage is quicker than in its best hour, so estimates are
/// consistent, and each vertex is settled with the cost that Dijkstra's search with the same rules
/// gives it. If the rules close few streets, little more than the way itself is examined.
///
/// For a way that must end at a moment, the search runs backwards from its end.
struct HourSearch {
    private let query: PointQuery
    private let times: PassageTimes
    private let isForward: Bool
    /// The labels of the search.
    private let side: SearchSide
    /// The estimates: costs of the best hours from a vertex to the goal.
    private let bounds: SearchSide
    /// The arcs that continue towards the goal.
    private let graph: SearchGraph
    private var queue = Heap<QueuedVertex>()
    private var chain: [Int] = []

    /// The parent of a label whose cost is an estimate.
    private static let known = UInt32.max - 1

    init(_ query: PointQuery, _ times: PassageTimes) {
        self.query = query
        self.times = times
        isForward = !times.isBackward
        side = isForward ? query.workspace.forward : query.workspace.backward
        bounds = isForward ? query.workspace.backward : query.workspace.forward
        graph = isForward ? query.metric.up : query.metric.down
    }

    private var network: StreetNetwork { query.network }

    /// The way, with at least one whole junction on it; nil if there is none.
    mutating func path(
        from origin: StreetPlace,
        to destination: StreetPlace,
        below limit: Cost
    ) -> StreetPath? {
        side.begin()
        bounds.begin()
        let best = PassageTimes(network, query.metric, .best)
        if isForward {
            network.departures(from: origin, times, into: &side.entries)
            network.arrivals(at: destination, best, into: &bounds.entries)
        } else {
            network.arrivals(at: destination, times, into: &side.entries)
            network.departures(from: origin, best, into: &bounds.entries)
        }
        let exits = bounds.entries
        _ = query.climb(bounds, isForward ? query.metric.down : query.metric.up)
        let goal = isForward ? destination : origin
        guard let exit = run(exits, goal, below: limit.packed) else { return nil }
        return path(exit, from: origin, to: destination)
    }

    /// Settles vertices until the goal is reached.
    ///
    /// - Returns: the vertex and the arc by which the goal is reached.
    private mutating func run(
        _ exits: [SearchSide.Entry],
        _ goal: StreetPlace,
        below limit: UInt64
    ) -> SearchSide.Entry? {
        var limit = limit
        var found: SearchSide.Entry?
        for entry in side.entries { offer(entry.vertex, entry.cost.packed, .max, limit) }
        // Each vertex is settled once; in a damaged file the estimates may allow more, hence the
        // limit.
        var steps = 16 * (network.arcCount + side.entries.count)
        while let entry = queue.pop(), entry.cost < limit, steps > 0 {
            steps -= 1
            let vertex = Int(entry.vertex)
            let cost = side.labels[vertex].cost
            guard cost &+ bound(vertex) == entry.cost else { continue }
            for exit in exits where exit.vertex == vertex {
                let part =
                    isForward
                    ? times.costFromTail(exit.arc, after: Cost(packed: cost), to: goal.fraction)
                    : times.costToHead(exit.arc, after: Cost(packed: cost), from: goal.fraction)
                let whole = cost &+ part.packed
                if part.isPossible, whole < limit {
                    limit = whole
                    found = exit
                }
            }
            Self.forEachArc(network.arcs, isForward, at: vertex) { arc, next in
                offer(next, cost &+ times.cost(arc, after: cost), entry.vertex, limit)
            }
        }
        queue.removeAll()
        return found
    }

    private mutating func offer(_ vertex: Int, _ cost: UInt64, _ parent: UInt32, _ limit: UInt64) {
        guard cost < Cost.packedNever, cost < side.cost(vertex) else { return }
        let key = cost &+ bound(vertex)
        guard key < limit else { return }
        side.labels[vertex] = SearchSide.Label(cost: cost, stamp: side.stamp, parent: parent)
        queue.push(QueuedVertex(cost: key, vertex: UInt32(truncatingIfNeeded: vertex)))
    }

    /// Visits the arcs that lead on from a vertex, with the vertices at their other ends.
    private static func forEachArc(
        _ arcs: ArcColumns,
        _ isForward: Bool,
        at vertex: Int,
        _ body: (Int, Int) -> Void
    ) {
        if isForward {
            for arc in arcs.out(of: vertex) { body(arc, arcs.head(arc)) }
        } else {
            for position in arcs.intoFirst.range(vertex, limit: arcs.into.count) {
                let arc = arcs.into.index(position, below: arcs.count)
                body(arc, arcs.tail(arc))
            }
        }
    }

    /// The cost of the best hours between a vertex and the goal.
    ///
    /// All later neighbours of a vertex lie on its branch of the elimination tree, so the branch is
    /// completed from the top down where no earlier call has done so.
    private mutating func bound(_ vertex: Int) -> UInt64 {
        let label = bounds.labels[vertex]
        if label.stamp == bounds.stamp, label.parent == Self.known { return label.cost }
        var next = vertex
        while true {
            let label = bounds.labels[next]
            if label.stamp == bounds.stamp, label.parent == Self.known { break }
            chain.append(next)
            let parent = network.parents.index(next, below: bounds.labels.count)
            guard parent > next else { break }
            next = parent
        }
        while let vertex = chain.popLast() {
            var cost = bounds.cost(vertex)
            for arc in graph.range(vertex) {
                let head = graph.heads.index(arc, below: bounds.labels.count)
                cost = min(cost, graph.cost(arc) &+ bounds.cost(head))
            }
            bounds.labels[vertex] = SearchSide.Label(
                cost: cost,
                stamp: bounds.stamp,
                parent: Self.known
            )
        }
        return bounds.labels[vertex].cost
    }

    /// Reads the way to an exit from the labels.
    private func path(
        _ exit: SearchSide.Entry,
        from origin: StreetPlace,
        to destination: StreetPlace
    ) -> StreetPath? {
        var passed = [exit.arc]
        var vertex = exit.vertex
        for _ in 0..<network.vertexCount where side.labels[vertex].parent != .max {
            let parent = Int(side.labels[vertex].parent)
            let before = side.labels[parent].cost
            let cost = side.labels[vertex].cost
            var taken: Int?
            Self.forEachArc(network.arcs, isForward, at: parent) { arc, next in
                if next == vertex, before &+ times.cost(arc, after: before) == cost { taken = arc }
            }
            guard let taken else { return nil }
            passed.append(taken)
            vertex = parent
        }
        let cost = side.labels[vertex].cost
        guard
            let entry = side.entries.first(where: {
                $0.vertex == vertex && $0.cost.packed == cost
            })
        else { return nil }
        passed.append(entry.arc)
        if isForward { passed.reverse() }
        return times.followed(
            StreetPath(passed, in: network, from: origin.fraction, to: destination.fraction).steps
        )
    }
}
