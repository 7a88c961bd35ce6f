import Geo

/// The order of all vertices and the graph that contracting them in this order gives.
///
/// Contracting a vertex makes its later neighbours neighbours of each other; with all those
/// edges added the graph is *chordal*. The first later neighbour of each vertex is its *parent*,
/// and the parents form the *elimination tree*: every shortest path can be walked by climbing
/// from both ends along the tree's branches only (Bauer, Columbus, Rutter, Wagner,
/// "Search-space size in contraction hierarchies", 2016; Dibbelt, Strasser, Wagner,
/// "Customizable contraction hierarchies", 2016).
///
/// Any order that keeps children before parents gives the same graph; the depth-first one is
/// chosen, because it puts near places near each other in memory.
struct EliminationTree {
    /// The rank of each vertex.
    private(set) var ranks: [UInt32]
    /// By rank: where the later neighbours of each vertex begin in `heads`.
    private(set) var first: [UInt32] = [0]
    /// By rank: the later neighbours of each vertex, ascending ranks.
    private(set) var heads: [UInt32] = []
    /// By rank: the parent; the vertex itself at a root.
    private(set) var parents: [UInt32] = []

    /// Orders the vertices of a graph.
    ///
    /// - Parameters:
    ///   - graph: the graph, of all profiles together.
    ///   - places: the position of each vertex.
    ///   - advanced: called with the share of the work done, 0 to 1.
    init(_ graph: NeighbourGraph, places: [Coordinate], advanced: (Double) -> Void) {
        let reduction = Reduction(graph)
        let core = reduction.coreVertices
        let coreOrder = Dissection.order(
            reduction.core,
            places: core.map { places[Int($0)] },
            advanced: { advanced(Double($0) / Double(max(1, core.count))) }
        )
        let order = reduction.order + coreOrder.map { core[Int($0)] }
        let parents = Self.parents(graph, order)
        let depthFirst = Self.depthFirst(parents)
        ranks = Array(repeating: 0, count: order.count)
        for (rank, position) in depthFirst.enumerated() {
            ranks[Int(order[Int(position)])] = UInt32(rank)
        }
        fill(graph)
    }

    /// The parent of each position of an order, -1 at a root; without building the chordal graph
    /// (Liu, "The role of elimination trees in sparse factorization", 1990).
    private static func parents(_ graph: NeighbourGraph, _ order: [Int32]) -> [Int32] {
        let count = order.count
        var position = [Int32](repeating: 0, count: count)
        for (place, vertex) in order.enumerated() { position[Int(vertex)] = Int32(place) }
        var parents = [Int32](repeating: -1, count: count)
        var ancestors = [Int32](repeating: -1, count: count)
        for place in 0..<count {
            for arc in graph.range(Int(order[place])) {
                var lower = Int(position[Int(graph.neighbours[arc])])
                guard lower < place else { continue }
                while lower != place {
                    let next = ancestors[lower]
                    ancestors[lower] = Int32(place)
                    if next < 0 {
                        parents[lower] = Int32(place)
                        break
                    }
                    lower = Int(next)
                }
            }
        }
        return parents
    }

    /// The positions of a forest, children before parents, subtrees together.
    private static func depthFirst(_ parents: [Int32]) -> [Int32] {
        let count = parents.count
        var firstChild = [Int32](repeating: -1, count: count)
        var sibling = [Int32](repeating: -1, count: count)
        var root: Int32 = -1
        for vertex in stride(from: count - 1, through: 0, by: -1) {
            let parent = Int(parents[vertex])
            if parent < 0 {
                sibling[vertex] = root
                root = Int32(vertex)
            } else {
                sibling[vertex] = firstChild[parent]
                firstChild[parent] = Int32(vertex)
            }
        }
        var sorted: [Int32] = []
        sorted.reserveCapacity(count)
        var current = root
        while current >= 0 {
            while firstChild[Int(current)] >= 0 {
                let child = firstChild[Int(current)]
                firstChild[Int(current)] = -1
                current = child
            }
            sorted.append(current)
            current = sibling[Int(current)] >= 0 ? sibling[Int(current)] : parents[Int(current)]
        }
        return sorted
    }

    /// Builds the chordal graph: a vertex's later neighbours are its own and its children's.
    private mutating func fill(_ graph: NeighbourGraph) {
        let count = ranks.count
        var vertexAt = [Int32](repeating: 0, count: count)
        for vertex in 0..<count { vertexAt[Int(ranks[vertex])] = Int32(vertex) }
        var firstChild = [Int32](repeating: -1, count: count)
        var sibling = [Int32](repeating: -1, count: count)
        var mark = [Int32](repeating: -1, count: count)
        var list: [UInt32] = []
        for rank in 0..<count {
            list.removeAll(keepingCapacity: true)
            mark[rank] = Int32(rank)
            for arc in graph.range(Int(vertexAt[rank])) {
                let head = ranks[Int(graph.neighbours[arc])]
                if head > UInt32(rank), mark[Int(head)] != Int32(rank) {
                    mark[Int(head)] = Int32(rank)
                    list.append(head)
                }
            }
            var child = firstChild[rank]
            while child >= 0 {
                for arc in Int(first[Int(child)])..<Int(first[Int(child) + 1]) {
                    let head = heads[arc]
                    if mark[Int(head)] != Int32(rank) {
                        mark[Int(head)] = Int32(rank)
                        list.append(head)
                    }
                }
                child = sibling[Int(child)]
            }
            list.sort()
            heads.append(contentsOf: list)
            first.append(UInt32(heads.count))
            parents.append(list.first ?? UInt32(rank))
            if let parent = list.first {
                sibling[rank] = firstChild[Int(parent)]
                firstChild[Int(parent)] = Int32(rank)
            }
        }
    }
}
