/// Numbers on the corners of square cells around a place, from which areas are drawn: where the
/// numbers are at most a limit.
public struct ValueGrid: Sendable {
    /// The number of a corner that has none.
    public static let nothing = Int32.max / 2
    /// The greatest number of corners of a grid, 4 bytes each; cells grow so that it fits.
    private static let cornerLimit = 4_000_000.0

    private let plane: LocalPlane
    private let west: Double
    private let south: Double
    /// The side of a cell in metres.
    public let cellMetres: Double
    /// How many corners there are from west to east.
    let columns: Int
    /// How many corners there are from south to north.
    let rows: Int
    /// The numbers, row by row from the south, each from the west.
    private(set) var values: [Int32]

    /// A grid without numbers that covers some points and two cells more on each side.
    ///
    /// - Parameters:
    ///   - points: what it covers; nil is returned where there are none.
    ///   - cellMetres: the side of its cells, doubled until there are not too many of them.
    public init?(around points: [Coordinate], cellMetres: Double) {
        guard let box = BoundingBox(around: points) else { return nil }
        let middle = Coordinate(
            latitude: Int32((Int64(box.south) + Int64(box.north)) / 2),
            longitude: Int32((Int64(box.west) + Int64(box.east)) / 2)
        )
        plane = LocalPlane(at: middle)
        let low = plane.project(Coordinate(latitude: box.south, longitude: box.west))
        let high = plane.project(Coordinate(latitude: box.north, longitude: box.east))
        var cell = max(1, cellMetres)
        func corners(_ length: Double) -> Double { (length / cell).rounded(.up) + 5 }
        while corners(high.east - low.east) * corners(high.north - low.north) > Self.cornerLimit {
            cell *= 2
        }
        columns = Int(corners(high.east - low.east))
        rows = Int(corners(high.north - low.north))
        self.cellMetres = cell
        west = low.east - 2 * cell
        south = low.north - 2 * cell
        values = Array(repeating: Self.nothing, count: columns * rows)
    }

    /// A grid with given numbers around a place; those on its border must be ``nothing``.
    init(values: [Int32], columns: Int, at place: Coordinate, cellMetres: Double) {
        plane = LocalPlane(at: place)
        west = 0
        south = 0
        self.cellMetres = cellMetres
        self.columns = columns
        rows = values.count / columns
        self.values = values
    }

    /// Lowers the numbers around a point to its number and more for each metre from there, within
    /// one and a half cells.
    public mutating func lower(around point: Coordinate, to value: Int32, perMetre: Double) {
        let place = plane.project(point)
        let (x, y) = ((place.east - west) / cellMetres, (place.north - south) / cellMetres)
        let reach = 1.5
        let firstRow = max(1, Int((y - reach).rounded(.up)))
        let lastRow = min(rows - 2, Int((y + reach).rounded(.down)))
        let firstColumn = max(1, Int((x - reach).rounded(.up)))
        let lastColumn = min(columns - 2, Int((x + reach).rounded(.down)))
        guard firstRow <= lastRow, firstColumn <= lastColumn else { return }
        for row in firstRow...lastRow {
            for column in firstColumn...lastColumn {
                let (east, north) = (Double(column) - x, Double(row) - y)
                let cells = (east * east + north * north).squareRoot()
                guard cells <= reach else { continue }
                let more = Int32((cells * cellMetres * perMetre).rounded(.up))
                let corner = row * columns + column
                values[corner] = min(values[corner], value &+ more)
            }
        }
    }

    /// The place at a point of the grid, in cells from its south-western corner.
    func place(_ x: Double, _ y: Double) -> Coordinate {
        plane.place(east: west + x * cellMetres, north: south + y * cellMetres)
    }

    /// The area where numbers are at most a limit.
    ///
    /// - Parameters:
    ///   - limit: the limit.
    ///   - band: the greatest excess over the limit that is taken into account; between
    ///     two corners the border is where the limit is on the straight line between the numbers.
    ///   - toleranceMetres: how far a border may move when points are left out of it.
    /// - Returns: polygons that are valid and do not touch each other.
    public func area(atMost limit: Int32, band: Int32, toleranceMetres: Double) -> MultiPolygon {
        var contour = Contour(self, limit: limit, band: max(1, band))
        contour.simplify(tolerance: toleranceMetres / cellMetres)
        return contour.area
    }
}
