import Geo
import Testing

@testable import Zones

@Suite("What differs between zones")
struct ZoneChangesTests {
    @Test("zones are added, removed, redrawn and renamed; the same codes are the same zones (R7)")
    func changes() throws {
        let old = zones([try area(box(0, 0, 100, 100)), try area(box(100, 0, 200, 100))])
        #expect(ZoneChanges(from: old, to: old).isEmpty)
        let draft = try ZoneDraft(old).applying([
            .rename(code: "a", name: "Centro"), .remove(code: "b"),
            .insert(Zone(code: "c", name: "New", area: try area(box(200, 0, 300, 100)))),
            .redraw(code: "a", area: try area(box(0, 0, 90, 100))),
        ])
        let changes = ZoneChanges(from: old, to: draft.zones)
        #expect(changes.added.map(\.code) == ["c"])
        #expect(changes.removed.map(\.code) == ["b"])
        #expect(changes.redrawn.map(\.code) == ["a"])
        #expect(changes.renamed == [.init(code: "a", from: "Zone", to: "Centro")])
        #expect(ZoneChanges(from: [], to: old).added.count == 2)
    }

    @Test("a border that begins elsewhere or runs the other way is the same border")
    func directions() throws {
        let corners = box(0, 0, 100, 100)
        let hole = box(20, 20, 40, 40)
        let other = box(60, 60, 80, 80)
        let old = zones([try area(corners, holes: [hole, other])])
        let turned = corners[2...] + corners[..<2]
        let new = zones([try area(turned.reversed(), holes: [other, hole.reversed()])])
        #expect(old != new)
        #expect(ZoneChanges(from: old, to: new).isEmpty)
        let moved = zones([try area(corners, holes: [hole, box(60, 60, 80, 81)])])
        #expect(ZoneChanges(from: old, to: moved).redrawn.count == 1)
    }

    @Test("a draft that overlaps is written and read as it is, with its new names")
    func written() throws {
        let drawn = try ZoneDraft(
            zones([try area(box(0, 0, 100, 100)), try area(box(50, 0, 200, 100))]),
            naming: ZoneNaming(codeProperty: "code")
        )
        let renamed = try drawn.applying([.rename(code: "b", name: "Bovisa")])
        let again = try ZoneDraft.read(renamed.geoJSON, file: "", naming: renamed.writtenNaming)
        #expect(again.zones.map(\.name) == ["Zone", "Bovisa"])
        #expect(ZoneChanges(from: renamed.zones, to: again.zones).isEmpty)
        #expect(throws: ZoneFailure.self) { try again.healed() }
        // Healed zones, turned into a draft, are healed to themselves.
        let set = try ZoneDraft(zones([try area(box(0, 0, 100, 100))])).healed()
        let same = try ZoneDraft.read(set.draft.geoJSON, file: "", naming: set.naming).healed()
        #expect(ZoneChanges(from: set.zones, to: same.zones).isEmpty)
        #expect(same.versionHash == set.versionHash)
    }
}
