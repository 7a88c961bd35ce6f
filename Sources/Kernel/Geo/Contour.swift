/// The border of the area in which the values of a ``ValueGrid`` are at most a limit.
///
/// Marching squares: where two neighbouring corners differ, the border crosses the side between
/// them once, and in each cell the crossings are joined so that the area is on the left. If the
/// area fills two opposite corners of a cell, it is cut between them. So rings are closed and
/// neither cross nor touch themselves or each other.
///
/// A point is left out of a ring only if nothing else lies in the triangle that this cuts off, so
/// rings stay apart (the test is exact, on whole numbers).
struct Contour {
    private static let nothing: Int32 = -1
    /// How near to a corner the border may cross a side, in cells; it keeps rings apart.
    private static let margin = 0.05
    /// How many passes over all points look for some to leave out.
    private static let passCount = 3
    /// The greatest length of a straight stretch, in cells.
    private static let stretchLimit = 12.0

    /// A point of a ring, in cells and on the earth.
    private struct Point {
        let x: Double
        let y: Double
        let place: Coordinate
    }

    private let columns: Int
    private let rows: Int
    private var points: [Point] = []
    /// The next point of the ring and the one before.
    private var next: [Int32] = []
    private var previous: [Int32] = []
    /// The point on each side of a cell; each cell has its southern and its western side.
    private var pointOnSide: [Int32]
    /// A point of each ring, and how many points the ring has.
    private var rings: [(first: Int32, count: Int)] = []

    init(_ grid: ValueGrid, limit: Int32, band: Int32) {
        columns = grid.columns
        rows = grid.rows
        pointOnSide = Array(repeating: Self.nothing, count: 2 * columns * rows)
        var followers = pointOnSide
        for row in 0..<max(0, rows - 1) {
            for column in 0..<max(0, columns - 1) {
                Self.join(grid, limit, column, row, &followers)
            }
        }
        for side in followers.indices where followers[side] != Self.nothing {
            guard pointOnSide[side] == Self.nothing else { continue }
            trace(from: side, followers, grid, limit, band)
        }
    }

    /// Records, for each crossed side of a cell, the side at which the border leaves the cell.
    private static func join(
        _ grid: ValueGrid,
        _ limit: Int32,
        _ column: Int,
        _ row: Int,
        _ followers: inout [Int32]
    ) {
        let corner = row * grid.columns + column
        func isInside(_ corner: Int) -> Int { grid.values[corner] <= limit ? 1 : 0 }
        let above = corner + grid.columns
        let inside =
            isInside(corner) | isInside(corner + 1) << 1 | isInside(above + 1) << 2
            | isInside(above) << 3
        let (bottom, left, top, right) = (2 * corner, 2 * corner + 1, 2 * above, 2 * corner + 3)
        func lead(_ from: Int, _ to: Int) { followers[from] = Int32(truncatingIfNeeded: to) }
        switch inside {
        case 0b0001: lead(bottom, left)
        case 0b0010: lead(right, bottom)
        case 0b0100: lead(top, right)
        case 0b1000: lead(left, top)
        case 0b0011: lead(right, left)
        case 0b0110: lead(top, bottom)
        case 0b1100: lead(left, right)
        case 0b1001: lead(bottom, top)
        case 0b1110: lead(left, bottom)
        case 0b1101: lead(bottom, right)
        case 0b1011: lead(right, top)
        case 0b0111: lead(top, left)
        case 0b0101:
            lead(bottom, left)
            lead(top, right)
        case 0b1010:
            lead(right, bottom)
            lead(left, top)
        default: break
        }
    }

    /// Follows a ring from a side.
    private mutating func trace(
        from start: Int,
        _ followers: [Int32],
        _ grid: ValueGrid,
        _ limit: Int32,
        _ band: Int32
    ) {
        let first = points.count
        var side = start
        repeat {
            pointOnSide[side] = Int32(truncatingIfNeeded: points.count)
            points.append(Self.point(side, grid, limit, band))
            next.append(Int32(truncatingIfNeeded: points.count))
            previous.append(Int32(truncatingIfNeeded: points.count - 2))
            side = Int(followers[side])
        } while side != start
        next[points.count - 1] = Int32(truncatingIfNeeded: first)
        previous[first] = Int32(truncatingIfNeeded: points.count - 1)
        rings.append((Int32(truncatingIfNeeded: first), points.count - first))
    }

    /// Where the border crosses a side.
    private static func point(
        _ side: Int,
        _ grid: ValueGrid,
        _ limit: Int32,
        _ band: Int32
    ) -> Point {
        let corner = side / 2
        let other = side % 2 == 0 ? corner + 1 : corner + grid.columns
        func excess(_ corner: Int) -> Double {
            Double(min(Int64(grid.values[corner]) - Int64(limit), Int64(band)))
        }
        // One corner is at most 0 beyond the limit, and the other one is more than 0.
        let (here, there) = (excess(corner), excess(other))
        let share = min(1 - margin, max(margin, here / (here - there)))
        let x = Double(corner % grid.columns) + (side % 2 == 0 ? share : 0)
        let y = Double(corner / grid.columns) + (side % 2 == 0 ? 0 : share)
        return Point(x: x, y: y, place: grid.place(x, y))
    }
}

extension Contour {
    /// Leaves out points that lie near the line between their neighbours.
    ///
    /// - Parameter tolerance: the greatest distance from that line, in cells; no point moves the
    ///   border further.
    mutating func simplify(tolerance: Double) {
        guard tolerance > 0 else { return }
        for ring in rings.indices {
            for _ in 0..<Self.passCount {
                var point = rings[ring].first
                for _ in 0..<rings[ring].count where rings[ring].count > 4 {
                    let following = next[Int(point)]
                    if isSpare(Int(point), tolerance) {
                        remove(Int(point))
                        rings[ring].count -= 1
                        rings[ring].first = following
                    }
                    point = following
                }
            }
        }
    }

    private func isSpare(_ point: Int, _ tolerance: Double) -> Bool {
        let (before, after) = (Int(previous[point]), Int(next[point]))
        let (a, b, c) = (points[before], points[point], points[after])
        let (east, north) = (c.x - a.x, c.y - a.y)
        let length = (east * east + north * north).squareRoot()
        guard length > 0, length <= Self.stretchLimit else { return false }
        let height = abs(east * (b.y - a.y) - north * (b.x - a.x)) / length
        guard height <= tolerance else { return false }
        let firstColumn = max(0, Int(min(a.x, b.x, c.x)) - 1)
        let lastColumn = min(columns - 1, Int(max(a.x, b.x, c.x)) + 1)
        let firstRow = max(0, Int(min(a.y, b.y, c.y)) - 1)
        let lastRow = min(rows - 1, Int(max(a.y, b.y, c.y)) + 1)
        for row in firstRow...lastRow {
            for side in (2 * (row * columns + firstColumn))...(2 * (row * columns + lastColumn) + 1)
            {
                let other = Int(pointOnSide[side])
                guard other >= 0, other != before, other != point, other != after else { continue }
                if Self.holds(a.place, b.place, c.place, points[other].place) { return false }
            }
        }
        return true
    }

    /// Whether a place is in a triangle or on its border.
    private static func holds(
        _ a: Coordinate,
        _ b: Coordinate,
        _ c: Coordinate,
        _ place: Coordinate
    ) -> Bool {
        func side(_ from: Coordinate, _ to: Coordinate) -> Int64 {
            let (east, north) = (
                Int64(to.longitude) - Int64(from.longitude),
                Int64(to.latitude) - Int64(from.latitude)
            )
            return east * (Int64(place.latitude) - Int64(from.latitude))
                - north * (Int64(place.longitude) - Int64(from.longitude))
        }
        // If three points lie on a line, every place on that line would count as inside.
        var box = BoundingBox(a)
        box.extend(to: b)
        box.extend(to: c)
        guard box.contains(place) else { return false }
        let (first, second, third) = (side(a, b), side(b, c), side(c, a))
        return (first >= 0 && second >= 0 && third >= 0)
            || (first <= 0 && second <= 0 && third <= 0)
    }

    private mutating func remove(_ point: Int) {
        next[Int(previous[point])] = next[point]
        previous[Int(next[point])] = previous[point]
        let (x, y) = (points[point].x, points[point].y)
        // A crossing of a southern side has a whole number of cells to the north.
        let corner = Int(y) * columns + Int(x)
        pointOnSide[2 * corner + (y == y.rounded(.down) ? 0 : 1)] = Self.nothing
    }

    /// The rings as polygons: outlines run counter-clockwise, and each hole belongs to the smallest
    /// outline around it.
    var area: MultiPolygon {
        var outlines: [Ring] = []
        var holes: [Ring] = []
        for (first, count) in rings {
            var places = [points[Int(first)].place]
            var point = next[Int(first)]
            for _ in 0..<count {
                places.append(points[Int(point)].place)
                point = next[Int(point)]
            }
            guard let ring = try? Ring(places) else { continue }
            if ring.isCounterClockwise { outlines.append(ring) } else { holes.append(ring) }
        }
        var holesOfOutlines = [[Ring]](repeating: [], count: outlines.count)
        let sizes = outlines.map { $0.areaSquareMetres }
        for hole in holes {
            let around = outlines.indices.filter { outlines[$0].encloses(hole.points[0]) }
            guard let outline = around.min(by: { sizes[$0] < sizes[$1] }) else { continue }
            holesOfOutlines[outline].append(hole)
        }
        return MultiPolygon(
            zip(outlines, holesOfOutlines).map { Polygon(outline: $0, holes: $1) }
        )
    }
}
