import Columns

/// The costs of the quickest ways from each of some places to each of others.
public struct StreetTable: Sendable, Equatable {
    /// The number of places at which ways begin.
    public let originCount: Int
    /// The number of places at which ways end.
    public let destinationCount: Int
    /// The costs, one row for each origin; ``Cost/never`` if there is no way.
    public let costs: [Cost]

    /// The cost of the way between two places, by their numbers.
    public subscript(origin: Int, destination: Int) -> Cost {
        costs[origin * destinationCount + destination]
    }
}

extension StreetNetwork {
    /// The costs of the quickest paths from each of some places to each of others.
    ///
    /// - Parameters:
    ///   - origins: where paths begin; one for one-to-many.
    ///   - destinations: where paths end.
    ///   - metric: the costs of the profile.
    ///   - workspace: memory for this network.
    /// - Returns: for each pair the cost that ``cost(from:to:by:at:using:)`` returns for the best
    ///   hours: a lower bound for all hours.
    public func table(
        from origins: [StreetPlace],
        to destinations: [StreetPlace],
        by metric: StreetMetric,
        using workspace: StreetWorkspace
    ) -> StreetTable {
        precondition(workspace.vertexCount == vertexCount, "a workspace serves one network")
        let query = PointQuery(network: self, metric: metric, workspace: workspace)
        let search = TableSearch(query, to: destinations)
        return StreetTable(
            originCount: origins.count,
            destinationCount: destinations.count,
            costs: search.costs(from: origins)
        )
    }
}

/// The search of a table, in a ``RestrictedGraph`` of its destinations.
///
/// Eight origins are processed side by side, so that each arc is read once for all eight, and their
/// costs lie next to each other in memory.
struct TableSearch {
    /// The costs of eight origins.
    private typealias Lanes = SIMD8<UInt64>

    private let query: PointQuery
    private let times: PassageTimes
    private let destinations: [StreetPlace]
    private let graph: RestrictedGraph

    /// Gathers the small graph of the destinations.
    init(_ query: PointQuery, to destinations: [StreetPlace]) {
        self.query = query
        self.destinations = destinations
        times = PassageTimes(query.network, query.metric, .best)
        graph = RestrictedGraph(
            destinations,
            .forward,
            in: query.network,
            by: query.metric,
            using: query.workspace
        )
    }

    /// The costs from each origin to each destination.
    func costs(from origins: [StreetPlace]) -> [Cost] {
        let never = Lanes(repeating: Cost.packedNever)
        let lanes = Scratch(repeating: never, count: graph.vertices.count)
        var result = [Cost](repeating: .never, count: origins.count * destinations.count)
        for start in stride(from: 0, to: origins.count, by: Lanes.scalarCount) {
            let batch = start..<min(start + Lanes.scalarCount, origins.count)
            lanes.fill(never)
            for origin in batch { climb(from: origins[origin], lane: origin - start, lanes) }
            flow(lanes)
            for (number, destination) in destinations.enumerated() {
                var best = never
                for exit in graph.ends(ofPlace: number) {
                    let cost = lanes[Int(exit.row)] &+ Lanes(repeating: exit.cost)
                    best.replace(with: cost, where: cost .< best)
                }
                for origin in batch {
                    let around = Cost(packed: best[origin - start])
                    let direct = query.network.direct(
                        from: origins[origin],
                        to: destination,
                        times
                    )
                    result[origin * destinations.count + number] =
                        min(around, direct?.cost ?? .never)
                }
            }
        }
        return result
    }

    /// Climbs from an origin and enters its costs into the small graph.
    private func climb(
        from origin: StreetPlace,
        lane: Int,
        _ lanes: borrowing Scratch<Lanes>
    ) {
        let side = query.workspace.forward
        side.begin()
        query.network.departures(
            from: origin,
            times,
            into: &side.entries
        )
        for position in 0..<query.climb(side, query.metric.up) {
            let vertex = Int(side.settled[position])
            if let row = graph.row(vertex) { lanes[row][lane] = side.labels[vertex].cost }
        }
    }

    /// Propagates the costs downwards through the hierarchy.
    private func flow(_ lanes: borrowing Scratch<Lanes>) {
        for row in graph.vertices.indices {
            var best = lanes[row]
            for arc in graph.arcs(ofRow: row) {
                let cost = lanes[Int(graph.sources[arc])] &+ Lanes(repeating: graph.costs[arc])
                best.replace(with: cost, where: cost .< best)
            }
            lanes[row] = best
        }
    }
}
