/// A closed line: the outline of a polygon or of a hole in it.
public struct Ring: Hashable, Sendable {
    /// Its corners in order, the first repeated as the last; at least 4, all on the earth.
    public let points: [Coordinate]
    /// The smallest box around the ring.
    public let bounds: BoundingBox

    /// Why a list of points is not a ring.
    public enum Flaw: Error, Hashable, Sendable {
        /// The last point is not the first.
        case unclosed
        /// There are fewer than 3 corners.
        case tooFewCorners(Int)
        /// The numbers of a point are not those of a place on the earth.
        case offEarth(point: Int)
    }

    /// A ring from its corners, the first repeated as the last.
    public init(_ points: [Coordinate]) throws(Flaw) {
        guard let bounds = BoundingBox(around: points), points.count >= 4 else {
            throw .tooFewCorners(max(0, points.count - 1))
        }
        guard points.first == points.last else { throw .unclosed }
        if let point = points.firstIndex(where: { !$0.isOnEarth }) {
            throw .offEarth(point: point)
        }
        self.points = points
        self.bounds = bounds
    }

    /// The stretch of the ring from a corner to the next.
    ///
    /// - Parameter index: 0 to two less than the number of points.
    /// - Returns: from the point of that index to the one after it.
    @inlinable
    public func edge(_ index: Int) -> Segment {
        Segment(points[index], points[index + 1])
    }

    /// Whether the ring encloses a place, by the half-open rule of ``Polygon``.
    ///
    /// - Complexity: O(n) for n points.
    public func encloses(_ place: Coordinate) -> Bool {
        guard bounds.contains(place) else { return false }
        var isInside = false
        var previous = points[0]
        var previousIsBelow = previous.latitude <= place.latitude
        for point in points {
            let isBelow = point.latitude <= place.latitude
            if isBelow != previousIsBelow {
                // The edge is always taken upwards, so that its direction cannot matter.
                let upwards = isBelow ? Segment(point, previous) : Segment(previous, point)
                if upwards.side(of: place) > 0 { isInside.toggle() }
            }
            previous = point
            previousIsBelow = isBelow
        }
        return isInside
    }

    /// Whether a place lies on the ring itself.
    public func passes(through place: Coordinate) -> Bool {
        bounds.contains(place)
            && (0..<(points.count - 1)).contains { edge($0).contains(place) }
    }

    /// Whether the ring runs counter-clockwise, with its inside to the left; for simple rings.
    ///
    /// Decided exactly, by the turn at the southernmost (and of those westernmost) corner.
    public var isCounterClockwise: Bool {
        let corners = points.dropLast()
        guard let lowest = corners.min(by: Self.precedes),
            let position = corners.firstIndex(of: lowest)
        else { return false }
        let count = corners.count
        var before = lowest
        var after = lowest
        for step in 1..<count where before == lowest {
            before = points[(position + count - step) % count]
        }
        for step in 1..<count where after == lowest {
            after = points[(position + step) % count]
        }
        return Segment(before, lowest).side(of: after) > 0
    }

    /// The ring in the other direction.
    public var reversed: Ring {
        Ring(points: Array(points.reversed()), bounds: bounds)
    }

    /// The area inside, in square metres on the sphere, whatever the direction.
    ///
    /// Exact where edges are straight on a cylindrical equal-area map, and very near it for edges
    /// of some kilometres.
    /// Source: Chamberlain and Duquette, "Some algorithms for polygons on a sphere", 2007.
    public var areaSquareMetres: Double {
        let radians = Trigonometry.pi / 180
        let base = Trigonometry.sine(points[0].latitudeDegrees * radians)
        var sum = 0.0
        var previous = 0.0
        for index in 1..<points.count {
            let sine = Trigonometry.sine(points[index].latitudeDegrees * radians) - base
            let width = Int64(points[index].longitude) - Int64(points[index - 1].longitude)
            sum += Double(width) / 1e7 * radians * (sine + previous)
            previous = sine
        }
        return (sum / 2 * earthRadiusMetres * earthRadiusMetres).magnitude
    }

    private init(points: [Coordinate], bounds: BoundingBox) {
        self.points = points
        self.bounds = bounds
    }

    private static func precedes(_ first: Coordinate, _ second: Coordinate) -> Bool {
        (first.latitude, first.longitude) < (second.latitude, second.longitude)
    }
}
