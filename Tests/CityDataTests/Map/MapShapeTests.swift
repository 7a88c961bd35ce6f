import Geo
import SeededRandom
import TestSupport
import Testing

@testable import CityData

/// Issue 2, part "City file": areas simplified for three zoom ranges.
@Suite("Simplified areas")
struct MapShapeTests {
    /// A star around a place with a border of random spikes.
    private static func star(
        _ east: Double,
        _ north: Double,
        radius: Double,
        corners: Int,
        _ random: inout SeededRandom
    ) throws -> Ring {
        let points = (0..<corners).map { corner in
            let angle = 2 * Double.pi * Double(corner) / Double(corners)
            let reach = radius * .random(in: 0.5...1, using: &random)
            return AddressTown.place(
                east + reach * Trigonometry.cosine(angle),
                north + reach * Trigonometry.sine(angle)
            )
        }
        return try Ring(points + points.prefix(1))
    }

    @Test("a simplified area is valid, has fewer points, and is hardly another one")
    func valid() throws {
        var before = 0
        var after = 0
        for seed in 0..<UInt64(Effort.instances(500)) {
            var random = SeededRandom(seed: seed)
            let outline = try Self.star(0, 0, radius: 1_000, corners: 200, &random)
            let holes = try (0..<3).map { number in
                let north = 160.0 * Double(number - 1)
                return try Self.star(0, north, radius: 75, corners: 30, &random)
            }
            let polygon = Polygon(outline: outline, holes: holes)
            guard polygon.flaw == nil else { continue }
            for tolerance in [0.5, 4, 25, 80] {
                let result = polygon.simplified(
                    toleranceMetres: tolerance,
                    leastSquareMetres: 1_000
                )
                let simplified = try #require(result, "seed \(seed)")
                #expect(simplified.flaw == nil, "seed \(seed), \(tolerance) m")
                before += polygon.rings.reduce(0) { $0 + $1.points.count }
                after += simplified.rings.reduce(0) { $0 + $1.points.count }
                guard tolerance < 20 else { continue }
                let change = simplified.areaSquareMetres / polygon.areaSquareMetres - 1
                #expect(change.magnitude < 0.05, "seed \(seed), \(tolerance) m")
            }
        }
        #expect(after < before)
    }

    @Test("an area or hole that is too small is left out")
    func small() throws {
        var random = SeededRandom(seed: 1)
        let outline = try Self.star(0, 0, radius: 100, corners: 12, &random)
        let hole = try Self.star(0, 0, radius: 10, corners: 12, &random)
        let polygon = Polygon(outline: outline, holes: [hole])
        #expect(polygon.simplified(toleranceMetres: 1, leastSquareMetres: 40_000) == nil)
        let rest = polygon.simplified(toleranceMetres: 1, leastSquareMetres: 1_000)
        #expect(rest?.holes.isEmpty == true)
    }

    private static func rectangle(
        _ east: Double,
        _ north: Double,
        _ width: Double,
        _ height: Double
    ) throws -> Polygon {
        let corners = [
            (east, north), (east + width, north), (east + width, north + height),
            (east, north + height), (east, north),
        ]
        return Polygon(outline: try Ring(corners.map { AddressTown.place($0, $1) }))
    }

    @Test("blocks with streets between them become one area, with a hole for the park")
    func blocks() throws {
        var blocks: [Polygon] = []
        for row in 0..<12 {
            for column in 0..<12 where !((4..<8).contains(row) && (4..<8).contains(column)) {
                blocks.append(try Self.rectangle(Double(column) * 90, Double(row) * 90, 75, 75))
            }
        }
        let cover = SquareCover.polygons(blocks, squareMetres: 100)
        #expect(cover.count == 1)
        #expect(cover.first?.holes.count == 1)
        let area = cover.reduce(0) { $0 + $1.areaSquareMetres }
        #expect((800_000...1_300_000).contains(area), "\(area)")
    }

    @Test("covers are valid, do not meet, and cover what is large")
    func covers() throws {
        for seed in 0..<UInt64(Effort.instances(200)) {
            var random = SeededRandom(seed: seed)
            let areas = try (0..<40).map { _ in
                try Self.rectangle(
                    .random(in: 0...2_000, using: &random),
                    .random(in: 0...2_000, using: &random),
                    .random(in: 10...400, using: &random),
                    .random(in: 10...400, using: &random)
                )
            }
            let cover = SquareCover.polygons(areas, squareMetres: 100)
            #expect(cover.allSatisfy { $0.flaw == nil }, "seed \(seed)")
            for area in areas where area.areaSquareMetres > 100_000 {
                let middle = area.bounds.centre
                #expect(cover.filter { $0.contains(middle) }.count == 1, "seed \(seed)")
            }
        }
        #expect(SquareCover.polygons([], squareMetres: 100).isEmpty)
    }

    @Test("areas at opposite ends of the earth take no more memory, and both are covered")
    func farApart() throws {
        // Squares of 100 m covering the whole earth would take many gigabytes.
        let places = [(-800_000_000, -1_700_000_000), (710_000_000, 1_610_000_000)]
        let areas = try places.map { latitude, longitude in
            let corners = [(0, 0), (0, 90_000_000), (90_000_000, 90_000_000), (90_000_000, 0)].map {
                Coordinate(
                    latitude: Int32(latitude + $0.0),
                    longitude: Int32(longitude + $0.1)
                )
            }
            return Polygon(outline: try Ring(corners + corners.prefix(1)))
        }
        let cover = SquareCover.polygons(areas, squareMetres: 100)
        #expect(cover.count == 2)
        #expect(cover.allSatisfy { $0.flaw == nil && $0.holes.isEmpty })
        for area in areas {
            let middle = area.bounds.centre
            #expect(cover.filter { $0.contains(middle) }.count == 1)
        }
        // The area between them does not count as covered.
        let equator = Coordinate(latitude: 0, longitude: 0)
        #expect(!cover.contains { $0.contains(equator) })
    }
}
