import Columns

/// The part of a stretch of street that is reachable within the limit.
public struct ReachableStretch: Sendable, Equatable {
    /// The edge that is partly or fully within the limit.
    public let edge: EdgeIndex
    /// Where the part begins, as in ``StreetPlace/fraction``.
    public let from: UInt32
    /// Where the part ends; not before it begins.
    public let to: UInt32
}

extension ShortestPathTree {
    /// The streets that are reachable within the limit, whole or in part; isochrones are drawn
    /// from them.
    ///
    /// The ends of the parts are exact to 2/65,536 of their stretches.
    ///
    /// - Returns: by edge and then by fraction, ascending; the parts do not overlap.
    /// - Complexity: O(n log n) in the number of junctions reached.
    public func reachableStretches() -> [ReachableStretch] {
        var parts: [ReachableStretch] = []
        for position in network.edges.arcRange(Int(place.edge.rawValue)) {
            let arc = network.edges.arc(position, below: network.arcCount)
            append(arc, at: .zero, to: &parts, beginning: place.fraction)
        }
        for position in 0..<count {
            let (vertex, cost) = self[position]
            let number = Int(vertex.rawValue)
            if direction == .forward {
                for arc in network.arcs.out(of: number) {
                    append(arc, at: cost, to: &parts, beginning: nil)
                }
            } else {
                let into = network.arcs.into
                for entry in network.arcs.intoFirst.range(number, limit: into.count) {
                    let arc = into.index(entry, below: network.arcCount)
                    append(arc, at: cost, to: &parts, beginning: nil)
                }
            }
        }
        return Self.merged(parts)
    }

    /// Appends the part of an arc that lies within the limit.
    ///
    /// - Parameters:
    ///   - arc: the passage.
    ///   - cost: the cost where it begins.
    ///   - parts: receives the part.
    ///   - beginning: the fraction where it begins; nil for the arc's end.
    private func append(
        _ arc: Int,
        at cost: Cost,
        to parts: inout [ReachableStretch],
        beginning: UInt32?
    ) {
        let time = Cost(packed: times.cost(arc, after: cost.packed)).milliseconds
        guard time < Cost.limitMilliseconds else { return }
        let share = min(
            StreetPlace.fraction(limit.milliseconds - cost.milliseconds, of: time),
            StreetPlace.fraction(limit.decimetres - cost.decimetres, of: network.arcs.length(arc))
        )
        // Walking along an arc in a forward search raises the fraction where the arc does, and
        // in a backward search it is the other way round.
        let rises = network.arcs.isForward(arc) == (direction == .forward)
        let start = beginning ?? (rises ? 0 : StreetPlace.whole)
        let end =
            rises ? min(StreetPlace.whole, start + share) : start - min(start, share)
        parts.append(
            ReachableStretch(
                edge: EdgeIndex(rawValue: UInt32(truncatingIfNeeded: network.arcs.edge(arc))),
                from: min(start, end),
                to: max(start, end)
            )
        )
    }

    private static func merged(_ parts: [ReachableStretch]) -> [ReachableStretch] {
        let sorted = parts.sorted {
            ($0.edge.rawValue, $0.from, $0.to) < ($1.edge.rawValue, $1.from, $1.to)
        }
        var merged: [ReachableStretch] = []
        for part in sorted {
            if let last = merged.last, last.edge == part.edge, part.from <= last.to {
                merged[merged.count - 1] = ReachableStretch(
                    edge: last.edge,
                    from: last.from,
                    to: max(last.to, part.to)
                )
            } else {
                merged.append(part)
            }
        }
        return merged
    }
}
