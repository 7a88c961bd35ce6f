/// An area with straight edges on the map of longitudes and latitudes, and with holes.
///
/// Containment is *half-open* and exact: a place counts as lying a hair to the east of where it
/// is, and a much finer hair to the north. So a place on the common border of two areas belongs
/// to exactly one of them, and in a set of areas that covers a region without gaps every place
/// belongs to exactly one; direction and first corner of a ring do not matter.
public struct Polygon: Hashable, Sendable {
    /// The outer border of the area.
    public let outline: Ring
    /// The borders of the holes, if any.
    public let holes: [Ring]

    /// Creates an area from its borders.
    public init(outline: Ring, holes: [Ring] = []) {
        self.outline = outline
        self.holes = holes
    }

    /// The smallest box around the area.
    public var bounds: BoundingBox { outline.bounds }

    /// All borders, the outer one first.
    public var rings: [Ring] { [outline] + holes }

    /// Whether a place lies inside, by the half-open rule.
    ///
    /// - Complexity: O(n) for n points.
    public func contains(_ place: Coordinate) -> Bool {
        outline.encloses(place) && !holes.contains { $0.encloses(place) }
    }

    /// The area inside the outline minus the holes, in square metres.
    public var areaSquareMetres: Double {
        holes.reduce(outline.areaSquareMetres) { $0 - $1.areaSquareMetres }
    }
}

/// Several areas taken as one, such as a district with an exclave.
public struct MultiPolygon: Hashable, Sendable {
    /// The areas; in a valid one they do not overlap.
    public let polygons: [Polygon]

    /// Combines several areas into one.
    public init(_ polygons: [Polygon]) {
        self.polygons = polygons
    }

    /// The smallest box around all areas; nil if there are none.
    public var bounds: BoundingBox? {
        guard var box = polygons.first?.bounds else { return nil }
        for polygon in polygons { box.extend(to: polygon.bounds) }
        return box
    }

    /// Whether a place lies in one of the areas, by the half-open rule of ``Polygon``.
    public func contains(_ place: Coordinate) -> Bool {
        polygons.contains { $0.contains(place) }
    }

    /// The sum of the areas, in square metres.
    public var areaSquareMetres: Double {
        polygons.reduce(0) { $0 + $1.areaSquareMetres }
    }
}
