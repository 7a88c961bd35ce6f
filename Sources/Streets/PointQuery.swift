import Columns

/// The quickest way between two places, by climbing the elimination tree.
///
/// A quickest way climbs from its origin to some vertex and then descends to its destination,
/// and everything it touches lies on the branches of the elimination tree from the two ends to
/// the root (Dibbelt, Strasser, Wagner 2016, section 7). So there is no queue: each branch is
/// walked once, upwards, and the best vertex that both branches share is the top of the way. A
/// branch has a few hundred vertices in a city, and each has a few arcs left.
struct PointQuery {
    let network: StreetNetwork
    let metric: StreetMetric
    let workspace: StreetWorkspace

    /// The answer of a search: the cost, and the vertex at which the two climbs meet.
    struct Answer {
        var cost: Cost
        var top: Int
    }

    /// Climbs from both places; nil where no way leads from one to the other over a junction.
    func search(from origin: StreetPlace, to destination: StreetPlace) -> Answer? {
        let forward = workspace.forward
        let backward = workspace.backward
        forward.begin()
        network.departures(from: origin, metric.milliseconds, into: &forward.entries)
        climb(forward, metric.up)
        backward.begin()
        network.arrivals(at: destination, metric.milliseconds, into: &backward.entries)
        climb(backward, metric.down)
        return meet(forward, backward)
    }

    /// Walks the branches from a side's entries to the root and finds the costs on them.
    ///
    /// The side's `settled` becomes the vertices of the branches, ascending.
    func climb(_ side: SearchSide, _ graph: SearchGraph) {
        collectBranches(side)
        for entry in side.entries where entry.cost.packed < side.labels[entry.vertex].cost {
            side.labels[entry.vertex].cost = entry.cost.packed
        }
        let count = network.vertexCount
        for settled in side.settled {
            let vertex = Int(settled)
            let cost = side.labels[vertex].cost
            if cost >= Cost.packedNever { continue }
            for arc in graph.range(vertex) {
                let head = graph.heads.index(arc, below: count)
                let longer = cost &+ graph.cost(arc)
                if longer < side.labels[head].cost {
                    side.labels[head] = SearchSide.Label(
                        cost: longer,
                        stamp: side.stamp,
                        parent: settled
                    )
                }
            }
        }
    }

    /// Lists the vertices from the entries up to the roots, ascending, without costs so far.
    private func collectBranches(_ side: SearchSide) {
        side.branches.removeAll(keepingCapacity: true)
        for entry in side.entries { side.branches.append(UInt32(entry.vertex)) }
        let fresh = SearchSide.Label(stamp: side.stamp)
        while var lowest = side.branches.first {
            for branch in side.branches where branch < lowest { lowest = branch }
            side.labels[Int(lowest)] = fresh
            side.settled.append(lowest)
            let parent = UInt32(network.parents.index(Int(lowest), below: network.vertexCount))
            var kept = 0
            for branch in side.branches {
                let next = branch == lowest ? parent : branch
                // A root is its own parent; a damaged parent must not lead back down.
                if next > lowest, !side.branches[..<kept].contains(next) {
                    side.branches[kept] = next
                    kept += 1
                }
            }
            side.branches.removeSubrange(kept...)
        }
    }

    /// The cheapest vertex on the branches that both sides share.
    private func meet(_ forward: SearchSide, _ backward: SearchSide) -> Answer? {
        var best = Cost.packedNever
        var top = 0
        for settled in backward.settled {
            let vertex = Int(settled)
            let cost = forward.cost(vertex) &+ backward.labels[vertex].cost
            if cost < best {
                best = cost
                top = vertex
            }
        }
        return best < Cost.packedNever ? Answer(cost: Cost(packed: best), top: top) : nil
    }
}

extension StreetNetwork {
    /// The cost of the quickest way between two places, and of the shortest among those.
    ///
    /// - Parameters:
    ///   - origin: where the way begins.
    ///   - destination: where it ends.
    ///   - metric: who travels, and how fast.
    ///   - workspace: memory for this network.
    /// - Returns: ``Cost/never`` where there is no way.
    public func cost(
        from origin: StreetPlace,
        to destination: StreetPlace,
        by metric: StreetMetric,
        using workspace: StreetWorkspace
    ) -> Cost {
        precondition(workspace.vertexCount == vertexCount, "a workspace serves one network")
        let query = PointQuery(network: self, metric: metric, workspace: workspace)
        let direct = direct(from: origin, to: destination, metric.milliseconds)
        let around = query.search(from: origin, to: destination)
        return min(direct?.cost ?? .never, around?.cost ?? .never)
    }
}
