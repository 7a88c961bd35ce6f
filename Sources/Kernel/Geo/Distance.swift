/// The mean radius of the earth in metres (IUGG).
public let earthRadiusMetres = 6_371_008.8

extension Coordinate {
    /// The great-circle distance to another place, in metres, on a sphere.
    ///
    /// The chord between the two points in space gives the angle without
    /// cancellation at any distance.
    public func distanceMetres(to other: Coordinate) -> Double {
        let radians = Trigonometry.pi / 180
        let latitude1 = latitudeDegrees * radians
        let latitude2 = other.latitudeDegrees * radians
        let sineLatitude = Trigonometry.sine((latitude2 - latitude1) / 2)
        let longitude = Double(Int64(other.longitude) - Int64(self.longitude)) / 1e7 * radians
        let sineLongitude = Trigonometry.sine(longitude / 2)
        let chord =
            sineLatitude * sineLatitude
            + Trigonometry.cosine(latitude1) * Trigonometry.cosine(latitude2) * sineLongitude
            * sineLongitude
        let square = min(1, max(0, chord))
        return 2 * earthRadiusMetres
            * Trigonometry.angle(y: square.squareRoot(), x: (1 - square).squareRoot())
    }

    /// The initial bearing towards another place, in degrees clockwise from north, 0 ..< 360.
    public func bearingDegrees(to other: Coordinate) -> Double {
        let radians = Trigonometry.pi / 180
        let latitude1 = latitudeDegrees * radians
        let latitude2 = other.latitudeDegrees * radians
        let longitude = Double(Int64(other.longitude) - Int64(self.longitude)) / 1e7 * radians
        let y = Trigonometry.sine(longitude) * Trigonometry.cosine(latitude2)
        let x =
            Trigonometry.cosine(latitude1) * Trigonometry.sine(latitude2)
            - Trigonometry.sine(latitude1) * Trigonometry.cosine(latitude2)
            * Trigonometry.cosine(longitude)
        let degrees = Trigonometry.angle(y: y, x: x) / radians
        return degrees < 0 ? degrees + 360 : degrees
    }
}
