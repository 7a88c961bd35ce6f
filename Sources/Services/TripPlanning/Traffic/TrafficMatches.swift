import Geo
import OpenData
import Streets

/// The passages of streets along lines of traffic.
///
/// A stretch of street belongs to a line if its middle and the points halfway to its ends lie
/// beside the line, and it runs in its direction there. So publishers need not know the numbers of
/// our streets, nor of OpenStreetMap's.
struct TrafficMatches {
    /// A passage and the numbers of its lines, ascending.
    struct Passage {
        let arc: ArcIndex
        var lines: [Int]
    }

    /// A line along streets.
    struct Line {
        /// Its points in the direction of driving.
        let points: [Coordinate]
        /// Whether it holds against that direction too.
        let isBothWays: Bool
    }

    /// The passages that have a line.
    private(set) var passages: [Passage] = []
    /// How many lines have a passage.
    private(set) var lineCount = 0

    /// How far beside a line a street may lie, in metres: the width of a large street, and of maps.
    private static let tolerance = 15.0
    /// The cosine of the greatest angle between a line and a street: 35 degrees.
    private static let leastCosine = 0.82
    /// The longest part of a line that is matched, in metres.
    private static let partMetres = 10_000.0
    /// How many steps of 50 m the index has at most; what a feed says beyond them is not matched.
    private static let stepLimit = 2_000_000
    /// How many parts of lines a cell has at most, and how many lines a passage: publishers state
    /// each street once or twice.
    private static let cellLimit = 200
    private static let lineLimit = 16
    /// The side of a cell of the index, in 1e-7 degrees: about 100 m.
    private static let cell: Int32 = 10_000

    private struct Cell: Hashable {
        let row: Int32
        let column: Int32
    }

    private struct Part {
        let line: Int
        let start: Coordinate
        let end: Coordinate
    }

    init(_ lines: [Line], _ streets: StreetNetwork) {
        guard !lines.isEmpty else { return }
        let parts = Self.parts(lines)
        var found: [UInt32: [Int]] = [:]
        for number in 0..<streets.edgeCount {
            let edge = EdgeIndex(rawValue: UInt32(number))
            let passages = streets.passages(of: edge)
            guard let own = Self.lines(along: streets.geometry(of: edge), parts) else { continue }
            for (line, forward) in own {
                for passage in passages
                where lines[line].isBothWays || streets.passage(passage).forward == forward {
                    let known = found[passage.rawValue] ?? []
                    guard known.last != line, known.count < Self.lineLimit else { continue }
                    found[passage.rawValue] = known + [line]
                }
            }
        }
        passages = found.sorted { $0.key < $1.key }.map {
            Passage(arc: ArcIndex(rawValue: $0.key), lines: $0.value.sorted())
        }
        lineCount = Set(found.values.joined()).count
    }

    /// The parts of all lines by the cells that they pass.
    private static func parts(_ lines: [Line]) -> [Cell: [Part]] {
        var cells: [Cell: [Part]] = [:]
        var budget = stepLimit
        for (number, line) in lines.enumerated() {
            for (start, end) in zip(line.points, line.points.dropFirst()) {
                let metres = start.distanceMetres(to: end)
                // A part from one town to the next follows no street.
                guard metres <= partMetres else { continue }
                let part = Part(line: number, start: start, end: end)
                // A long part is entered along its way, not in all of its box.
                let steps = max(1, Int(metres / 50))
                budget -= steps
                guard budget > 0 else { return cells }
                var last: Cell?
                for step in 0...steps {
                    let cell = cell(of: between(start, end, Double(step) / Double(steps)))
                    if cell != last, cells[cell]?.count ?? 0 < cellLimit {
                        cells[cell, default: []].append(part)
                    }
                    last = cell
                }
            }
        }
        return cells
    }

    /// The parts in the cell of a place and around it.
    private static func parts(near place: Coordinate, _ cells: [Cell: [Part]]) -> [Part] {
        let middle = cell(of: place)
        var found: [Part] = []
        for row: Int32 in -1...1 {
            for column: Int32 in -1...1 {
                found += cells[Cell(row: middle.row + row, column: middle.column + column)] ?? []
            }
        }
        return found
    }

    /// The lines along a stretch, and whether they run in the direction of its geometry; nil if
    /// there are none.
    private static func lines(
        along geometry: [Coordinate],
        _ parts: [Cell: [Part]]
    ) -> [(line: Int, forward: Bool)]? {
        let places = sections(of: geometry)
        guard let middle = places.first else { return nil }
        let candidates = Self.parts(near: middle.place, parts)
        guard !candidates.isEmpty else { return nil }
        let near = [candidates] + places.dropFirst().map { Self.parts(near: $0.place, parts) }
        var found: [(line: Int, forward: Bool)] = []
        for line in Set(candidates.map(\.line)).sorted() {
            for forward in [true, false] {
                let follows = zip(places, near).allSatisfy { section, near in
                    near.contains { part in
                        part.line == line
                            && runs(part, past: section.place, section.direction, forward)
                    }
                }
                if follows { found.append((line, forward)) }
            }
        }
        return found.isEmpty ? nil : found
    }

    /// The middle of a stretch and the points halfway to its ends, with the directions there.
    private static func sections(
        of geometry: [Coordinate]
    ) -> [(place: Coordinate, direction: (Double, Double))] {
        let pairs = Array(zip(geometry, geometry.dropFirst()))
        let lengths = pairs.map { $0.distanceMetres(to: $1) }
        let whole = lengths.reduce(0, +)
        guard whole > 0 else { return [] }
        return [0.5, 0.25, 0.75].map { share in
            var rest = whole * share
            var index = 0
            while index + 1 < pairs.count, rest > lengths[index] {
                rest -= lengths[index]
                index += 1
            }
            let (start, end) = pairs[index]
            let part = lengths[index] > 0 ? min(1, rest / lengths[index]) : 0
            return (between(start, end, part), direction(start, end, LocalPlane(at: start)))
        }
    }

    private static func runs(
        _ part: Part,
        past place: Coordinate,
        _ direction: (Double, Double),
        _ forward: Bool
    ) -> Bool {
        let plane = LocalPlane(at: place)
        let own = self.direction(part.start, part.end, plane)
        let cosine = own.0 * direction.0 + own.1 * direction.1
        guard (forward ? cosine : -cosine) >= leastCosine else { return false }
        let foot = plane.footPoint(of: place, on: [part.start, part.end])
        return (foot?.metres ?? .infinity) <= tolerance
    }

    /// The unit vector from one place to another, east and north; zero if they are the same.
    private static func direction(
        _ start: Coordinate,
        _ end: Coordinate,
        _ plane: LocalPlane
    ) -> (Double, Double) {
        let (from, to) = (plane.project(start), plane.project(end))
        let (east, north) = (to.east - from.east, to.north - from.north)
        let length = (east * east + north * north).squareRoot()
        return length > 0 ? (east / length, north / length) : (0, 0)
    }

    private static func cell(of place: Coordinate) -> Cell {
        Cell(row: place.latitude / cell, column: place.longitude / cell)
    }

    private static func between(
        _ start: Coordinate,
        _ end: Coordinate,
        _ share: Double
    ) -> Coordinate {
        func mean(_ from: Int32, _ to: Int32) -> Int32 {
            Int32(Double(from) + (Double(to) - Double(from)) * share)
        }
        return Coordinate(
            latitude: mean(start.latitude, end.latitude),
            longitude: mean(start.longitude, end.longitude)
        )
    }
}
