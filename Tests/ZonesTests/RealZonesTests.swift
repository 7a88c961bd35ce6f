import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing

@testable import Zones

@Suite("Zones of real cities")
struct RealZonesTests {
    private static let quarters = "milan/comune/ds964_nil_wm.geojson"
    private static let municipi = "milan/comune/ds379_municipi_label.geojson"
    private static let taxiZones = "taxi-nyc/taxi_zones.geojson"

    /// Checks the invariants of healed zones.
    private func check(_ set: ZoneSet, _ path: String) throws {
        #expect(ZoneSet.areDisjoint(set.zones.map(\.area)))
        #expect(set.zones.allSatisfy { $0.area.polygons.allSatisfy { $0.flaw == nil } })
        #expect(set.report.repairs.allSatisfy { $0.widthMetres < 0.02 }, "rounding alone")
        let again = try ZoneSet.read(set.geoJSON, file: path)
        #expect(again == set && again.versionHash == set.versionHash)
        #expect(again.report.repairs.isEmpty)
        #expect(GEOS().agreesThatNoneOverlap(set.zones.map(\.area)))
    }

    @Test(
        "Milan's 88 quarters: overlapping pairs of rounding are healed, and none is left",
        .enabled(if: RealData.has(quarters), RealData.advice)
    )
    func milan() throws {
        let bytes = try realBytes(Self.quarters)
        let draft = try ZoneDraft.read(bytes, file: Self.quarters)
        let set = try draft.healed()
        #expect(set.count == 88)
        #expect(set.naming == ZoneNaming(codeProperty: "ID_NIL", nameProperty: "NIL"))
        // Most overlaps of the file's more precise numbers vanish on the coordinate grid.
        let drawn = try JSONValue(parsing: bytes).object?["features"]?.list ?? []
        let asWritten = drawn.map { feature in
            let rings = feature.object?["geometry"]?.object?["coordinates"]?.list ?? []
            return rings.map { ring in
                (ring.list ?? []).map { ($0.list?[0].double ?? 0, $0.list?[1].double ?? 0) }
            }
        }
        #expect(GEOS().overlappingPairs(asWritten) == 61)
        let overlaps = draft.overlaps()
        #expect(overlaps.count == set.report.repairs.count { $0.kind == .overlap })
        #expect(!overlaps.isEmpty && overlaps.allSatisfy { $0.widthMetres < 0.02 })
        #expect(set.report.gaps.isEmpty)
        let duomo = try #require(Coordinate(latitudeDegrees: 45.4642, longitudeDegrees: 9.1900))
        #expect(set.zone(at: duomo).map { set[$0].name } == "DUOMO")
        try check(set, Self.quarters)
    }

    @Test(
        "Milan's 9 districts fit as they are",
        .enabled(if: RealData.has(municipi), RealData.advice)
    )
    func districts() throws {
        let set = try realZones(Self.municipi)
        #expect(set.zones.map(\.code).sorted() == (1...9).map { String($0) })
        #expect(set.report == ZoneReport())
        try check(set, Self.municipi)
    }

    @Test(
        "New York's 263 zones with their islands are healed",
        .enabled(if: RealData.has(taxiZones), RealData.advice)
    )
    func newYork() throws {
        let set = try realZones(Self.taxiZones)
        #expect(set.count == 263)
        #expect(set.zones.contains { $0.area.polygons.count > 10 })
        let square = try #require(Coordinate(latitudeDegrees: 40.758, longitudeDegrees: -73.9855))
        #expect(set.zone(at: square).map { set[$0].name } == "Times Sq/Theatre District")
        try check(set, Self.taxiZones)
    }

    @Test(
        "every random place of Milan is in the zone in which it was drawn, but next to borders",
        .enabled(if: RealData.has(quarters), RealData.advice)
    )
    func placesKeepTheirZones() throws {
        let draft = try ZoneDraft.read(try realBytes(Self.quarters), file: Self.quarters)
        let set = try draft.healed()
        let box = try #require(MultiPolygon(set.zones.flatMap(\.area.polygons)).bounds)
        var random = SeededRandom(seed: 88)
        for _ in 0..<Effort.instances(20_000) {
            let spot = random.place(in: box)
            let drawn = draft.zones.firstIndex { $0.area.contains(spot) }
            let zone = set.zone(at: spot).map { Int($0.rawValue) }
            guard zone != drawn else { continue }
            let near = [zone, drawn].compactMap { $0 }.contains { number in
                set.touches(ZoneIndex(rawValue: UInt32(number)), around: spot, radiusMetres: 0.05)
            }
            #expect(near, "\(spot)")
        }
    }
}
