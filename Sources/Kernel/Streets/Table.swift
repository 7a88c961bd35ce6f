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

/// The search of a table.
///
/// Restricted PHAST (Delling, Goldberg, Werneck, "Faster batched shortest paths in road networks",
/// ATMOS 2011): the vertices on the branches above the destinations are put into one small graph,
/// the root first. Each origin climbs its branch as in a point query; then the costs flow down
/// through the small graph in one pass. Eight origins are processed side by side, so that each arc
/// is read once for all eight, and their costs lie next to each other in memory.
struct TableSearch {
    /// The costs of eight origins.
    private typealias Lanes = SIMD8<UInt64>

    private let query: PointQuery
    private let times: PassageTimes
    private let destinations: [StreetPlace]
    /// Where the ways leave the network, destination by destination.
    private var exits: [SearchSide.Entry] = []
    /// Where each destination's exits begin; one more than there are destinations.
    private var exitFirst: [Int] = [0]
    /// The vertices of the small graph, descending.
    private var vertices: [UInt32] = []
    /// The arcs that lead down to each vertex: where they begin, the row of the vertex where
    /// they come from, and their costs.
    private var first: [Int] = [0]
    private var sources: [Int32] = []
    private var costs: [UInt64] = []

    /// Gathers the small graph of the destinations.
    init(_ query: PointQuery, to destinations: [StreetPlace]) {
        self.query = query
        self.destinations = destinations
        times = PassageTimes(query.network, query.metric, .best)
        for destination in destinations {
            query.network.arrivals(at: destination, times, into: &exits)
            exitFirst.append(exits.count)
        }
        gatherVertices()
        gatherArcs()
    }

    /// The costs from each origin to each destination.
    func costs(from origins: [StreetPlace]) -> [Cost] {
        let never = Lanes(repeating: Cost.packedNever)
        let lanes = Scratch(repeating: never, count: vertices.count)
        var result = [Cost](repeating: .never, count: origins.count * destinations.count)
        for start in stride(from: 0, to: origins.count, by: Lanes.scalarCount) {
            let batch = start..<min(start + Lanes.scalarCount, origins.count)
            lanes.fill(never)
            for origin in batch { climb(from: origins[origin], lane: origin - start, lanes) }
            flow(lanes)
            for (number, destination) in destinations.enumerated() {
                var best = never
                for exit in exits[exitFirst[number]..<exitFirst[number + 1]] {
                    guard let row = row(exit.vertex) else { continue }
                    let cost = lanes[row] &+ Lanes(repeating: exit.cost.packed)
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
        forgetRows()
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
            if let row = row(vertex) { lanes[row][lane] = side.labels[vertex].cost }
        }
    }

    /// Propagates the costs downwards through the hierarchy.
    private func flow(_ lanes: borrowing Scratch<Lanes>) {
        for row in vertices.indices {
            var best = lanes[row]
            for arc in first[row]..<first[row + 1] {
                let cost = lanes[Int(sources[arc])] &+ Lanes(repeating: costs[arc])
                best.replace(with: cost, where: cost .< best)
            }
            lanes[row] = best
        }
    }

    private func row(_ vertex: Int) -> Int? {
        let row = query.workspace.rows[vertex]
        return row == StreetWorkspace.noRow ? nil : Int(row)
    }

    private mutating func gatherVertices() {
        for exit in exits {
            var vertex = exit.vertex
            while query.workspace.rows[vertex] == StreetWorkspace.noRow {
                query.workspace.rows[vertex] = 0
                vertices.append(UInt32(truncatingIfNeeded: vertex))
                vertex = query.network.parents.index(vertex, below: query.network.vertexCount)
            }
        }
        vertices.sort { $0 > $1 }
        for (row, vertex) in vertices.enumerated() {
            query.workspace.rows[Int(vertex)] = UInt32(truncatingIfNeeded: row)
        }
    }

    private mutating func gatherArcs() {
        let down = query.metric.down
        for (number, vertex) in vertices.enumerated() {
            for arc in down.range(Int(vertex)) {
                let head = down.heads.index(arc, below: query.network.vertexCount)
                guard let source = row(head), source < number else { continue }
                sources.append(Int32(truncatingIfNeeded: source))
                costs.append(down.cost(arc))
            }
            first.append(sources.count)
        }
    }

    private func forgetRows() {
        for vertex in vertices { query.workspace.rows[Int(vertex)] = StreetWorkspace.noRow }
    }
}
