/// The point of a line that is nearest to a place.
public struct FootPoint: Sendable, Equatable {
    /// Which segment of the line it lies on, 0 for the first.
    public let segment: Int
    /// How far along the segment it lies, 0 for its beginning to 1 for its end.
    public let fraction: Double
    /// The position of the point, rounded to 1e-7 degrees.
    public let place: Coordinate
    /// The distance from the given place, in metres on the plane.
    public let metres: Double
}

extension LocalPlane {
    /// The distance from a place to a segment, in metres, and how far along the segment the
    /// nearest point lies (0 to 1; 0 on a segment without length).
    @inlinable
    public func distance(
        of place: Coordinate,
        from start: Coordinate,
        to end: Coordinate
    ) -> (metres: Double, fraction: Double) {
        let (placeEast, placeNorth) = offset(from: start, to: place)
        let (endEast, endNorth) = offset(from: start, to: end)
        let square = endEast * endEast + endNorth * endNorth
        let along = placeEast * endEast + placeNorth * endNorth
        let fraction = square > 0 ? max(0, min(1, along / square)) : 0
        let east = placeEast - fraction * endEast
        let north = placeNorth - fraction * endNorth
        return ((east * east + north * north).squareRoot(), fraction)
    }

    /// The point of a segment that is nearest to a place.
    public func footPoint(
        of place: Coordinate,
        from start: Coordinate,
        to end: Coordinate
    ) -> FootPoint {
        let (metres, fraction) = distance(of: place, from: start, to: end)
        return FootPoint(
            segment: 0,
            fraction: fraction,
            place: Self.between(start, end, fraction),
            metres: metres
        )
    }

    /// The point of a line that is nearest to a place, the first of equally near ones; nil for a
    /// line without points.
    public func footPoint(of place: Coordinate, on line: [Coordinate]) -> FootPoint? {
        guard let first = line.first else { return nil }
        var best = FootPoint(
            segment: 0,
            fraction: 0,
            place: first,
            metres: distanceMetres(first, place)
        )
        for segment in 0..<(line.count - 1) {
            let start = line[segment]
            let end = line[segment + 1]
            let (metres, fraction) = distance(of: place, from: start, to: end)
            guard metres < best.metres else { continue }
            best = FootPoint(
                segment: segment,
                fraction: fraction,
                place: Self.between(start, end, fraction),
                metres: metres
            )
        }
        return best
    }

    /// Metres east and north from one place to another.
    @inlinable
    func offset(from start: Coordinate, to end: Coordinate) -> (east: Double, north: Double) {
        (
            Double(Int64(end.longitude) &- Int64(start.longitude)) * metresPerLongitude,
            Double(Int64(end.latitude) &- Int64(start.latitude)) * metresPerLatitude
        )
    }

    private static func between(
        _ start: Coordinate,
        _ end: Coordinate,
        _ fraction: Double
    ) -> Coordinate {
        let latitude = Double(Int64(end.latitude) &- Int64(start.latitude)) * fraction
        let longitude = Double(Int64(end.longitude) &- Int64(start.longitude)) * fraction
        return Coordinate(
            latitude: start.latitude &+ Int32(truncatingIfNeeded: Int64(clamping: latitude)),
            longitude: start.longitude &+ Int32(truncatingIfNeeded: Int64(clamping: longitude))
        )
    }
}
