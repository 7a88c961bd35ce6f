import Columns
import Geo

/// Finds nearby edges: square cells of the plane, each with the edges that may touch it.
///
/// A grid needs no tree to descend and, with streets as evenly spread as in a city, is as quick as
/// one. Cells have about the size of a block, and are larger if there would be more of them than
/// the edges justify.
struct EdgeGrid: Sendable {
    /// The south-west corner, the cells' height and width in 1e-7 degrees, and
    /// their columns and rows.
    private let frame: Frame
    private let first: Column<UInt32>
    private let members: Column<UInt32>

    /// A cell's first height and width in 1e-7 degrees: about 100 m.
    private static let smallestCell: Int64 = 9_000

    struct Frame: Sendable {
        var south: Int64
        var west: Int64
        var height: Int64
        var width: Int64
        var columns: Int64
        var rows: Int64

        /// The row of a latitude; outside `0..<rows` where it lies outside.
        func row(_ latitude: Int32) -> Int64 { Self.floor(Int64(latitude) - south, height) }

        /// The column of a longitude; outside `0..<columns` where it lies outside.
        func column(_ longitude: Int32) -> Int64 { Self.floor(Int64(longitude) - west, width) }

        private static func floor(_ value: Int64, _ size: Int64) -> Int64 {
            value >= 0 ? value / size : -((size - 1 - value) / size)
        }
    }

    init(_ file: SectionFile) {
        let numbers: Column<Int32> = file.column("streets.grid.frame")
        first = file.column("streets.grid.first")
        members = file.column("streets.grid.edges")
        // A damaged frame must not make a search visit more cells than there are.
        let cells = Int64(max(0, first.count - 1))
        let columns = min(max(0, Int64(numbers[4])), cells)
        let rows = columns == 0 ? 0 : min(max(0, Int64(numbers[5])), cells / columns)
        frame = Frame(
            south: Int64(numbers[0]),
            west: Int64(numbers[1]),
            height: max(1, Int64(numbers[2])),
            width: max(1, Int64(numbers[3])),
            columns: columns,
            rows: rows
        )
    }

    /// Visits the edges around a place, ring by ring of cells; an edge may be
    /// visited several times.
    ///
    /// - Parameters:
    ///   - place: the centre.
    ///   - plane: the plane at that place.
    ///   - bound: returns the distance in metres beyond which the search may stop;
    ///     called before each ring.
    ///   - body: called with each edge.
    func context(
        around place: Coordinate,
        _ plane: LocalPlane,
        bound: () -> Double,
        body: (Int) -> Void
    ) {
        guard frame.columns > 0, frame.rows > 0 else { return }
        let row = frame.row(place.latitude)
        let column = frame.column(place.longitude)
        let side = min(
            Double(frame.height) * plane.metresPerLatitude,
            Double(frame.width) * plane.metresPerLongitude
        )
        var ring = max(
            0,
            -row,
            row - frame.rows + 1,
            -column,
            column - frame.columns + 1
        )
        let last = max(row, frame.rows - 1 - row, column, frame.columns - 1 - column)
        while ring <= last, Double(ring - 1) * side <= bound() {
            for line in max(0, row - ring)...min(frame.rows - 1, row + ring) {
                if line == row - ring || line == row + ring {
                    let from = max(0, column - ring)
                    let to = min(frame.columns - 1, column + ring)
                    if from <= to { for cell in from...to { context(line, cell, body) } }
                } else {
                    if column - ring >= 0 { context(line, column - ring, body) }
                    if column + ring < frame.columns { context(line, column + ring, body) }
                }
            }
            ring += 1
        }
    }

    @inline(__always)
    private func context(_ row: Int64, _ column: Int64, _ body: (Int) -> Void) {
        let cell = Int(truncatingIfNeeded: row * frame.columns + column)
        for position in first.range(cell, limit: members.count) {
            body(Int(truncatingIfNeeded: members[position]))
        }
    }
}

extension EdgeGrid {
    /// Adds the grid of a draft's edges to a writer.
    static func write(_ draft: StreetDraft, to writer: inout SectionWriter) {
        let frame = frame(of: draft)
        var cells: [UInt32] = []
        var edges: [UInt32] = []
        for (number, edge) in draft.edges.enumerated() {
            for cell in Self.cells(edge.geometry, frame) {
                cells.append(cell)
                edges.append(UInt32(number))
            }
        }
        let grouping = Grouping(cells, count: Int(frame.rows * frame.columns))
        writer.add(
            "streets.grid.frame",
            [frame.south, frame.west, frame.height, frame.width, frame.columns, frame.rows].map {
                Int32(clamping: $0)
            }
        )
        writer.add("streets.grid.first", grouping.first)
        writer.add("streets.grid.edges", grouping.members.map { edges[Int($0)] })
    }

    private static func frame(of draft: StreetDraft) -> Frame {
        var frame = Frame(
            south: .max,
            west: .max,
            height: smallestCell,
            width: smallestCell,
            columns: 0,
            rows: 0
        )
        var north = Int64.min
        var east = Int64.min
        for edge in draft.edges {
            for point in edge.geometry {
                frame.south = min(frame.south, Int64(point.latitude))
                north = max(north, Int64(point.latitude))
                frame.west = min(frame.west, Int64(point.longitude))
                east = max(east, Int64(point.longitude))
            }
        }
        guard north >= frame.south else {
            return Frame(south: 0, west: 0, height: 1, width: 1, columns: 0, rows: 0)
        }
        let middle = Double(frame.south + north) / 2 / 1e7 * Trigonometry.pi / 180
        let shrink = max(0.1, Trigonometry.cosine(middle))
        let most = Int64(2 * draft.edges.count + 64)
        while true {
            frame.width = Int64(Double(frame.height) / shrink)
            frame.columns = (east - frame.west) / frame.width + 1
            frame.rows = (north - frame.south) / frame.height + 1
            if frame.columns * frame.rows <= most { return frame }
            frame.height *= 2
        }
    }

    /// The cells that the boxes around the pieces of a line touch, ascending.
    private static func cells(_ geometry: [Coordinate], _ frame: Frame) -> [UInt32] {
        var cells: [UInt32] = []
        for (start, end) in zip(geometry, geometry.dropFirst()) {
            let south = frame.row(min(start.latitude, end.latitude))
            let north = frame.row(max(start.latitude, end.latitude))
            let west = frame.column(min(start.longitude, end.longitude))
            let east = frame.column(max(start.longitude, end.longitude))
            for row in south...north {
                for column in west...east {
                    cells.append(UInt32(row * frame.columns + column))
                }
            }
        }
        cells.sort()
        var unique: [UInt32] = []
        for cell in cells where unique.last != cell { unique.append(cell) }
        return unique
    }
}
