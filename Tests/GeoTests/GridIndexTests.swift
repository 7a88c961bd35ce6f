import Columns
import Geo
import SeededRandom
import TestSupport
import Testing

@Suite("Grid index")
struct GridIndexTests {
    /// Creates an index and the file to which it refers.
    private func index(_ draft: GridIndexDraft, count: Int) throws -> (GridIndex, SectionFile) {
        var writer = SectionWriter()
        draft.add(to: &writer, named: "stops")
        let file = try writer.opened()
        return (GridIndex("stops", in: file, count: count), file)
    }

    @Test("the nearest place is that of a scan, ties to the lowest number")
    func nearest() throws {
        var random = SeededRandom(seed: 41)
        for instance in 0..<Effort.instances(2_000) {
            let range = 454_000_000...(454_000_000 + random.number(0...2_000_000))
            let places = (0..<Int(random.number(1...200))).map { _ in random.place(range) }
            let cell = Double(random.number(1...3_000))
            let (index, file) = try index(
                GridIndexDraft(places: places, cellMetres: cell),
                count: places.count
            )
            for _ in 0..<20 {
                let isFar = random.number(0...9) == 0
                let plane = LocalPlane(
                    at: isFar ? random.placeOnEarth() : random.place(453_900_000...457_000_000)
                )
                let limit = isFar ? 1e9 : Double(random.number(1...30_000))
                let metres = { plane.distanceMetres(plane.origin, places[$0]) }
                let expected = places.indices.filter { metres($0) <= limit }
                    .min { (metres($0), $0) < (metres($1), $1) }
                let found = index.nearest(on: plane, limitMetres: limit, metres: metres)
                #expect(found?.item == expected, "instance \(instance)")
            }
            withExtendedLifetime(file) {}
        }
    }

    @Test("a box finds all places and boxes that it meets")
    func boxes() throws {
        var random = SeededRandom(seed: 42)
        for _ in 0..<Effort.instances(2_000) {
            let boxes = (0..<Int(random.number(1...100))).map { _ in
                let corner = random.place(0...1_000_000)
                var box = BoundingBox(corner)
                box.extend(
                    to: Coordinate(
                        latitude: corner.latitude + random.number(0...50_000),
                        longitude: corner.longitude + random.number(0...50_000)
                    )
                )
                return box
            }
            let (index, file) = try index(GridIndexDraft(boxes: boxes), count: boxes.count)
            var query = BoundingBox(random.place(-100_000...1_100_000))
            query.extend(to: random.place(-100_000...1_100_000))
            var found: Set<Int> = []
            index.context(query) { found.insert($0) }
            let expected = Set(boxes.indices.filter { boxes[$0].meets(query) })
            #expect(expected.isSubset(of: found))
            withExtendedLifetime(file) {}
        }
    }

    @Test("a place is visited once, and looking outwards ends at the limit")
    func visits() throws {
        var random = SeededRandom(seed: 43)
        let places = (0..<2_000).map { _ in random.place(450_000_000...451_000_000) }
        let (index, file) = try index(GridIndexDraft(places: places), count: places.count)
        let plane = LocalPlane(at: places[7])
        var visits = [Int](repeating: 0, count: places.count)
        index.visitOutwards(on: plane, limitMetres: 1_000) {
            visits[$0] += 1
            return 1_000
        }
        #expect(visits.max() == 1)
        for item in places.indices where plane.distanceMetres(places[7], places[item]) <= 1_000 {
            #expect(visits[item] == 1)
        }
        #expect(visits.reduce(0, +) < places.count / 2, "it looked much too far")
        visits = visits.map { _ in 0 }
        index.visitOutwards(on: plane, limitMetres: .infinity) {
            visits[$0] += 1
            return .infinity
        }
        #expect(visits.allSatisfy { $0 == 1 })
        withExtendedLifetime(file) {}
    }

    @Test("a damaged or absent index finds wrong items or none, and never traps")
    func damage() throws {
        var random = SeededRandom(seed: 44)
        let places = (0..<50).map { _ in random.place(0...1_000_000) }
        var writer = SectionWriter()
        GridIndexDraft(places: places).add(to: &writer, named: "stops")
        let good = try writer.opened()
        let frame = good.column("stops.frame", of: Int32.self).array
        let offsets = good.column("stops.offsets", of: UInt32.self).array
        for _ in 0..<Effort.instances(3_000) {
            var damaged = (frame: frame, offsets: offsets)
            damaged.frame[Int(random.number(0...5))] = Int32(truncatingIfNeeded: random.next())
            damaged.offsets[Int(random.number(0...Int32(offsets.count - 1)))] =
                UInt32(truncatingIfNeeded: random.next())
            var writer = SectionWriter()
            writer.add("stops.frame", random.number(0...1) == 0 ? frame : damaged.frame)
            writer.add("stops.offsets", damaged.offsets)
            writer.add("stops.items", [0, 7, UInt32.max])
            let file = try writer.opened()
            let index = GridIndex("stops", in: file, count: places.count)
            index.context(BoundingBox(random.placeOnEarth())) { #expect(places.indices ~= $0) }
            let plane = LocalPlane(at: random.placeOnEarth())
            _ = index.nearest(on: plane, limitMetres: 1e9) { _ in nil }
        }
        let absent = GridIndex("elsewhere", in: good, count: 50)
        let plane = LocalPlane(at: places[0])
        #expect(absent.nearest(on: plane, limitMetres: 1e9) { _ in 0 } == nil)
        let (none, file) = try index(GridIndexDraft(places: []), count: 0)
        #expect(none.nearest(on: plane, limitMetres: 1e9) { _ in 0 } == nil)
        withExtendedLifetime(file) {}
    }
}
