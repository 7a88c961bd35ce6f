package import Geo
package import Streets

/// The city in which a day is simulated: its zones, and its streets if they are known.
package struct SimulatedCity: Sendable {
    /// The names of the zones.
    package let zoneNames: [String]
    /// Identifies the borders.
    package let zonesHash: UInt64
    /// The areas of the zones; no place lies in two.
    package let areas: [MultiPolygon]
    /// Its streets; without them taxis travel in straight lines.
    package let streets: StreetNetwork?
    let index: PolygonIndex

    /// A city of these zones.
    package init(
        zoneNames: [String],
        zonesHash: UInt64,
        areas: [MultiPolygon],
        streets: StreetNetwork?
    ) {
        self.zoneNames = zoneNames
        self.zonesHash = zonesHash
        self.areas = areas
        self.streets = streets
        index = PolygonIndex(areas)
    }
}
