import Columns

/// The arcs of a hierarchy whose quickest way passes a street that takes longer at certain hours,
/// with these hours.
///
/// All others cost the same at any hour, since no way is quicker than the quickest of the best
/// hours.
public struct VaryingShortcuts: Sendable {
    /// The hours by the number of the arc in the graph that climbs.
    private(set) var up: [UInt32: HourSets] = [:]
    /// The same in the graph that descends.
    private(set) var down: [UInt32: HourSets] = [:]

    /// Follows all shortcuts down to the streets.
    ///
    /// A shortcut leads over an earlier vertex, so its two parts are known before it.
    ///
    /// - Complexity: linear in the number of arcs, times the logarithm of those of a vertex.
    public init(_ network: StreetNetwork, _ metric: StreetMetric) {
        guard metric.variesByHour else { return }
        // Only in a damaged file do arcs belong to several vertices.
        var rest = metric.up.heads.count + metric.down.heads.count
        for vertex in 0..<network.vertexCount {
            for (graph, isUp) in [(metric.up, true), (metric.down, false)] {
                for arc in graph.range(vertex) where rest > 0 {
                    rest -= 1
                    let head = graph.heads.index(arc, below: network.vertexCount)
                    let via = Int(truncatingIfNeeded: graph.vias[arc])
                    let ends = isUp ? (vertex, head) : (head, vertex)
                    let hours = hours(via, ends, network.vertexCount, metric)
                    guard !hours.isEmpty else { continue }
                    let number = UInt32(truncatingIfNeeded: arc)
                    if isUp { up[number] = hours } else { down[number] = hours }
                }
            }
        }
    }

    /// The hours at which a shortcut between two vertices, or a passage, takes longer.
    private func hours(
        _ via: Int,
        _ ends: (from: Int, to: Int),
        _ vertexCount: Int,
        _ metric: StreetMetric
    ) -> HourSets {
        if via >= vertexCount { return metric.hourSets(via - vertexCount) }
        // What only a damaged file holds is never relied on.
        guard via < min(ends.from, ends.to),
            let first = metric.down.arc(via, ends.from, below: vertexCount),
            let second = metric.up.arc(via, ends.to, below: vertexCount)
        else { return .all }
        var hours = down[first] ?? HourSets()
        hours.formUnion(up[second] ?? HourSets())
        return hours
    }
}

extension SearchGraph {
    /// The number of the arc between a vertex and a later one; nil without one.
    func arc(_ vertex: Int, _ head: Int, below count: Int) -> UInt32? {
        let arcs = range(vertex)
        let arc = arcs.bisected { heads.index($0, below: count) < head }
        guard arcs.contains(arc), heads.index(arc, below: count) == head else { return nil }
        return UInt32(truncatingIfNeeded: arc)
    }
}
