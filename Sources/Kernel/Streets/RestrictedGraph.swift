import Columns

/// The part of a hierarchy that the quickest ways between anywhere and some places descend through.
///
/// The selection of restricted PHAST (Delling, Goldberg, Werneck, "Faster batched shortest paths in
/// road networks", ATMOS 2011): the vertices on the branches above the places are put into one
/// small graph, the root first. A search from anywhere climbs its own branches as in a point query;
/// then the costs flow down through the small graph in one pass.
struct RestrictedGraph: Sendable {
    /// Where a way to a place leaves the network, or where a way from it enters it.
    struct End: Sendable, BitwiseCopyable {
        /// The row of the vertex.
        let row: Int32
        /// The cost between the vertex and the place.
        let cost: UInt64
    }

    /// The vertices, descending.
    private(set) var vertices: [UInt32] = []
    /// The arcs that lead down to a vertex, by its row: the row where each comes from, and its
    /// cost.
    private(set) var sources: [Int32] = []
    private(set) var costs: [UInt64] = []
    /// The hours at which each of these arcs may cost more; empty if none does.
    private(set) var hours: [HourSets] = []
    /// The ends of all places, place by place.
    private var ends: [End] = []
    /// Where each place's ends begin, and each vertex's arcs; one more than there are.
    private var endFirst: [Int32] = [0]
    private var arcFirst: [Int32] = [0]

    /// Selects what leads to some places, or from them.
    ///
    /// - Parameters:
    ///   - places: the places.
    ///   - direction: `forward` for ways to the places, `backward` for ways from them.
    ///   - network: the streets.
    ///   - metric: the costs of the profile.
    ///   - varying: what of the hierarchy costs more at some hours, where that is asked for.
    ///   - workspace: memory for this network.
    /// - Complexity: linear in the size of the selection.
    init(
        _ places: [StreetPlace],
        _ direction: SearchDirection,
        in network: StreetNetwork,
        by metric: StreetMetric,
        varying: VaryingShortcuts? = nil,
        using workspace: StreetWorkspace
    ) {
        let times = PassageTimes(network, metric, .best)
        var entries: [SearchSide.Entry] = []
        for place in places {
            switch direction {
            case .forward: network.arrivals(at: place, times, into: &entries)
            case .backward: network.departures(from: place, times, into: &entries)
            }
            endFirst.append(Int32(truncatingIfNeeded: entries.count))
        }
        for entry in entries {
            var vertex = entry.vertex
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
        ends = entries.map { entry in
            End(
                row: Int32(truncatingIfNeeded: workspace.rows[entry.vertex]),
                cost: entry.cost.packed
            )
        }
        let graph = direction == .forward ? metric.down : metric.up
        let falling = (direction == .forward ? varying?.down : varying?.up) ?? [:]
        for (number, vertex) in vertices.enumerated() {
            // Only in a damaged file do arcs belong to several vertices.
            for arc in graph.range(Int(vertex)) where sources.count < graph.heads.count {
                let head = graph.heads.index(arc, below: network.vertexCount)
                let source = workspace.rows[head]
                guard source < UInt32(truncatingIfNeeded: number) else { continue }
                sources.append(Int32(truncatingIfNeeded: source))
                costs.append(graph.cost(arc))
                guard !falling.isEmpty else { continue }
                hours.append(falling[UInt32(truncatingIfNeeded: arc)] ?? HourSets())
            }
            arcFirst.append(Int32(truncatingIfNeeded: sources.count))
        }
        for vertex in vertices { workspace.rows[Int(vertex)] = StreetWorkspace.noRow }
    }

    /// The ends of a place, by its number.
    func ends(ofPlace number: Int) -> ArraySlice<End> {
        ends[Int(endFirst[number])..<Int(endFirst[number + 1])]
    }

    /// The arcs that lead down to the vertex of a row.
    func arcs(ofRow row: Int) -> Range<Int> { Int(arcFirst[row])..<Int(arcFirst[row + 1]) }

    /// The row of a vertex; nil if it is not in the small graph.
    func row(_ vertex: Int) -> Int? {
        let vertex = UInt32(truncatingIfNeeded: vertex)
        let row = (0..<vertices.count).bisected { vertices[$0] > vertex }
        return row < vertices.count && vertices[row] == vertex ? row : nil
    }
}
