import Columns

/// A box cut into rows and columns of equal cells.
///
/// Cells are half-open, west and south borders included; what lies beyond the box belongs to
/// the nearest cell at its border.
struct GridFrame: Sendable, Equatable {
    /// The southern border, in 1e-7 degrees.
    let south: Int32
    let west: Int32
    /// The height and width of a cell in 1e-7 degrees, at least 1.
    let cellHeight: Int32
    let cellWidth: Int32
    /// How many cells there are upwards and sideways, at least 1 each.
    let rows: Int32
    let columns: Int32

    /// The greatest number of cells; a file that claims more is treated as damaged.
    static let cellLimit: Int64 = 16_777_216

    var cellCount: Int { Int(rows) * Int(columns) }

    /// Creates a frame over a box with cells of at least a given size, larger if there would be too
    /// many.
    ///
    /// - Parameters:
    ///   - box: the area to cover.
    ///   - cellMetres: the side of a cell.
    ///   - cells: the greatest number of cells, 4 to ``cellLimit``.
    init(covering box: BoundingBox, cellMetres: Double, cells: Int64) {
        let plane = LocalPlane(at: box.centre)
        let height = Int64(box.north) - Int64(box.south) + 1
        let width = Int64(box.east) - Int64(box.west) + 1
        var metres = max(0.1, cellMetres)
        while true {
            let tall = Self.size(metres / plane.metresPerLatitude, limit: height)
            let wide = Self.size(metres / plane.metresPerLongitude, limit: width)
            let rows = (height + tall - 1) / tall
            let columns = (width + wide - 1) / wide
            if rows * columns <= max(4, min(Self.cellLimit, cells)) {
                self.init(
                    south: box.south,
                    west: box.west,
                    cellHeight: Int32(tall),
                    cellWidth: Int32(wide),
                    rows: Int32(rows),
                    columns: Int32(columns)
                )
                return
            }
            metres *= 1.25
        }
    }

    init(
        south: Int32,
        west: Int32,
        cellHeight: Int32,
        cellWidth: Int32,
        rows: Int32,
        columns: Int32
    ) {
        self.south = south
        self.west = west
        self.cellHeight = cellHeight
        self.cellWidth = cellWidth
        self.rows = rows
        self.columns = columns
    }

    /// A frame from its numbers in a file; nil if they do not describe one.
    init?(_ numbers: Column<Int32>) {
        guard numbers.count == 6, numbers[2] > 0, numbers[3] > 0, numbers[4] > 0, numbers[5] > 0,
            Int64(numbers[4]) * Int64(numbers[5]) <= Self.cellLimit
        else { return nil }
        self.init(
            south: numbers[0],
            west: numbers[1],
            cellHeight: numbers[2],
            cellWidth: numbers[3],
            rows: numbers[4],
            columns: numbers[5]
        )
    }

    /// The numbers that are stored in a file.
    var numbers: [Int32] { [south, west, cellHeight, cellWidth, rows, columns] }

    @inline(__always)
    func row(_ latitude: Int32) -> Int32 {
        Self.step(Int64(latitude) - Int64(south), cellHeight, rows)
    }

    @inline(__always)
    func column(_ longitude: Int32) -> Int32 {
        Self.step(Int64(longitude) - Int64(west), cellWidth, columns)
    }

    @inline(__always)
    func cell(row: Int32, column: Int32) -> Int {
        Int(row) * Int(columns) + Int(column)
    }

    /// Whether a place lies within the grid.
    func covers(_ place: Coordinate) -> Bool {
        place.latitude >= south && place.longitude >= west
            && Int64(place.latitude) < border(row: rows)
            && Int64(place.longitude) < border(column: columns)
    }

    /// The latitude of the southern border of a row; one past the last for the northern end.
    func border(row: Int32) -> Int64 {
        Int64(south) + Int64(row) * Int64(cellHeight)
    }

    /// The longitude of the western border of a column.
    func border(column: Int32) -> Int64 {
        Int64(west) + Int64(column) * Int64(cellWidth)
    }

    private static func step(_ distance: Int64, _ size: Int32, _ count: Int32) -> Int32 {
        Int32(max(0, min(Int64(count) - 1, distance / Int64(size))))
    }

    private static func size(_ units: Double, limit: Int64) -> Int64 {
        max(1, min(limit, min(2_000_000_000, Int64(clamping: units))))
    }
}
