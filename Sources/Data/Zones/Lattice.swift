import Geo

/// A grid of squares over a region of the map, each with a list of the items near it.
///
/// It answers "which segments or places are near this box?" while borders are noded and measured,
/// and for distance queries. Coordinates are plain numbers here; a square has the same number of
/// units in both directions.
struct Lattice {
    private let box: BoundingBox
    private let size: Int64
    private let rows: Int64
    private let columns: Int64
    /// Where each square's entries begin; one more than there are squares.
    private var offsets: [UInt32] = []
    private var entries: [UInt32] = []

    /// A lattice over segments.
    ///
    /// - Complexity: O(n + squares met by the segments); there are at most about n squares.
    init(_ segments: [Segment]) {
        var box = segments.first?.bounds ?? BoundingBox(south: 0, west: 0, north: 0, east: 0)
        for segment in segments { box.extend(to: segment.bounds) }
        self.init(around: box, items: segments.count)
        fill(count: segments.count) { number, lattice, context in
            lattice.squares(of: segments[number], context)
        }
    }

    /// Creates a lattice over segments; nil if it would have more entries than the limit.
    ///
    /// Long lines that lie close together meet very many squares each: a million of them would
    /// need gigabytes.
    init?(_ segments: [Segment], entryLimit: Int) {
        var box = segments.first?.bounds ?? BoundingBox(south: 0, west: 0, north: 0, east: 0)
        for segment in segments { box.extend(to: segment.bounds) }
        let frame = Lattice(around: box, items: segments.count)
        var left = entryLimit
        for segment in segments {
            frame.squares(of: segment) { _ in left -= 1 }
            guard left >= 0 else { return nil }
        }
        self.init(segments)
    }

    /// A lattice over places.
    init(_ places: [Coordinate]) {
        self.init(
            around: BoundingBox(around: places)
                ?? BoundingBox(south: 0, west: 0, north: 0, east: 0),
            items: places.count
        )
        fill(count: places.count) { number, lattice, context in
            context(lattice.square(places[number]))
        }
    }

    private init(around box: BoundingBox, items: Int) {
        let height = Int64(box.north) - Int64(box.south) + 1
        let width = Int64(box.east) - Int64(box.west) + 1
        let wanted = Double(max(1, items))
        let side = Int64((Double(height) * Double(width) / wanted).squareRoot()) + 1
        // A line has no area; the number of its squares depends on its length.
        size = max(side, (height + width) / Int64(max(1, items)) + 1)
        rows = (height + size - 1) / size
        columns = (width + size - 1) / size
        self.box = box
    }

    /// Calls `body` with the number of each item that may come near a box, perhaps repeatedly,
    /// until it returns false.
    func context(_ wanted: BoundingBox, _ body: (Int) -> Bool) {
        guard wanted.meets(box) else { return }
        let low = max(0, row(wanted.south))
        let high = min(rows - 1, row(wanted.north))
        let left = max(0, column(wanted.west))
        let right = min(columns - 1, column(wanted.east))
        for row in low...high {
            // The entries of neighbouring squares of a row are adjacent.
            let first = Int(offsets[Int(row * columns + left)])
            let last = Int(offsets[Int(row * columns + right) + 1])
            for entry in entries[first..<last] where !body(Int(entry)) { return }
        }
    }

    /// How many squares a box meets.
    func squareCount(of wanted: BoundingBox) -> Int64 {
        guard wanted.meets(box) else { return 0 }
        let high = min(rows - 1, row(wanted.north)) - max(0, row(wanted.south))
        let wide = min(columns - 1, column(wanted.east)) - max(0, column(wanted.west))
        return (high + 1) * (wide + 1)
    }

    /// Calls `body` with the pairs of items that share a square, perhaps repeatedly, until it
    /// returns false.
    func visitPairs(_ body: (Int, Int) -> Bool) {
        for square in 0..<(offsets.count - 1) {
            let list = entries[Int(offsets[square])..<Int(offsets[square + 1])]
            for first in list.indices {
                for second in list.indices[(first + 1)...] {
                    guard body(Int(list[first]), Int(list[second])) else { return }
                }
            }
        }
    }

    private mutating func fill(
        count: Int,
        _ squares: (Int, Lattice, (Int) -> Void) -> Void
    ) {
        let frame = self
        var offsets = [UInt32](repeating: 0, count: Int(rows * columns) + 1)
        for number in 0..<count { squares(number, frame) { offsets[$0 + 1] += 1 } }
        for square in 1..<offsets.count { offsets[square] += offsets[square - 1] }
        var next = offsets
        var entries = [UInt32](repeating: 0, count: Int(offsets[offsets.count - 1]))
        for number in 0..<count {
            squares(number, frame) { square in
                entries[Int(next[square])] = UInt32(number)
                next[square] += 1
            }
        }
        self.offsets = offsets
        self.entries = entries
    }

    private func row(_ latitude: Int32) -> Int64 {
        Self.quotient(Int64(latitude) - Int64(box.south), size)
    }

    private func column(_ longitude: Int32) -> Int64 {
        Self.quotient(Int64(longitude) - Int64(box.west), size)
    }

    private static func quotient(_ value: Int64, _ size: Int64) -> Int64 {
        value >= 0 ? value / size : -1
    }

    private func square(_ place: Coordinate) -> Int {
        Int(row(place.latitude) * columns + column(place.longitude))
    }

    /// Calls `body` with each square that a segment meets, and perhaps a neighbour of one.
    private func squares(of segment: Segment, _ body: (Int) -> Void) {
        let box = segment.bounds
        let isRising = segment.start.latitude <= segment.end.latitude
        let low = isRising ? segment.start : segment.end
        let high = isRising ? segment.end : segment.start
        let height = Double(Int64(high.latitude) - Int64(low.latitude))
        let width = Double(Int64(high.longitude) - Int64(low.longitude))
        for row in row(box.south)...row(box.north) {
            var west = Int64(box.west)
            var east = Int64(box.east)
            if height > 0 {
                let bottom = Double(Int64(self.box.south) + row * size - Int64(low.latitude)) - 1
                let one = bottom / height * width
                let other = (bottom + Double(size) + 2) / height * width
                // Two units more than the rounding error of these numbers.
                west = max(west, Int64(low.longitude) + Int64(min(one, other)) - 2)
                east = min(east, Int64(low.longitude) + Int64(max(one, other)) + 2)
            }
            let left = max(0, (west - Int64(self.box.west)) / size)
            let right = min(columns - 1, (east - Int64(self.box.west)) / size)
            guard left <= right else { continue }
            for column in left...right { body(Int(row * columns + column)) }
        }
    }
}
