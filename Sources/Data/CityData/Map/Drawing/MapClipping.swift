/// Clips features at the borders of a frame, with a margin for the width of lines.
struct MapClipping {
    /// The least and the greatest x and y that are kept.
    private let columns: ClosedRange<Int>
    private let rows: ClosedRange<Int>

    /// The margin, in units: more than half the width of the widest line.
    static let margin = 8 * MapFrame.unitsPerPixel

    /// The clipping at a frame.
    init(_ frame: MapFrame) {
        columns = -Self.margin...(frame.width + Self.margin)
        rows = -Self.margin...(frame.height + Self.margin)
    }

    /// The part of an area's border that lies inside, closed along the border of the frame.
    ///
    /// - Parameter ring: corners, the first not repeated.
    /// - Returns: corners, the first not repeated; fewer than three where nothing is left.
    ///
    /// Source: Sutherland and Hodgman, doi:10.1145/360767.360802.
    func ring(_ ring: [MapPoint]) -> [MapPoint] {
        if ring.allSatisfy(contains) { return ring }
        var kept = Self.cut(ring, at: columns.lowerBound, along: \.x, keepsMore: true)
        kept = Self.cut(kept, at: columns.upperBound, along: \.x, keepsMore: false)
        kept = Self.cut(kept, at: rows.lowerBound, along: \.y, keepsMore: true)
        return Self.cut(kept, at: rows.upperBound, along: \.y, keepsMore: false)
    }

    /// The parts of a line that lie inside, each at least two points, in order.
    func line(_ line: [MapPoint]) -> [[MapPoint]] {
        if line.allSatisfy(contains) { return line.count > 1 ? [line] : [] }
        var runs: [[MapPoint]] = []
        var isOpen = false
        for (start, end) in zip(line, line.dropFirst()) {
            guard let (first, last) = segment(start, end) else {
                isOpen = false
                continue
            }
            if isOpen {
                runs[runs.count - 1].append(last)
            } else {
                runs.append([first, last])
            }
            isOpen = last == end
        }
        return runs
    }

    private func contains(_ point: MapPoint) -> Bool {
        columns.contains(point.x) && rows.contains(point.y)
    }

    /// The part of a segment that lies inside; nil if there is none.
    private func segment(_ start: MapPoint, _ end: MapPoint) -> (MapPoint, MapPoint)? {
        var (first, last) = (start, end)
        // Each pass moves one end to one of the four borders.
        for _ in 0..<8 {
            if contains(first), contains(last) { return (first, last) }
            if isBeyondOneBorder(first, last) { return nil }
            if contains(first) {
                last = moved(last, towards: first)
            } else {
                first = moved(first, towards: last)
            }
        }
        return nil
    }

    private func isBeyondOneBorder(_ first: MapPoint, _ last: MapPoint) -> Bool {
        max(first.x, last.x) < columns.lowerBound || min(first.x, last.x) > columns.upperBound
            || max(first.y, last.y) < rows.lowerBound || min(first.y, last.y) > rows.upperBound
    }

    /// A point outside, moved along a segment to one border that it lies beyond.
    private func moved(_ point: MapPoint, towards other: MapPoint) -> MapPoint {
        let x = max(columns.lowerBound, min(columns.upperBound, point.x))
        if x != point.x { return Self.crossing(point, other, at: x, along: \.x) }
        let y = max(rows.lowerBound, min(rows.upperBound, point.y))
        return Self.crossing(point, other, at: y, along: \.y)
    }

    private static func cut(
        _ ring: [MapPoint],
        at border: Int,
        along axis: KeyPath<MapPoint, Int>,
        keepsMore: Bool
    ) -> [MapPoint] {
        guard var previous = ring.last else { return [] }
        var kept: [MapPoint] = []
        kept.reserveCapacity(ring.count + 4)
        for point in ring {
            let value = point[keyPath: axis]
            let before = previous[keyPath: axis]
            let isInside = keepsMore ? value >= border : value <= border
            let wasInside = keepsMore ? before >= border : before <= border
            if isInside != wasInside {
                kept.append(crossing(previous, point, at: border, along: axis))
            }
            if isInside { kept.append(point) }
            previous = point
        }
        return kept
    }

    /// Where a segment meets a border that lies between its ends.
    private static func crossing(
        _ first: MapPoint,
        _ second: MapPoint,
        at border: Int,
        along axis: KeyPath<MapPoint, Int>
    ) -> MapPoint {
        // From the lesser end, so that a segment and its reverse cross at the same point.
        let (low, high) =
            first[keyPath: axis] <= second[keyPath: axis] ? (first, second) : (second, first)
        let run = high[keyPath: axis] - low[keyPath: axis]
        guard run > 0 else { return first }
        let part = border - low[keyPath: axis]
        // Coordinates have 31 bits, so the products fit.
        return axis == \.x
            ? MapPoint(x: border, y: low.y + (high.y - low.y) * part / run)
            : MapPoint(x: low.x + (high.x - low.x) * part / run, y: border)
    }
}
