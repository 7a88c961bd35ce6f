public import Geo

/// A place on a street: where a way begins or ends.
public struct StreetPlace: Sendable, Equatable {
    /// The edge that the place is on.
    public let edge: EdgeIndex
    /// How far along the stretch's geometry it lies, in 65 536ths of its length, 0 to 65 536.
    public let fraction: UInt32
    /// The point on the stretch.
    public let point: Coordinate
    /// The distance from the snapped coordinate, in metres.
    public let distanceMetres: Double

    /// The fraction of a whole stretch.
    public static let whole: UInt32 = 1 << 16

    /// A place on a stretch; a fraction beyond ``whole`` is cut.
    public init(edge: EdgeIndex, fraction: UInt32, point: Coordinate, distanceMetres: Double) {
        self.edge = edge
        self.fraction = min(fraction, Self.whole)
        self.point = point
        self.distanceMetres = distanceMetres
    }
}

/// The part of an arc's cost that falls to a part of its edge.
///
/// The cost from the start of the geometry to a fraction is rounded once, and every other part is
/// a difference of two such costs, so that parts always add up to the whole.
struct PartialCost {
    private let milliseconds: UInt32
    private let decimetres: UInt32
    private let isForward: Bool

    init(milliseconds: UInt32, decimetres: UInt32, isForward: Bool) {
        self.milliseconds = milliseconds
        self.decimetres = decimetres
        self.isForward = isForward
    }

    /// The cost from one fraction of the edge to another, in the direction of the arc; never
    /// where the arc is closed or leads the other way.
    func cost(from: UInt32, to: UInt32) -> Cost {
        let low = isForward ? from : to
        let high = isForward ? to : from
        guard milliseconds < Cost.limitMilliseconds, low <= high else { return .never }
        return Cost(
            milliseconds: Self.part(milliseconds, high) &- Self.part(milliseconds, low),
            decimetres: Self.part(decimetres, high) &- Self.part(decimetres, low)
        )
    }

    /// From the arc's beginning to a fraction of its edge.
    func costFromTail(to fraction: UInt32) -> Cost {
        cost(from: isForward ? 0 : StreetPlace.whole, to: fraction)
    }

    /// From a fraction of the edge to the arc's end.
    func costToHead(from fraction: UInt32) -> Cost {
        cost(from: fraction, to: isForward ? StreetPlace.whole : 0)
    }

    private static func part(_ value: UInt32, _ fraction: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: (UInt64(value) &* UInt64(fraction) &+ 0x8000) >> 16)
    }
}
