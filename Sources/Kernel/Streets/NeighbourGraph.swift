/// An undirected graph without loops and parallel edges: each vertex with its
/// neighbours in ascending order.
struct NeighbourGraph {
    /// Where each vertex's neighbours begin; one more than there are vertices.
    var first: [Int32]
    /// The neighbours of all vertices.
    var neighbours: [Int32]

    var vertexCount: Int { first.count - 1 }

    func range(_ vertex: Int) -> Range<Int> {
        Int(first[vertex])..<Int(first[vertex + 1])
    }

    /// The graph in which two vertices are neighbours where an arc joins them, in whatever
    /// direction and however often.
    init(vertexCount: Int, tails: [UInt32], heads: [UInt32]) {
        // Two stable counting sorts, by one end and then by the other, give sorted lists.
        var counts = [Int32](repeating: 0, count: vertexCount + 1)
        for arc in tails.indices {
            counts[Int(tails[arc]) + 1] += 1
            counts[Int(heads[arc]) + 1] += 1
        }
        for vertex in 0..<vertexCount { counts[vertex + 1] += counts[vertex] }
        var cursor = counts
        var unsorted = [Int32](repeating: 0, count: Int(counts[vertexCount]))
        for arc in tails.indices {
            let tail = Int(tails[arc])
            let head = Int(heads[arc])
            unsorted[Int(cursor[tail])] = Int32(head)
            cursor[tail] += 1
            unsorted[Int(cursor[head])] = Int32(tail)
            cursor[head] += 1
        }
        cursor = counts
        var sorted = unsorted
        for vertex in 0..<vertexCount {
            for position in Int(counts[vertex])..<Int(counts[vertex + 1]) {
                let other = Int(unsorted[position])
                sorted[Int(cursor[other])] = Int32(vertex)
                cursor[other] += 1
            }
        }
        first = [0]
        first.reserveCapacity(vertexCount + 1)
        neighbours = []
        neighbours.reserveCapacity(sorted.count)
        for vertex in 0..<vertexCount {
            var previous = Int32(vertex)
            for position in Int(counts[vertex])..<Int(counts[vertex + 1]) {
                let other = sorted[position]
                if other != previous, other != Int32(vertex) { neighbours.append(other) }
                previous = other
            }
            first.append(Int32(neighbours.count))
        }
    }

    /// A graph from its lists, which must be symmetric and ascending.
    init(first: [Int32], neighbours: [Int32]) {
        self.first = first
        self.neighbours = neighbours
    }
}
