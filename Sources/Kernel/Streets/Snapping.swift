public import Geo

extension StreetNetwork {
    /// How far a place may lie from the nearest street of a large part, to which it is joined by a
    /// straight line, in metres.
    public static let joinMetresLimit = 1_000.0

    /// The places on the streets nearest to a coordinate that a profile can use, the nearest first.
    ///
    /// Edges, not junctions, are searched. Edges from which the profile can reach the rest of the
    /// network come first, so that a place on an islet is joined to the nearest large part. Those
    /// of islands (a courtyard behind a gate, the far end of a one-way street that leaves the map)
    /// are taken only if there is no other within the radius, so that paths inside an island are
    /// found. At equal distances the edge with the smaller number wins.
    ///
    /// - Parameters:
    ///   - coordinate: the position to snap.
    ///   - profile: the mode of travel.
    ///   - moment: the hour at which streets must be open.
    ///   - count: the greatest number of places, each on a different edge.
    ///   - radiusMetres: the greatest distance.
    /// - Returns: at most `count` places; empty if there is no usable street.
    public func snap(
        _ coordinate: Coordinate,
        for profile: Profile,
        at moment: PassageMoment = .best,
        count: Int = 1,
        within radiusMetres: Double = Self.joinMetresLimit
    ) -> [StreetPlace] {
        guard count > 0, radiusMetres >= 0 else { return [] }
        let plane = LocalPlane(at: coordinate)
        let times = PassageTimes(self, metric(profile), moment.frozen)
        for use in [EdgeUse.main(profile), .open(profile)] {
            let found = nearest(coordinate, plane, count, radiusMetres) { edge in
                !edges.use(edge).isDisjoint(with: use) && (times.isBest || isOpen(edge, times))
            }
            if !found.isEmpty { return found.map { place(of: $0, plane) } }
        }
        return []
    }

    /// Whether a coordinate lies on an islet: on streets from which nothing leads to the place
    /// where ``snap(_:for:at:count:within:)`` joins it to the network.
    ///
    /// Between them the map knows no way.
    ///
    /// - Parameters:
    ///   - coordinate: the position that was snapped.
    ///   - place: the place found for it.
    ///   - profile: the mode of travel.
    /// - Returns: whether a street of an islet is nearer than the place.
    public func isOnIslet(
        _ coordinate: Coordinate,
        joinedTo place: StreetPlace,
        for profile: Profile
    ) -> Bool {
        let plane = LocalPlane(at: coordinate)
        let found = nearest(coordinate, plane, 1, place.distanceMetres) { edge in
            edges.features(edge).contains(.islet)
                || edges.use(edge).isSuperset(of: .open(profile))
                    && edges.use(edge).isDisjoint(with: .main(profile))
        }
        return found.first.map { $0.edge != Int(place.edge.rawValue) } ?? false
    }

    private func isOpen(_ edge: Int, _ times: PassageTimes) -> Bool {
        edges.arcRange(edge).contains { position in
            let arc = edges.arc(position, below: arcCount)
            return times.cost(arc, after: 0) < Cost.packedNever
        }
    }

    /// A candidate: an edge and its point nearest to the coordinate.
    struct Foot {
        var edge: Int
        /// The piece of the geometry on which it lies, by its position.
        var piece = 0
        /// The distance along that piece, 0 to 1.
        var share = 0.0
        var squaredDistance = Double.infinity

        func isNearer(than other: Foot) -> Bool {
            (squaredDistance, edge) < (other.squaredDistance, other.edge)
        }
    }

    private func nearest(
        _ coordinate: Coordinate,
        _ plane: LocalPlane,
        _ count: Int,
        _ radius: Double,
        _ isWanted: (Int) -> Bool
    ) -> [Foot] {
        var found: [Foot] = []
        grid.context(around: coordinate, plane) {
            found.count < count ? radius : (found.last?.squaredDistance ?? 0).squareRoot()
        } body: { edge in
            guard edge < edgeCount, isWanted(edge) else { return }
            let foot = foot(on: edge, plane)
            guard foot.squaredDistance <= radius * radius else { return }
            if found.count == count, let last = found.last, !foot.isNearer(than: last) { return }
            if found.contains(where: { $0.edge == edge }) { return }
            let position = found.firstIndex { foot.isNearer(than: $0) } ?? found.count
            found.insert(foot, at: position)
            if found.count > count { found.removeLast() }
        }
        return found
    }

    /// The point of an edge nearest to the origin of a plane; the first of several.
    func foot(on edge: Int, _ plane: LocalPlane) -> Foot {
        var best = Foot(edge: edge)
        var start = plane.project(point(0, of: edge))
        for piece in 0..<pointCount(edge) - 1 {
            let end = plane.project(point(piece + 1, of: edge))
            let east = end.east - start.east
            let north = end.north - start.north
            let square = east * east + north * north
            var share = 0.0
            if square > 0 {
                share = min(1, max(0, -(start.east * east + start.north * north) / square))
            }
            let footEast = start.east + share * east
            let footNorth = start.north + share * north
            let distance = footEast * footEast + footNorth * footNorth
            if distance < best.squaredDistance {
                best.piece = piece
                best.share = share
                best.squaredDistance = distance
            }
            start = end
        }
        return best
    }

    private func place(of foot: Foot, _ plane: LocalPlane) -> StreetPlace {
        var before = 0.0
        var total = 0.0
        for piece in 0..<pointCount(foot.edge) - 1 {
            let length = plane.distanceMetres(
                point(piece, of: foot.edge),
                point(piece + 1, of: foot.edge)
            )
            if piece < foot.piece { before += length }
            if piece == foot.piece { before += foot.share * length }
            total += length
        }
        let fraction = total > 0 ? min(1, before / total) : 0
        let start = point(foot.piece, of: foot.edge)
        let end = point(foot.piece + 1, of: foot.edge)
        return StreetPlace(
            edge: EdgeIndex(rawValue: UInt32(truncatingIfNeeded: foot.edge)),
            fraction: UInt32((fraction * Double(StreetPlace.whole)).rounded()),
            point: Coordinate(
                latitude: Self.between(start.latitude, end.latitude, foot.share),
                longitude: Self.between(start.longitude, end.longitude, foot.share)
            ),
            distanceMetres: foot.squaredDistance.squareRoot()
        )
    }

    static func between(_ start: Int32, _ end: Int32, _ share: Double) -> Int32 {
        let difference = Double(Int64(end) - Int64(start)) * share
        return Int32(clamping: Int64(start) + Int64(difference.rounded()))
    }
}
