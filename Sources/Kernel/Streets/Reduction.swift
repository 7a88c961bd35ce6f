/// The first part of the order: vertices with at most two neighbours, repeatedly.
///
/// A dead end leaves nothing behind when it is contracted, and a vertex between two others one edge
/// between them, so putting these first costs nothing and leaves a core of about half the size for
/// the expensive part. Each round takes vertices of which no two are neighbours, so that a chain of
/// k vertices becomes a tree of height log k and not k.
struct Reduction {
    /// The contracted vertices, in order.
    private(set) var order: [Int32] = []
    /// The remaining graph, with its own numbering.
    let core: NeighbourGraph
    /// The original number of each vertex of the core, ascending.
    let coreVertices: [Int32]

    init(_ graph: NeighbourGraph) {
        var lists = Lists(graph)
        let count = graph.vertexCount
        var round = [Int32](repeating: -1, count: count)
        var number: Int32 = 0
        var waiting = (0..<count).filter { lists.degree[$0] <= 2 }.map { Int32($0) }
        while !waiting.isEmpty {
            var next: [Int32] = []
            for vertex in waiting where !lists.gone[Int(vertex)] {
                if round[Int(vertex)] == number {
                    next.append(vertex)
                    continue
                }
                for neighbour in lists.contract(Int(vertex)) {
                    round[Int(neighbour)] = number
                    if lists.degree[Int(neighbour)] <= 2 { next.append(neighbour) }
                }
                order.append(vertex)
            }
            waiting = next
            number += 1
        }
        coreVertices = (0..<count).filter { !lists.gone[$0] }.map { Int32($0) }
        core = lists.remainder(coreVertices)
    }

    /// Neighbour lists that only ever shrink.
    private struct Lists {
        let first: [Int32]
        var neighbours: [Int32]
        var degree: [Int32]
        var gone: [Bool]

        init(_ graph: NeighbourGraph) {
            first = graph.first
            neighbours = graph.neighbours
            degree = (0..<graph.vertexCount).map { Int32(graph.range($0).count) }
            gone = Array(repeating: false, count: graph.vertexCount)
        }

        func list(_ vertex: Int) -> Range<Int> {
            Int(first[vertex])..<Int(first[vertex] + degree[vertex])
        }

        /// Removes a vertex with at most two neighbours, connects these, and returns them.
        mutating func contract(_ vertex: Int) -> [Int32] {
            gone[vertex] = true
            let around = Array(neighbours[list(vertex)])
            if around.count == 2 {
                replace(Int32(vertex), by: around[1], in: Int(around[0]))
                replace(Int32(vertex), by: around[0], in: Int(around[1]))
            } else if let only = around.first {
                remove(Int32(vertex), from: Int(only))
            }
            return around
        }

        private mutating func replace(_ old: Int32, by new: Int32, in vertex: Int) {
            if neighbours[list(vertex)].contains(new) {
                remove(old, from: vertex)
                return
            }
            for position in list(vertex) where neighbours[position] == old {
                neighbours[position] = new
            }
        }

        private mutating func remove(_ old: Int32, from vertex: Int) {
            let range = list(vertex)
            for position in range where neighbours[position] == old {
                neighbours[position] = neighbours[range.upperBound - 1]
                degree[vertex] -= 1
                return
            }
        }

        /// The graph of the vertices that are left, renumbered.
        func remainder(_ vertices: [Int32]) -> NeighbourGraph {
            var number = [Int32](repeating: -1, count: gone.count)
            for (position, vertex) in vertices.enumerated() {
                number[Int(vertex)] = Int32(position)
            }
            var first: [Int32] = [0]
            var joined: [Int32] = []
            for vertex in vertices {
                let around = neighbours[list(Int(vertex))].map { number[Int($0)] }
                joined.append(contentsOf: around.sorted())
                first.append(Int32(joined.count))
            }
            return NeighbourGraph(first: first, neighbours: joined)
        }
    }
}
