import Foundation
import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing

@Suite("GeoJSON of real cities")
struct GeoJSONRealDataTests {
    private static let zones = "taxi-nyc/taxi_zones.geojson"
    private static let quarters = "milan/comune/ds964_nil_wm.geojson"
    private static let districts = "milan/comune/ds379_municipi_label.geojson"

    private func read(_ path: String) throws -> GeoJSON {
        try GeoJSON(Array(Data(contentsOf: RealData.url(path))), file: path)
    }

    private func areas(_ path: String) throws -> [MultiPolygon] {
        try read(path).features.compactMap { $0.geometry?.area }
    }

    @Test(
        "every file of Milan and the zones of New York are read, and read back",
        .enabled(if: RealData.has(zones, "milan/comune"), RealData.advice)
    )
    func everyFile() throws {
        let folder = try FileManager.default.contentsOfDirectory(
            atPath: RealData.url("milan/comune").path
        )
        let files = folder.filter { $0.hasSuffix(".geojson") }.sorted().map { "milan/comune/" + $0 }
        #expect(files.count == 16)
        var features = 0
        for file in files + [Self.zones] {
            let document = try read(file)
            features += document.features.count
            let back = try GeoJSON(document.bytes, file: file)
            #expect(back.bytes == document.bytes)
            #expect(back.features.map(\.properties) == document.features.map(\.properties))
        }
        #expect(features == 12_691)
    }

    @Test(
        "what was counted in the files is found (data/README.md)",
        .enabled(if: RealData.has(zones, quarters), RealData.advice)
    )
    func contents() throws {
        let zones = try read(Self.zones).features
        #expect(zones.count == 263)
        #expect(zones.count { if case .multiPolygon = $0.geometry { true } else { false } } == 23)
        let quarters = try read(Self.quarters).features
        #expect(quarters.count == 88)
        #expect(quarters.allSatisfy { $0.properties["NIL"]?.text != nil })
        let racks = try read("milan/comune/ds70.bike_areesosta.geojson").features
        #expect(racks.count == 1_522 && racks.count { $0.geometry == nil } == 9)
    }

    @Test(
        "Milan's districts cover its 182 square kilometres",
        .enabled(if: RealData.has(districts, quarters), RealData.advice)
    )
    func area() throws {
        for path in [Self.districts, Self.quarters] {
            let area = try areas(path).reduce(0) { $0 + $1.areaSquareMetres }
            #expect((180e6...184e6).contains(area), "\(path): \(area)")
        }
    }

    @Test(
        "the index of real zones finds what asking every zone finds",
        .enabled(if: RealData.has(zones, quarters, districts), RealData.advice),
        arguments: [zones, quarters, districts]
    )
    func index(path: String) throws {
        let areas = try areas(path)
        let index = PolygonIndex(areas)
        var random = SeededRandom(seed: 121)
        var box = try #require(areas.first?.bounds)
        for area in areas { box.extend(to: area.bounds ?? box) }
        let anywhere = (0..<Effort.instances(3_000)).map { _ in
            Coordinate(
                latitude: Int32.random(in: box.south...box.north, using: &random),
                longitude: Int32.random(in: box.west...box.east, using: &random)
            )
        }
        let corners = areas.flatMap { $0.polygons.flatMap(\.outline.points) }
        let some = (0..<Effort.instances(1_000)).compactMap { _ in
            corners.randomElement(using: &random)
        }
        var held = 0
        let places = anywhere + some
        for place in places {
            let expected = areas.indices.filter { areas[$0].contains(place) }
            #expect(index.all(containing: place) == expected)
            held += expected.count
        }
        #expect(held > places.count / 4)
    }
}
