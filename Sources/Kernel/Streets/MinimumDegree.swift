/// The order of a small graph: always the vertex with the fewest neighbours comes next.
///
/// Its neighbours then become neighbours of each other (Rose 1972). The neighbours of a vertex
/// are one 64-bit word.
enum MinimumDegree {
    /// The largest graph that it can order.
    static let limit = 64

    /// The vertices of a graph of at most ``limit``, in order; ties by the smaller number.
    static func order(_ graph: NeighbourGraph) -> [Int32] {
        let count = graph.vertexCount
        precondition(count <= limit, "one word holds 64 neighbours")
        var around = [UInt64](repeating: 0, count: count)
        for vertex in 0..<count {
            for arc in graph.range(vertex) { around[vertex] |= 1 << UInt64(graph.neighbours[arc]) }
        }
        var left = count == 64 ? ~0 : (UInt64(1) << UInt64(count)) - 1
        var order: [Int32] = []
        while left != 0 {
            var best = 0
            var fewest = Int.max
            var rest = left
            while rest != 0 {
                let vertex = rest.trailingZeroBitCount
                rest &= rest - 1
                let degree = (around[vertex] & left).nonzeroBitCount
                if degree < fewest {
                    fewest = degree
                    best = vertex
                }
            }
            left &= ~(1 << UInt64(best))
            order.append(Int32(best))
            let clique = around[best] & left
            rest = clique
            while rest != 0 {
                let vertex = rest.trailingZeroBitCount
                rest &= rest - 1
                around[vertex] |= clique & ~(1 << UInt64(vertex))
            }
        }
        return order
    }
}
