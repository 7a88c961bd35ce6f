import Geo
import SeededRandom
import TestSupport
import Testing

@Suite("Polygons")
struct PolygonTests {
    private func ring(_ points: [(Int32, Int32)]) throws -> Ring {
        try Ring(points.map { Coordinate(latitude: $0.1, longitude: $0.0) })
    }

    @Test("containment is what GEOS says, off the borders")
    func oracle() throws {
        let engine = GEOS()
        var random = SeededRandom(seed: 21)
        var valid = 0
        var places = 0
        for _ in 0..<Effort.instances(40_000) {
            let range: ClosedRange<Int32> = random.number(0...3) == 0 ? 0...900_000_000 : 0...7
            let corners = Int(random.number(3...8))
            let line = random.closedLine(corners: corners, range)
            let polygon = Polygon(outline: try Ring(line))
            guard polygon.flaw == nil else { continue }
            valid += 1
            let area = engine.area([line])
            for _ in 0..<10 {
                let place = random.place(range)
                let expected = area.holds(place)
                #expect(polygon.outline.passes(through: place) == (expected == nil))
                guard let expected else { continue }
                places += 1
                #expect(polygon.contains(place) == expected, "\(line) \(place)")
            }
        }
        #expect(valid > Effort.instances(40_000) / 10)
        #expect(places > valid)
    }

    @Test("every place of a subdivided region lies in exactly one piece")
    func partition() throws {
        var random = SeededRandom(seed: 22)
        for instance in 0..<Effort.instances(200) {
            let rows = random.number(2...6)
            let step = random.number(3...9)
            let pieces = try subdivision(rows: rows, step: step, &random).map {
                Polygon(outline: try Ring(random.turned($0)))
            }
            for latitude in -1...(rows * step + 1) {
                for longitude in -1...(rows * step + 1) {
                    let place = Coordinate(latitude: latitude, longitude: longitude)
                    let holders = pieces.count { $0.contains(place) }
                    // Half-open: west and south borders belong to the region, others do not.
                    let region = 0..<(rows * step)
                    let expected =
                        region.contains(latitude) && region.contains(longitude) ? 1 : 0
                    #expect(holders == expected, "instance \(instance), \(place)")
                }
            }
        }
    }

    @Test("an area and what fills its hole share no place and leave none out")
    func holes() throws {
        let outline = try ring([(0, 0), (12, 0), (12, 12), (0, 12), (0, 0)])
        var random = SeededRandom(seed: 23)
        for _ in 0..<Effort.instances(3_000) {
            let line = random.closedLine(corners: 5, 0...12)
            let hole = try Ring(line)
            guard Polygon(outline: hole).flaw == nil else { continue }
            let turned = try Ring(random.turned(line))
            let frame = Polygon(outline: outline, holes: [hole])
            let filling = Polygon(outline: turned)
            for place in (0..<12).flatMap({ row in
                (0..<12).map { Coordinate(latitude: row, longitude: $0) }
            }) {
                #expect(frame.contains(place) != filling.contains(place), "\(line) \(place)")
            }
        }
    }

    @Test("direction and first corner change nothing")
    func turning() throws {
        var random = SeededRandom(seed: 24)
        for _ in 0..<Effort.instances(20_000) {
            let line = random.closedLine(corners: 6, 0...6)
            let first = try Ring(line)
            let second = try Ring(random.turned(line))
            let place = random.place(0...6)
            #expect(first.encloses(place) == second.encloses(place), "\(line) \(place)")
            #expect(first.reversed.encloses(place) == first.encloses(place))
            let isSimple = Polygon(outline: first).flaw == nil
            #expect((Polygon(outline: second).flaw == nil) == isSimple)
            if isSimple { #expect(first.isCounterClockwise != first.reversed.isCounterClockwise) }
        }
    }

    @Test("validity of a border is what GEOS says")
    func validity() throws {
        let engine = GEOS()
        var random = SeededRandom(seed: 25)
        var count = (valid: 0, invalid: 0)
        for _ in 0..<Effort.instances(40_000) {
            let range: ClosedRange<Int32> = random.number(0...3) == 0 ? 0...900_000_000 : 0...5
            let line = random.closedLine(corners: Int(random.number(3...7)), range)
            let area = engine.area([line])
            let flaw = Polygon(outline: try Ring(line)).flaw
            #expect((flaw == nil) == area.isValid, "\(line) \(area.validity)")
            if flaw == nil { count.valid += 1 } else { count.invalid += 1 }
        }
        #expect(count.valid > 20 && count.invalid > 20)
    }

    @Test("holes that GEOS refuses are refused, but for the inside cut in two")
    func holeValidity() throws {
        let engine = GEOS()
        var random = SeededRandom(seed: 26)
        var kinds: Set<String> = []
        for _ in 0..<Effort.instances(60_000) {
            let rings = [
                random.closedLine(corners: Int(random.number(3...5)), 0...9),
                random.closedLine(corners: 3, 2...7), random.closedLine(corners: 3, 2...7),
            ].prefix(Int(random.number(2...3)))
            guard rings.allSatisfy({ engine.area([$0]).isValid }) else { continue }
            let polygon = Polygon(
                outline: try Ring(rings[0]),
                holes: try rings.dropFirst().map { try Ring($0) }
            )
            let validity = engine.area(Array(rings)).validity
            let kind = String(validity.prefix { $0 != "[" })
            kinds.insert(kind)
            let flaw = polygon.flaw
            if kind == "Valid Geometry" {
                #expect(flaw == nil, "\(rings)")
            } else if kind != "Interior is disconnected" {
                #expect(flaw != nil, "\(rings) \(validity)")
            }
        }
        #expect(kinds.count >= 3, "\(kinds)")
    }

    @Test("points that are no ring are refused, each with its reason")
    func rings() throws {
        let place = Coordinate(latitude: 1, longitude: 2)
        #expect(throws: Ring.Flaw.tooFewCorners(0)) { try Ring([]) }
        #expect(throws: Ring.Flaw.tooFewCorners(2)) {
            try Ring([place, .init(latitude: 0, longitude: 0), place])
        }
        #expect(throws: Ring.Flaw.unclosed) { try self.ring([(0, 0), (1, 0), (1, 1), (0, 1)]) }
        #expect(throws: Ring.Flaw.offEarth(point: 2)) {
            try self.ring([(0, 0), (1, 0), (1, 900_000_001), (0, 0)])
        }
        #expect(throws: Ring.Flaw.offEarth(point: 1)) {
            try self.ring([(0, 0), (-1_800_000_001, 0), (1, 1), (0, 0)])
        }
    }

    @Test("flaws are named")
    func flaws() throws {
        let square = try ring([(0, 0), (9, 0), (9, 9), (0, 9), (0, 0)])
        let bow = try ring([(0, 0), (2, 2), (2, 0), (0, 2), (0, 0)])
        let spike = try ring([(0, 0), (2, 0), (1, 0), (0, 2), (0, 0)])
        let eight = try ring([(0, 0), (1, 1), (2, 0), (2, 2), (1, 1), (0, 2), (0, 0)])
        let inner = try ring([(2, 2), (4, 2), (4, 4), (2, 2)])
        let crossing = try ring([(5, 5), (12, 5), (5, 8), (5, 5)])
        let outside = try ring([(10, 0), (12, 0), (12, 5), (10, 0)])
        #expect(
            Polygon(outline: bow).flaw == .selfIntersection(ring: 0, edge: 0, otherEdge: 2)
        )
        #expect(Polygon(outline: spike).flaw != nil)
        #expect(Polygon(outline: eight).flaw != nil)
        #expect(Polygon(outline: square, holes: [inner]).flaw == nil)
        #expect(
            Polygon(outline: square, holes: [inner, inner]).flaw
                == .crossing(ring: 1, otherRing: 2)
        )
        #expect(
            Polygon(outline: square, holes: [crossing]).flaw == .crossing(ring: 0, otherRing: 1)
        )
        #expect(Polygon(outline: square, holes: [outside]).flaw == .holeOutside(ring: 1))
        // The diagonal leaves the outline through a corner, where no two edges cross.
        let kite = try ring([(8, 8), (2, 6), (3, 3), (3, 2), (8, 8)])
        let through = try ring([(2, 6), (3, 2), (5, 5), (2, 6)])
        #expect(
            Polygon(outline: kite, holes: [through]).flaw == .crossing(ring: 0, otherRing: 1)
        )
        let large = try ring([(1, 1), (8, 1), (8, 8), (1, 8), (1, 1)])
        #expect(
            Polygon(outline: square, holes: [inner, large]).flaw
                == .nestedHoles(ring: 1, otherRing: 2)
        )
    }

    @Test("areas are those of the sphere")
    func areas() throws {
        // An eighth of the sphere, bounded by meridians and the equator.
        let eighth = try ring([
            (0, 0), (900_000_000, 0), (900_000_000, 900_000_000), (0, 900_000_000), (0, 0),
        ])
        let sphere = 4 * Trigonometry.pi * earthRadiusMetres * earthRadiusMetres
        #expect((eighth.areaSquareMetres / sphere * 8 - 1).magnitude < 1e-12)
        // A square kilometre at Milan, with a hole of a quarter of its area.
        let plane = LocalPlane(at: Coordinate(latitude: 454_640_000, longitude: 91_900_000))
        let square = try Ring(
            [(0, 0), (1_000, 0), (1_000, 1_000), (0, 1_000), (0, 0)].map {
                plane.place(east: $0.0, north: $0.1)
            }
        )
        let hole = try Ring(
            [(0, 0), (0, 500), (500, 500), (500, 0), (0, 0)].map {
                plane.place(east: $0.0 + 100, north: $0.1 + 100)
            }
        )
        #expect((square.areaSquareMetres / 1e6 - 1).magnitude < 2e-4)
        let frame = Polygon(outline: square, holes: [hole])
        #expect((frame.areaSquareMetres / 0.75e6 - 1).magnitude < 2e-4)
        #expect(
            MultiPolygon([frame, Polygon(outline: hole)]).areaSquareMetres
                == frame.areaSquareMetres + hole.areaSquareMetres
        )
    }

    @Test("small areas are those of GEOS, scaled")
    func areasOfOracle() throws {
        let engine = GEOS()
        var random = SeededRandom(seed: 27)
        for _ in 0..<Effort.instances(20_000) {
            // At the equator, longitude and latitude form a plane of squares.
            let line = random.closedLine(corners: 4, 0...100_000)
            let polygon = Polygon(outline: try Ring(line))
            guard polygon.flaw == nil else { continue }
            let unit = LocalPlane(at: line[0]).metresPerLatitude
            let expected = engine.area([line]).area * unit * unit
            #expect((polygon.areaSquareMetres - expected).magnitude < expected * 1e-6 + 1e-3)
        }
    }
}
