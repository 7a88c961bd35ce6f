import Columns
public import Geo
import Heap

/// A place from which walks may begin, and the cost of reaching it.
public struct StreetStart: Sendable {
    /// The place on the streets.
    public let place: StreetPlace
    /// The cost of reaching it; its length counts as walked.
    public let cost: Cost

    /// Creates a start from a place and its cost.
    public init(_ place: StreetPlace, _ cost: Cost) {
        self.place = place
        self.cost = cost
    }
}

extension StreetNetwork {
    /// The greatest distance between points of a street, in decimetres.
    private static let pointDecimetres: UInt32 = 250

    /// Visits points of all streets that can be reached from some places within a limit, with an
    /// upper bound of the milliseconds to them.
    ///
    /// The points of a street are at most 25 m apart. A point that several ways reach is visited
    /// several times; the quickest way is among them.
    ///
    /// - Parameters:
    ///   - starts: where walks begin.
    ///   - limit: the limit of time and length, which includes the cost of the start.
    ///   - metric: the costs of the profile.
    ///   - moment: the hour whose rules apply.
    ///   - workspace: memory for this network.
    ///   - body: receives each point.
    public func forEachPoint(
        from starts: [StreetStart],
        within limit: SearchLimit,
        by metric: StreetMetric,
        at moment: PassageMoment = .best,
        using workspace: StreetWorkspace,
        _ body: (Coordinate, UInt32) -> Void
    ) {
        precondition(workspace.vertexCount == vertexCount, "a workspace serves one network")
        let side = workspace.forward
        let times = PassageTimes(self, metric, moment)
        let search = BoundedSearch(
            arcs: arcs,
            times: times,
            side: side,
            limit: limit
        )
        // Taken out of the workspace, so that the search owns it and changes it in place.
        var queue = workspace.queue
        workspace.queue = Heap<QueuedVertex>()
        defer { workspace.queue = queue }
        side.begin()
        let starts = starts.filter { limit.allows($0.cost) }
        for start in starts {
            let first = side.entries.count
            departures(from: start.place, times, after: start.cost, into: &side.entries)
            for entry in first..<side.entries.count {
                side.entries[entry].cost = side.entries[entry].cost + start.cost
            }
        }
        search.run(&queue) {
            arcs.out(of: $0)
        } next: {
            ($0, arcs.head($0))
        }
        for start in starts {
            for position in edges.arcRange(Int(truncatingIfNeeded: start.place.edge.rawValue)) {
                let arc = edges.arc(position, below: arcCount)
                visit(arc, start.cost, start.place.fraction, limit, times, body)
            }
        }
        for position in 0..<side.settledCount {
            let vertex = Int(side.settled[position])
            let cost = Cost(packed: side.cost(vertex))
            for arc in arcs.out(of: vertex) { visit(arc, cost, nil, limit, times, body) }
        }
    }

    /// Visits the points of an arc, from its beginning or from a fraction of its edge, up to the
    /// limit.
    private func visit(
        _ arc: Int,
        _ cost: Cost,
        _ beginning: UInt32?,
        _ limit: SearchLimit,
        _ times: PassageTimes,
        _ body: (Coordinate, UInt32) -> Void
    ) {
        let time = Cost(packed: times.cost(arc, after: cost.packed)).milliseconds
        guard time < Cost.limitMilliseconds else { return }
        let isForward = arcs.isForward(arc)
        let start = beginning ?? (isForward ? 0 : StreetPlace.whole)
        let whole = isForward ? StreetPlace.whole - start : start
        let share = min(
            whole,
            StreetPlace.fraction(limit.milliseconds - cost.milliseconds, of: time),
            StreetPlace.fraction(limit.decimetres - cost.decimetres, of: arcs.length(arc))
        )
        let line = EdgeLine(self, arcs.edge(arc))
        let length = UInt64(arcs.length(arc)) * UInt64(share) >> 16
        let steps = UInt32(truncatingIfNeeded: length) / Self.pointDecimetres + 1
        for step in 0...steps {
            let part = UInt32(truncatingIfNeeded: UInt64(share) * UInt64(step) / UInt64(steps))
            let more = UInt32(truncatingIfNeeded: UInt64(time) * UInt64(part) >> 16)
            body(line.point(isForward ? start + part : start - part), cost.milliseconds + more)
        }
    }
}

/// The geometry of an edge, to find points by their fractions.
private struct EdgeLine {
    private let points: [Coordinate]
    /// The metres from the first point to each point.
    private let metres: [Double]

    init(_ network: StreetNetwork, _ edge: Int) {
        let points = (0..<network.pointCount(edge)).map { network.point($0, of: edge) }
        let plane = LocalPlane(at: points[0])
        var metres = [0.0]
        for (point, next) in zip(points, points.dropFirst()) {
            metres.append((metres.last ?? 0) + plane.distanceMetres(point, next))
        }
        self.points = points
        self.metres = metres
    }

    /// The point at a fraction of the line, in 65,536ths.
    func point(_ fraction: UInt32) -> Coordinate {
        let wanted = (metres.last ?? 0) * Double(fraction) / Double(StreetPlace.whole)
        let end = metres.firstIndex { $0 >= wanted } ?? (metres.count - 1)
        guard end > 0 else { return points[0] }
        let length = metres[end] - metres[end - 1]
        let share = length > 0 ? min(1, (wanted - metres[end - 1]) / length) : 1
        let (from, to) = (points[end - 1], points[end])
        func between(_ first: Int32, _ last: Int32) -> Int32 {
            Int32(
                truncatingIfNeeded: Int64(first)
                    + Int64((Double(Int64(last) - Int64(first)) * share).rounded())
            )
        }
        return Coordinate(
            latitude: between(from.latitude, to.latitude),
            longitude: between(from.longitude, to.longitude)
        )
    }
}
