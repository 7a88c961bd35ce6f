/// A place on the earth (WGS 84), in units of 1e-7 degrees (at most 1.1 cm).
public struct Coordinate: Hashable, Sendable, BitwiseCopyable {
    /// Degrees north of the equator times 1e7, −900 000 000 to 900 000 000.
    public var latitude: Int32
    /// Degrees east of Greenwich times 1e7, −1 800 000 000 to 1 800 000 000.
    public var longitude: Int32

    /// A place from fixed-point degrees.
    @inlinable
    public init(latitude: Int32, longitude: Int32) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// A place from degrees; nil where they are not numbers or out of range.
    public init?(latitudeDegrees: Double, longitudeDegrees: Double) {
        guard latitudeDegrees >= -90, latitudeDegrees <= 90, longitudeDegrees >= -180,
            longitudeDegrees <= 180
        else { return nil }
        latitude = Int32((latitudeDegrees * 1e7).rounded())
        longitude = Int32((longitudeDegrees * 1e7).rounded())
    }

    /// Degrees north of the equator.
    @inlinable
    public var latitudeDegrees: Double { Double(latitude) / 1e7 }
    /// Degrees east of Greenwich.
    @inlinable
    public var longitudeDegrees: Double { Double(longitude) / 1e7 }
}
