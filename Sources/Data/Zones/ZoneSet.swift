import Columns
package import Geo
import OpenData

/// The zones of a city, of which no two share a place.
///
/// A set comes only from ``ZoneDraft/healed()``, so that it is never empty and its zones
/// never overlap. Containment is half-open (see `Polygon`): a place on a shared border is
/// in exactly one zone.
package struct ZoneSet: Sendable {
    /// The zones in the order of their file; their areas are in one fixed form.
    package let zones: [Zone]
    /// The properties that identify and name zones.
    package let naming: ZoneNaming
    /// The repairs made to the borders, and the gaps that are left.
    package let report: ZoneReport
    /// How long taxis drive from each zone to a place.
    package let neighbours: NeighbouringZones
    private let index: PolygonIndex
    private let borders: ZoneBorders
    private let numbers: [String: Int]

    /// A set of zones that fit.
    init(_ zones: [Zone], naming: ZoneNaming, report: ZoneReport) {
        self.zones = zones
        self.naming = naming
        self.report = report
        let areas = zones.map(\.area)
        let corners = zones.reduce(0) { $0 + $1.cornerCount }
        // More cells than that do not make it faster (measured with Milan and New York).
        index = PolygonIndex(areas, cells: min(65_536, 64 + corners * 4))
        borders = ZoneBorders(areas)
        neighbours = NeighbouringZones(areas)
        numbers = Dictionary(
            zones.enumerated().map { ($1.code, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The zones of a GeoJSON file, checked and healed.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8.
    ///   - file: the name to give in errors.
    ///   - naming: which properties identify and name zones.
    /// - Returns: the healed zones.
    /// - Throws: everything that is wrong with the file.
    package static func read(
        _ bytes: [UInt8],
        file: String,
        naming: ZoneNaming = ZoneNaming()
    ) throws(ZoneFailure) -> ZoneSet {
        try ZoneDraft.read(bytes, file: file, naming: naming).healed()
    }

    /// The number of zones; at least 1.
    package var count: Int { zones.count }

    /// The zone of a number below ``count``.
    package subscript(zone: ZoneIndex) -> Zone { zones[Int(zone.rawValue)] }

    /// The zone with a code; nil if there is none.
    package func zone(code: String) -> ZoneIndex? {
        numbers[code].map { ZoneIndex(rawValue: UInt32($0)) }
    }

    /// The zone that a place is in; nil outside all.
    package func zone(at place: Coordinate) -> ZoneIndex? {
        index.first(containing: place).map { ZoneIndex(rawValue: UInt32($0)) }
    }

    /// Whether a circle around a place still touches a zone.
    ///
    /// - Parameters:
    ///   - zone: the zone, of a number below ``count``.
    ///   - place: the middle of the circle.
    ///   - radiusMetres: its radius, such as the accuracy of a position; 0 or less asks
    ///     for the place alone.
    /// - Returns: true also where the place lies in the zone.
    package func touches(
        _ zone: ZoneIndex,
        around place: Coordinate,
        radiusMetres: Double
    ) -> Bool {
        self.zone(at: place) == zone
            || borders.pass(Int(zone.rawValue), within: radiusMetres, of: place)
    }

    /// A number that differs between sets whose codes, names, order or borders differ.
    ///
    /// The xxHash64 of ``canonicalBytes``.
    package var versionHash: UInt64 {
        unsafe canonicalBytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            return unsafe Checksum.xxHash64(base, count: bytes.count)
        }
    }

    /// Codes, names and borders as bytes: the same zones always give the same ones.
    ///
    /// Numbers are little-endian and have 4 bytes. The number of zones; then of each the length
    /// and UTF-8 bytes of code and name, the number of polygons, of each the number of rings, of
    /// each the number of places, of each latitude and longitude.
    package var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: Int32) {
            for shift: Int32 in [0, 8, 16, 24] {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        append(Int32(zones.count))
        for zone in zones {
            for text in [zone.code, zone.name] {
                append(Int32(text.utf8.count))
                bytes += Array(text.utf8)
            }
            append(Int32(zone.area.polygons.count))
            for polygon in zone.area.polygons {
                append(Int32(polygon.rings.count))
                for ring in polygon.rings {
                    append(Int32(ring.points.count))
                    for place in ring.points {
                        append(place.latitude)
                        append(place.longitude)
                    }
                }
            }
        }
        return bytes
    }

    /// The zones as GeoJSON (RFC 7946) with all properties; reading it restores the set.
    package var geoJSON: [UInt8] {
        GeoJSON(
            zones.map { zone in
                let parts = zone.area.polygons
                return GeoJSON.Feature(
                    geometry: parts.count == 1 ? .polygon(parts[0]) : .multiPolygon(zone.area),
                    properties: zone.properties
                )
            }
        ).bytes
    }
}

extension ZoneSet: Equatable {
    /// Whether two sets have the same zones, regardless of what was healed.
    package static func == (first: ZoneSet, second: ZoneSet) -> Bool {
        first.zones == second.zones && first.naming == second.naming
    }
}
