/// A straight line between two places on the map of longitudes and latitudes,
/// with exact predicates.
///
/// A side is decided by comparing two products, each of a difference of longitudes (at most
/// 3.6e9) and one of latitudes (at most 1.8e9), so that both fit in 64 bits and nothing is
/// rounded. Numbers outside the ranges of ``Coordinate`` give some answer and do not trap.
public struct Segment: Hashable, Sendable, BitwiseCopyable {
    /// The first end of the segment.
    public var start: Coordinate
    /// The second end of the segment.
    public var end: Coordinate

    /// Creates the segment between two places.
    @inlinable
    public init(_ start: Coordinate, _ end: Coordinate) {
        self.start = start
        self.end = end
    }

    /// The side of a place, seen from the start towards the end: 1 for left, −1 for right, 0 for
    /// on the infinite line.
    @inlinable
    public func side(of place: Coordinate) -> Int32 {
        let endEast = Int64(end.longitude) &- Int64(start.longitude)
        let endNorth = Int64(end.latitude) &- Int64(start.latitude)
        let placeEast = Int64(place.longitude) &- Int64(start.longitude)
        let placeNorth = Int64(place.latitude) &- Int64(start.latitude)
        let left = endEast &* placeNorth
        let right = placeEast &* endNorth
        return left > right ? 1 : left < right ? -1 : 0
    }

    /// The smallest box around the segment.
    @inlinable
    public var bounds: BoundingBox {
        BoundingBox(
            south: start.latitude,
            west: start.longitude,
            north: end.latitude,
            east: end.longitude
        )
    }

    /// Whether a place lies on the segment, ends included.
    @inlinable
    public func contains(_ place: Coordinate) -> Bool {
        bounds.contains(place) && side(of: place) == 0
    }

    /// How two segments meet.
    public enum Meeting: Hashable, Sendable {
        /// They share no point.
        case apart
        /// They share one point, which is an end of at least one of them.
        case touch
        /// They share one point inside both.
        case cross
        /// They share more than one point.
        case overlap
    }

    /// How this segment meets another.
    public func meeting(_ other: Segment) -> Meeting {
        guard bounds.meets(other.bounds) else { return .apart }
        let otherStart = side(of: other.start)
        let otherEnd = side(of: other.end)
        let ownStart = other.side(of: start)
        let ownEnd = other.side(of: end)
        if otherStart * otherEnd > 0 || ownStart * ownEnd > 0 { return .apart }
        if otherStart * otherEnd < 0 && ownStart * ownEnd < 0 { return .cross }
        // Some end lies on the other's line; count the different ends that lie on both.
        var shared: Coordinate?
        let ends = [
            (start, other.contains(start)), (end, other.contains(end)),
            (other.start, contains(other.start)), (other.end, contains(other.end)),
        ]
        for (place, isShared) in ends where isShared {
            if let known = shared, known != place { return .overlap }
            shared = place
        }
        return shared == nil ? .apart : .touch
    }
}
