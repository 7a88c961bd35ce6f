extension StreetNetwork {
    /// Where a path from a place enters the network: at the heads of the open arcs of its edge.
    ///
    /// Restrictions on turning into the edge do not apply to a path that begins on it, so the arcs
    /// that begin at copies count as well. The rules are those of the moment after an elapsed cost,
    /// which the entries' costs do not include.
    func departures(
        from place: StreetPlace,
        _ times: PassageTimes,
        after elapsed: Cost = .zero,
        into entries: inout [SearchSide.Entry]
    ) {
        for position in edges.arcRange(Int(truncatingIfNeeded: place.edge.rawValue)) {
            let arc = edges.arc(position, below: arcCount)
            guard place.leaves(forward: arcs.isForward(arc)) else { continue }
            let cost = times.costToHead(arc, after: elapsed, from: place.fraction)
            if cost.isPossible {
                entries.append(SearchSide.Entry(vertex: arcs.head(arc), arc: arc, cost: cost))
            }
        }
    }

    /// Where a way to a place leaves the network: at the tails of the open arcs of its edge.
    func arrivals(
        at place: StreetPlace,
        _ times: PassageTimes,
        after elapsed: Cost = .zero,
        into entries: inout [SearchSide.Entry]
    ) {
        for position in edges.arcRange(Int(truncatingIfNeeded: place.edge.rawValue)) {
            let arc = edges.arc(position, below: arcCount)
            let cost = times.costFromTail(arc, after: elapsed, to: place.fraction)
            if cost.isPossible {
                entries.append(SearchSide.Entry(vertex: arcs.tail(arc), arc: arc, cost: cost))
            }
        }
    }

    /// The cheapest way between two places of one edge that does not leave it; nil if they lie on
    /// different edges or no arc leads from one to the other.
    func direct(
        from origin: StreetPlace,
        to destination: StreetPlace,
        _ times: PassageTimes
    ) -> (arc: Int, cost: Cost)? {
        guard origin.edge == destination.edge else { return nil }
        var best: (arc: Int, cost: Cost)?
        for position in edges.arcRange(Int(truncatingIfNeeded: origin.edge.rawValue)) {
            let arc = edges.arc(position, below: arcCount)
            guard origin.leaves(forward: arcs.isForward(arc)) else { continue }
            let cost = times.cost(
                arc,
                after: .zero,
                from: origin.fraction,
                to: destination.fraction
            )
            if cost.isPossible, best.map({ cost < $0.cost }) ?? true { best = (arc, cost) }
        }
        return best
    }
}
