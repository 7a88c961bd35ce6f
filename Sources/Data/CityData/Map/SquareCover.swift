import Geo

/// The outlines of the squares of a grid that areas mostly cover, so that thousands of blocks
/// with streets between them become a few large areas.
///
/// Each square has 16 small ones; it belongs to the cover where the middles of six of them lie in
/// some area, which bears streets of a third of the width of the blocks between them. Squares
/// that would touch at a corner only are connected by a third one, so that the outlines never
/// touch themselves or each other.
struct SquareCover {
    private let origin: Coordinate
    /// The height and width of a small square, in 1e-7 degrees.
    private let height: Int64
    private let width: Int64
    /// How many squares there are upwards and sideways, with an empty margin all around.
    private let rows: Int
    private let columns: Int
    /// The small squares that are covered, row by row.
    private var samples: [Bool]
    /// The squares that are covered, row by row.
    private var squares: [Bool]

    /// How many small squares there are along the side of a square.
    private static let side = 4
    /// How many covered ones make a square covered.
    private static let leastCovered = 6
    /// How many empty squares lie around all others.
    private static let margin = 2
    /// There are no more squares than this; they are larger where the areas lie far apart.
    private static let squareLimit: Int64 = 1_000_000

    /// The cover of areas, in valid areas (``Polygon/flaw``), from south to north.
    ///
    /// - Complexity: O(squares + rows that each border passes).
    static func polygons(_ areas: [Polygon], squareMetres: Double) -> [Polygon] {
        guard var bounds = areas.first?.bounds else { return [] }
        for area in areas { bounds.extend(to: area.bounds) }
        var cover = SquareCover(bounds, squareMetres)
        for area in areas { cover.fill(area) }
        cover.chooseSquares()
        cover.connectCorners()
        let rings = cover.outlines()
        return Polygon.assembled(
            outlines: rings.filter(\.isCounterClockwise),
            holes: rings.filter { !$0.isCounterClockwise }
        ).polygons
    }

    private init(_ bounds: BoundingBox, _ squareMetres: Double) {
        let plane = LocalPlane(at: bounds.centre)
        let side = Int64(Self.side)
        let metres = squareMetres / Double(Self.side)
        var height = max(1, Int64(metres / plane.metresPerLatitude))
        var width = max(1, Int64(metres / max(plane.metresPerLongitude, 1e-6)))
        let tall = Int64(bounds.north) - Int64(bounds.south)
        let wide = Int64(bounds.east) - Int64(bounds.west)
        let spare = 2 * Int64(Self.margin) + 1
        while (tall / height / side + spare) * (wide / width / side + spare) > Self.squareLimit {
            height *= 2
            width *= 2
        }
        self.height = height
        self.width = width
        rows = Int(tall / height / side + spare)
        columns = Int(wide / width / side + spare)
        origin = Coordinate(latitude: bounds.south, longitude: bounds.west)
        samples = Array(repeating: false, count: Self.side * Self.side * rows * columns)
        squares = Array(repeating: false, count: rows * columns)
    }

    /// The latitude of the lower border of a row of small squares.
    private func latitude(_ row: Int) -> Int64 {
        Int64(origin.latitude) + Int64(row - Self.side * Self.margin) * height
    }

    private func longitude(_ column: Int) -> Int64 {
        Int64(origin.longitude) + Int64(column - Self.side * Self.margin) * width
    }

    /// Marks the small squares whose middles lie in an area.
    private mutating func fill(_ area: Polygon) {
        let rings = area.rings
        let margin = Self.side * Self.margin
        let first = Int((Int64(area.bounds.south) - Int64(origin.latitude)) / height) + margin
        let last = Int((Int64(area.bounds.north) - Int64(origin.latitude)) / height) + margin
        for row in first...last {
            let middle = latitude(row) + height / 2
            let cuts = rings.flatMap { Self.crossings($0, middle) }.sorted()
            for span in stride(from: 0, to: cuts.count - 1, by: 2) {
                let begin = column(after: cuts[span])
                let end = column(after: cuts[span + 1])
                for column in begin..<max(begin, end) {
                    samples[row * Self.side * columns + column] = true
                }
            }
        }
    }

    /// The first column whose middle lies east of a longitude.
    private func column(after longitude: Int64) -> Int {
        // The margin keeps the quotient positive, so that it is rounded down.
        let margin = Int64(Self.side * Self.margin) * width
        return Int((longitude - Int64(origin.longitude) - width / 2 + margin) / width) + 1
    }

    /// The longitudes at which a ring crosses a latitude.
    private static func crossings(_ ring: Ring, _ latitude: Int64) -> [Int64] {
        guard Int64(ring.bounds.south) <= latitude, Int64(ring.bounds.north) >= latitude else {
            return []
        }
        return zip(ring.points, ring.points.dropFirst()).compactMap { start, end in
            let low = Int64(start.latitude)
            let high = Int64(end.latitude)
            guard (low > latitude) != (high > latitude) else { return nil }
            let run = Int64(end.longitude) - Int64(start.longitude)
            return Int64(start.longitude) + run * (latitude - low) / (high - low)
        }
    }

    private mutating func chooseSquares() {
        var counts = [Int32](repeating: 0, count: squares.count)
        let width = Self.side * columns
        for row in 0..<(Self.side * rows) {
            for column in 0..<width where samples[row * width + column] {
                counts[row / Self.side * columns + column / Self.side] += 1
            }
        }
        squares = counts.map { $0 >= Self.leastCovered }
    }

    /// Adds squares until no two touch at a corner only.
    private mutating func connectCorners() {
        var isChanged = true
        while isChanged {
            isChanged = false
            for lower in 0..<(columns * (rows - 1) - 1) {
                let upper = lower + columns
                let isRising = squares[lower] && squares[upper + 1]
                let isFalling = squares[lower + 1] && squares[upper]
                guard isRising != isFalling else { continue }
                if isRising, !squares[lower + 1], !squares[upper] {
                    squares[lower + 1] = true
                    isChanged = true
                } else if isFalling, !squares[lower], !squares[upper + 1] {
                    squares[lower] = true
                    isChanged = true
                }
            }
        }
    }

    /// The borders of all covered parts, the inside on the left.
    private func outlines() -> [Ring] {
        var next = [Int32](repeating: -1, count: rows * columns)
        for square in squares.indices where squares[square] {
            let (right, above, opposite) = (square + 1, square + columns, square + columns + 1)
            if !squares[square - columns] { next[square] = Int32(right) }
            if !squares[right] { next[right] = Int32(opposite) }
            if !squares[above] { next[opposite] = Int32(above) }
            if !squares[square - 1] { next[above] = Int32(square) }
        }
        var rings: [Ring] = []
        for start in next.indices where next[start] >= 0 {
            var corners: [Coordinate] = []
            var corner = start
            while next[corner] >= 0 {
                corners.append(place(ofCorner: corner))
                let following = Int(next[corner])
                next[corner] = -1
                corner = following
            }
            corners.append(place(ofCorner: start))
            do throws(Ring.Flaw) {
                rings.append(try Ring(corners))
            } catch {
                // Beyond a pole or the 180th meridian.
                continue
            }
        }
        return rings
    }

    /// The place of the south-western corner of a square.
    private func place(ofCorner square: Int) -> Coordinate {
        Coordinate(
            latitude: Int32(clamping: latitude(Self.side * (square / columns))),
            longitude: Int32(clamping: longitude(Self.side * (square % columns)))
        )
    }
}
