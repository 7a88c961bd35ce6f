/// The cells of a grid that an area fills or reaches into.
struct AreaCover {
    private let area: MultiPolygon
    private let frame: GridFrame
    private let rows: ClosedRange<Int32>
    private let columns: ClosedRange<Int32>
    /// Whether a border of the area meets each cell of `rows` and `columns`, row by row.
    private var isBorder: [Bool]

    init(_ area: MultiPolygon, frame: GridFrame) {
        self.area = area
        self.frame = frame
        let box = area.bounds ?? BoundingBox(Coordinate.zero)
        rows = frame.row(box.south)...frame.row(box.north)
        columns = frame.column(box.west)...frame.column(box.east)
        isBorder = [Bool](repeating: false, count: rows.count * columns.count)
        for polygon in area.polygons {
            for ring in polygon.rings {
                for index in 0..<(ring.points.count - 1) { mark(ring.edge(index)) }
            }
        }
    }

    /// Calls `body` with each cell that the area fills (true) or whose inside it may share
    /// (false), row by row.
    func context(_ body: (_ cell: Int, _ isFilled: Bool) -> Void) {
        guard !area.polygons.isEmpty else { return }
        for row in rows {
            // Neighbours without a border between them are both inside or both outside.
            var isInside: Bool?
            for column in columns {
                let cell = frame.cell(row: row, column: column)
                if isBorder[position(row, column)] {
                    body(cell, false)
                    isInside = nil
                    continue
                }
                let known = isInside ?? area.contains(corner(row, column))
                isInside = known
                if known { body(cell, true) }
            }
        }
    }

    /// Marks the cells that an edge meets, and perhaps a neighbour of one.
    private mutating func mark(_ edge: Segment) {
        let isRising = edge.start.latitude <= edge.end.latitude
        let low = isRising ? edge.start : edge.end
        let high = isRising ? edge.end : edge.start
        for row in touchedRows(low.latitude, high.latitude) {
            // The part of the edge between the borders of the row, ends rounded outwards.
            let bottom = max(Int64(low.latitude), frame.border(row: row))
            let top = min(Int64(high.latitude), frame.border(row: row + 1))
            let first = longitudes(from: low, to: high, at: bottom)
            let last = longitudes(from: low, to: high, at: top)
            let isLevel = low.latitude == high.latitude
            let west = isLevel ? min(low.longitude, high.longitude) : min(first.0, last.0)
            let east = isLevel ? max(low.longitude, high.longitude) : max(first.1, last.1)
            let left = max(columns.lowerBound, frame.column(west) - (isOnBorder(west) ? 1 : 0))
            let right = min(columns.upperBound, frame.column(east))
            for column in min(left, right)...right { isBorder[position(row, column)] = true }
        }
    }

    /// The rows that a range of latitudes meets, with the row below where it begins on a border.
    private func touchedRows(_ low: Int32, _ high: Int32) -> ClosedRange<Int32> {
        let first = frame.row(low)
        let isOnBorder = Int64(low) == frame.border(row: first)
        let lowest = max(rows.lowerBound, first - (isOnBorder ? 1 : 0))
        return lowest...max(lowest, frame.row(high))
    }

    private func isOnBorder(_ longitude: Int32) -> Bool {
        Int64(longitude) == frame.border(column: frame.column(longitude))
    }

    /// The longitude of an edge at a latitude between its ends, rounded down and up.
    private func longitudes(
        from low: Coordinate,
        to high: Coordinate,
        at latitude: Int64
    ) -> (Int32, Int32) {
        let height = Int64(high.latitude) - Int64(low.latitude)
        guard height > 0 else { return (low.longitude, low.longitude) }
        let width = Int64(high.longitude) - Int64(low.longitude)
        let product = width * (latitude - Int64(low.latitude))
        let quotient = product / height
        let rest = product % height
        let base = Int64(low.longitude) + quotient
        return (Int32(base - (rest < 0 ? 1 : 0)), Int32(base + (rest > 0 ? 1 : 0)))
    }

    private func corner(_ row: Int32, _ column: Int32) -> Coordinate {
        Coordinate(
            latitude: Int32(frame.border(row: row)),
            longitude: Int32(frame.border(column: column))
        )
    }

    private func position(_ row: Int32, _ column: Int32) -> Int {
        Int(row - rows.lowerBound) * columns.count + Int(column - columns.lowerBound)
    }
}
