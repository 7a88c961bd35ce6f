import Geo
import TestSupport
import Testing

@testable import Zones

@Suite("Healing of zone borders")
struct ZoneHealingTests {
    @Test("a narrow overlap goes to one zone and is told (R3, defect 10)")
    func narrowOverlap() throws {
        let areas = [try area(box(0, 0, 100.4, 80)), try area(box(100, 0, 200, 80))]
        let set = try ZoneDraft(zones(areas)).healed()
        #expect(ZoneSet.areDisjoint(set.zones.map(\.area)))
        let repair = try #require(set.report.repairs.first)
        #expect(set.report.repairs.count == 1 && repair.kind == .overlap && repair.places == 1)
        #expect(repair.zone.rawValue == 0 && repair.other?.rawValue == 1)
        #expect(abs(repair.areaSquareMetres - 32) < 1)
        #expect(abs(repair.widthMetres - 0.4) < 0.06)
        #expect(set.zone(at: place(100.2, 40)) != nil)
    }

    @Test("a wide overlap is refused by name, with area and width (R3)")
    func wideOverlap() throws {
        let areas = [try area(box(0, 0, 102, 80)), try area(box(100, 0, 200, 80))]
        guard case .overlap(let overlap) = try #require(problems(areas).first) else {
            Issue.record("not an overlap: \(problems(areas))")
            return
        }
        #expect(overlap.zone == "a" && overlap.other == "b")
        #expect(abs(overlap.areaSquareMetres - 160) < 2)
        #expect(overlap.widthMetres > 1.8 && overlap.widthMetres < 2.1)
        #expect(String(describing: overlap).hasPrefix("zones a and b overlap by 1"))
    }

    @Test("a zone within another, or twice the same zone, is an overlap though nothing crosses")
    func nested() throws {
        let outer = try area(box(0, 0, 100, 100))
        for inner in [try area(box(10, 10, 20, 20)), outer, try area(box(0, 0, 50, 100))] {
            guard case .overlap = try #require(problems([outer, inner]).first) else {
                Issue.record("not an overlap")
                continue
            }
        }
    }

    @Test("a gap under 1 m that lies open at both ends is closed up to its mouths")
    func openGap() throws {
        let areas = [try area(box(0, 0, 100, 80)), try area(box(100.7, 0, 200, 80))]
        let set = try ZoneDraft(zones(areas)).healed()
        #expect(set.report.gaps.isEmpty)
        #expect(set.report.repairs.map(\.kind) == [.gap])
        for north in stride(from: 0.1, to: 80, by: 0.5) {
            #expect(set.zone(at: place(100.35, north)) != nil, "\(north)")
        }
        #expect(set.zone(at: place(100.35, -0.1)) == nil)
        #expect(set.zone(at: place(100.35, 80.1)) == nil)
    }

    @Test("a gap over 1 m stays, and is told where zones enclose it")
    func wideGap() throws {
        let open = [try area(box(0, 0, 100, 80)), try area(box(101.3, 0, 200, 80))]
        let apart = try ZoneDraft(zones(open)).healed()
        #expect(apart.report == ZoneReport())
        #expect(apart.zone(at: place(100.65, 40)) == nil)
        let outer = try area(box(0, 0, 100, 100), holes: [box(20, 20, 40, 40)])
        let inner = try area(box(20, 20, 38, 40))
        let set = try ZoneDraft(zones([outer, inner])).healed()
        let gap = try #require(set.report.gaps.first)
        #expect(set.report.gaps.count == 1 && gap.zones.map(\.rawValue) == [0, 1])
        #expect(abs(gap.areaSquareMetres - 40) < 1 && abs(gap.widthMetres - 2) < 0.21)
        #expect(set.zone(at: gap.place) == nil)
    }

    @Test("the narrow arm of a lake between zones is closed, and the lake is told")
    func armOfALake() throws {
        let left = try area([(0, 0), (50, 0), (50, 40), (40, 50), (50, 60), (50, 100), (0, 100)])
        let right = try area([
            (50.6, 0), (100, 0), (100, 100), (50.6, 100), (50.6, 60), (60, 50), (50.6, 40),
        ])
        let set = try ZoneDraft(zones([left, right])).healed()
        #expect(set.report.gaps.count == 1)
        #expect(set.report.repairs.count == 1 && set.report.repairs.first?.places == 2)
        for north in [0.1, 20, 39.9, 60.1, 80, 99.9] {
            #expect(set.zone(at: place(50.3, north)) != nil, "\(north)")
        }
        #expect(set.zone(at: place(50.3, 50)) == nil)
    }

    @Test("a corner where two zones part is no gap, however many corners are near it")
    func cornerBetweenZones() throws {
        let steps = (1...20).map { Double($0) * 0.1 }
        let left = try area(
            [(0, 0), (50, 0), (50, 50)] + steps.map { (50 - $0, 50 + $0) } + [
                (0, 100)
            ]
        )
        let right = try area(
            [(50, 0), (100, 0), (100, 100)]
                + steps.reversed().map {
                    (50 + $0, 50 + $0)
                } + [(50, 50)]
        )
        let set = try ZoneDraft(zones([left, right])).healed()
        #expect(set.report == ZoneReport())
    }

    @Test("corners on the neighbour's edges become shared ones")
    func cornersOnEdges() throws {
        let areas = [
            try area(box(0, 0, 100, 80)),
            try area([(100, 0), (200, 0), (200, 80), (100, 80), (100, 61.3), (100, 17.7)]),
        ]
        let set = try ZoneDraft(zones(areas)).healed()
        #expect(ZoneSet.areDisjoint(set.zones.map(\.area)))
        #expect(!ZoneSet.areDisjoint([areas[0], try area(box(99.9, 0, 200, 80))]))
        #expect(set.zones[0].area.polygons[0].outline.points.contains(place(100, 61.3)))
    }

    @Test("islands, exclaves and holes stay, and an enclave is the zone in the hole")
    func islandsAndHoles() throws {
        let main = Polygon(
            outline: try ring(box(0, 0, 300, 300)),
            holes: [try ring(box(100, 100, 200, 200))]
        )
        let island = Polygon(outline: try ring(box(400, 0, 450, 50)))
        let enclave = Polygon(outline: try ring(box(100, 100, 200, 200)))
        let areas = [MultiPolygon([island, main]), MultiPolygon([enclave])]
        let set = try ZoneDraft(zones(areas)).healed()
        #expect(set.report == ZoneReport())
        #expect(set.zones[0].area.polygons.count == 2)
        #expect(set.zones[0].area.polygons[0].holes.count == 1)
        #expect(set.zone(at: place(425, 25))?.rawValue == 0)
        #expect(set.zone(at: place(150, 150))?.rawValue == 1)
        let lake = try ZoneDraft(zones([MultiPolygon([main])])).healed()
        #expect(lake.zone(at: place(150, 150)) == nil && lake.report.gaps.count == 1)
    }

    @Test("a bow tie and overlapping parts of one zone are refused, and told where (F13)")
    func crossingItself() throws {
        let bow = try area([(0, 0), (50, 50), (50, 0), (0, 50)])
        guard case .crossesItself("a", let spot, let width) = try #require(problems([bow]).first)
        else {
            Issue.record("not a crossing: \(problems([bow]))")
            return
        }
        #expect(width > 1 && spot.distanceMetres(to: place(25, 25)) < 60)
        let parts = MultiPolygon([
            Polygon(outline: try ring(box(0, 0, 50, 50))),
            Polygon(outline: try ring(box(20, 20, 30, 30))),
        ])
        guard case .crossesItself = try #require(problems([parts]).first) else {
            Issue.record("nested parts")
            return
        }
        let spike = try area([(0, 0), (50, 0), (50, 50), (50, 80), (50, 50), (0, 50)])
        #expect(problems([spike]).isEmpty)
    }

    @Test("a zone without land, and one that others cover, are refused by name")
    func nothingLeft() throws {
        let line = try area([(0, 0), (50, 0), (100, 0)])
        #expect(problems([try area(box(0, 10, 9, 20)), line]) == [.withoutArea(zone: "b")])
        let sliver = try area(box(20, 20, 60, 20.5))
        #expect(problems([try area(box(0, 0, 90, 90)), sliver]) == [.vanished(zone: "b")])
    }
}
