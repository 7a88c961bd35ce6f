import Geo

/// Groups items that are close together: items that share a cell of about 300 m or lie
/// in neighbouring cells.
///
/// This separates the Via Roma of two towns and joins the stretches of one; it takes time in
/// proportion to the number of points.
struct NearbyGroups {
    private var leaders: [Int] = []
    /// One item in each cell that is not empty.
    private var cells: [Cell: Int] = [:]

    private struct Cell: Hashable {
        var row: Int32
        var column: Int32
    }

    /// A cell's height and, at the equator, width in 1e-7 degrees.
    static let cellSize: Int32 = 27_000

    /// Adds an item and joins it to its group.
    ///
    /// - Parameter points: its position, or the line along which it lies: straight between
    ///   consecutive points.
    mutating func add(_ points: some Collection<Coordinate>) {
        let thing = leaders.count
        leaders.append(thing)
        var last: Coordinate?
        for point in points {
            for step in Self.steps(from: last ?? point, to: point) { mark(step, thing) }
            last = point
        }
    }

    /// For each item the first item of its group.
    mutating func leadersOfAll() -> [Int] {
        for cell in cells.keys {
            // The order of the keys does not matter: the smallest item leads each group.
            for (row, column) in [(0, 1), (1, -1), (1, 0), (1, 1)] as [(Int32, Int32)] {
                let other = Cell(row: cell.row &+ row, column: cell.column &+ column)
                if let thing = cells[cell], let neighbour = cells[other] {
                    unite(thing, neighbour)
                }
            }
        }
        return leaders.indices.map { leader($0) }
    }

    private mutating func mark(_ place: Coordinate, _ thing: Int) {
        let size = Self.cellSize
        let cell = Cell(row: place.latitude / size, column: place.longitude / size)
        if let other = cells[cell] { unite(thing, other) } else { cells[cell] = thing }
    }

    private func leader(_ thing: Int) -> Int {
        var thing = thing
        while leaders[thing] != thing { thing = leaders[thing] }
        return thing
    }

    private mutating func unite(_ first: Int, _ second: Int) {
        let low = min(leader(first), leader(second))
        let high = max(leader(first), leader(second))
        leaders[high] = low
        // Short cuts keep later walks short.
        leaders[first] = low
        leaders[second] = low
    }

    /// Points from one place to another, no two further apart than a cell is high.
    private static func steps(from: Coordinate, to: Coordinate) -> [Coordinate] {
        let north = Int64(to.latitude) - Int64(from.latitude)
        let east = Int64(to.longitude) - Int64(from.longitude)
        let count = max(abs(north), abs(east)) / Int64(cellSize)
        // A longer jump is not a stretch of a street but an error in the data.
        guard count > 0, count < 100 else { return [to] }
        return (1...(count + 1)).map { step in
            Coordinate(
                latitude: Int32(Int64(from.latitude) + north * step / (count + 1)),
                longitude: Int32(Int64(from.longitude) + east * step / (count + 1))
            )
        }
    }
}
