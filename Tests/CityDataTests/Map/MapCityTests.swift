import Columns
import Foundation
import Geo
import Journeys
import OpenData
import TestSupport
import Testing

@testable import CityData

/// Issue 2, part "City file": the layers of real cities and of the demo city.
@Suite("Maps of cities")
struct MapCityTests {
    private static let newportMap = "newport/newport.osm.pbf"
    private static let milanMap = "milan/milan.osm.pbf"

    private static func points(_ map: MapLayers, _ range: MapRange, _ classes: MapClasses) -> Int {
        MapLayersTests.features(map, range, classes).reduce(0) { sum, feature in
            feature.parts.reduce(sum) { $0 + map.points(ofPart: $1).count }
        }
    }

    private static func names(_ map: MapLayers, _ classes: MapClasses) -> Set<String> {
        Set(MapLayersTests.features(map, .near, classes).map { map.name(of: $0) })
    }

    /// Checks the invariants of any map.
    private static func check(_ map: MapLayers) throws {
        #expect(points(map, .middle, .streets) < points(map, .near, .streets) * 2 / 3)
        #expect(points(map, .far, .streets) < points(map, .middle, .streets) / 4)
        let areas = MapClasses(.residential, through: .water)
        for range in MapRange.allCases {
            for feature in MapLayersTests.features(map, range, areas) {
                let rings = try map.lines(of: feature).map { try Ring($0) }
                let polygon = Polygon(outline: rings[0], holes: Array(rings.dropFirst()))
                #expect(polygon.flaw == nil)
            }
        }
    }

    @Test("Newport has every layer", .enabled(if: RealData.has(newportMap), RealData.advice))
    func newport() throws {
        let map = try MapLayersTests.map(OSMFile(path: RealData.url(Self.newportMap).path))
        try Self.check(map)
        for range in MapRange.allCases {
            for classes in [MapClasses.builtUp, .green, .water, .streets, .rails, .places] {
                #expect(map.count(range, classes) > 0, "\(range)")
            }
        }
        #expect(Self.names(map, .places).isSuperset(of: ["Newport", "Maindee", "Rogerstone"]))
        #expect(Self.names(map, MapClasses(.river)).contains("Ebbw River"))
        #expect(Self.names(map, MapClasses(.park)).contains("Belle Vue Park"))
        #expect(Self.names(map, .streets).contains("Commercial Street"))
    }

    @Test(
        "Milan, whose extract lacks water and land use, has streets, tracks and names",
        .enabled(if: RealData.has(milanMap), RealData.advice)
    )
    func milan() throws {
        let map = try MapLayersTests.map(OSMFile(path: RealData.url(Self.milanMap).path))
        try Self.check(map)
        for mapClass in [MapClass.motorway, .primary, .secondary, .rail] {
            for range in MapRange.allCases {
                #expect(map.count(range, MapClasses(mapClass)) > 0, "\(mapClass), \(range)")
            }
        }
        #expect(map.count(.near, MapClasses(.subway)) > 100)
        #expect(map.count(.near, MapClasses(.tram)) > 100)
        #expect(map.count(.far) < 2_000)
        #expect(Self.names(map, .places).contains("Milano"))
        #expect(Self.names(map, .streets).contains("Via Padova"))
    }

    @Test("the demo city has water, parks, built-up land, tracks, streets and names")
    func demo() throws {
        let folder = try TemporaryFolder()
        let summary = try DemoCity.write(inhabitants: 100_000, seed: 3, to: folder.url)
        let file = try OSMFile(path: #require(summary.files.first).path)
        let map = try MapLayersTests.map(file)
        try Self.check(map)
        for mapClass in [
            MapClass.residential, .industrial, .park, .water, .river, .minor, .primary, .rail,
        ] {
            #expect(map.count(.near, MapClasses(mapClass)) > 0, "\(mapClass)")
        }
        #expect(Self.names(map, MapClasses(.city)) == [summary.name])
        #expect(map.count(.far) < 1_000)
        // At small scale the blocks of the city are merged into a few areas.
        #expect((1...20).contains(map.count(.far, MapClasses(.residential))))
    }
}
