public import Columns

/// Finds numbered places or boxes near a place: a grid whose cells list the items they hold.
///
/// The index stores item numbers only; the caller knows where the items are. It points into the
/// file it was read from (see ``GridIndexDraft`` for building it), which must outlive it. A damaged
/// index finds fewer or wrong items, all below the count that was given.
public struct GridIndex: Sendable {
    private let frame: GridFrame
    private let offsets: Column<UInt32>
    private let items: Column<UInt32>
    private let itemCount: Int

    /// Reads the index stored under a name; it is empty if it is absent or inconsistent.
    ///
    /// - Parameters:
    ///   - name: the prefix of its sections' names.
    ///   - file: the section file that holds the index.
    ///   - count: the number of items.
    public init(_ name: String, in file: SectionFile, count: Int) {
        let offsets = file.column(name + ".offsets", of: UInt32.self)
        if let frame = GridFrame(file.column(name + ".frame", of: Int32.self)),
            offsets.count == frame.cellCount + 1, count > 0
        {
            self.frame = frame
            self.offsets = offsets
            items = file.column(name + ".items", of: UInt32.self)
        } else {
            frame = GridFrame(
                south: 0,
                west: 0,
                cellHeight: 1,
                cellWidth: 1,
                rows: 1,
                columns: 1
            )
            self.offsets = Column()
            items = Column()
        }
        itemCount = count
    }

    /// Calls `body` with the items of all cells that a box meets.
    ///
    /// These are all items in the box and some near it. An item that is a box
    /// may come several times.
    /// - Complexity: O(cells + items visited).
    public func context(_ box: BoundingBox, _ body: (Int) -> Void) {
        for row in frame.row(box.south)...frame.row(box.north) {
            for column in frame.column(box.west)...frame.column(box.east) {
                visitCell(frame.cell(row: row, column: column), body)
            }
        }
    }

    /// Calls `body` with items around a place, cell by cell outwards, until what is left lies
    /// farther than the limit.
    ///
    /// - Parameters:
    ///   - plane: the plane at the place; distances are measured on it.
    ///   - limitMetres: the initial search distance.
    ///   - body: takes an item and returns the search distance from then on, in metres, such as the
    ///     distance of the best item so far. An item that is a box may be visited several times.
    public func visitOutwards(
        on plane: LocalPlane,
        limitMetres: Double,
        _ body: (Int) -> Double
    ) {
        let row = frame.row(plane.origin.latitude)
        let column = frame.column(plane.origin.longitude)
        var limit = limitMetres
        var radius: Int32 = 0
        while clearance(of: radius, row, column, on: plane) <= limit {
            let isLast = visitSquare(radius, row, column) { item in
                limit = min(limit, body(item))
            }
            if isLast { return }
            radius += 1
        }
    }

    /// The nearest item, and of equally near ones that with the lowest number; nil if none
    /// is within the limit.
    ///
    /// - Parameters:
    ///   - plane: the plane at the place where the search begins.
    ///   - limitMetres: the greatest distance.
    ///   - metres: the distance of an item on the plane; nil for an unwanted item.
    /// - Returns: the item's number and its distance in metres.
    public func nearest(
        on plane: LocalPlane,
        limitMetres: Double,
        metres: (Int) -> Double?
    ) -> (item: Int, metres: Double)? {
        var best: (item: Int, metres: Double)?
        visitOutwards(on: plane, limitMetres: limitMetres) { item in
            guard let distance = metres(item), distance <= limitMetres else {
                return best?.metres ?? limitMetres
            }
            if let known = best, (known.metres, known.item) <= (distance, item) {
                return known.metres
            }
            best = (item, distance)
            return distance
        }
        return best
    }

    private func visitCell(_ cell: Int, _ body: (Int) -> Void) {
        for position in offsets.range(cell, limit: items.count) {
            let item = items.index(position, below: itemCount)
            body(item)
        }
    }

    /// Visits the cells on the border of a square around a cell.
    ///
    /// - Returns: whether the square reaches beyond all borders of the grid.
    private func visitSquare(
        _ radius: Int32,
        _ row: Int32,
        _ column: Int32,
        _ body: (Int) -> Void
    ) -> Bool {
        let lowest = row - radius
        let highest = row + radius
        let left = column - radius
        let right = column + radius
        for line in max(0, lowest)...min(frame.rows - 1, highest) {
            if line == lowest || line == highest {
                for place in max(0, left)...min(frame.columns - 1, right) {
                    visitCell(frame.cell(row: line, column: place), body)
                }
            } else {
                if left >= 0 { visitCell(frame.cell(row: line, column: left), body) }
                if right < frame.columns {
                    visitCell(frame.cell(row: line, column: right), body)
                }
            }
        }
        return lowest <= 0 && left <= 0 && highest >= frame.rows - 1
            && right >= frame.columns - 1
    }

    /// The least distance, in metres, of anything in the cells on or beyond the border of a
    /// square around the origin's cell.
    private func clearance(
        of radius: Int32,
        _ row: Int32,
        _ column: Int32,
        on plane: LocalPlane
    ) -> Double {
        guard radius > 0 else { return 0 }
        // What the last square enclosed; the outermost cells reach beyond the grid for ever.
        var units = Double.infinity
        let latitude = Int64(plane.origin.latitude)
        let longitude = Int64(plane.origin.longitude)
        func consider(_ distance: Int64, _ metresPerUnit: Double) {
            units = min(units, max(0, Double(distance) * metresPerUnit))
        }
        if row - radius >= 0 {
            consider(latitude - frame.border(row: row - radius + 1), plane.metresPerLatitude)
        }
        if row + radius < frame.rows {
            consider(frame.border(row: row + radius) - latitude, plane.metresPerLatitude)
        }
        if column - radius >= 0 {
            let border = frame.border(column: column - radius + 1)
            consider(longitude - border, plane.metresPerLongitude)
        }
        if column + radius < frame.columns {
            let border = frame.border(column: column + radius)
            consider(border - longitude, plane.metresPerLongitude)
        }
        return units
    }
}
