import Journeys
import OpenData

/// Maps tags to classes of map features.
///
/// Source: OSM wiki, "Map features".
enum MapTags {
    /// The appearance of a line.
    struct LineStyle: Hashable {
        /// The class of the line.
        var mapClass: MapClass
        /// Whether it runs in a tunnel or on a bridge.
        var flags: MapFlags
        /// The farthest range that shows it: not far for slip roads, near only for sidings.
        var farthest = MapRange.far
    }

    /// The class of a closed way or multipolygon; nil if it is no area that the map shows.
    static func area(_ tags: OSMTags) -> MapClass? {
        guard !tags.isEmpty, tags["building"] == nil else { return nil }
        switch tags["natural"] {
        case "water": return .water
        case "wood", "scrub": return .wood
        case "grassland", "heath": return .grass
        default: break
        }
        switch tags["waterway"] {
        case "riverbank", "dock": return .water
        default: break
        }
        if let landuse = tags["landuse"].flatMap({ landuse($0) }) { return landuse }
        switch tags["leisure"] {
        case "park", "garden", "nature_reserve": return .park
        case "pitch", "golf_course", "recreation_ground", "common": return .grass
        default: break
        }
        return tags["water"] == nil || tags["highway"] != nil ? nil : .water
    }

    private static func landuse(_ value: String) -> MapClass? {
        switch value {
        case "reservoir", "basin": .water
        case "residential": .residential
        case "commercial", "retail": .commercial
        case "industrial": .industrial
        case "forest": .wood
        case "grass", "meadow", "recreation_ground", "cemetery", "village_green", "allotments":
            .grass
        default: nil
        }
    }

    /// The style of a way drawn as a line; nil if the map does not show it.
    static func line(_ tags: OSMTags) -> LineStyle? {
        guard !tags.isEmpty else { return nil }
        let mapClass: MapClass
        var farthest = MapRange.far
        if let value = tags["highway"] {
            guard tags["area"] != "yes", let street = street(value, tags) else { return nil }
            mapClass = street
            if value.hasSuffix("_link") { farthest = .middle }
        } else if let value = tags["railway"], let rail = rail(value) {
            mapClass = rail
            if tags["service"] != nil { farthest = .near }
        } else if let value = tags["waterway"], let water = waterway(value) {
            mapClass = water
        } else if tags["natural"] == "coastline" {
            mapClass = .coastline
        } else {
            return nil
        }
        var flags: MapFlags = []
        if isSaid(tags["tunnel"]) { flags.insert(.tunnel) }
        if isSaid(tags["bridge"]) { flags.insert(.bridge) }
        return LineStyle(mapClass: mapClass, flags: flags, farthest: farthest)
    }

    private static func street(_ value: String, _ tags: OSMTags) -> MapClass? {
        switch value {
        case "motorway", "motorway_link", "trunk", "trunk_link": return .motorway
        case "primary", "primary_link": return .primary
        case "secondary", "secondary_link": return .secondary
        case "tertiary", "tertiary_link": return .tertiary
        case "residential", "unclassified", "living_street", "pedestrian", "road", "busway":
            return .minor
        case "service": return .service
        case "footway", "path", "cycleway", "track", "steps", "bridleway":
            // Pavements and crossings would only double the street beside them.
            let kind = tags["footway"]
            return kind == "sidewalk" || kind == "crossing" ? nil : .path
        default: return nil
        }
    }

    private static func rail(_ value: String) -> MapClass? {
        switch value {
        case "rail", "narrow_gauge": .rail
        case "light_rail", "monorail", "funicular": .lightRail
        case "subway": .subway
        case "tram": .tram
        default: nil
        }
    }

    private static func waterway(_ value: String) -> MapClass? {
        switch value {
        case "river": .river
        case "canal": .canal
        case "stream": .stream
        default: nil
        }
    }

    /// The class and importance of a named node; nil if the map does not show it.
    static func place(_ tags: OSMTags) -> (mapClass: MapClass, rank: UInt8)? {
        if let value = tags["place"], let (mapClass, usual) = settlement(value) {
            let stated = tags["population"].flatMap { UInt32($0) } ?? 0
            return (mapClass, rank(ofInhabitants: stated > 0 ? stated : usual))
        }
        switch tags["railway"] {
        case "station": return (.station, rank(ofInhabitants: 2_000))
        case "halt": return (.station, rank(ofInhabitants: 500))
        default: return nil
        }
    }

    /// The class of a `place` value, and how many people usually live in such a place.
    private static func settlement(_ value: String) -> (MapClass, UInt32)? {
        switch value {
        case "city": (.city, 200_000)
        case "town": (.town, 15_000)
        case "village": (.village, 1_500)
        case "hamlet": (.hamlet, 100)
        case "suburb", "borough": (.suburb, 10_000)
        case "quarter": (.quarter, 4_000)
        case "neighbourhood": (.neighbourhood, 1_000)
        default: nil
        }
    }

    /// Eight times the binary logarithm of a number, the fraction taken as linear; at most 255.
    static func rank(ofInhabitants count: UInt32) -> UInt8 {
        guard count > 0 else { return 0 }
        let whole = UInt32(31 - count.leadingZeroBitCount)
        let eighths = ((UInt64(count) << 3) >> UInt64(whole)) & 7
        return UInt8(whole * 8 + UInt32(eighths))
    }

    private static func isSaid(_ value: String?) -> Bool {
        value != nil && value != "no"
    }
}
