/// A flat map of the surroundings of one place, in metres east and north of it: exact to 0.1%
/// within some tens of kilometres, and much cheaper than the sphere.
public struct LocalPlane: Sendable {
    /// The place that maps to (0, 0).
    public let origin: Coordinate
    /// Metres to the east for each 1e-7 degree of longitude.
    public let metresPerLongitude: Double
    /// Metres to the north for each 1e-7 degree of latitude.
    public let metresPerLatitude: Double

    /// The plane that touches the earth at a place.
    public init(at origin: Coordinate) {
        self.origin = origin
        let radians = Trigonometry.pi / 180
        metresPerLatitude = earthRadiusMetres * radians / 1e7
        metresPerLongitude =
            metresPerLatitude * Trigonometry.cosine(origin.latitudeDegrees * radians)
    }

    /// Metres east and north of the origin.
    @inlinable
    public func project(_ place: Coordinate) -> (east: Double, north: Double) {
        (
            Double(Int64(place.longitude) &- Int64(origin.longitude)) * metresPerLongitude,
            Double(Int64(place.latitude) &- Int64(origin.latitude)) * metresPerLatitude
        )
    }

    /// The distance between two places near the origin, in metres.
    @inlinable
    public func distanceMetres(_ first: Coordinate, _ second: Coordinate) -> Double {
        let east = Double(Int64(second.longitude) &- Int64(first.longitude)) * metresPerLongitude
        let north = Double(Int64(second.latitude) &- Int64(first.latitude)) * metresPerLatitude
        return (east * east + north * north).squareRoot()
    }
}
