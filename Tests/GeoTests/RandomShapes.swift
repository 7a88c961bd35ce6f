import Geo
import SeededRandom
import TestSupport

extension SeededRandom {
    /// Draws an integer in a range.
    mutating func number(_ range: ClosedRange<Int32>) -> Int32 {
        Int32.random(in: range, using: &self)
    }

    /// Draws a place with both coordinates in a range.
    mutating func place(_ range: ClosedRange<Int32>) -> Coordinate {
        Coordinate(latitude: number(range), longitude: number(range))
    }

    /// Draws a place anywhere on the earth.
    mutating func placeOnEarth() -> Coordinate {
        Coordinate(
            latitude: number(-900_000_000...900_000_000),
            longitude: number(-1_800_000_000...1_800_000_000)
        )
    }

    /// Draws a closed line through random corners, seldom a valid ring.
    mutating func closedLine(corners: Int, _ range: ClosedRange<Int32>) -> [Coordinate] {
        let corners = (0..<corners).map { _ in place(range) }
        return corners + [corners[0]]
    }

    /// Returns the same ring with another starting point, and perhaps the other orientation.
    mutating func turned(_ ring: [Coordinate]) -> [Coordinate] {
        var corners = Array(ring.dropLast())
        let start = Int(number(0...Int32(corners.count - 1)))
        corners = Array(corners[start...] + corners[..<start])
        if number(0...1) == 1 { corners.reverse() }
        return corners + [corners[0]]
    }
}

/// Draws triangles that cover a jittered lattice without gaps or overlaps, vertices at multiples of
/// `step` moved by less than half of it.
func subdivision(
    rows: Int32,
    step: Int32,
    _ random: inout SeededRandom
) -> [[Coordinate]] {
    let jitter = step / 3
    var corners: [[Coordinate]] = []
    for row in 0...rows {
        corners.append(
            (0...rows).map { column in
                let isFixed = row == 0 || row == rows || column == 0 || column == rows
                return Coordinate(
                    latitude: row * step + (isFixed ? 0 : random.number(-jitter...jitter)),
                    longitude: column * step + (isFixed ? 0 : random.number(-jitter...jitter))
                )
            }
        )
    }
    var triangles: [[Coordinate]] = []
    for row in 0..<Int(rows) {
        for column in 0..<Int(rows) {
            let a = corners[row][column]
            let b = corners[row][column + 1]
            let c = corners[row + 1][column + 1]
            let d = corners[row + 1][column]
            // Only the diagonal that has the other corners on opposite sides is inside.
            let diagonal = Segment(a, c)
            if diagonal.side(of: b) * diagonal.side(of: d) < 0 {
                triangles += [[a, b, c, a], [a, c, d, a]]
            } else {
                triangles += [[a, b, d, a], [b, c, d, b]]
            }
        }
    }
    return triangles
}
