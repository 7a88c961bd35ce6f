/// Finds which of many areas holds a place, millions of times a second.
///
/// A grid over all areas records for each cell which areas fill it and which only overlap it. Most
/// places lie in cells without a border and need no further test; for the others the few areas of
/// the cell are tested. Answers are exact and half-open (see ``Polygon``).
///
/// It is a plain value, not columns of a city file: zones can be changed by the operator, and are
/// indexed in milliseconds when a service starts.
public struct PolygonIndex: Sendable {
    /// The areas, in the order given.
    public let areas: [MultiPolygon]
    private let frame: GridFrame
    /// Where each cell's entries begin; one more than there are cells.
    private let offsets: [UInt32]
    /// The areas of each cell, ascending: the number doubled, and one more where it fills the cell.
    private let entries: [UInt32]

    /// Builds an index over areas.
    ///
    /// - Parameters:
    ///   - areas: the areas; they may overlap.
    ///   - cells: about how many cells the grid may have.
    /// - Complexity: O(cells touched by borders × points of an area).
    public init(_ areas: [MultiPolygon], cells: Int = 65_536) {
        var whole = areas.lazy.compactMap { $0.bounds }.first ?? BoundingBox(Coordinate.zero)
        for area in areas {
            if let box = area.bounds { whole.extend(to: box) }
        }
        let frame = GridFrame(covering: whole, cellMetres: 10, cells: Int64(cells))
        var lists: [(cell: Int, entry: UInt32)] = []
        for (number, area) in areas.enumerated() {
            AreaCover(area, frame: frame).context { cell, isFilled in
                lists.append((cell, UInt32(number) * 2 + (isFilled ? 1 : 0)))
            }
        }
        var offsets = [UInt32](repeating: 0, count: frame.cellCount + 1)
        for list in lists { offsets[list.cell + 1] += 1 }
        for cell in 0..<frame.cellCount { offsets[cell + 1] += offsets[cell] }
        var next = offsets
        var entries = [UInt32](repeating: 0, count: lists.count)
        for list in lists {
            entries[Int(next[list.cell])] = list.entry
            next[list.cell] += 1
        }
        self.areas = areas
        self.frame = frame
        self.offsets = offsets
        self.entries = entries
    }

    /// The number of the first area that contains a place; nil if none does.
    public func first(containing place: Coordinate) -> Int? {
        for entry in candidates(at: place) where holds(entry, place) {
            return Int(entry / 2)
        }
        return nil
    }

    /// The numbers of all areas that contain a place, ascending.
    public func all(containing place: Coordinate) -> [Int] {
        candidates(at: place).filter { holds($0, place) }.map { Int($0 / 2) }
    }

    private func candidates(at place: Coordinate) -> ArraySlice<UInt32> {
        guard frame.covers(place) else { return [] }
        let cell = frame.cell(
            row: frame.row(place.latitude),
            column: frame.column(place.longitude)
        )
        return entries[Int(offsets[cell])..<Int(offsets[cell + 1])]
    }

    private func holds(_ entry: UInt32, _ place: Coordinate) -> Bool {
        entry % 2 == 1 || areas[Int(entry / 2)].contains(place)
    }
}
