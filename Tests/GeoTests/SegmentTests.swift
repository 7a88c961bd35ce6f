import Geo
import SeededRandom
import TestSupport
import Testing

@Suite("Segments")
struct SegmentTests {
    @Test("how two segments meet is what GEOS says")
    func meetings() {
        let engine = GEOS()
        var random = SeededRandom(seed: 11)
        var seen: [Segment.Meeting: Int] = [:]
        for _ in 0..<Effort.instances(40_000) {
            let range: ClosedRange<Int32> = random.number(0...3) == 0 ? 0...900_000_000 : 0...4
            let first = Segment(random.place(range), random.place(range))
            let second = Segment(random.place(range), random.place(range))
            guard first.start != first.end, second.start != second.end else { continue }
            let meeting = first.meeting(second)
            seen[meeting, default: 0] += 1
            let matrix = Array(engine.meeting(first, second))
            let interiors = matrix[0]
            let meets = [0, 1, 3, 4].contains { matrix[$0] != "F" }
            let ends = [1, 3, 4].contains { matrix[$0] != "F" }
            let expected: Segment.Meeting =
                !meets ? .apart : interiors == "1" ? .overlap : ends ? .touch : .cross
            #expect(meeting == expected, "\(first) \(second)")
            #expect(second.meeting(first) == meeting)
        }
        #expect(seen.count == 4)
    }

    @Test("sides are exact at the ends of the earth")
    func sides() {
        let corner = Coordinate(latitude: -900_000_000, longitude: -1_800_000_000)
        let opposite = Coordinate(latitude: 900_000_000, longitude: 1_800_000_000)
        let diagonal = Segment(corner, opposite)
        let middle = Coordinate(latitude: 450_000_000, longitude: 900_000_000)
        #expect(diagonal.side(of: middle) == 0)
        #expect(diagonal.side(of: Coordinate(latitude: 450_000_001, longitude: 900_000_000)) == 1)
        #expect(diagonal.side(of: Coordinate(latitude: 450_000_000, longitude: 900_000_001)) == -1)
        #expect(diagonal.contains(middle))
    }

    @Test("numbers that are no places do not trap")
    func damaged() {
        let ends = [Int32.min, Int32.max, 0]
        for first in ends {
            for second in ends {
                let a = Coordinate(latitude: first, longitude: second)
                let b = Coordinate(latitude: second, longitude: first)
                _ = Segment(a, b).meeting(Segment(b, Coordinate(latitude: first, longitude: 1)))
                _ = LocalPlane(at: a).footPoint(of: b, on: [a, b, a])
                _ = Polyline.metres([a, b])
            }
        }
    }
}
