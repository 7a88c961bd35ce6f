import Geo
import SeededRandom
import TestSupport
import Testing

@testable import Zones

/// A rectangle of zones with irregular, exactly matching borders, and an inexact drawing of it.
private struct Partition {
    var exact: [[(Double, Double)]] = []
    var shaky: [MultiPolygon] = []
    let size: Int
    static let side = 60.0

    init(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        size = random.number(1...4)
        let shake = random.number(0.0...0.4)
        var corners: [[(Double, Double)]] = []
        for row in 0...size {
            corners.append(
                (0...size).map { column in
                    (
                        Double(column) * Self.side + random.number(-15.0...15.0),
                        Double(row) * Self.side + random.number(-15.0...15.0)
                    )
                }
            )
        }
        for row in 0..<size {
            for column in 0..<size {
                exact.append([
                    corners[row][column], corners[row][column + 1],
                    corners[row + 1][column + 1], corners[row + 1][column],
                ])
            }
        }
        for border in exact {
            shaky.append(try Self.drawn(border, shake, &random))
        }
    }

    /// Returns a border with additional, slightly moved corners and an arbitrary start.
    private static func drawn(
        _ corners: [(Double, Double)],
        _ shake: Double,
        _ random: inout SeededRandom
    ) throws -> MultiPolygon {
        var drawn: [(Double, Double)] = []
        for (from, to) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            let count = random.number(1...6)
            for step in 0..<count {
                let share = Double(step) / Double(count)
                // Within a square whose corners are at a distance of `shake`.
                let east = random.number(-0.7...0.7) * shake
                let north = random.number(-0.7...0.7) * shake
                drawn.append(
                    (
                        from.0 + (to.0 - from.0) * share + east,
                        from.1 + (to.1 - from.1) * share + north
                    )
                )
            }
        }
        let turn = random.number(0...(drawn.count - 1))
        drawn = Array(drawn[turn...] + drawn[..<turn])
        if random.number(0...1) == 1 { drawn.reverse() }
        return try area(drawn)
    }

    /// Returns the zone of a place in the exact drawing and its distance to the nearest border.
    func zone(_ spot: Coordinate) throws -> (zone: Int?, metres: Double) {
        let plane = LocalPlane(at: spot)
        var metres = Double.infinity
        var zone: Int?
        for (number, border) in exact.enumerated() {
            let ring = try ring(border)
            if ring.encloses(spot) { zone = number }
            metres = min(metres, plane.footPoint(of: spot, on: ring.points)?.metres ?? metres)
        }
        return (zone, metres)
    }
}

@Suite("Healing of random partitions")
struct ZonePartitionTests {
    @Test("zones drawn up to 0.4 m wrongly fit afterwards, and change nothing further than 1 m")
    func shakyHands() throws {
        for seed in 0..<UInt64(Effort.instances(150)) {
            let partition = try Partition(seed: seed)
            let set = try ZoneDraft(zones(partition.shaky)).healed()
            let areas = set.zones.map(\.area)
            #expect(ZoneSet.areDisjoint(areas), "seed \(seed)")
            #expect(set.report.gaps.isEmpty, "seed \(seed)")
            #expect(GEOS().agreesThatNoneOverlap(areas), "seed \(seed)")
            var random = SeededRandom(seed: seed &+ 1_000_000)
            let reach = Double(partition.size) * Partition.side
            for _ in 0..<100 {
                let spot = place(
                    random.number(-20...(reach + 20)),
                    random.number(-20...(reach + 20))
                )
                let (zone, metres) = try partition.zone(spot)
                guard metres > 1 else { continue }
                #expect(set.zone(at: spot).map { Int($0.rawValue) } == zone, "seed \(seed)")
            }
            try checkSeams(set, partition, &random, seed)
            let again = Healing(areas)
            #expect(again.areas == areas && again.report == ZoneReport(), "seed \(seed)")
        }
    }

    /// Checks that there are no gaps along borders between zones, up to the outer border.
    private func checkSeams(
        _ set: ZoneSet,
        _ partition: Partition,
        _ random: inout SeededRandom,
        _ seed: UInt64
    ) throws {
        for row in 0..<partition.size {
            for column in 1..<max(1, partition.size) where column < partition.size {
                let border = partition.exact[row * partition.size + column]
                // From the south-west corner to the north-west corner.
                let (from, to) = (border[0], border[3])
                for _ in 0..<10 {
                    // The outermost 2 m may be outside the drawn outer border.
                    let share = random.number(0.07...0.93)
                    let east = from.0 + (to.0 - from.0) * share + random.number(-0.5...0.5)
                    let north = from.1 + (to.1 - from.1) * share
                    #expect(set.zone(at: place(east, north)) != nil, "seed \(seed)")
                }
            }
        }
    }

    @Test("each place of healed zones, borders and corners too, is in at most one (G6, I2)")
    func oneZoneForAPlace() throws {
        for seed in 0..<UInt64(Effort.instances(50)) {
            let partition = try Partition(seed: seed &+ 5_000)
            let set = try ZoneDraft(zones(partition.shaky)).healed()
            let corners = set.zones.flatMap { $0.area.polygons.flatMap { $0.outline.points } }
            let middles = zip(corners, corners.dropFirst()).map { first, second in
                BoundingBox(around: [first, second])?.centre ?? first
            }
            for spot in corners + middles {
                let holders = set.zones.indices.filter { set.zones[$0].area.contains(spot) }
                #expect(holders.count <= 1, "seed \(seed)")
                #expect(set.zone(at: spot).map { Int($0.rawValue) } == holders.first)
            }
        }
    }
}
