/// A rectangle of parallels and meridians, its borders included; it does not
/// cross the 180th meridian.
public struct BoundingBox: Hashable, Sendable, BitwiseCopyable {
    /// The least latitude, in 1e-7 degrees.
    public var south: Int32
    /// The least longitude, in 1e-7 degrees.
    public var west: Int32
    /// The greatest latitude, in 1e-7 degrees.
    public var north: Int32
    /// The greatest longitude, in 1e-7 degrees.
    public var east: Int32

    /// A box by its borders; borders given the wrong way round are exchanged.
    @inlinable
    public init(south: Int32, west: Int32, north: Int32, east: Int32) {
        self.south = min(south, north)
        self.west = min(west, east)
        self.north = max(south, north)
        self.east = max(west, east)
    }

    /// The box that holds one place only.
    @inlinable
    public init(_ place: Coordinate) {
        south = place.latitude
        west = place.longitude
        north = place.latitude
        east = place.longitude
    }

    /// The smallest box around places; nil if there are none.
    public init?(around places: some Sequence<Coordinate>) {
        var iterator = places.makeIterator()
        guard let first = iterator.next() else { return nil }
        self.init(first)
        while let place = iterator.next() { extend(to: place) }
    }

    /// Whether a place lies in the box or on its border.
    @inlinable
    public func contains(_ place: Coordinate) -> Bool {
        place.latitude >= south && place.latitude <= north && place.longitude >= west
            && place.longitude <= east
    }

    /// Whether two boxes share at least a point.
    @inlinable
    public func meets(_ other: BoundingBox) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }

    /// Extends the box to hold a place.
    @inlinable
    public mutating func extend(to place: Coordinate) {
        south = min(south, place.latitude)
        west = min(west, place.longitude)
        north = max(north, place.latitude)
        east = max(east, place.longitude)
    }

    /// Extends the box to hold another box.
    @inlinable
    public mutating func extend(to other: BoundingBox) {
        south = min(south, other.south)
        west = min(west, other.west)
        north = max(north, other.north)
        east = max(east, other.east)
    }

    /// The place in the middle of the box.
    public var centre: Coordinate {
        Coordinate(
            latitude: Int32((Int64(south) + Int64(north)) / 2),
            longitude: Int32((Int64(west) + Int64(east)) / 2)
        )
    }

    /// The box with a margin around it, clipped at the ends of the map.
    ///
    /// Longitudes are widened for the border that is nearest to a pole, so that nothing within the
    /// margin is left out.
    public func expanded(byMetres metres: Double) -> BoundingBox {
        let latitudes = Int64(clamping: metres / LocalPlane.metresPerLatitude) + 1
        let farthest = max(abs(Int64(south)), abs(Int64(north))) + latitudes
        let border = Coordinate(latitude: Coordinate.latitude(clamping: farthest), longitude: 0)
        // At a pole a degree of longitude has no width; there the margin is all around.
        let width = max(LocalPlane(at: border).metresPerLongitude, 1e-9)
        let longitudes = Int64(clamping: metres / width) + 1
        return BoundingBox(
            south: Coordinate.latitude(clamping: Int64(south) - latitudes),
            west: Coordinate.longitude(clamping: Int64(west) - longitudes),
            north: Coordinate.latitude(clamping: Int64(north) + latitudes),
            east: Coordinate.longitude(clamping: Int64(east) + longitudes)
        )
    }
}
