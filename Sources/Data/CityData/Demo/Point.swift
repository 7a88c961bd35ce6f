import Geo

/// A place of the demo city, or a way from one to another, in metres.
struct Point: Equatable, Sendable {
    /// Metres east of the cathedral.
    var x: Double
    /// Metres north of the cathedral.
    var y: Double

    /// The origin, at the cathedral.
    static let zero = Point(x: 0, y: 0)

    /// The point at a distance in a direction, radians counterclockwise from east.
    init(angle: Double, distance: Double) {
        x = Trigonometry.cosine(angle) * distance
        y = Trigonometry.sine(angle) * distance
    }

    /// A point by its coordinates.
    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    static func + (left: Point, right: Point) -> Point {
        Point(x: left.x + right.x, y: left.y + right.y)
    }

    static func - (left: Point, right: Point) -> Point {
        Point(x: left.x - right.x, y: left.y - right.y)
    }

    static func * (point: Point, factor: Double) -> Point {
        Point(x: point.x * factor, y: point.y * factor)
    }

    /// The scalar product of two vectors.
    func dot(_ other: Point) -> Double { x * other.x + y * other.y }

    /// The cross product; positive where `other` lies to the left.
    func cross(_ other: Point) -> Double { x * other.y - y * other.x }

    /// The distance from the origin.
    var length: Double { (x * x + y * y).squareRoot() }

    /// The distance to another place, in metres.
    func distance(to other: Point) -> Double { (other - self).length }

    /// The direction, in radians counterclockwise from east, −π to π.
    var angle: Double { Trigonometry.angle(y: y, x: x) }

    /// The unit vector in the same direction; east for the zero vector.
    var unit: Point {
        let length = length
        return length > 0 ? self * (1 / length) : Point(x: 1, y: 0)
    }

    /// The same vector turned a quarter to the left.
    var left: Point { Point(x: -y, y: x) }

    /// The place at a share of the way to another, 0 for here and 1 for there.
    func toward(_ other: Point, _ share: Double) -> Point {
        self + (other - self) * share
    }
}
