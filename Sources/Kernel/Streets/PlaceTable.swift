import Columns

/// Some fixed places, such as all stops of a city, prepared for searches for the quickest ways
/// between them and any other place.
///
/// A search takes some tens of microseconds for a thousand places, wherever they are. It never
/// changes, and threads may share it.
public struct PlaceTable: Sendable {
    /// The cost of the quickest way between a place and one of the table.
    public struct Found: Sendable, Equatable {
        /// The cost in the best hours, which is the least at any hour.
        public var cost: Cost
        /// Whether the way costs as much at any hour.
        public var isConstant: Bool
    }

    private let network: StreetNetwork
    private let metric: StreetMetric
    private let direction: SearchDirection
    private let places: [StreetPlace]
    private let graph: RestrictedGraph
    /// The arcs that a search climbs and that take longer at certain hours.
    private let climbingVaries: Set<UInt32>
    /// Whether each arc of the small graph does; empty if none does.
    private let arcVaries: [Bool]
    /// Whether the street of a place takes longer at certain hours.
    private let placeVaries: [Bool]

    /// Prepares places.
    ///
    /// - Parameters:
    ///   - places: the places.
    ///   - direction: `forward` for ways to them, `backward` for ways from them.
    ///   - network: the streets.
    ///   - metric: the costs of the profile.
    ///   - workspace: memory for this network.
    /// - Complexity: if streets vary by the hour, linear in the size of the streets.
    public init(
        _ places: [StreetPlace],
        _ direction: SearchDirection,
        in network: StreetNetwork,
        by metric: StreetMetric,
        using workspace: StreetWorkspace
    ) {
        precondition(workspace.vertexCount == network.vertexCount, "a workspace serves one network")
        self.network = network
        self.metric = metric
        self.direction = direction
        self.places = places
        graph = RestrictedGraph(places, direction, in: network, by: metric, using: workspace)
        let varying = VaryingShortcuts(network, metric)
        let falling = direction == .forward ? varying.down : varying.up
        climbingVaries = direction == .forward ? varying.up : varying.down
        arcVaries = falling.isEmpty ? [] : graph.arcs.map { falling.contains($0) }
        placeVaries = places.map { metric.variesByHour(at: $0, in: network) }
    }

    /// The costs of the quickest ways between a place and those of the table.
    ///
    /// - Parameters:
    ///   - place: the place.
    ///   - workspace: memory for this network.
    /// - Returns: one for each place of the table, in their order.
    public func costs(_ place: StreetPlace, using workspace: StreetWorkspace) -> [Found] {
        precondition(workspace.vertexCount == network.vertexCount, "a workspace serves one network")
        let times = PassageTimes(network, metric, .best)
        let rows = Scratch(repeating: Label(), count: graph.vertices.count)
        climb(place, times, workspace, rows)
        flow(rows)
        let startVaries = metric.variesByHour(at: place, in: network)
        return places.indices.map { number in
            var best = Label()
            for end in graph.ends(ofPlace: number) {
                guard let row = graph.row(end.vertex) else { continue }
                let cost = rows[row].cost &+ end.cost.packed
                if cost < best.cost { best = Label(cost: cost, varies: rows[row].varies) }
            }
            let other = places[number]
            let ends = direction == .forward ? (place, other) : (other, place)
            if let direct = network.direct(from: ends.0, to: ends.1, times)?.cost,
                direct.packed < best.cost
            {
                best = Label(cost: direct.packed)
            }
            return Found(
                cost: Cost(packed: min(best.cost, Cost.packedNever)),
                isConstant: !best.varies && !startVaries && !placeVaries[number]
            )
        }
    }

    /// Propagates the costs downwards through the hierarchy.
    private func flow(_ rows: borrowing Scratch<Label>) {
        let (sources, costs, arcVaries) = (graph.sources, graph.costs, arcVaries)
        for row in graph.vertices.indices {
            var best = rows[row]
            for arc in graph.arcs(ofRow: row) {
                let source = rows[Int(sources[arc])]
                let cost = source.cost &+ costs[arc]
                guard cost < best.cost else { continue }
                let varies = source.varies || !arcVaries.isEmpty && arcVaries[arc]
                best = Label(cost: cost, varies: varies)
            }
            rows[row] = best
        }
    }

    /// The cost of a vertex, and whether the way to it takes longer at certain hours.
    private struct Label: BitwiseCopyable {
        var cost = Cost.packedNever
        var varies = false
    }

    /// Climbs from a place, and enters the costs into the rows of the small graph.
    private func climb(
        _ place: StreetPlace,
        _ times: PassageTimes,
        _ workspace: StreetWorkspace,
        _ rows: borrowing Scratch<Label>
    ) {
        let side = workspace.forward
        side.begin()
        switch direction {
        case .forward: network.departures(from: place, times, into: &side.entries)
        case .backward: network.arrivals(at: place, times, into: &side.entries)
        }
        let climbing = direction == .forward ? metric.up : metric.down
        let query = PointQuery(network: network, metric: metric, workspace: workspace)
        let count = query.climb(side, climbing)
        // The positions of the vertices, ascending, and whether the ways to them vary.
        var vary = [Bool](repeating: false, count: count)
        for position in 0..<count {
            let vertex = Int(side.settled[position])
            let label = side.labels[vertex]
            guard label.cost < Cost.packedNever else { continue }
            if !climbingVaries.isEmpty, label.parent != SearchSide.Label.none {
                let parent = Int(label.parent)
                let arc = climbing.arc(parent, vertex, below: network.vertexCount)
                vary[position] =
                    arc.map { climbingVaries.contains($0) } ?? true
                    || vary[Self.position(of: label.parent, side, before: position)]
            }
            if let row = graph.row(vertex) {
                rows[row] = Label(cost: label.cost, varies: vary[position])
            }
        }
    }

    /// The position of a vertex among the first that were settled, which ascend.
    private static func position(of vertex: UInt32, _ side: SearchSide, before end: Int) -> Int {
        var range = 0..<end
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range =
                side.settled[middle] <= vertex
                ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
