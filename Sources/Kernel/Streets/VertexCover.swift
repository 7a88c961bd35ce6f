/// The fewest vertices that touch every edge between two sides of a graph.
///
/// By König's theorem, in a bipartite graph they are as many as the edges of the largest matching,
/// and can be read off the alternating paths from the unmatched vertices. Kuhn's augmenting paths
/// are quick enough for the few hundred edges of a cut.
struct VertexCover {
    private let graph: NeighbourGraph
    private let side: [Bool]
    /// The partner of each vertex of the cut; -1 without.
    private var partner: [Int32]
    private var seen: [Bool]

    /// The smallest cover of the edges between the vertices on the side and the others, ascending.
    static func smallest(of graph: NeighbourGraph, between side: [Bool]) -> [Int32] {
        var cover = VertexCover(graph: graph, side: side)
        return cover.find()
    }

    private init(graph: NeighbourGraph, side: [Bool]) {
        self.graph = graph
        self.side = side
        partner = Array(repeating: -1, count: graph.vertexCount)
        seen = Array(repeating: false, count: graph.vertexCount)
    }

    private mutating func find() -> [Int32] {
        let left = (0..<graph.vertexCount).filter { vertex in
            side[vertex] && graph.range(vertex).contains { !side[Int(graph.neighbours[$0])] }
        }
        var touched: [Int32] = []
        for vertex in left {
            _ = augment(vertex, touched: &touched)
            for other in touched { seen[Int(other)] = false }
            touched.removeAll(keepingCapacity: true)
        }
        for vertex in left where partner[vertex] < 0 {
            _ = augment(vertex, touched: &touched)
            touched.removeAll(keepingCapacity: true)
        }
        // All vertices that unmatched vertices of the left reach by alternating paths are now
        // marked: the cover is the marked right and the unmarked left.
        var cover: [Int32] = []
        for vertex in left {
            let free = partner[vertex] < 0
            let marked = free || seen[Int(partner[vertex])]
            if !marked { cover.append(Int32(vertex)) }
        }
        for vertex in 0..<graph.vertexCount where seen[vertex] {
            cover.append(Int32(vertex))
        }
        return cover.sorted()
    }

    /// Finds a partner for a vertex of the left, changing other matches where needed; marks every
    /// vertex of the right that it examines.
    private mutating func augment(_ start: Int, touched: inout [Int32]) -> Bool {
        // Breadth first, so that a long cut does not recurse deeply.
        var queue: [(left: Int32, from: Int32)] = [(Int32(start), -1)]
        var position = 0
        var reachedFrom: [(right: Int32, entry: Int32)] = []
        while position < queue.count {
            let vertex = Int(queue[position].left)
            for arc in graph.range(vertex) {
                let other = Int(graph.neighbours[arc])
                if side[other] || seen[other] { continue }
                seen[other] = true
                touched.append(Int32(other))
                reachedFrom.append((Int32(other), Int32(position)))
                if partner[other] < 0 {
                    flip(queue, reachedFrom)
                    return true
                }
                queue.append((partner[other], Int32(reachedFrom.count - 1)))
            }
            position += 1
        }
        return false
    }

    private mutating func flip(
        _ queue: [(left: Int32, from: Int32)],
        _ reached: [(right: Int32, entry: Int32)]
    ) {
        var step = reached.count - 1
        while step >= 0 {
            let right = reached[step].right
            let entry = queue[Int(reached[step].entry)]
            partner[Int(right)] = entry.left
            partner[Int(entry.left)] = right
            step = Int(entry.from)
        }
    }
}
