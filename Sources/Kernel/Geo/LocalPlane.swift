/// A flat map of the surroundings of one place, in metres east and north of it; much
/// cheaper than the sphere.
///
/// North-south distances are those of the sphere. East-west ones are those at the origin's
/// latitude: at the latitude of Milan they are exact to 0.1% within 6 km north or south of the
/// origin and to 0.5% within 30 km; the error grows with the tangent of the latitude.
public struct LocalPlane: Sendable {
    /// The place that maps to (0, 0).
    public let origin: Coordinate
    /// Metres to the east for each 1e-7 degree of longitude.
    public let metresPerLongitude: Double
    /// Metres to the north for each 1e-7 degree of latitude.
    public let metresPerLatitude: Double

    /// Metres to the north for each 1e-7 degree of latitude, everywhere.
    static let metresPerLatitude = earthRadiusMetres * (Trigonometry.pi / 180) / 1e7

    /// The plane that touches the earth at a place.
    public init(at origin: Coordinate) {
        self.origin = origin
        metresPerLatitude = Self.metresPerLatitude
        metresPerLongitude =
            Self.metresPerLatitude
            * Trigonometry.cosine(origin.latitudeDegrees * (Trigonometry.pi / 180))
    }

    /// Metres east and north of the origin.
    @inlinable
    public func project(_ place: Coordinate) -> (east: Double, north: Double) {
        (
            Double(Int64(place.longitude) &- Int64(origin.longitude)) * metresPerLongitude,
            Double(Int64(place.latitude) &- Int64(origin.latitude)) * metresPerLatitude
        )
    }

    /// The place at a point of the map, cut where the earth ends; the opposite of ``project(_:)``.
    public func place(east: Double, north: Double) -> Coordinate {
        let longitude = Int64(clamping: east / metresPerLongitude)
        let latitude = Int64(clamping: north / metresPerLatitude)
        return Coordinate(
            latitude: Coordinate.latitude(clamping: Int64(origin.latitude) + latitude),
            longitude: Coordinate.longitude(clamping: Int64(origin.longitude) + longitude)
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
