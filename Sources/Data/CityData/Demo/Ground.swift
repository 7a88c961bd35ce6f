import Geo
import SeededRandom

/// The ground on which the demo city is built: its size and outline, its river and railways, its
/// motorway, its quarters, and the unevenness that bends every street a little.
///
/// Distances are in metres from the cathedral. The city is described by polar functions,
/// so that rings nest by construction; a smooth warp of the plane, applied at the end,
/// hides the regularity.
struct Ground: Sendable {
    /// How many people live there.
    let inhabitants: Int
    /// The mean distance of the outline from the cathedral.
    let radius: Double
    /// The distance of the old walls, now a ring of avenues.
    let walls: Double
    /// Where the town of the 19th century ends and the suburbs begin.
    let belt: Double
    /// The distances of the ring roads, ascending, from the walls to the outline.
    let rings: [Double]
    /// The distance of the motorway ring; nil in a city too small for one.
    let motorway: Double?
    /// The river's middle line, from far outside to far outside.
    let river: [Point]
    /// Half of the river's width, in metres.
    let riverHalfWidth: Double
    /// The middle lines of the railways, from their terminus outwards.
    var railways: [[Point]] = []
    /// The radial roads, from the inside outwards.
    var radials: [Radial] = []
    /// The old village centres, now quarters.
    var quarters: [Point] = []
    private let outlineWaves: [Wave]
    private let warpWaves: [(direction: Point, phase: Double, size: Point)]

    /// A road that leads out of the city.
    struct Radial: Sendable {
        /// Its polyline from the inside outwards.
        var polyline: [Point]
        /// Whether it begins at the cathedral square.
        var isMain: Bool
    }

    /// One wave of a function of direction.
    private struct Wave: Sendable {
        var count: Double
        var phase: Double
        var size: Double
    }

    /// Half the width of the land of a railway, in metres.
    static let railwayHalfWidth = 17.0
    /// Half the width of the land of the motorway, in metres.
    static let motorwayHalfWidth = 30.0

    /// The ground of a city of some inhabitants.
    init(inhabitants: Int, random: inout SeededRandom) {
        self.inhabitants = inhabitants
        let people = Double(inhabitants)
        let radius = (people / 4_600 / Trigonometry.pi).squareRoot() * 1_000
        let walls = 420 * (people / 100_000).squareRoot().squareRoot()
        self.radius = radius
        self.walls = walls
        belt = max(walls * 1.5, radius * 0.36)
        rings = Self.ringDistances(walls: walls, radius: radius)
        outlineWaves = [2.0, 3, 5, 7].map {
            Wave(
                count: $0,
                phase: random.between(0, 6.28),
                size: random.between(0.4, 1) * 0.16 / $0.squareRoot()
            )
        }
        warpWaves = [(1_300.0, 26.0), (1_700, 30), (2_900, 60), (4_300, 95), (520, 7)].map {
            let angle = random.between(0, 6.28)
            return (
                Point(angle: angle, distance: 2 * Trigonometry.pi / $0.0),
                random.between(0, 6.28),
                Point(angle: random.between(0, 6.28), distance: $0.1)
            )
        }
        motorway = people >= 300_000 ? Self.motorwayDistance(rings: rings) : nil
        riverHalfWidth = min(90, 22 * (people / 100_000).squareRoot().squareRoot())
        river = Self.riverLine(radius: radius, walls: walls, random: &random)
        layRadials(random: &random)
        layRailways(random: &random)
        layQuarters(random: &random)
    }

    /// How far the outline is from the cathedral in a direction, relative to its mean.
    func outline(_ angle: Double) -> Double {
        var sum = 1.0
        for wave in outlineWaves {
            sum += wave.size * Trigonometry.sine(angle * wave.count + wave.phase)
        }
        return sum
    }

    /// The place on the ring of that mean distance in a direction: round near the centre, and
    /// like the outline far from it.
    func ring(_ distance: Double, angle: Double) -> Point {
        let share = min(1, distance / radius)
        return Point(angle: angle, distance: distance * (1 + share * (outline(angle) - 1)))
    }

    /// The distance from the cathedral, with the outline brought to ``radius`` all around.
    func distance(_ place: Point) -> Double {
        let plain = place.length
        let share = min(1, plain / radius)
        return plain / (1 + share * (outline(place.angle) - 1))
    }

    /// The warped position of a place of the plan: the warp bends the streets.
    func bent(_ place: Point) -> Point {
        var result = place
        for wave in warpWaves {
            let size = Trigonometry.sine(place.dot(wave.direction) + wave.phase)
            result = result + wave.size * size
        }
        return result
    }

    private static func ringDistances(walls: Double, radius: Double) -> [Double] {
        var rings = [walls]
        var step = max(450, walls * 0.85)
        while let last = rings.last, last + step * 1.5 < radius {
            rings.append(last + step)
            step = min(2_400, step * 1.22)
        }
        return rings + [radius]
    }

    private static func motorwayDistance(rings: [Double]) -> Double {
        let index = max(1, rings.count * 2 / 3)
        return (rings[index - 1] + rings[index]) / 2
    }

    private static func riverLine(
        radius: Double,
        walls: Double,
        random: inout SeededRandom
    ) -> [Point] {
        let direction = Point(angle: random.between(0, 6.28), distance: 1)
        let reach = radius * 1.6
        let bend = radius * random.between(0.05, 0.09)
        let phase = random.between(0, 6.28)
        // Meanders are never shorter than the river can turn.
        let meander = max(2_600, radius / random.between(1.6, 2.4))
        let turns = 2 * Trigonometry.pi / meander
        var points: [Point] = []
        var along = -reach
        while along <= reach {
            let calm = min(1, (along / walls).magnitude / 4)
            let swing =
                Trigonometry.sine(along * turns + phase) * bend
                + Trigonometry.sine(along * turns * 2.7 + phase * 2) * bend * 0.3
            let aside = walls * 1.25 + calm * swing + (along.magnitude / reach) * radius * 0.12
            points.append(direction * along + direction.left * aside)
            along += 45
        }
        return points
    }

    private mutating func layRadials(random: inout SeededRandom) {
        let first = random.between(0, 6.28)
        let mains = inhabitants < 150_000 ? 6 : inhabitants < 1_000_000 ? 8 : 10
        var angles = (0..<mains).map { index -> Double in
            let share = Double(index) + random.between(-0.16, 0.16)
            return first + share / Double(mains) * 2 * Trigonometry.pi
        }
        for angle in angles { addRadial(angle, from: 0, isMain: true, random: &random) }
        for ring in rings.dropLast() {
            // Between two roads that have grown too far apart, another begins at the ring.
            var added: [Double] = []
            for index in angles.indices {
                let next = index + 1 < angles.count ? angles[index + 1] : angles[0] + 6.2831853
                if (next - angles[index]) * ring > 2_100 || (ring == walls && angles.count < 9) {
                    added.append((angles[index] + next) / 2 + random.between(-0.02, 0.02))
                }
            }
            for angle in added { addRadial(angle, from: ring, isMain: false, random: &random) }
            angles = (angles + added).sorted()
        }
    }

    private mutating func addRadial(
        _ angle: Double,
        from start: Double,
        isMain: Bool,
        random: inout SeededRandom
    ) {
        let phase = random.between(0, 6.28)
        let swing = random.between(0.010, 0.035)
        var polyline: [Point] = []
        var distance = max(20, start - 30)
        var near = 0
        while distance < radius * 1.04 {
            let turned =
                angle + swing * Trigonometry.sine(distance / 900 + phase)
                * min(1, distance / walls / 2)
            let place = ring(distance, angle: turned)
            let close = DemoPolyline.distance(from: place, to: river) < riverHalfWidth + 110
            near = close ? near + 1 : 0
            if near > 5 { break }
            polyline.append(place)
            distance += 120
        }
        if near > 5 { polyline.removeLast(min(polyline.count, 4)) }
        guard polyline.count > 3 else { return }
        radials.append(Radial(polyline: polyline, isMain: isMain))
    }

    private mutating func layRailways(random: inout SeededRandom) {
        let wanted = min(9, max(2, 2 + inhabitants / 600_000))
        let directions = radials.map { ($0.polyline.last ?? .zero).angle }.sorted()
        var gaps: [(size: Double, middle: Double)] = []
        for index in directions.indices {
            let next =
                index + 1 < directions.count ? directions[index + 1] : directions[0] + 6.2831853
            gaps.append((next - directions[index], (next + directions[index]) / 2))
        }
        let turn = random.below(max(1, gaps.count))
        var chosen: [Double] = []
        for step in gaps.indices where chosen.count < wanted {
            let stride = max(1, gaps.count / wanted)
            let gap = gaps[(turn + step * stride + step * stride / gaps.count) % gaps.count]
            let apart = chosen.allSatisfy { Point(angle: $0 - gap.middle, distance: 1).x < 0.95 }
            guard gap.size * radius > 500, apart else { continue }
            let start = rings[min(1, rings.count - 2)]
            var polyline: [Point] = []
            var distance = start - 45
            while distance < radius * 1.5 {
                polyline.append(ring(distance, angle: gap.middle))
                distance += 120
            }
            let wet = polyline.filter {
                DemoPolyline.distance(from: $0, to: river) < riverHalfWidth + 120
            }
            guard wet.count < 6 + Int(riverHalfWidth / 30) else { continue }
            chosen.append(gap.middle)
            railways.append(polyline)
        }
    }

    private mutating func layQuarters(random: inout SeededRandom) {
        let wanted = max(8, min(140, inhabitants / 34_000))
        var tries = 0
        while quarters.count < wanted, tries < wanted * 40 {
            tries += 1
            let distance = radius * 0.93 * random.unit().squareRoot()
            guard distance > walls * 1.2 else { continue }
            let place = ring(distance, angle: random.between(0, 6.2831853))
            let apart = radius / Double(wanted).squareRoot() * 1.05
            let dry = DemoPolyline.distance(from: place, to: river) > riverHalfWidth + 150
            if dry, quarters.allSatisfy({ $0.distance(to: place) > apart }) {
                quarters.append(place)
            }
        }
    }
}
