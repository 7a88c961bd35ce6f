import Geo
import SeededRandom
import TestSupport
import Testing

@testable import Zones

@Suite("Sets of zones")
struct ZoneSetTests {
    private func pair() throws -> ZoneSet {
        try ZoneDraft(zones([try area(box(0, 0, 100, 100)), try area(box(100, 0, 200, 100))]))
            .healed()
    }

    @Test("a circle touches a zone where it reaches its border or lies within (G8)")
    func touches() throws {
        let set = try pair()
        let (left, right) = (ZoneIndex(rawValue: 0), ZoneIndex(rawValue: 1))
        #expect(set.touches(left, around: place(110, 50), radiusMetres: 10.1))
        #expect(!set.touches(left, around: place(110, 50), radiusMetres: 9.9))
        #expect(set.touches(right, around: place(110, 50), radiusMetres: 0))
        #expect(set.touches(right, around: place(150, 50), radiusMetres: 1))
        #expect(set.touches(left, around: place(150, 5_000), radiusMetres: 6_000))
        #expect(!set.touches(left, around: place(150, 5_000), radiusMetres: 3_000))
        for radius in [-1, Double.nan] {
            #expect(!set.touches(left, around: place(100.5, 50), radiusMetres: radius))
        }
        #expect(set.touches(left, around: place(100.5, 50), radiusMetres: .infinity))
        let pole = Coordinate(latitude: 900_000_000, longitude: 0)
        #expect(!set.touches(left, around: pole, radiusMetres: 3_000))
    }

    @Test("touching is what measuring every border says")
    func touchesLikeScan() throws {
        let set = try pair()
        var random = SeededRandom(seed: 5)
        for _ in 0..<Effort.instances(20_000) {
            let spot = place(random.number(-50.0...250.0), random.number(-50.0...150.0))
            let radius = random.number(0.0...60.0)
            for number in 0..<2 {
                let polygon = set.zones[number].area.polygons[0]
                let foot = LocalPlane(at: spot).footPoint(of: spot, on: polygon.outline.points)
                let expected = polygon.contains(spot) || (foot?.metres ?? .infinity) <= radius
                let zone = ZoneIndex(rawValue: UInt32(number))
                #expect(set.touches(zone, around: spot, radiusMetres: radius) == expected)
            }
        }
    }

    @Test("zones are added, redrawn, renamed and removed, all at once or not at all (R7)")
    func editing() throws {
        let set = try pair()
        let half = try area(box(0, 0, 100, 50))
        let rest = Zone(code: "n", name: "North", area: try area(box(0, 50, 100, 100)))
        let cut = try set.applying([
            .redraw(code: "a", area: half), .insert(rest), .rename(code: "b", name: "East"),
        ])
        #expect(cut.zones.map(\.code) == ["a", "b", "n"])
        #expect(cut.zones.map(\.name) == ["Zone", "East", "North"])
        #expect(cut.zone(at: place(50, 75)) == ZoneIndex(rawValue: 2))
        #expect(cut.versionHash != set.versionHash)
        #expect(try cut.applying([.remove(code: "n")]).count == 2)
        #expect(throws: ZoneFailure(file: "", problems: [.empty])) {
            try set.applying([.remove(code: "a"), .remove(code: "b")])
        }
        #expect(throws: ZoneFailure(file: "", problems: [.unknownCode("x"), .unknownCode("y")])) {
            try set.applying([.remove(code: "x"), .rename(code: "y", name: "Y")])
        }
        let failure = try #require(throws: ZoneFailure.self) { try set.applying([.insert(rest)]) }
        guard case .overlap(let overlap) = failure.problems[0] else {
            Issue.record("\(failure)")
            return
        }
        #expect(overlap.zone == "a" && overlap.other == "n")
        let again = try ZoneSet.read(cut.geoJSON, file: "", naming: cut.naming)
        #expect(again == cut && again.versionHash == cut.versionHash)
    }

    @Test("a new name is kept in the file though zones were named by their codes")
    func renaming() throws {
        for code in ["code", "name", "NIL"] {
            let plain = try pair().zones.map { Zone(code: $0.code, name: $0.code, area: $0.area) }
            let naming = ZoneNaming(codeProperty: code, nameProperty: code == "name" ? code : nil)
            let set = try ZoneDraft(plain, naming: naming).healed()
            let renamed = try set.applying([.rename(code: "a", name: "Centro")])
            let again = try ZoneSet.read(renamed.geoJSON, file: "", naming: renamed.naming)
            #expect(again == renamed && again.zones.map(\.name) == ["Centro", "b"])
            #expect(again.zones.map(\.code) == ["a", "b"])
        }
    }

    @Test("a dry run tells which places change their zone, and no place is lost (G5, I24)")
    func moves() throws {
        let set = try pair()
        let next = try set.applying([
            .redraw(code: "a", area: try area(box(0, 0, 60, 100))),
            .redraw(code: "b", area: try area(box(60, 0, 180, 100))),
            .rename(code: "b", name: "Wide"),
        ])
        let places = [place(30, 50), place(80, 50), place(150, 50), place(190, 50), place(-9, 0)]
        #expect(
            set.moves(of: places, to: next) == [
                ZoneMove(place: 1, from: "a", to: "b"), ZoneMove(place: 3, from: "b", to: nil),
            ]
        )
    }
}
