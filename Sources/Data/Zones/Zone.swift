package import Geo
package import OpenData

/// A zone of a city, by its place in a ``ZoneSet``: 0 for the first.
package struct ZoneIndex: RawRepresentable, Hashable, Comparable, Sendable {
    /// The position in the set.
    package let rawValue: UInt32

    /// Creates the index of a zone.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Orders zones by their position in the set.
    package static func < (first: ZoneIndex, second: ZoneIndex) -> Bool {
        first.rawValue < second.rawValue
    }
}

/// A part of a city with its own taxi queue.
package struct Zone: Hashable, Sendable {
    /// The identifier in the zone set and in logs.
    package let code: String
    /// The name to display; need not be unique.
    package let name: String
    /// Where it is; possibly in several parts, and with holes.
    package let area: MultiPolygon
    /// All properties of the zone in its file.
    package let properties: JSONObject

    /// Creates a zone from its parts.
    package init(
        code: String,
        name: String,
        area: MultiPolygon,
        properties: JSONObject = JSONObject()
    ) {
        self.code = code
        self.name = name
        self.area = area
        self.properties = properties
    }

    /// The same zone with another area, name or properties.
    func with(
        area: MultiPolygon? = nil,
        name: String? = nil,
        properties: JSONObject? = nil
    ) -> Zone {
        Zone(
            code: code,
            name: name ?? self.name,
            area: area ?? self.area,
            properties: properties ?? self.properties
        )
    }

    /// The number of corners of all its borders.
    var cornerCount: Int {
        area.polygons.reduce(0) { sum, polygon in
            sum + polygon.rings.reduce(0) { $0 + $1.points.count - 1 }
        }
    }
}
