import Geo
import Zones

/// The zone look-up in PostGIS, for comparison.
enum PostGISPeer {
    private static let depth = 1_000

    /// Creates the table of zones with its index.
    static func makeZones(_ zones: ZoneSet, on link: PostgresLink) throws {
        try link.run(
            """
            SET client_min_messages = warning;
            CREATE EXTENSION IF NOT EXISTS postgis;
            DROP TABLE IF EXISTS zone CASCADE;
            CREATE TABLE zone (id int PRIMARY KEY, area geometry(MultiPolygon, 4326) NOT NULL);
            """
        )
        try link.prepare(
            "zone",
            "INSERT INTO zone VALUES ($1::int, ST_GeomFromText($2::text, 4326))"
        )
        _ = try link.run(
            zones.zones.enumerated().map { ("zone", ["\($0.offset)", text(of: $0.element.area)]) }
        )
        try link.run("CREATE INDEX zone_area ON zone USING gist (area); ANALYZE zone")
    }

    /// The look-ups a second of one connection, in pipelines of a thousand, and how
    /// many places had a zone.
    static func rate(
        _ address: String,
        _ zones: ZoneSet,
        _ places: [Coordinate]
    ) throws -> (rate: Double, found: Int) {
        let link = try PostgresLink(address)
        try makeZones(zones, on: link)
        try link.prepare(
            "find",
            """
            SELECT id FROM zone
            WHERE ST_Contains(area, ST_SetSRID(ST_MakePoint($1::float8, $2::float8), 4326))
            """
        )
        var found = 0
        let taken = try seconds {
            for start in stride(from: 0, to: places.count, by: depth) {
                let part = places[start..<min(start + depth, places.count)]
                let answers = try link.run(part.map { ("find", degrees($0)) })
                found += answers.count { $0 != nil }
            }
        }
        return (Double(places.count) / taken, found)
    }

    /// A place in the order of PostGIS: longitude, then latitude.
    static func degrees(_ place: Coordinate) -> [String] {
        ["\(place.longitudeDegrees)", "\(place.latitudeDegrees)"]
    }

    private static func text(of area: MultiPolygon) -> String {
        let polygons = area.polygons.map { polygon in
            let rings = polygon.rings.map { ring in
                let points = ring.points.map { degrees($0).joined(separator: " ") }
                return "(\(points.joined(separator: ",")))"
            }
            return "(\(rings.joined(separator: ",")))"
        }
        return "MULTIPOLYGON(\(polygons.joined(separator: ",")))"
    }
}
