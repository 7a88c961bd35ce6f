import Geo

/// Joins lines of one kind end to end into longer ones.
///
/// Where several lines meet, the two that continue each other straightest are joined first, then
/// the next two, ties going to the lines with the lower numbers; so no end is left over that
/// could be joined, and a line mostly stays on one street.
struct LineJoining {
    private let lines: [ArraySlice<UInt32>]
    private let places: [Coordinate]
    /// The end joined to each end, or -1; the ends of line n are 2n, its first, and 2n + 1.
    private var partners: [Int]

    /// Joins lines at their common ends.
    ///
    /// - Parameters:
    ///   - lines: rows of nodes, each at least two.
    ///   - places: where the nodes are.
    /// - Returns: the joined lines, which together have the same stretches.
    /// - Complexity: O(n log n) for n lines, few of which meet at the same node.
    static func joined(
        _ lines: [ArraySlice<UInt32>],
        places: [Coordinate]
    ) -> [[UInt32]] {
        var joining = LineJoining(lines, places)
        joining.pairEnds()
        return joining.walk()
    }

    private init(_ lines: [ArraySlice<UInt32>], _ places: [Coordinate]) {
        self.lines = lines
        self.places = places
        partners = [Int](repeating: -1, count: 2 * lines.count)
    }

    private func node(_ end: Int) -> UInt32 {
        let line = lines[end / 2]
        return end.isMultiple(of: 2) ? line[line.startIndex] : line[line.endIndex - 1]
    }

    /// The direction in which a line leaves its end, as a vector of length 1.
    private func direction(_ end: Int) -> (east: Double, north: Double) {
        let line = lines[end / 2]
        let isFirst = end.isMultiple(of: 2)
        let next = isFirst ? line[line.startIndex + 1] : line[line.endIndex - 2]
        let plane = LocalPlane(at: places[Int(node(end))])
        let (east, north) = plane.project(places[Int(next)])
        let length = (east * east + north * north).squareRoot()
        return length > 0 ? (east / length, north / length) : (0, 0)
    }

    private mutating func pairEnds() {
        let ends = partners.indices.sorted { (node($0), $0) < (node($1), $1) }
        var start = 0
        while start < ends.count {
            var stop = start + 1
            while stop < ends.count, node(ends[stop]) == node(ends[start]) { stop += 1 }
            pair(ends[start..<stop])
            start = stop
        }
    }

    /// Pairs the ends that meet at a node.
    private mutating func pair(_ ends: ArraySlice<Int>) {
        guard ends.count > 1 else { return }
        let directions = ends.map { direction($0) }
        var pairs: [(turn: Double, first: Int, second: Int)] = []
        for (i, first) in ends.enumerated() {
            for (j, second) in ends.enumerated().dropFirst(i + 1) {
                let turn =
                    directions[i].east * directions[j].east
                    + directions[i].north * directions[j].north
                pairs.append((turn, first, second))
            }
        }
        pairs.sort { ($0.turn, $0.first, $0.second) < ($1.turn, $1.first, $1.second) }
        for pair in pairs where partners[pair.first] < 0 && partners[pair.second] < 0 {
            partners[pair.first] = pair.second
            partners[pair.second] = pair.first
        }
    }

    /// Traces joined lines: first those with a free end, then the rest, which are closed.
    private func walk() -> [[UInt32]] {
        var result: [[UInt32]] = []
        var isUsed = [Bool](repeating: false, count: lines.count)
        let free = partners.indices.filter { partners[$0] < 0 }
        for start in free + lines.indices.map({ 2 * $0 }) where !isUsed[start / 2] {
            var line: [UInt32] = []
            var end = start
            while end >= 0, !isUsed[end / 2] {
                isUsed[end / 2] = true
                let rows = lines[end / 2]
                let ordered = end.isMultiple(of: 2) ? Array(rows) : rows.reversed()
                line += line.isEmpty ? ordered[...] : ordered.dropFirst()
                end = partners[end ^ 1]
            }
            result.append(line)
        }
        return result
    }
}
