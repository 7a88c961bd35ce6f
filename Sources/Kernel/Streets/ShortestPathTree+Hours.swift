import Columns

/// How long what a tree says stays true, if its moment moves on.
///
/// The costs of a tree follow from what each passage takes that begins at a junction of the tree.
/// As long as no passage among them comes to another hour, nothing changes.
extension ShortestPathTree {
    /// For how many milliseconds the costs of all junctions stay as they are; at least 1.
    ///
    /// - Complexity: linear in the number of rules for certain hours.
    public func unchangedMilliseconds() -> Int64 {
        checkCurrent()
        var unchanged = Int64.max
        times.forEachVaryingArc { arc in
            guard arc < network.arcCount, matters(arc) else { return }
            unchanged = min(
                unchanged,
                times.unchanged(arc, after: elapsed(arc), from: nil, to: nil)
            )
        }
        forEachArc(of: place) { arc in
            unchanged = min(
                unchanged,
                direction == .forward
                    ? times.unchanged(arc, after: .zero, from: place.fraction, to: nil)
                    : times.unchanged(arc, after: .zero, from: nil, to: place.fraction)
            )
        }
        return unchanged
    }

    /// For how many milliseconds the cost of another place stays as it is, if those of all
    /// junctions do; at least 1.
    ///
    /// The place lies on a street, which may lead to it even where it is no quick way to its other
    /// end.
    public func unchangedMilliseconds(_ other: StreetPlace) -> Int64 {
        checkCurrent()
        var unchanged = Int64.max
        func consider(_ arc: Int, after cost: Cost, _ from: UInt32?, _ to: UInt32?) {
            unchanged = min(unchanged, times.unchanged(arc, after: cost, from: from, to: to))
        }
        forEachArc(of: other) { arc in
            let isSameStreet = other.edge == place.edge
            switch direction {
            case .forward:
                consider(arc, after: elapsed(arc), nil, other.fraction)
                if isSameStreet { consider(arc, after: .zero, place.fraction, other.fraction) }
            case .backward:
                consider(arc, after: elapsed(arc), other.fraction, nil)
                if isSameStreet { consider(arc, after: .zero, other.fraction, place.fraction) }
            }
        }
        return unchanged
    }

    /// The cost between the place and the junction from which a passage is looked at.
    private func elapsed(_ arc: Int) -> Cost {
        let end = direction == .forward ? network.arcs.tail(arc) : network.arcs.head(arc)
        return Cost(packed: side.cost(end))
    }

    /// Whether a passage could be on a quickest way at some hour, while all others are as they are.
    private func matters(_ arc: Int) -> Bool {
        let (tail, head) = (network.arcs.tail(arc), network.arcs.head(arc))
        let (near, far) = direction == .forward ? (tail, head) : (head, tail)
        let known = Cost(packed: side.cost(far))
        let least = Int64(Cost(packed: side.cost(near)).milliseconds) + Int64(times.least(arc))
        return !known.isPossible || least <= Int64(known.milliseconds)
    }

    private func forEachArc(of place: StreetPlace, _ body: (Int) -> Void) {
        for position in network.edges.arcRange(Int(truncatingIfNeeded: place.edge.rawValue)) {
            body(network.edges.arc(position, below: network.arcCount))
        }
    }
}

extension PassageTimes {
    /// Visits the passages that take longer at certain hours, some of them more than once.
    func forEachVaryingArc(_ body: (Int) -> Void) {
        metric.rules.forEachArc(body)
        for arc in metric.traffic.arcs { body(Int(arc)) }
    }

    /// What a passage takes in its best hour, in milliseconds.
    func least(_ arc: Int) -> UInt32 { metric.milliseconds[arc] }
}

extension StreetMetric {
    /// For how many milliseconds after a moment rules and traffic stay as they are; at least 1.
    public func unchangedMilliseconds(from moment: WeekMoment) -> Int64 {
        min(rules.unchanged(from: moment), traffic.unchanged(from: moment))
    }

    /// Whether the street of a place takes longer at certain hours, or is closed then.
    public func variesByHour(at place: StreetPlace, in network: StreetNetwork) -> Bool {
        network.edges.arcRange(Int(truncatingIfNeeded: place.edge.rawValue)).contains {
            vary(network.edges.arc($0, below: network.arcCount))
        }
    }
}
