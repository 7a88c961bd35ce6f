import Geo
import SeededRandom
import TestSupport
import Testing

@testable import Zones

@Suite("Arrangements of borders")
struct ArrangementTests {
    /// Returns areas with random corners, most of which intersect themselves and each other.
    private func wildAreas(span: Int32, _ random: inout SeededRandom) throws -> [MultiPolygon] {
        var areas: [MultiPolygon] = []
        for _ in 0..<random.number(1...5) {
            let corners = (0..<random.number(3...7)).map { _ in
                random.place(in: BoundingBox(south: 0, west: 0, north: span, east: span))
            }
            areas.append(MultiPolygon([Polygon(outline: try Ring(corners + [corners[0]]))]))
        }
        return areas
    }

    @Test("rounded borders of wild areas meet at their ends only, and zones of faces are valid")
    func wildAreasFit() throws {
        for seed in 0..<UInt64(Effort.instances(1_000)) {
            var random = SeededRandom(seed: seed)
            let areas = try wildAreas(span: Int32(random.number(4...60)), &random)
            let rounded = SnapRounding(BorderPiece.borders(of: areas))
            #expect(rounded.isSettled, "seed \(seed)")
            let lines = Array(Set(rounded.pieces.map(\.segment)))
            for (number, line) in lines.enumerated() {
                for other in lines[(number + 1)...] {
                    let meeting = line.meeting(other)
                    #expect(meeting == .apart || meeting == .touch, "seed \(seed)")
                    let ends: Set = [line.start, line.end, other.start, other.end]
                    #expect(meeting == .apart || ends.count == 3, "seed \(seed)")
                }
            }
            let map = Arrangement(rounded)
            let owners = Ownership(covered: map).owners
            let parts = map.areas(owners: owners, count: areas.count)
            #expect(ZoneSet.areDisjoint(parts), "seed \(seed)")
            #expect(parts.allSatisfy { $0.polygons.allSatisfy { $0.flaw == nil } }, "seed \(seed)")
        }
    }

    @Test("a place is owned by a zone that winds around it, or by none where none does")
    func ownersWindAround() throws {
        for seed in 0..<UInt64(Effort.instances(1_000)) {
            var random = SeededRandom(seed: seed &+ 9_000)
            let span = Int32(random.number(200...50_000))
            let areas = try wildAreas(span: span, &random)
            let map = Arrangement(SnapRounding(BorderPiece.borders(of: areas)))
            let parts = map.areas(owners: Ownership(covered: map).owners, count: areas.count)
            for _ in 0..<50 {
                let spot = random.place(
                    in: BoundingBox(south: 0, west: 0, north: span, east: span)
                )
                let windings = areas.map { winding(of: $0.polygons[0].outline, around: spot) }
                guard !windings.contains(nil) else { continue }
                let around = windings.indices.filter { (windings[$0] ?? 0) > 0 }
                let owners = parts.indices.filter { parts[$0].contains(spot) }
                #expect(owners.count == min(1, around.count), "seed \(seed)")
                #expect(owners.allSatisfy { around.contains($0) }, "seed \(seed)")
            }
        }
    }

    /// Returns the counter-clockwise winding number of a ring around a place; nil if rounding may
    /// have moved the place across the ring.
    private func winding(of ring: Ring, around spot: Coordinate) -> Int? {
        let plane = LocalPlane(at: Coordinate(latitude: 0, longitude: 0))
        let foot = plane.footPoint(of: spot, on: ring.points)
        guard let foot, foot.metres > 4 * plane.metresPerLatitude else { return nil }
        var times = 0
        for (from, to) in zip(ring.points, ring.points.dropFirst()) {
            let side = Segment(from, to).side(of: spot)
            if from.latitude <= spot.latitude, spot.latitude < to.latitude, side > 0 { times += 1 }
            if to.latitude <= spot.latitude, spot.latitude < from.latitude, side < 0 { times -= 1 }
        }
        return ring.isCounterClockwise ? times : -times
    }

    @Test("wild areas of some hundred metres are healed or refused, and never trap")
    func wildZones() throws {
        for seed in 0..<UInt64(Effort.instances(300)) {
            var random = SeededRandom(seed: seed &+ 20_000)
            let areas = try wildAreas(span: Int32(random.number(50...2_000)), &random)
            guard let set = try? ZoneDraft(zones(areas)).healed() else { continue }
            #expect(ZoneSet.areDisjoint(set.zones.map(\.area)), "seed \(seed)")
        }
    }

    @Test("the width of land is that of the greatest circle in it")
    func widths() throws {
        let shapes: [([(Double, Double)], Double)] = [
            (box(0, 0, 400, 0.9), 0.9), (box(0, 0, 30, 30), 30), (box(0, 0, 1.2, 900), 1.2),
            ([(0, 0), (30, 0), (0, 40)], 20), ([(0, 0), (500, 0.4), (0, 0.8)], 0.8),
        ]
        for (corners, expected) in shapes {
            let ring = try ring(corners)
            let lines = zip(ring.points, ring.points.dropFirst()).map { Segment($0, $1) }
            let measure = FaceMeasure(lines, narrow: 1)
            #expect(measure.isNarrow == (expected < 1), "\(corners)")
            #expect(measure.width <= expected * 1.03 && measure.width > expected * 0.8)
            #expect(abs(measure.area / ring.areaSquareMetres - 1) < 0.02)
        }
    }

    @Test("a lattice misses no two lines that meet, and no line at a place on it")
    func lattice() throws {
        for seed in 0..<UInt64(Effort.instances(300)) {
            var random = SeededRandom(seed: seed &+ 40_000)
            let span = Int32(random.number(1...100_000_000))
            let flat = random.number(0...3) == 0 ? Int32(random.number(0...9)) : span
            let whole = BoundingBox(south: 0, west: 0, north: flat, east: span)
            var lines: [Segment] = []
            for _ in 0..<random.number(1...60) {
                let start = random.place(in: whole)
                let reach = span / Int32(random.number(1...20))
                let near = BoundingBox(
                    south: start.latitude,
                    west: start.longitude,
                    north: min(flat, start.latitude + min(flat, reach)),
                    east: min(span, start.longitude + reach)
                )
                lines.append(Segment(start, random.place(in: near)))
            }
            let lattice = Lattice(lines)
            var pairs: Set<[Int]> = []
            lattice.visitPairs { first, second in
                pairs.insert([min(first, second), max(first, second)])
                return true
            }
            for (number, line) in lines.enumerated() {
                for other in lines.indices.dropFirst(number + 1)
                where line.meeting(lines[other]) != .apart {
                    #expect(pairs.contains([number, other]), "seed \(seed)")
                }
                let foot = LocalPlane(at: line.start).footPoint(
                    of: random.place(in: whole),
                    from: line.start,
                    to: line.end
                ).place
                for spot in [line.start, line.end, foot] {
                    var isFound = false
                    lattice.context(BoundingBox(spot)) { found in
                        if found == number { isFound = true }
                        return !isFound
                    }
                    #expect(isFound, "seed \(seed)")
                }
            }
        }
    }
}
