import Geo

/// The second part of the order: nested dissection of the core.
///
/// A road network falls apart at rivers, railways and parks. A small set of vertices (a
/// *separator*) that cuts the network in two is put last, and each half is treated the same
/// way; a query then meets only the separators above its two ends. The separators come from
/// *inertial flow* (Schild, Sommer, "On balanced separators in road networks", SEA 2015): sort
/// the vertices along a direction, take the first and the last quarter as source and target of a
/// flow, and take the smallest cut; the best of four directions wins. It needs nothing but
/// coordinates, is deterministic, and is close in quality to far slower partitioners.
struct Dissection {
    private let latitudes: [Int32]
    private let longitudes: [Int32]
    private let eastScale: Double
    private let advanced: (Int) -> Void
    private(set) var order: [Int32] = []

    /// The share of the vertices that is certainly on each side: 1 in this many.
    private static let share = 4
    /// The directions tried, as (east, north).
    private static let directions: [(Double, Double)] = [(1, 0), (0, 1), (1, 1), (1, -1)]

    /// The order of a graph whose vertices have places.
    ///
    /// - Parameters:
    ///   - graph: the core.
    ///   - places: the position of each vertex.
    ///   - advanced: called with the number of vertices ordered so far.
    /// - Returns: the vertices, first to be contracted first.
    static func order(
        _ graph: NeighbourGraph,
        places: [Coordinate],
        advanced: (Int) -> Void
    ) -> [Int32] {
        withoutActuallyEscaping(advanced) { advanced in
            var dissection = Dissection(places: places, advanced: advanced)
            dissection.order.reserveCapacity(places.count)
            dissection.divide(graph, numbers: (0..<places.count).map { Int32($0) })
            return dissection.order
        }
    }

    private init(places: [Coordinate], advanced: @escaping (Int) -> Void) {
        latitudes = places.map { $0.latitude }
        longitudes = places.map { $0.longitude }
        let middle = places.isEmpty ? 0 : places[places.count / 2].latitudeDegrees
        eastScale = Trigonometry.cosine(middle * Trigonometry.pi / 180)
        self.advanced = advanced
    }

    /// Appends the order of a part of the graph, whose vertices have these numbers in the whole.
    private mutating func divide(_ graph: NeighbourGraph, numbers: [Int32]) {
        guard graph.vertexCount > MinimumDegree.limit / 2 else {
            order.append(contentsOf: MinimumDegree.order(graph).map { numbers[Int($0)] })
            advanced(order.count)
            return
        }
        let pieces = Self.components(graph)
        guard pieces.count == 1 else {
            for piece in pieces { divide(piece, of: graph, numbers) }
            return
        }
        let cut = separator(graph, numbers)
        var marks = [UInt8](repeating: 0, count: graph.vertexCount)
        for vertex in 0..<graph.vertexCount where cut.side[vertex] { marks[vertex] = 1 }
        for vertex in cut.separator { marks[Int(vertex)] = 2 }
        for mark in [1, 0] as [UInt8] {
            let part = (0..<graph.vertexCount).filter { marks[$0] == mark }.map { Int32($0) }
            if !part.isEmpty { divide(part, of: graph, numbers) }
        }
        order.append(contentsOf: cut.separator.map { numbers[Int($0)] })
        advanced(order.count)
    }

    private mutating func divide(
        _ part: [Int32],
        of graph: NeighbourGraph,
        _ numbers: [Int32]
    ) {
        divide(Self.induced(graph, part), numbers: part.map { numbers[Int($0)] })
    }

    private struct Cut {
        var side: [Bool]
        var separator: [Int32]
        /// Vertices of the smaller side.
        var smaller: Int

        /// Better: fewer vertices in the separator for each vertex cut off.
        func isBetter(than other: Cut) -> Bool {
            separator.count * other.smaller < other.separator.count * smaller
        }
    }

    private func separator(_ graph: NeighbourGraph, _ numbers: [Int32]) -> Cut {
        let count = graph.vertexCount
        var flow = UnitFlow(graph)
        var best: Cut?
        for (east, north) in Self.directions {
            let keys = numbers.map { number in
                east * eastScale * Double(longitudes[Int(number)])
                    + north * Double(latitudes[Int(number)])
            }
            let sorted = (0..<count).sorted { (keys[$0], $0) < (keys[$1], $1) }
            var roles = [UnitFlow.Role](repeating: .inner, count: count)
            let quarter = max(1, count / Self.share)
            for vertex in sorted.prefix(quarter) { roles[vertex] = .source }
            for vertex in sorted.suffix(quarter) { roles[vertex] = .target }
            // A cut twice as large can win only by being twice as balanced.
            let limit = best.map { $0.separator.count * 2 } ?? Int.max
            guard let sides = flow.sides(roles: roles, limit: limit) else { continue }
            for side in [sides.source, sides.target.map { !$0 }] {
                let cut = Self.cut(graph, side)
                if best.map({ cut.isBetter(than: $0) }) ?? true { best = cut }
            }
        }
        return best ?? Cut(side: [], separator: (0..<count).map { Int32($0) }, smaller: 0)
    }

    private static func cut(_ graph: NeighbourGraph, _ side: [Bool]) -> Cut {
        let separator = VertexCover.smallest(of: graph, between: side)
        var near = side.reduce(0) { $0 + ($1 ? 1 : 0) }
        var far = side.count - near
        for vertex in separator {
            if side[Int(vertex)] { near -= 1 } else { far -= 1 }
        }
        return Cut(side: side, separator: separator, smaller: max(1, min(near, far)))
    }

    /// The connected components, each ascending, in the order of their first vertices.
    private static func components(_ graph: NeighbourGraph) -> [[Int32]] {
        var seen = [Bool](repeating: false, count: graph.vertexCount)
        var components: [[Int32]] = []
        for start in 0..<graph.vertexCount where !seen[start] {
            seen[start] = true
            var members = [Int32(start)]
            var position = 0
            while position < members.count {
                for arc in graph.range(Int(members[position])) {
                    let other = graph.neighbours[arc]
                    if !seen[Int(other)] {
                        seen[Int(other)] = true
                        members.append(other)
                    }
                }
                position += 1
            }
            components.append(members.sorted())
        }
        return components
    }

    /// The graph of some of the vertices (ascending) and the edges between them.
    private static func induced(_ graph: NeighbourGraph, _ part: [Int32]) -> NeighbourGraph {
        var number = [Int32](repeating: -1, count: graph.vertexCount)
        for (position, vertex) in part.enumerated() { number[Int(vertex)] = Int32(position) }
        var first: [Int32] = [0]
        first.reserveCapacity(part.count + 1)
        var neighbours: [Int32] = []
        for vertex in part {
            for arc in graph.range(Int(vertex)) {
                let other = number[Int(graph.neighbours[arc])]
                if other >= 0 { neighbours.append(other) }
            }
            first.append(Int32(neighbours.count))
        }
        return NeighbourGraph(first: first, neighbours: neighbours)
    }
}
