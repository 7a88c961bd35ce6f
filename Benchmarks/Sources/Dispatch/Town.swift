import Geo
import SeededRandom
import Zones

/// A generated city of 166 zones of about a square kilometre each, for runs without real zones.
///
/// The corners of a 14 by 14 lattice are displaced at random, and so are seven points on each edge
/// between them, which both neighbours share; three zones at the corners are left out.
struct Town {
    /// The number of zones, the same as Milan's taxi service once had.
    static let zoneCount = 166
    private static let side = 13
    private static let pieces = 8
    private static let south: Int32 = 453_500_000
    private static let west: Int32 = 91_000_000
    /// About a kilometre in units of latitude and of longitude at 45 degrees.
    private static let height: Int32 = 95_000
    private static let width: Int32 = 134_000

    /// The box that the lattice fills, before its corners are displaced.
    static let box = BoundingBox(
        south: south,
        west: west,
        north: south + Int32(side) * height,
        east: west + Int32(side) * width
    )

    let zones: ZoneSet

    init() throws {
        var areas: [Zone] = []
        for row in 0..<Self.side {
            for column in 0..<Self.side where areas.count < Self.zoneCount {
                let code = "Z\(areas.count)"
                let outline = try Ring(Self.outline(row, column))
                let area = MultiPolygon([Polygon(outline: outline)])
                areas.append(Zone(code: code, name: code, area: area))
            }
        }
        zones = try ZoneDraft(areas).healed()
    }

    /// The corners of a zone in counter-clockwise order; the first twice.
    private static func outline(_ row: Int, _ column: Int) -> [Coordinate] {
        let corners = [
            (row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column),
            (row, column),
        ]
        var points: [Coordinate] = []
        for (from, to) in zip(corners, corners.dropFirst()) {
            // Both zones of an edge use the same points.
            let isForward = (from.0, from.1) < (to.0, to.1)
            let edge = isForward ? Self.edge(from, to) : Self.edge(to, from).reversed()
            points += edge.dropLast()
        }
        return points + [points[0]]
    }

    private static func edge(_ from: (Int, Int), _ to: (Int, Int)) -> [Coordinate] {
        let ends = (corner(from), corner(to))
        var random = SeededRandom(
            seed: UInt64(from.0 * 64 + from.1) << 16 | UInt64(to.0 * 64 + to.1)
        )
        var points = [ends.0]
        for piece in 1..<pieces {
            let share = Double(piece) / Double(pieces)
            func between(_ low: Int32, _ high: Int32, _ extent: Int32) -> Int32 {
                let middle = Double(low) + (Double(high) - Double(low)) * share
                return Int32(middle + random.between(-0.03, 0.03) * Double(extent))
            }
            points.append(
                Coordinate(
                    latitude: between(ends.0.latitude, ends.1.latitude, height),
                    longitude: between(ends.0.longitude, ends.1.longitude, width)
                )
            )
        }
        return points + [ends.1]
    }

    private static func corner(_ place: (row: Int, column: Int)) -> Coordinate {
        var random = SeededRandom(seed: UInt64(place.row * 64 + place.column + 1))
        return Coordinate(
            latitude: south + Int32(place.row) * height
                + Int32(random.between(-0.2, 0.2) * Double(height)),
            longitude: west + Int32(place.column) * width
                + Int32(random.between(-0.2, 0.2) * Double(width))
        )
    }
}

/// Taxis that drive about a city all the time, at 6 m/s in straight lines.
struct Fleet {
    private struct Cab {
        var start: Coordinate
        var north: Double
        var east: Double
    }

    private let cabs: [Cab]
    private let box: BoundingBox
    /// 6 m/s in units of 1e-7 degrees of latitude.
    private static let speed = 6 / 0.011_132

    init(_ count: Int, in box: BoundingBox, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        self.box = box
        cabs = (0..<count).map { _ in
            let angle = (random.between(-1, 1), random.between(-1, 1))
            let length = max(0.01, (angle.0 * angle.0 + angle.1 * angle.1).squareRoot())
            return Cab(
                start: Fleet.place(in: box, &random),
                north: Self.speed * angle.0 / length,
                east: Self.speed * 1.4 * angle.1 / length
            )
        }
    }

    /// A random place in a box.
    static func place(in box: BoundingBox, _ random: inout SeededRandom) -> Coordinate {
        Coordinate(
            latitude: box.south + Int32(random.unit() * Double(box.north - box.south)),
            longitude: box.west + Int32(random.unit() * Double(box.east - box.west))
        )
    }

    /// The position of a taxi after that many seconds; it turns back at the edge of the city.
    func place(_ taxi: Int, after seconds: Double) -> Coordinate {
        let cab = cabs[taxi]
        return Coordinate(
            latitude: Self.within(box.south, box.north, cab.start.latitude, cab.north * seconds),
            longitude: Self.within(box.west, box.east, cab.start.longitude, cab.east * seconds)
        )
    }

    private static func within(_ low: Int32, _ high: Int32, _ at: Int32, _ way: Double) -> Int32 {
        let length = Double(high - low)
        let turned = (Double(at - low) + way).truncatingRemainder(dividingBy: 2 * length)
        let place = turned < 0 ? turned + 2 * length : turned
        return low + Int32(place > length ? 2 * length - place : place)
    }
}
