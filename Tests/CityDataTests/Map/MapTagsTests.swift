import Journeys
import Testing

@testable import CityData

/// Issue 2, part "City file": the displayed tags and their classes.
@Suite("Tags on the map")
struct MapTagsTests {
    /// Returns the classes of a closed way at large scale, for tags separated by commas.
    private static func shown(_ tags: String) throws -> [MapClass] {
        var town = AddressTown()
        let corners = [(0.0, 0.0), (300, 0), (300, 300)].map { town.node($0.0, $0.1) }
        let nodes = corners + corners.prefix(1)
        switch tags.split(separator: ",").map(String.init) {
        case let tags where tags.count == 1: town.way(through: nodes, tags[0])
        case let tags: town.way(through: nodes, tags[0], tags[1])
        }
        let map = try MapLayersTests.map(town.osm)
        return MapLayersTests.features(map, .near).map(\.mapClass)
    }

    @Test(
        "closed ways with these tags are areas",
        arguments: [
            ("natural=water", MapClass.water), ("waterway=riverbank", .water),
            ("landuse=reservoir", .water), ("landuse=basin", .water), ("water=pond", .water),
            ("leisure=park", .park), ("leisure=garden", .park), ("leisure=nature_reserve", .park),
            ("leisure=pitch", .grass), ("landuse=grass", .grass), ("landuse=meadow", .grass),
            ("landuse=recreation_ground", .grass), ("landuse=cemetery", .grass),
            ("landuse=forest", .wood), ("natural=wood", .wood), ("natural=scrub", .wood),
            ("landuse=residential", .residential), ("landuse=commercial", .commercial),
            ("landuse=retail", .commercial), ("landuse=industrial", .industrial),
        ]
    )
    func areas(tags: String, expected: MapClass) throws {
        #expect(expected.shape == .area)
        #expect(try Self.shown(tags) == [expected])
    }

    @Test(
        "ways with these tags are lines, also where they are closed",
        arguments: [
            ("highway=motorway", MapClass.motorway), ("highway=trunk_link", .motorway),
            ("highway=primary", .primary), ("highway=secondary_link", .secondary),
            ("highway=tertiary", .tertiary), ("highway=residential", .minor),
            ("highway=pedestrian", .minor), ("highway=service", .service),
            ("highway=footway", .path), ("highway=cycleway", .path), ("railway=rail", .rail),
            ("railway=light_rail", .lightRail), ("railway=subway", .subway),
            ("railway=tram", .tram), ("waterway=river", .river), ("waterway=canal", .canal),
            ("waterway=stream", .stream), ("natural=coastline", .coastline),
        ]
    )
    func lines(tags: String, expected: MapClass) throws {
        #expect(expected.shape == .line)
        #expect(try Self.shown(tags) == [expected])
    }

    @Test(
        "ways with these tags are not shown",
        arguments: [
            "building=yes,landuse=residential", "highway=pedestrian,area=yes",
            "highway=footway,footway=sidewalk", "highway=proposed", "railway=abandoned",
            "aeroway=aerodrome", "landuse=farmland", "waterway=ditch",
        ]
    )
    func nothing(tags: String) throws {
        #expect(try Self.shown(tags).isEmpty)
    }

    @Test(
        "a rank is eight times the logarithm of the inhabitants",
        arguments: [(0, 0), (1, 0), (2, 8), (3, 12), (65_536, 128), (UInt32.max, 255)]
            as [(UInt32, UInt8)]
    )
    func ranks(inhabitants: UInt32, rank: UInt8) {
        #expect(MapTags.rank(ofInhabitants: inhabitants) == rank)
    }

    @Test("sets of classes hold what their names say")
    func sets() {
        for mapClass in MapClass.allCases {
            #expect(MapClasses.all.contains(mapClass))
            #expect(MapClasses.places.contains(mapClass) == (mapClass.shape == .place))
        }
        #expect(!MapClasses.streets.contains(.tram) && MapClasses.streets.contains(.path))
        #expect(MapClasses.water.contains(.water) && !MapClasses.water.contains(.wood))
    }
}
