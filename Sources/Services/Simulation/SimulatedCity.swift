package import Geo
package import Streets
import Zones

/// The city of a simulation: its zones and, if known, its streets.
package struct SimulatedCity: Sendable {
    package let zoneNames: [String]
    /// The hash of the zones' borders.
    package let zonesHash: UInt64
    /// The areas of the zones, which do not overlap.
    package let areas: [MultiPolygon]
    /// The streets; without them taxis travel in straight lines.
    package let streets: StreetNetwork?
    let index: PolygonIndex
    let neighbours: NeighbouringZones

    /// Creates a city from its zones and streets.
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
        neighbours = NeighbouringZones(areas)
    }
}
