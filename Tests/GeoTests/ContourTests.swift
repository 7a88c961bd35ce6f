import SeededRandom
import TestSupport
import Testing

@testable import Geo

/// Issue 31, "What must work" 4: isochrones are valid polygons.
@Suite("Areas drawn from a grid of numbers")
struct ContourTests {
    private static let limit: Int32 = 1_000
    private static let milan = Coordinate(latitude: 454_641_000, longitude: 91_919_000)

    /// A grid with random numbers and a border without any: each on its own, or some hills.
    private static func grid(_ random: inout SeededRandom) -> ValueGrid {
        let columns = Int.random(in: 3...20, using: &random)
        let rows = Int.random(in: 3...20, using: &random)
        let hills = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            (Int.random(in: 0..<columns, using: &random), Int.random(in: 0..<rows, using: &random))
        }
        let isRough = Bool.random(using: &random)
        let values = (0..<(columns * rows)).map { corner -> Int32 in
            let (column, row) = (corner % columns, corner / columns)
            if column == 0 || row == 0 || column == columns - 1 || row == rows - 1 {
                return ValueGrid.nothing
            }
            if isRough { return Int32.random(in: 0...2_000, using: &random) }
            let steps = hills.map { abs($0.0 - column) + abs($0.1 - row) }.min() ?? 0
            return Int32(steps) * 250 + Int32.random(in: 0...200, using: &random)
        }
        return ValueGrid(values: values, columns: columns, at: milan, cellMetres: 50)
    }

    @Test("each corner is inside exactly if its number is at most the limit")
    func corners() {
        for seed in 1...UInt64(Effort.instances(300, everything: 10_000)) {
            var random = SeededRandom(seed: seed ^ 0xC0)
            let grid = Self.grid(&random)
            let area = grid.area(atMost: Self.limit, band: 400, toleranceMetres: 0)
            for corner in grid.values.indices {
                let place = grid.place(
                    Double(corner % grid.columns),
                    Double(corner / grid.columns)
                )
                let isInside = area.polygons.contains { $0.contains(place) }
                #expect(isInside == (grid.values[corner] <= Self.limit), "seed \(seed)")
            }
        }
    }

    @Test("polygons are valid and apart, however many points are left out")
    func validity() {
        for seed in 1...UInt64(Effort.instances(300, everything: 10_000)) {
            var random = SeededRandom(seed: seed ^ 0x7A11D)
            let grid = Self.grid(&random)
            let tolerance = Double.random(in: 0...60, using: &random)
            let whole = grid.area(atMost: Self.limit, band: 400, toleranceMetres: 0)
            let area = grid.area(atMost: Self.limit, band: 400, toleranceMetres: tolerance)
            #expect(area.polygons.count == whole.polygons.count, "seed \(seed)")
            #expect(
                area.polygons.map(\.holes.count) == whole.polygons.map(\.holes.count),
                "seed \(seed)"
            )
            for polygon in area.polygons { #expect(polygon.flaw == nil, "seed \(seed)") }
            for (number, polygon) in area.polygons.enumerated() {
                for other in area.polygons[(number + 1)...] {
                    let overlaps =
                        other.outline.points.contains { polygon.contains($0) }
                        || polygon.outline.points.contains { other.contains($0) }
                    #expect(!overlaps, "seed \(seed)")
                }
            }
        }
    }

    @Test("a straight border needs few points")
    func fewPoints() {
        let values = (0..<1_600).map { corner -> Int32 in
            let (column, row) = (corner % 40, corner / 40)
            return (1...38).contains(column) && (1...38).contains(row) ? 0 : ValueGrid.nothing
        }
        let grid = ValueGrid(values: values, columns: 40, at: Self.milan, cellMetres: 50)
        let whole = grid.area(atMost: Self.limit, band: 400, toleranceMetres: 0)
        let simple = grid.area(atMost: Self.limit, band: 400, toleranceMetres: 5)
        #expect(whole.polygons.map(\.outline.points.count) == [153])
        #expect(simple.polygons.count == 1)
        #expect(simple.polygons[0].outline.points.count < 50)
    }

    @Test("a point brings the corners around it nearer, by the distance")
    func lowering() throws {
        var grid = try #require(ValueGrid(around: [Self.milan], cellMetres: 50))
        grid.lower(around: Self.milan, to: 100, perMetre: 1)
        #expect(grid.values.count { $0 < ValueGrid.nothing } == 9)
        #expect(grid.values.min() == 100)
        // The corners beside it are 50 m away, those across 71 m.
        #expect(grid.values.count { $0 <= 151 } == 5)
        #expect(grid.values.count { $0 <= 172 } == 9)
        #expect(ValueGrid(around: [], cellMetres: 50) == nil)
    }
}
