public import Geo

/// A way through the streets, from a place to a place.
public struct StreetRoute: Sendable, Equatable {
    /// Its time and length: the sums over its stretches.
    public let cost: Cost
    /// The edges it passes, in order; the first and the last possibly in part.
    public let stretches: [Stretch]
    /// Its geometry, from the exact point where it begins to the one where it ends; at least two
    /// points, without equal neighbours where it has a length.
    public let geometry: [Coordinate]

    /// A passage of an edge, or of a part of it.
    public struct Stretch: Sendable, Equatable {
        /// The edge that is passed.
        public let edge: EdgeIndex
        /// Whether it is passed in the direction of its geometry.
        public let forward: Bool
        /// Where on the edge the passage begins, as in ``StreetPlace/fraction``.
        public let fromFraction: UInt32
        /// Where on the edge the passage ends.
        public let toFraction: UInt32
        /// The number of the street's name, see ``StreetNetwork/name(_:)``.
        public let name: UInt32
        /// The kind of the street.
        public let kind: StreetKind
        /// Further properties of the street.
        public let features: StreetFeatures
        /// The time and length of the stretch.
        public let cost: Cost
        /// Where its geometry begins in the route's geometry.
        public let firstPoint: Int
    }
}

extension StreetNetwork {
    /// The quickest way between two places (and the shortest among those), in full.
    ///
    /// Parameters are those of ``cost(from:to:by:at:using:)``.
    ///
    /// - Returns: nil if there is no way.
    public func route(
        from origin: StreetPlace,
        to destination: StreetPlace,
        by metric: StreetMetric,
        at moment: PassageMoment = .best,
        using workspace: StreetWorkspace
    ) -> StreetRoute? {
        precondition(workspace.vertexCount == vertexCount, "a workspace serves one network")
        guard
            let path = path(
                from: origin,
                to: destination,
                by: metric,
                at: moment,
                using: workspace
            )
        else { return nil }
        var builder = RouteBuilder(self)
        for step in path.steps { builder.append(step) }
        return builder.route(from: origin.point, to: destination.point)
    }
}

extension PointQuery {
    /// The arcs of the way over the vertex at which the last search's climbs met: the one on which
    /// it begins, those passed whole, and the one on which it ends.
    func way(over top: Int) -> [Int]? {
        let forward = workspace.forward
        let backward = workspace.backward
        guard let rise = branch(forward, top), let fall = branch(backward, top),
            let first = entry(forward, rise.last), let last = entry(backward, fall.last)
        else { return nil }
        var unpacking = Unpacking(network: network, metric: metric)
        for step in stride(from: rise.count - 1, to: 0, by: -1) {
            guard unpacking.append(from: rise[step], to: rise[step - 1]) else { return nil }
        }
        for step in 1..<fall.count {
            guard unpacking.append(from: fall[step - 1], to: fall[step]) else { return nil }
        }
        return [first] + unpacking.arcs + [last]
    }

    /// The vertices from the top down to where the side entered the network.
    private func branch(_ side: SearchSide, _ top: Int) -> [Int]? {
        var branch = [top]
        var vertex = top
        while side.labels[vertex].parent != SearchSide.Label.none {
            let parent = Int(side.labels[vertex].parent)
            guard parent < vertex else { return nil }
            branch.append(parent)
            vertex = parent
        }
        return branch
    }

    /// The arc by which a side entered the network at a vertex.
    private func entry(_ side: SearchSide, _ vertex: Int?) -> Int? {
        guard let vertex else { return nil }
        let cost = side.cost(vertex)
        return side.entries.first { $0.vertex == vertex && $0.cost.packed == cost }?.arc
    }
}

/// A route under construction, stretch by stretch.
struct RouteBuilder {
    private let network: StreetNetwork
    private var stretches: [StreetRoute.Stretch] = []
    private var points: [Coordinate] = []
    private var cost = Cost.zero

    init(_ network: StreetNetwork) {
        self.network = network
    }

    /// Appends the passage of a part of an arc's edge.
    mutating func append(_ step: StreetPath.Step) {
        let edge = network.arcs.edge(step.arc)
        stretches.append(
            StreetRoute.Stretch(
                edge: EdgeIndex(rawValue: UInt32(truncatingIfNeeded: edge)),
                forward: network.arcs.isForward(step.arc),
                fromFraction: step.from,
                toFraction: step.to,
                name: network.edges.name(edge),
                kind: network.edges.kind(edge),
                features: network.edges.features(edge),
                cost: step.cost,
                firstPoint: max(0, points.count - 1)
            )
        )
        cost = cost + step.cost
        appendGeometry(of: edge, from: step.from, to: step.to)
    }

    /// The finished route between two exact points.
    func route(from start: Coordinate, to end: Coordinate) -> StreetRoute {
        var geometry = points
        if geometry.isEmpty { geometry = [start] }
        geometry[0] = start
        if geometry.count == 1 { geometry.append(end) }
        geometry[geometry.count - 1] = end
        return StreetRoute(cost: cost, stretches: stretches, geometry: geometry)
    }

    /// Appends the points of an edge's geometry that lie between two fractions, ends included.
    private mutating func appendGeometry(of edge: Int, from: UInt32, to: UInt32) {
        let part = network.geometry(of: edge, from: min(from, to), to: max(from, to))
        for point in from <= to ? part : part.reversed() where points.last != point {
            points.append(point)
        }
    }
}

extension StreetNetwork {
    /// The geometry of a part of an edge, in the edge's direction.
    func geometry(of edge: Int, from: UInt32, to: UInt32) -> [Coordinate] {
        let all = (0..<pointCount(edge)).map { point($0, of: edge) }
        if from == 0, to == StreetPlace.whole { return all }
        let plane = LocalPlane(at: all[0])
        var along = [0.0]
        for (start, end) in zip(all, all.dropFirst()) {
            along.append((along.last ?? 0) + plane.distanceMetres(start, end))
        }
        let total = along.last ?? 0
        let begin = total * Double(from) / Double(StreetPlace.whole)
        let end = total * Double(to) / Double(StreetPlace.whole)
        var part = [Self.point(at: begin, all, along)]
        for (point, distance) in zip(all, along) where distance > begin && distance < end {
            part.append(point)
        }
        part.append(Self.point(at: end, all, along))
        return part
    }

    private static func point(
        at distance: Double,
        _ points: [Coordinate],
        _ along: [Double]
    ) -> Coordinate {
        for piece in 1..<points.count where along[piece] >= distance {
            let length = along[piece] - along[piece - 1]
            let share = length > 0 ? (distance - along[piece - 1]) / length : 0
            return Coordinate(
                latitude: between(points[piece - 1].latitude, points[piece].latitude, share),
                longitude: between(points[piece - 1].longitude, points[piece].longitude, share)
            )
        }
        return points[points.count - 1]
    }
}
