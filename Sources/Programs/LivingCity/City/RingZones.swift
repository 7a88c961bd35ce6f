import Geo
package import Streets
package import Zones

/// Draws zones for a city that has none: a centre, and two rings around it in eight sectors each.
///
/// The radii of the rings follow from the junctions, so that all zones have about the same number
/// of streets, whatever the size of the city.
package enum RingZones {
    /// Draws the zones of a city.
    ///
    /// - Parameter streets: the street network of the city.
    /// - Returns: 17 zones that contain all junctions.
    /// - Throws: `ZoneFailure` where there are too few streets for valid zones.
    package static func around(_ streets: StreetNetwork) throws -> ZoneSet {
        let junctions = (0..<streets.vertexCount).map {
            streets.place(of: .init(rawValue: UInt32($0)))
        }
        let middle = middle(of: junctions)
        let distances = junctions.map { middle.distanceMetres(to: $0) }.sorted()
        let share = { (part: Double) in
            distances.isEmpty ? 0 : distances[Int(Double(distances.count - 1) * part)]
        }
        // A minimum width, so that each ring contains streets to wait on, wherever the junctions
        // lie.
        let whole = share(1) + marginMetres
        let radii = [
            min(max(share(0.2), 0.25 * whole), 0.4 * whole),
            min(max(share(0.55), 0.55 * whole), 0.75 * whole),
            whole,
        ]
        let plane = LocalPlane(at: middle)
        var zones = [try zone("Centro", ring(0..<cornerCount, radii[0], nil, plane))]
        for (prefix, inner, outer) in [
            ("Porta", radii[0], radii[1]), ("Borgo", radii[1], radii[2]),
        ] {
            for (number, direction) in directions.enumerated() {
                // Each compass direction lies in the middle of its sector.
                let first = number * cornersOfSector - cornersOfSector / 2
                let corners = first..<(first + cornersOfSector + 1)
                let border = try ring(corners, outer, inner, plane)
                zones.append(try zone("\(prefix) \(direction)", border))
            }
        }
        return try ZoneDraft(zones).healed()
    }

    private static let directions = [
        "Nord", "Nord-Est", "Est", "Sud-Est", "Sud", "Sud-Ovest", "Ovest", "Nord-Ovest",
    ]
    /// How many corners approximate a circle.
    private static let cornerCount = 64
    private static let cornersOfSector = cornerCount / directions.count
    /// How far the outermost zones extend beyond the last junction, in metres.
    private static let marginMetres = 400.0

    /// A zone whose name is also its code, which logs and pages show.
    private static func zone(_ name: String, _ border: Ring) throws -> Zone {
        Zone(code: name, name: name, area: MultiPolygon([Polygon(outline: border)]))
    }

    /// The border of a circle, or of a sector of the ring between two circles.
    private static func ring(
        _ corners: Range<Int>,
        _ outer: Double,
        _ inner: Double?,
        _ plane: LocalPlane
    ) throws -> Ring {
        var points = corners.map { corner($0, outer, plane) }
        if let inner { points += corners.reversed().map { corner($0, inner, plane) } }
        return try Ring(points + points.prefix(1))
    }

    /// A corner of a circle, counted clockwise from north; identical for all zones that share it.
    private static func corner(_ number: Int, _ radius: Double, _ plane: LocalPlane) -> Coordinate {
        let turn = (number % cornerCount + cornerCount) % cornerCount
        let angle = Double(turn) / Double(cornerCount) * 2 * Trigonometry.pi
        return plane.place(
            east: radius * Trigonometry.sine(angle),
            north: radius * Trigonometry.cosine(angle)
        )
    }

    /// The middle of places; a place without meaning if there are none.
    static func middle(of places: [Coordinate]) -> Coordinate {
        let count = Int64(max(1, places.count))
        return Coordinate(
            latitude: Int32(places.reduce(0) { $0 + Int64($1.latitude) } / count),
            longitude: Int32(places.reduce(0) { $0 + Int64($1.longitude) } / count)
        )
    }
}
