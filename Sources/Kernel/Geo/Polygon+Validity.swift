extension Polygon {
    /// The kinds of errors in an area whose borders are closed.
    public enum Flaw: Error, Hashable, Sendable {
        /// A border meets itself other than from one edge to the next; rings count from 0, the
        /// outline, and edges from the first point.
        case selfIntersection(ring: Int, edge: Int, otherEdge: Int)
        /// Two borders cross or run along each other.
        case crossing(ring: Int, otherRing: Int)
        /// A hole lies outside the outline.
        case holeOutside(ring: Int)
        /// A hole lies in another hole.
        case nestedHoles(ring: Int, otherRing: Int)
    }

    /// The first error of the area; nil for a valid one.
    ///
    /// Holes may touch each other and the outline at points. Whether such holes together cut
    /// the inside in two is not examined.
    ///
    /// - Complexity: O(n log n) for n points of which few lie above one another, else O(n²).
    public var flaw: Flaw? {
        let rings = rings
        for (number, ring) in rings.enumerated() {
            if let (edge, other) = ring.selfIntersection {
                return .selfIntersection(ring: number, edge: edge, otherEdge: other)
            }
        }
        for number in rings.indices {
            for other in rings.indices.dropFirst(number + 1)
            where rings[number].crosses(rings[other]) {
                return .crossing(ring: number, otherRing: other)
            }
        }
        // Rings that do not cross lie wholly on one side of each other.
        for number in rings.indices.dropFirst() {
            if !outline.surrounds(rings[number]) { return .holeOutside(ring: number) }
            for other in rings.indices.dropFirst()
            where other != number && rings[other].surrounds(rings[number]) {
                return .nestedHoles(ring: number, otherRing: other)
            }
        }
        return nil
    }
}

extension Ring {
    /// Two edges of the ring that meet but must not; nil for a simple ring.
    var selfIntersection: (edge: Int, other: Int)? {
        let edges = sweepEdges(ring: 0)
        guard edges.count >= 3 else { return (0, min(1, points.count - 2)) }
        var found: (edge: Int, other: Int)?
        EdgeSweep.visitPairs(edges) { first, second in
            let (low, high) = first.order < second.order ? (first, second) : (second, first)
            let meeting = low.segment.meeting(high.segment)
            // Neighbours share the corner between them, and nothing else.
            let areNeighbours =
                high.order - low.order == 1
                || (low.order == 0 && high.order == edges.count - 1)
            guard meeting != .apart, !(areNeighbours && meeting == .touch) else { return true }
            found = (low.edge, high.edge)
            return false
        }
        return found
    }

    /// Whether two rings cross or run along each other; touching at points is neither.
    func crosses(_ other: Ring) -> Bool {
        guard bounds.meets(other.bounds) else { return false }
        var found = false
        EdgeSweep.visitPairs(sweepEdges(ring: 0) + other.sweepEdges(ring: 1)) { first, second in
            guard first.ring != second.ring else { return true }
            switch first.segment.meeting(second.segment) {
            case .apart: break
            case .cross, .overlap: found = true
            case .touch:
                let ends = [first.segment.start, first.segment.end, second.segment.start]
                let place =
                    ends.first { first.segment.contains($0) && second.segment.contains($0) }
                    ?? second.segment.end
                found = changesSides(of: other, at: place)
            }
            return !found
        }
        return found
    }

    /// Whether the ring reaches a place that is on both rings from one side of the other ring and
    /// leaves it to the other side.
    private func changesSides(of other: Ring, at place: Coordinate) -> Bool {
        guard let own = corner(at: place), let corner = other.corner(at: place) else {
            return false
        }
        return corner.opens(towards: own.before) != corner.opens(towards: own.after)
    }

    /// Whether another ring, which does not cross this one, lies inside it.
    fileprivate func surrounds(_ other: Ring) -> Bool {
        let place = other.points[0]
        guard let corner = corner(at: place) else { return encloses(place) }
        guard let after = other.corner(at: place)?.after else { return false }
        return corner.opens(towards: after) == isCounterClockwise
    }

    /// The directions in which the ring passes through a place on it; nil for a place elsewhere.
    private func corner(at place: Coordinate) -> Corner? {
        guard bounds.contains(place) else { return nil }
        let edges = sweepEdges(ring: 0).map { $0.segment }
        guard let index = edges.firstIndex(where: { $0.contains(place) }) else { return nil }
        let edge = edges[index]
        let next = edges[(index + 1) % edges.count]
        let previous = edges[(index + edges.count - 1) % edges.count]
        return Corner(
            before: place == edge.start ? previous.start : edge.start,
            place: place,
            after: place == edge.end ? next.end : edge.end
        )
    }

    /// The ring's edges of non-zero length.
    private func sweepEdges(ring: Int) -> [EdgeSweep.Edge] {
        var edges: [EdgeSweep.Edge] = []
        for index in 0..<(points.count - 1) where points[index] != points[index + 1] {
            edges.append(
                EdgeSweep.Edge(segment: edge(index), ring: ring, edge: index, order: edges.count)
            )
        }
        return edges
    }
}

/// The directions in which a ring passes through a point: straight on, or around a corner.
private struct Corner {
    let before: Coordinate
    let place: Coordinate
    let after: Coordinate

    /// Whether a direction lies to the left of the way, between the way out and the way in.
    func opens(towards direction: Coordinate) -> Bool {
        let wayOut = Segment(place, after)
        let wayIn = Segment(place, before)
        let turn = wayOut.side(of: before)
        if turn == 0 { return wayOut.side(of: direction) > 0 }
        return turn > 0
            ? wayOut.side(of: direction) > 0 && wayIn.side(of: direction) < 0
            : wayOut.side(of: direction) > 0 || wayIn.side(of: direction) < 0
    }
}

/// Finds the pairs of edges whose boxes share a longitude and may meet, by sweeping eastwards.
private enum EdgeSweep {
    struct Edge {
        let segment: Segment
        let ring: Int
        /// Its number among all edges of the ring.
        let edge: Int
        /// Its number among the edges that have a length.
        let order: Int
    }

    /// Calls `body` with each pair whose boxes meet, until it returns false.
    static func visitPairs(_ edges: [Edge], _ body: (Edge, Edge) -> Bool) {
        let boxes = edges.map { $0.segment.bounds }
        let order = edges.indices.sorted { (boxes[$0].west, $0) < (boxes[$1].west, $1) }
        var active: [Int] = []
        for index in order {
            active.removeAll { boxes[$0].east < boxes[index].west }
            for other in active where boxes[other].meets(boxes[index]) {
                if !body(edges[other], edges[index]) { return }
            }
            active.append(index)
        }
    }
}
