import Columns

/// The quickest way between two places, by climbing the elimination tree.
///
/// A quickest way climbs from its origin to some vertex and then descends to its destination, and
/// all its vertices lie on the branches of the elimination tree from the two ends to the root
/// (Dibbelt, Strasser, Wagner 2016, section 7). So no queue is needed: each branch is walked once,
/// upwards, and the best vertex that both branches share is the top of the way. In a city, a branch
/// has a few hundred vertices, and each has a few arcs left.
struct PointQuery {
    let network: StreetNetwork
    let metric: StreetMetric
    let workspace: StreetWorkspace

    /// The result of a search: the cost, and the vertex at which the two climbs meet.
    struct Answer {
        var cost: Cost
        var top: Int
    }

    /// Climbs from both places; nil if no way leads from one to the other over a junction.
    func search(from origin: StreetPlace, to destination: StreetPlace) -> Answer? {
        let forward = workspace.forward
        let backward = workspace.backward
        let best = PassageTimes(network, metric, .best)
        forward.begin()
        network.departures(from: origin, best, into: &forward.entries)
        backward.begin()
        network.arrivals(at: destination, best, into: &backward.entries)
        return climbTogether(branches(of: forward), branches(of: backward))
    }

    /// Climbs one side alone, up to the roots.
    ///
    /// - Returns: how many vertices its branches have; they are the first of `settled`.
    func climb(_ side: SearchSide, _ graph: SearchGraph) -> Int {
        let count = branches(of: side)
        let stamp = side.stamp
        for position in 0..<count {
            let vertex = side.settled[position]
            let cost = side.labels[Int(vertex)].cost
            if cost < Cost.packedNever { relax(side, graph, vertex, cost, stamp) }
        }
        return count
    }

    /// Searches both sides at once, in ascending order of vertices; whatever costs more than the
    /// best path found so far is not followed.
    ///
    /// - Parameters:
    ///   - rising: how many vertices the origin's branches have.
    ///   - falling: how many the destination's have.
    /// - Returns: the best common vertex; nil without one.
    private func climbTogether(_ rising: Int, _ falling: Int) -> Answer? {
        let forward = workspace.forward
        let backward = workspace.backward
        let stamps = (forward.stamp, backward.stamp)
        var best = Cost.packedNever
        var top = 0
        var position = (0, 0)
        while position.0 < rising || position.1 < falling {
            let up = position.0 < rising ? forward.settled[position.0] : .max
            let down = position.1 < falling ? backward.settled[position.1] : .max
            let vertex = min(up, down)
            var sum: UInt64 = 0
            if up == vertex {
                position.0 += 1
                let cost = forward.labels[Int(vertex)].cost
                sum = cost
                if cost < best { relax(forward, metric.up, vertex, cost, stamps.0) }
            }
            if down == vertex {
                position.1 += 1
                let cost = backward.labels[Int(vertex)].cost
                sum = up == vertex ? sum &+ cost : Cost.packedNever
                if cost < best { relax(backward, metric.down, vertex, cost, stamps.1) }
                if sum < best {
                    best = sum
                    top = Int(vertex)
                }
            }
        }
        return best < Cost.packedNever ? Answer(cost: Cost(packed: best), top: top) : nil
    }

    /// Propagates a vertex's cost along its arcs.
    @inline(__always)
    private func relax(
        _ side: SearchSide,
        _ graph: SearchGraph,
        _ vertex: UInt32,
        _ cost: UInt64,
        _ stamp: UInt32
    ) {
        for arc in graph.range(Int(vertex)) {
            let head = graph.heads.index(arc, below: side.labels.count)
            let longer = cost &+ graph.cost(arc)
            if longer < side.labels[head].cost {
                side.labels[head] = SearchSide.Label(cost: longer, stamp: stamp, parent: vertex)
            }
        }
    }

    /// Lists the vertices from the entries up to the roots, ascending, with the costs of the
    /// entries and no costs for the others.
    ///
    /// - Returns: how many they are; they are the first of `settled`.
    private func branches(of side: SearchSide) -> Int {
        let fresh = SearchSide.Label(stamp: side.stamp)
        let entries = side.entries
        var count = 0
        var branches = entries.map { UInt32(truncatingIfNeeded: $0.vertex) }
        while var lowest = branches.min() {
            // Branches that have met are one; the last of them is followed.
            branches.removeAll { $0 == lowest }
            while true {
                side.labels[Int(lowest)] = fresh
                side.settled[count] = lowest
                count += 1
                // A root is its own parent; a damaged parent must not lead back down.
                let parent = network.parents.index(Int(lowest), below: side.labels.count)
                guard parent > Int(lowest) else { break }
                lowest = UInt32(truncatingIfNeeded: parent)
                if !branches.isEmpty {
                    branches.append(lowest)
                    break
                }
            }
        }
        for entry in entries where entry.cost.packed < side.labels[entry.vertex].cost {
            side.labels[entry.vertex].cost = entry.cost.packed
        }
        return count
    }
}

extension StreetNetwork {
    /// The cost of the quickest path between two places, and of the shortest among those.
    ///
    /// - Parameters:
    ///   - origin: where the path begins.
    ///   - destination: where it ends.
    ///   - metric: the costs of the profile.
    ///   - moment: the hour whose rules apply; by default a lower bound for all hours.
    ///   - workspace: memory for this network.
    /// - Returns: ``Cost/never`` if there is no path.
    public func cost(
        from origin: StreetPlace,
        to destination: StreetPlace,
        by metric: StreetMetric,
        at moment: PassageMoment = .best,
        using workspace: StreetWorkspace
    ) -> Cost {
        precondition(workspace.vertexCount == vertexCount, "a workspace serves one network")
        let times = PassageTimes(self, metric, moment)
        guard times.isBest else {
            return path(from: origin, to: destination, by: metric, at: moment, using: workspace)?
                .cost ?? .never
        }
        let query = PointQuery(network: self, metric: metric, workspace: workspace)
        let direct = direct(from: origin, to: destination, times)
        let around = query.search(from: origin, to: destination)
        return min(direct?.cost ?? .never, around?.cost ?? .never)
    }
}
