import Columns

/// The arcs of a hierarchy whose quickest way passes a street that takes longer at certain hours.
///
/// All others cost the same at any hour, since no way is quicker than the quickest of the best
/// hours.
struct VaryingShortcuts: Sendable {
    /// The numbers of such arcs in the graph that climbs.
    private(set) var up: Set<UInt32> = []
    /// The same in the graph that descends.
    private(set) var down: Set<UInt32> = []

    /// Follows all shortcuts down to the streets.
    ///
    /// A shortcut leads over an earlier vertex, so its two parts are known before it.
    ///
    /// - Complexity: linear in the number of arcs, times the arcs of a vertex.
    init(_ network: StreetNetwork, _ metric: StreetMetric) {
        guard metric.variesByHour else { return }
        for vertex in 0..<network.vertexCount {
            for (graph, isUp) in [(metric.up, true), (metric.down, false)] {
                for arc in graph.range(vertex) {
                    let head = graph.heads.index(arc, below: network.vertexCount)
                    let via = Int(truncatingIfNeeded: graph.vias[arc])
                    let ends = isUp ? (vertex, head) : (head, vertex)
                    guard varies(via, ends, network.vertexCount, metric) else { continue }
                    let number = UInt32(truncatingIfNeeded: arc)
                    if isUp { up.insert(number) } else { down.insert(number) }
                }
            }
        }
    }

    /// Whether a shortcut between two vertices, or a passage, varies.
    private func varies(
        _ via: Int,
        _ ends: (from: Int, to: Int),
        _ vertexCount: Int,
        _ metric: StreetMetric
    ) -> Bool {
        if via >= vertexCount { return metric.vary(via - vertexCount) }
        // What only a damaged file holds is never relied on.
        guard via < min(ends.from, ends.to),
            let first = metric.down.arc(via, ends.from, below: vertexCount),
            let second = metric.up.arc(via, ends.to, below: vertexCount)
        else { return true }
        return down.contains(first) || up.contains(second)
    }
}

extension SearchGraph {
    /// The number of the arc between a vertex and a later one; nil without one.
    func arc(_ vertex: Int, _ head: Int, below count: Int) -> UInt32? {
        range(vertex).first { heads.index($0, below: count) == head }
            .map { UInt32(truncatingIfNeeded: $0) }
    }
}
