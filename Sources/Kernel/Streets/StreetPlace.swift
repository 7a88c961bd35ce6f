public import Geo

/// A place on a street: where a way begins or ends.
public struct StreetPlace: Sendable, Equatable {
    /// The edge that the place is on.
    public let edge: EdgeIndex
    /// How far along the edge's geometry it lies, in 65,536ths of its length.
    public let fraction: UInt32
    /// The point on the edge.
    public let point: Coordinate
    /// The distance from the snapped coordinate, in metres.
    public let distanceMetres: Double
    /// The direction in which a way that begins here leaves, such as that of a car that is moving:
    /// true along the geometry of the edge, false against it; nil for either.
    public var leavesForward: Bool?

    /// The fraction of a whole edge: 65,536.
    public static let whole: UInt32 = 1 << 16

    /// Creates a place on an edge; a fraction beyond ``whole`` is clamped.
    public init(edge: EdgeIndex, fraction: UInt32, point: Coordinate, distanceMetres: Double) {
        self.edge = edge
        self.fraction = min(fraction, Self.whole)
        self.point = point
        self.distanceMetres = distanceMetres
    }

    /// Whether a way that begins here may pass the edge in a direction.
    func leaves(forward isForward: Bool) -> Bool { leavesForward.map { $0 == isForward } ?? true }

    /// The fraction of a whole amount that a part of it makes up, at most ``whole``.
    static func fraction(_ part: UInt32, of amount: UInt32) -> UInt32 {
        guard part < amount else { return whole }
        return UInt32(truncatingIfNeeded: (UInt64(part) << 16) / UInt64(amount))
    }
}

extension StreetNetwork {
    /// The direction of a street at a place, along the geometry of its edge, in degrees clockwise
    /// from north, 0 ..< 360.
    public func bearingDegrees(at place: StreetPlace) -> Double {
        let edge = Int(truncatingIfNeeded: place.edge.rawValue)
        let half = min(max(place.fraction, 1), StreetPlace.whole - 1)
        // An edge without length has no direction.
        let before = geometry(of: edge, from: 0, to: half)
        let after = geometry(of: edge, from: half, to: StreetPlace.whole)
        guard let point = after.first else { return 0 }
        let from = before.last { $0 != point } ?? point
        let to = after.first { $0 != point } ?? point
        return from.bearingDegrees(to: to)
    }
}

/// The cost of an arc, divided among the parts of its edge.
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

    /// The cost from one fraction of the edge to another, in the direction of the arc; never if the
    /// arc is closed or leads the other way.
    func cost(from: UInt32, to: UInt32) -> Cost {
        let low = isForward ? from : to
        let high = isForward ? to : from
        guard milliseconds < Cost.limitMilliseconds, low <= high else { return .never }
        return Cost(
            milliseconds: Self.part(milliseconds, high) &- Self.part(milliseconds, low),
            decimetres: Self.part(decimetres, high) &- Self.part(decimetres, low)
        )
    }

    /// The cost from the arc's beginning to a fraction of its edge.
    func costFromTail(to fraction: UInt32) -> Cost {
        cost(from: isForward ? 0 : StreetPlace.whole, to: fraction)
    }

    /// The cost from a fraction of the edge to the arc's end.
    func costToHead(from fraction: UInt32) -> Cost {
        cost(from: fraction, to: isForward ? StreetPlace.whole : 0)
    }

    private static func part(_ value: UInt32, _ fraction: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: (UInt64(value) &* UInt64(fraction) &+ 0x8000) >> 16)
    }
}
