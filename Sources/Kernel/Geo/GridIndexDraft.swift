public import Columns

/// A ``GridIndex`` being built: numbered boxes or places, sorted into the cells they meet.
public struct GridIndexDraft: Sendable {
    private let frame: GridFrame
    private let offsets: [UInt32]
    private let items: [UInt32]

    /// An index over places, numbered from 0.
    ///
    /// - Parameters:
    ///   - places: the position of each item.
    ///   - cellMetres: the side of a cell; cells are larger where there would be more
    ///     than 4 for each item.
    public init(places: [Coordinate], cellMetres: Double = 250) {
        self.init(boxes: places.map { BoundingBox($0) }, cellMetres: cellMetres)
    }

    /// An index over boxes, numbered from 0; a box is put into every cell that it meets.
    ///
    /// - Parameters:
    ///   - boxes: the extent of each item.
    ///   - cellMetres: the side of a cell; cells are larger where there would be more
    ///     than 4 for each item.
    public init(boxes: [BoundingBox], cellMetres: Double = 250) {
        var whole = boxes.first ?? BoundingBox(Coordinate(latitude: 0, longitude: 0))
        for box in boxes { whole.extend(to: box) }
        let frame = GridFrame(
            covering: whole,
            cellMetres: cellMetres,
            cells: 4 * Int64(boxes.count) + 256
        )
        var offsets = [UInt32](repeating: 0, count: frame.cellCount + 1)
        for box in boxes {
            Self.visitCells(of: box, in: frame) { offsets[$0 + 1] += 1 }
        }
        for cell in 0..<frame.cellCount { offsets[cell + 1] += offsets[cell] }
        var next = offsets
        var items = [UInt32](repeating: 0, count: Int(offsets[frame.cellCount]))
        for (number, box) in boxes.enumerated() {
            Self.visitCells(of: box, in: frame) { cell in
                items[Int(next[cell])] = UInt32(number)
                next[cell] += 1
            }
        }
        self.frame = frame
        self.offsets = offsets
        self.items = items
    }

    /// Adds the index to a file, under names that begin with `name`, at most 32 bytes.
    public func add(to writer: inout SectionWriter, named name: String) {
        writer.add(name + ".frame", frame.numbers)
        writer.add(name + ".offsets", offsets)
        writer.add(name + ".items", items)
    }

    private static func visitCells(
        of box: BoundingBox,
        in frame: GridFrame,
        _ body: (Int) -> Void
    ) {
        for row in frame.row(box.south)...frame.row(box.north) {
            for column in frame.column(box.west)...frame.column(box.east) {
                body(frame.cell(row: row, column: column))
            }
        }
    }
}
