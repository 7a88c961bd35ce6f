import Columns
import Heap

/// The limit of a one-to-many search.
public struct SearchLimit: Sendable, Equatable {
    /// The longest time in milliseconds.
    public var milliseconds: UInt32
    /// The longest way in decimetres.
    public var decimetres: UInt32

    /// A limit of time, of length, or of both.
    public init(milliseconds: UInt32 = .max, decimetres: UInt32 = .max) {
        self.milliseconds = min(milliseconds, Cost.limitMilliseconds - 1)
        self.decimetres = decimetres
    }

    /// A limit of length in metres.
    public init(metres: Double) {
        let decimetres = metres > 0 ? min(metres * 10, Double(UInt32.max)) : 0
        self.init(decimetres: UInt32(decimetres))
    }

    /// Whether a way keeps within the limit of time, however long it is.
    @inlinable
    public func allowsTime(_ cost: Cost) -> Bool {
        cost.milliseconds <= milliseconds && cost.isPossible
    }

    /// Whether a way keeps within it.
    @inlinable
    public func allows(_ cost: Cost) -> Bool {
        allowsTime(cost) && cost.decimetres <= decimetres
    }
}

/// The direction of a one-to-many search.
public enum SearchDirection: Sendable {
    /// From the place to everything.
    case forward
    /// From everything to the place.
    case backward
}

/// The quickest paths from a place to every junction within a limit, or to it from all of them.
///
/// Plain Dijkstra (1959): for a few thousand vertices around a place nothing is quicker, since
/// every vertex found is wanted. A vertex belongs to the tree if its *quickest* path keeps within
/// the limits. Ways beyond the limit of length are followed as long as they may turn out quicker
/// than a way within it, so that a slow short way is not taken for the quickest.
///
/// The tree lives in the workspace, and the workspace's next query replaces it.
public struct ShortestPathTree {
    let network: StreetNetwork
    let times: PassageTimes
    let side: SearchSide
    private let stamp: UInt32
    /// The place from which the search started.
    public let place: StreetPlace
    /// The limit of the search.
    public let limit: SearchLimit
    /// The direction of the search.
    public let direction: SearchDirection
    /// How many junctions are reached.
    public let count: Int

    init(
        _ network: StreetNetwork,
        _ times: PassageTimes,
        _ side: SearchSide,
        place: StreetPlace,
        limit: SearchLimit,
        direction: SearchDirection
    ) {
        self.network = network
        self.times = times
        self.side = side
        self.place = place
        self.limit = limit
        self.direction = direction
        count = side.settledCount
        stamp = side.stamp
    }

    /// A junction that is reached, by its position in the order of cost.
    public subscript(position: Int) -> (vertex: VertexIndex, cost: Cost) {
        checkCurrent()
        precondition(position >= 0 && position < count, "a tree has `count` junctions")
        let vertex = side.settled[position]
        return (VertexIndex(rawValue: vertex), Cost(packed: side.cost(Int(vertex))))
    }

    /// The cost of the quickest way between the tree's place and another place; never if that way
    /// exceeds the limit.
    ///
    /// - Complexity: linear in the number of arcs of the other place's edge.
    public func cost(_ other: StreetPlace) -> Cost {
        checkCurrent()
        let isForward = direction == .forward
        let ends = isForward ? (place, other) : (other, place)
        var best = network.direct(from: ends.0, to: ends.1, times)?.cost ?? .never
        for position in network.edges.arcRange(Int(truncatingIfNeeded: other.edge.rawValue)) {
            let arc = network.edges.arc(position, below: network.arcCount)
            let end = isForward ? network.arcs.tail(arc) : network.arcs.head(arc)
            let before = Cost(packed: side.cost(end))
            let rest =
                isForward
                ? times.costFromTail(arc, after: before, to: other.fraction)
                : times.costToHead(arc, after: before, from: other.fraction)
            best = min(best, before + rest)
        }
        return limit.allows(best) ? best : .never
    }

    /// The cost of a junction; never if it is not reached.
    public func cost(_ vertex: VertexIndex) -> Cost {
        checkCurrent()
        guard vertex.rawValue < UInt32(truncatingIfNeeded: network.vertexCount) else {
            return .never
        }
        let cost = Cost(packed: side.cost(Int(truncatingIfNeeded: vertex.rawValue)))
        return limit.allows(cost) ? cost : .never
    }

    func checkCurrent() {
        precondition(stamp == side.stamp, "a tree is valid until its workspace's next query")
    }
}

extension StreetNetwork {
    /// Finds everything within a limit around a place.
    ///
    /// - Parameters:
    ///   - place: the centre.
    ///   - limit: the limit of time or length.
    ///   - direction: from the place, or to it.
    ///   - metric: the costs of the profile.
    ///   - moment: the hour whose rules apply: a departure for a search from the place, an arrival
    ///     for one to it; other values for both.
    ///   - workspace: memory for this network; the tree is valid until its next query.
    /// - Returns: the junctions within the limit, and the costs of places among them.
    public func shortestPathTree(
        _ place: StreetPlace,
        within limit: SearchLimit,
        _ direction: SearchDirection = .forward,
        by metric: StreetMetric,
        at moment: PassageMoment = .best,
        using workspace: StreetWorkspace
    ) -> ShortestPathTree {
        precondition(workspace.vertexCount == vertexCount, "a workspace serves one network")
        let times = PassageTimes(self, metric, moment)
        let search = BoundedSearch(
            arcs: arcs,
            times: times,
            side: workspace.forward,
            limit: limit
        )
        // Taken out of the workspace, so that the search owns it and changes it in place.
        var queue = workspace.queue
        workspace.queue = Heap<QueuedVertex>()
        defer { workspace.queue = queue }
        search.side.begin()
        if direction == .forward {
            departures(from: place, times, into: &search.side.entries)
            search.run(&queue) {
                arcs.out(of: $0)
            } next: {
                ($0, arcs.head($0))
            }
        } else {
            arrivals(at: place, times, into: &search.side.entries)
            search.run(&queue) {
                arcs.intoFirst.range($0, limit: arcs.into.count)
            } next: { position in
                let arc = arcs.into.index(position, below: arcs.count)
                return (arc, arcs.tail(arc))
            }
        }
        return ShortestPathTree(
            self,
            times,
            search.side,
            place: place,
            limit: limit,
            direction: direction
        )
    }
}

/// The search for everything within a limit.
struct BoundedSearch {
    let arcs: ArcColumns
    let times: PassageTimes
    let side: SearchSide
    let limit: SearchLimit

    /// Settles all vertices within the limit, in order of cost.
    ///
    /// - Parameters:
    ///   - queue: memory for the queue.
    ///   - range: the positions of the arcs at a vertex.
    ///   - next: the arc at a position, and the vertex at its other end.
    @inline(__always)
    func run(
        _ queue: inout Heap<QueuedVertex>,
        _ range: (Int) -> Range<Int>,
        next: (Int) -> (arc: Int, vertex: Int)
    ) {
        queue.removeAll()
        // How many queued ways are within the limit of length, and the cost up to which a way
        // beyond it could still reach a place on an edge before those within it; beyond both,
        // nothing counts.
        var within = 0
        var settled = 0
        var horizon: UInt64 = 0
        for entry in side.entries {
            offer(entry.vertex, entry.cost.packed, from: SearchSide.Label.none, &queue, &within)
            horizon = max(horizon, entry.cost.packed)
        }
        while let entry = queue.pop() {
            guard within > 0 || entry.cost <= horizon else { break }
            let vertex = Int(entry.vertex)
            let isWithin = UInt32(truncatingIfNeeded: entry.cost) <= limit.decimetres
            if isWithin { within -= 1 }
            guard side.labels[vertex].cost == entry.cost else { continue }
            if isWithin {
                side.settled[settled] = entry.vertex
                settled += 1
            }
            for position in range(vertex) {
                let (arc, other) = next(position)
                let part = times.cost(arc, after: entry.cost)
                let cost = entry.cost &+ part
                if isWithin, UInt32(truncatingIfNeeded: cost) > limit.decimetres {
                    horizon = max(horizon, border(entry.cost, arc, part))
                }
                offer(other, cost, from: entry.vertex, &queue, &within)
            }
        }
        side.settledCount = settled
    }

    /// The approximate cost at which a path that leaves a vertex by an arc
    /// reaches the length limit.
    private func border(_ cost: UInt64, _ arc: Int, _ whole: UInt64) -> UInt64 {
        guard whole < Cost.packedNever, arcs.length(arc) > 0 else { return cost }
        let rest = UInt64(limit.decimetres &- UInt32(truncatingIfNeeded: cost))
        let part = (whole >> 32 &* rest) / UInt64(arcs.length(arc))
        return cost &+ (part &+ 2) << 32
    }

    @inline(__always)
    private func offer(
        _ vertex: Int,
        _ cost: UInt64,
        from parent: UInt32,
        _ queue: inout Heap<QueuedVertex>,
        _ within: inout Int
    ) {
        guard UInt32(truncatingIfNeeded: cost >> 32) <= limit.milliseconds,
            cost < side.cost(vertex)
        else { return }
        side.labels[vertex] = SearchSide.Label(cost: cost, stamp: side.stamp, parent: parent)
        queue.push(QueuedVertex(cost: cost, vertex: UInt32(truncatingIfNeeded: vertex)))
        if UInt32(truncatingIfNeeded: cost) <= limit.decimetres { within += 1 }
    }
}
