import Geo
import SeededRandom
import TestSupport
import Testing

@Suite("Index of polygons")
struct PolygonIndexTests {
    @Test("the index finds what asking every area finds, on borders and corners too")
    func equalsScan() throws {
        var random = SeededRandom(seed: 31)
        for instance in 0..<Effort.instances(1_000) {
            let rows = random.number(1...5)
            let step = random.number(3...2_000)
            var areas = try subdivision(rows: rows, step: step, &random).map {
                MultiPolygon([Polygon(outline: try Ring(random.turned($0)))])
            }
            areas.append(MultiPolygon([]))
            for _ in 0..<3 {
                let line = random.closedLine(corners: 5, 0...(rows * step))
                areas.append(MultiPolygon([Polygon(outline: try Ring(line))]))
            }
            let index = PolygonIndex(areas, cells: Int(random.number(1...3_000)))
            let corners = areas.flatMap { $0.polygons.flatMap(\.outline.points) }
            let places =
                corners + (0..<300).map { _ in random.place(-2...(rows * step + 2)) }
            for place in places {
                let expected = areas.indices.filter { areas[$0].contains(place) }
                #expect(index.all(containing: place) == expected, "\(instance) \(place)")
                #expect(index.first(containing: place) == expected.first)
            }
        }
    }

    @Test("no areas hold nothing, nor do areas hold what lies far away")
    func empty() throws {
        let far = Coordinate(latitude: -900_000_000, longitude: 1_800_000_000)
        #expect(PolygonIndex([]).first(containing: far) == nil)
        #expect(PolygonIndex([MultiPolygon([])]).all(containing: far).isEmpty)
        let whole = try Ring(
            [(-900, -1_800), (-900, 1_800), (900, 1_800), (900, -1_800), (-900, -1_800)].map {
                Coordinate(latitude: $0.0 * 1_000_000, longitude: $0.1 * 1_000_000)
            }
        )
        let index = PolygonIndex([MultiPolygon([Polygon(outline: whole)])])
        var random = SeededRandom(seed: 32)
        for _ in 0..<1_000 {
            let place = random.placeOnEarth()
            #expect(index.first(containing: place) == (whole.encloses(place) ? 0 : nil))
        }
    }
}
