/// A place on the earth (WGS 84), in units of 1e-7 degrees (at most 1.1 cm).
public struct Coordinate: Hashable, Sendable, BitwiseCopyable {
    /// Degrees north of the equator times 1e7, −900,000,000 to 900,000,000.
    public var latitude: Int32
    /// Degrees east of Greenwich times 1e7, −1,800,000,000 to 1,800,000,000.
    public var longitude: Int32

    /// The greatest latitude; the least is its opposite.
    public static let latitudeLimit: Int32 = 900_000_000
    /// The greatest longitude; the least is its opposite.
    public static let longitudeLimit: Int32 = 1_800_000_000

    /// The place where the equator meets the meridian of Greenwich.
    static let zero = Coordinate(latitude: 0, longitude: 0)

    /// Creates a place from fixed-point degrees.
    @inlinable
    public init(latitude: Int32, longitude: Int32) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Creates a place from degrees; nil if they are not numbers or out of range.
    public init?(latitudeDegrees: Double, longitudeDegrees: Double) {
        guard latitudeDegrees >= -90, latitudeDegrees <= 90, longitudeDegrees >= -180,
            longitudeDegrees <= 180
        else { return nil }
        latitude = Int32((latitudeDegrees * 1e7).rounded(.toNearestOrEven))
        longitude = Int32((longitudeDegrees * 1e7).rounded(.toNearestOrEven))
    }

    /// Degrees north of the equator.
    @inlinable
    public var latitudeDegrees: Double { Double(latitude) / 1e7 }
    /// Degrees east of Greenwich.
    @inlinable
    public var longitudeDegrees: Double { Double(longitude) / 1e7 }

    /// Whether both numbers lie in their ranges.
    @inlinable
    public var isOnEarth: Bool {
        latitude >= -Self.latitudeLimit && latitude <= Self.latitudeLimit
            && longitude >= -Self.longitudeLimit && longitude <= Self.longitudeLimit
    }

    /// The nearest valid latitude, in 1e-7 degrees.
    static func latitude(clamping value: Int64) -> Int32 {
        Int32(max(-Int64(latitudeLimit), min(Int64(latitudeLimit), value)))
    }

    /// The nearest valid longitude, in 1e-7 degrees.
    static func longitude(clamping value: Int64) -> Int32 {
        Int32(max(-Int64(longitudeLimit), min(Int64(longitudeLimit), value)))
    }
}

extension Int64 {
    /// The nearest whole number, within ±2e18; 0 if the value is not a number.
    init(clamping value: Double) {
        guard value == value else {
            self = 0
            return
        }
        self = Int64(Swift.max(-2e18, Swift.min(2e18, value)).rounded(.toNearestOrEven))
    }
}
