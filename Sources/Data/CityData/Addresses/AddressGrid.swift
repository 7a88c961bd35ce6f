import Columns
import Geo

/// A grid of square cells over a city, each with the numbers of the items in it.
///
/// It is stored in three columns: `.frame` (south, west, cell size in 1e-7 degrees, rows, columns),
/// `.offsets` and `.item`.
struct AddressGrid: Sendable {
    private let south: Int64
    private let west: Int64
    private let cell: Int64
    private let rows: Int
    private let columns: Int
    private let offsets: Column<UInt32>
    private let items: Column<UInt32>

    /// A cell's size in 1e-7 degrees where the city is not too large for it: 222 m northwards.
    private static let cellSize: Int64 = 20_000
    /// A grid has at most about this many cells; larger ones are used beyond.
    private static let cellLimit: Int64 = 4_000_000

    /// The grid stored under a name; empty if there is none or it is damaged.
    init(_ name: String, in file: SectionFile) {
        let frame: Column<Int32> = file.column(name + ".frame")
        offsets = file.column(name + ".offsets")
        items = file.column(name + ".item")
        south = Int64(frame[0])
        west = Int64(frame[1])
        cell = max(1, Int64(frame[2]))
        let (rows, columns) = (Int(frame[3]), Int(frame[4]))
        let isSound = rows > 0 && columns > 0 && rows <= offsets.count / columns
        self.rows = isSound ? rows : 0
        self.columns = isSound ? columns : 0
    }

    /// Calls `body` with each item in the cells that touch the square of `reach` around a place;
    /// an item that lies in several cells may come several times.
    func forEach(around place: Coordinate, reachMetres: Double, _ body: (Int) -> Void) {
        guard rows > 0, columns > 0 else { return }
        let plane = LocalPlane(at: place)
        let north = Int64(min(1e9, reachMetres / plane.metresPerLatitude))
        let east = Int64(min(4e9, reachMetres / max(plane.metresPerLongitude, 1e-6)))
        let latitude = Int64(place.latitude) - south
        let longitude = Int64(place.longitude) - west
        let lowRow = max(0, Self.floor(latitude - north, cell))
        let highRow = min(Int64(rows) - 1, Self.floor(latitude + north, cell))
        let lowColumn = max(0, Self.floor(longitude - east, cell))
        let highColumn = min(Int64(columns) - 1, Self.floor(longitude + east, cell))
        guard lowRow <= highRow, lowColumn <= highColumn else { return }
        for row in lowRow...highRow {
            for column in lowColumn...highColumn {
                let number = Int(row) * columns + Int(column)
                for position in offsets.range(number, limit: items.count) {
                    body(Int(items[position]))
                }
            }
        }
    }

    private static func floor(_ value: Int64, _ size: Int64) -> Int64 {
        value >= 0 ? value / size : -((size - 1 - value) / size)
    }

    /// Adds a grid of items that are points or straight lines.
    ///
    /// - Parameters:
    ///   - name: the prefix of the columns' names.
    ///   - lines: the two ends of each item.
    ///   - writer: receives the sections.
    static func add(
        _ name: String,
        _ lines: [(Coordinate, Coordinate)],
        to writer: inout SectionWriter
    ) {
        let ends = lines.lazy.flatMap { [$0.0, $0.1] }
        let south = Int64(ends.map(\.latitude).min() ?? 0)
        let north = Int64(ends.map(\.latitude).max() ?? 0)
        let west = Int64(ends.map(\.longitude).min() ?? 0)
        let east = Int64(ends.map(\.longitude).max() ?? 0)
        var cell = cellSize
        while ((north - south) / cell + 1) * ((east - west) / cell + 1) > cellLimit { cell *= 2 }
        let rows = (north - south) / cell + 1
        let columns = (east - west) / cell + 1
        var places: [UInt64] = []
        places.reserveCapacity(lines.count + lines.count / 4)
        for (number, line) in lines.enumerated() {
            var last: Int64 = -1
            for place in steps(line, cell / 2) {
                let row = (place.latitude - south) / cell
                let column = (place.longitude - west) / cell
                let here = row * columns + column
                if here != last { places.append(UInt64(here) << 32 | UInt64(number)) }
                last = here
            }
        }
        places.sort()
        var offsets = [UInt32](repeating: 0, count: Int(rows * columns) + 1)
        for place in places { offsets[Int(place >> 32) + 1] += 1 }
        for row in 1..<offsets.count { offsets[row] += offsets[row - 1] }
        writer.add(
            name + ".frame",
            [Int32(south), Int32(west), Int32(cell), Int32(rows), Int32(columns)]
        )
        writer.add(name + ".offsets", offsets)
        writer.add(name + ".item", places.map { UInt32(truncatingIfNeeded: $0) })
    }

    /// Places along a line, no further apart than `length` in either direction.
    private static func steps(
        _ line: (Coordinate, Coordinate),
        _ length: Int64
    ) -> [(latitude: Int64, longitude: Int64)] {
        let start = (latitude: Int64(line.0.latitude), longitude: Int64(line.0.longitude))
        let north = Int64(line.1.latitude) - start.latitude
        let east = Int64(line.1.longitude) - start.longitude
        let count = max(abs(north), abs(east)) / length + 1
        if north == 0, east == 0 { return [start] }
        return (0...count).map { step in
            (start.latitude + north * step / count, start.longitude + east * step / count)
        }
    }
}
