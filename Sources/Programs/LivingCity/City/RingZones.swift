import Geo
package import Streets
package import Zones

/// Zones for a city that has none: its middle, and two rings around it in eight directions each.
///
/// Where the rings lie follows from the junctions, so that a zone has about as many streets as the
/// next, whatever the city's size.
package enum RingZones {
    /// The zones of a city.
    ///
    /// - Parameter streets: its streets.
    /// - Returns: 17 zones that hold all junctions.
    /// - Throws: `ZoneFailure` where the streets are so few that zones would be nothing.
    package static func around(_ streets: StreetNetwork) throws -> ZoneSet {
        let junctions = (0..<streets.vertexCount).map {
            streets.place(of: .init(rawValue: UInt32($0)))
        }
        let middle = middle(of: junctions)
        let distances = junctions.map { middle.distanceMetres(to: $0) }.sorted()
        let share = { (part: Double) in
            distances.isEmpty ? 0 : distances[Int(Double(distances.count - 1) * part)]
        }
        // A ring is never so thin that nobody waits in it, however the junctions lie.
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
                // Each direction lies in the middle of its sector.
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
    /// How many corners a circle has.
    private static let cornerCount = 64
    private static let cornersOfSector = cornerCount / directions.count
    /// How far the outermost zones reach beyond the last junction, in metres.
    private static let marginMetres = 400.0

    /// The zone's name is its code, which is what logs and pages call it.
    private static func zone(_ name: String, _ border: Ring) throws -> Zone {
        Zone(code: name, name: name, area: MultiPolygon([Polygon(outline: border)]))
    }

    /// The border of a circle, or of a piece of a ring between two circles.
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

    /// A corner of a circle, counted from the north clockwise; the same for all who share it.
    private static func corner(_ number: Int, _ radius: Double, _ plane: LocalPlane) -> Coordinate {
        let turn = (number % cornerCount + cornerCount) % cornerCount
        let angle = Double(turn) / Double(cornerCount) * 2 * Trigonometry.pi
        return plane.place(
            east: radius * Trigonometry.sine(angle),
            north: radius * Trigonometry.cosine(angle)
        )
    }

    private static func middle(of places: [Coordinate]) -> Coordinate {
        let count = Int64(max(1, places.count))
        return Coordinate(
            latitude: Int32(places.reduce(0) { $0 + Int64($1.latitude) } / count),
            longitude: Int32(places.reduce(0) { $0 + Int64($1.longitude) } / count)
        )
    }
}
