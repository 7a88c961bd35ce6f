import Columns

/// The part of a hierarchy that the quickest ways between anywhere and some places descend through.
///
/// The selection of restricted PHAST (Delling, Goldberg, Werneck, "Faster batched shortest paths in
/// road networks", ATMOS 2011): the vertices on the branches above the places are put into one small
/// graph, the root first. A search from anywhere climbs its own branches as in a point query; then
/// the costs flow down through the small graph in one pass.
struct RestrictedGraph: Sendable {
    /// Where ways to the places leave the network, or where ways from them enter it, place by place.
    private(set) var ends: [SearchSide.Entry] = []
    /// The vertices, descending.
    private(set) var vertices: [UInt32] = []
    /// The arcs that lead down to a vertex, by its row: the row where each comes from, its cost, and
    /// its number in the hierarchy.
    private(set) var sources: [Int32] = []
    private(set) var costs: [UInt64] = []
    private(set) var arcs: [UInt32] = []
    /// Where each place's ends begin, and each vertex's arcs; one more than there are.
    private var endFirst: [Int] = [0]
    private var arcFirst: [Int] = [0]

    /// Selects what leads to some places, or from them.
    ///
    /// - Parameters:
    ///   - places: the places.
    ///   - direction: `forward` for ways to the places, `backward` for ways from them.
    ///   - network: the streets.
    ///   - metric: the costs of the profile.
    ///   - workspace: memory for this network.
    /// - Complexity: linear in the size of the selection.
    init(
        _ places: [StreetPlace],
        _ direction: SearchDirection,
        in network: StreetNetwork,
        by metric: StreetMetric,
        using workspace: StreetWorkspace
    ) {
        let times = PassageTimes(network, metric, .best)
        for place in places {
            switch direction {
            case .forward: network.arrivals(at: place, times, into: &ends)
            case .backward: network.departures(from: place, times, into: &ends)
            }
            endFirst.append(ends.count)
        }
        for end in ends {
            var vertex = end.vertex
            while workspace.rows[vertex] == StreetWorkspace.noRow {
                workspace.rows[vertex] = 0
                vertices.append(UInt32(truncatingIfNeeded: vertex))
                vertex = network.parents.index(vertex, below: network.vertexCount)
            }
        }
        vertices.sort { $0 > $1 }
        for (row, vertex) in vertices.enumerated() {
            workspace.rows[Int(vertex)] = UInt32(truncatingIfNeeded: row)
        }
        let graph = direction == .forward ? metric.down : metric.up
        for (number, vertex) in vertices.enumerated() {
            for arc in graph.range(Int(vertex)) {
                let source = workspace.rows[graph.heads.index(arc, below: network.vertexCount)]
                guard source < UInt32(truncatingIfNeeded: number) else { continue }
                sources.append(Int32(truncatingIfNeeded: source))
                costs.append(graph.cost(arc))
                arcs.append(UInt32(truncatingIfNeeded: arc))
            }
            arcFirst.append(sources.count)
        }
        for vertex in vertices { workspace.rows[Int(vertex)] = StreetWorkspace.noRow }
    }

    /// The ends of a place, by its number.
    func ends(ofPlace number: Int) -> ArraySlice<SearchSide.Entry> {
        ends[endFirst[number]..<endFirst[number + 1]]
    }

    /// The arcs that lead down to the vertex of a row.
    func arcs(ofRow row: Int) -> Range<Int> { arcFirst[row]..<arcFirst[row + 1] }

    /// The row of a vertex, by bisection; nil if it is not in the small graph.
    func row(_ vertex: Int) -> Int? {
        let vertex = UInt32(truncatingIfNeeded: vertex)
        var range = 0..<vertices.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let found = vertices[middle]
            if found == vertex { return middle }
            range = found > vertex ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
