import Geo
import Heap

/// The area and the width of a part of the map.
///
/// The *width* is the diameter of the largest circle that fits inside. The search divides squares
/// into four, the most promising first (the method known as polylabel), and stops as soon as the
/// width is known to reach the given limit.
struct FaceMeasure {
    /// The area in square metres.
    let area: Double
    /// The length of the border in metres.
    let perimeter: Double
    /// The width in metres, to about a tenth, from below.
    let width: Double
    /// Whether the width is certainly less than the given limit.
    let isNarrow: Bool
    /// Where the widest place is.
    let place: Coordinate

    /// A square that the search examines: the greatest promise first, then from south-west.
    private struct Square: Comparable {
        let east: Double
        let north: Double
        let half: Double
        /// The distance of its middle to the border, negative outside.
        let distance: Double

        /// The greatest distance that any place of the square can have.
        var promise: Double { distance + half * 1.414_214 }

        static func < (left: Square, right: Square) -> Bool {
            (-left.promise, left.east, left.north) < (-right.promise, right.east, right.north)
        }
    }

    private struct Wall {
        let east: Double
        let north: Double
        let endNorth: Double
        let toEast: Double
        let toNorth: Double
    }

    /// The greatest number of squares to examine; an undecided face then counts as wide.
    static let squareLimit = 400_000
    /// The greatest number of distances between squares and walls to compute: some tenths of a
    /// second.
    static let distanceLimit = 40_000_000

    /// Measures the area to the left of lines that close it.
    ///
    /// - Parameters:
    ///   - lines: its borders, in any order.
    ///   - narrow: the width below which it is narrow, in metres.
    init(_ lines: [Segment], narrow: Double) {
        let origin = lines.first?.start ?? Coordinate(latitude: 0, longitude: 0)
        let plane = LocalPlane(at: origin)
        var area = 0.0
        var perimeter = 0.0
        let walls = lines.map { line in
            let start = plane.project(line.start)
            let end = plane.project(line.end)
            area += (start.east * end.north - start.north * end.east) / 2
            perimeter += plane.distanceMetres(line.start, line.end)
            return Wall(
                east: start.east,
                north: start.north,
                endNorth: end.north,
                toEast: end.east - start.east,
                toNorth: end.north - start.north
            )
        }
        area = area.magnitude
        self.area = area
        self.perimeter = perimeter
        // No circle of that width has so little area.
        let isTiny = area < narrow * narrow * 0.785
        let found = Self.search(
            walls,
            enough: narrow / 2,
            squares: isTiny ? 200 : min(Self.squareLimit, Self.distanceLimit / max(1, walls.count))
        )
        // A region whose places are all within r of its border has at most r times its length.
        let least = perimeter > 0 ? 2 * area / perimeter : 0
        width = max(2 * found.distance, least)
        isNarrow = isTiny || (found.isComplete && width < narrow)
        place =
            found.distance > 0
            ? plane.place(east: found.east, north: found.north) : origin
    }

    /// The middle of the greatest circle that was found, and whether all squares were decided.
    private static func search(
        _ walls: [Wall],
        enough: Double,
        squares limit: Int
    ) -> (east: Double, north: Double, distance: Double, isComplete: Bool) {
        var best = (east: 0.0, north: 0.0, distance: 0.0, isComplete: true)
        var queue = Heap<Square>()
        var count = 0
        for square in firstSquares(walls) {
            best = better(best, square)
            queue.push(square)
        }
        while let square = queue.pop() {
            if square.promise <= best.distance + 0.001 { break }
            // Once wide enough, or surely not, a tenth more or less does not matter.
            let isDecided = best.distance >= enough || square.promise < enough
            if isDecided && square.promise <= best.distance * 1.1 { break }
            count += 4
            if count > limit {
                best.isComplete = isDecided
                break
            }
            let half = square.half / 2
            for (east, north) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
                let part = Self.square(square.east + east, square.north + north, half, walls)
                best = better(best, part)
                queue.push(part)
            }
        }
        return best
    }

    private static func better(
        _ best: (east: Double, north: Double, distance: Double, isComplete: Bool),
        _ square: Square
    ) -> (east: Double, north: Double, distance: Double, isComplete: Bool) {
        square.distance > best.distance
            ? (square.east, square.north, square.distance, best.isComplete) : best
    }

    /// Squares that cover the walls, at most 64 by 64.
    private static func firstSquares(_ walls: [Wall]) -> [Square] {
        guard let first = walls.first else { return [] }
        var (west, south, east, north) = (first.east, first.north, first.east, first.north)
        for wall in walls {
            west = min(west, wall.east)
            east = max(east, wall.east)
            south = min(south, wall.north)
            north = max(north, wall.north)
        }
        let long = max(east - west, north - south)
        let side = max(min(east - west, north - south), long / 64)
        guard side > 0 else { return [] }
        var squares: [Square] = []
        var y = south
        while y < north {
            var x = west
            while x < east {
                squares.append(square(x + side / 2, y + side / 2, side / 2, walls))
                x += side
            }
            y += side
        }
        return squares
    }

    private static func square(
        _ east: Double,
        _ north: Double,
        _ half: Double,
        _ walls: [Wall]
    ) -> Square {
        var least = Double.infinity
        var isInside = false
        for wall in walls {
            let x = east - wall.east
            let y = north - wall.north
            // Both ends are compared as they are, so that a corner is on one side for both walls.
            if (wall.north <= north) != (wall.endNorth <= north),
                x < y / wall.toNorth * wall.toEast
            {
                isInside.toggle()
            }
            let square = wall.toEast * wall.toEast + wall.toNorth * wall.toNorth
            let along = square > 0 ? (x * wall.toEast + y * wall.toNorth) / square : 0
            let fraction = max(0, min(1, along))
            let aside = x - fraction * wall.toEast
            let ahead = y - fraction * wall.toNorth
            least = min(least, aside * aside + ahead * ahead)
        }
        let distance = least.squareRoot()
        return Square(
            east: east,
            north: north,
            half: half,
            distance: isInside ? distance : -distance
        )
    }
}
