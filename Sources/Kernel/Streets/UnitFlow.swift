/// The largest flow between two sets of vertices of an undirected graph whose edges carry one
/// unit each, and the smallest cut that goes with it.
///
/// Dinic's algorithm (1970): breadth-first levels, then a depth-first blocking flow along them,
/// until the target cannot be reached. With unit edges it takes few rounds, and the search stops
/// as soon as the flow exceeds the best cut known from elsewhere.
struct UnitFlow {
    private let graph: NeighbourGraph
    /// The position of each edge's other direction.
    private let mate: [Int32]
    /// The residual capacity of each direction: 0, 1 or 2.
    private var residual: [Int8]
    private var level: [Int32]
    private var cursor: [Int32]
    private var queue: [Int32] = []

    /// The role of a vertex in one computation.
    enum Role: UInt8 {
        case inner
        case source
        case target
    }

    init(_ graph: NeighbourGraph) {
        self.graph = graph
        var next = graph.first
        var mate = [Int32](repeating: 0, count: graph.neighbours.count)
        for vertex in 0..<graph.vertexCount {
            for position in graph.range(vertex) {
                let other = Int(graph.neighbours[position])
                mate[position] = next[other]
                next[other] += 1
            }
        }
        self.mate = mate
        residual = Array(repeating: 1, count: mate.count)
        level = Array(repeating: -1, count: graph.vertexCount)
        cursor = Array(repeating: 0, count: graph.vertexCount)
        queue.reserveCapacity(graph.vertexCount)
    }

    /// The vertices on the source's side of the smallest cut that is nearest to the source, and
    /// those on the target's side of the one nearest to the target; nil if the smallest cut
    /// has more than `limit` edges.
    mutating func sides(roles: [Role], limit: Int) -> (source: [Bool], target: [Bool])? {
        for position in residual.indices { residual[position] = 1 }
        let starts = border(of: .source, roles)
        var flow = 0
        while levels(from: starts, roles) {
            for vertex in cursor.indices { cursor[vertex] = graph.first[vertex] }
            for start in starts {
                while augment(from: Int(start), roles) {
                    flow += 1
                    if flow > limit { return nil }
                }
            }
        }
        return (side(of: .source, roles), side(of: .target, roles))
    }

    /// The vertices of a role that have a neighbour of another one.
    private func border(of role: Role, _ roles: [Role]) -> [Int32] {
        (0..<graph.vertexCount).filter { vertex in
            roles[vertex] == role
                && graph.range(vertex).contains { roles[Int(graph.neighbours[$0])] != role }
        }.map { Int32($0) }
    }

    /// Assigns every vertex its distance from the source; false if the target is unreachable.
    private mutating func levels(from starts: [Int32], _ roles: [Role]) -> Bool {
        for vertex in level.indices { level[vertex] = -1 }
        queue.removeAll(keepingCapacity: true)
        for start in starts {
            level[Int(start)] = 0
            queue.append(start)
        }
        var position = 0
        var last = Int32.max
        while position < queue.count {
            let vertex = Int(queue[position])
            position += 1
            if level[vertex] >= last { break }
            for arc in graph.range(vertex) where residual[arc] > 0 {
                let other = Int(graph.neighbours[arc])
                guard level[other] < 0, roles[other] != .source else { continue }
                level[other] = level[vertex] + 1
                if roles[other] == .target {
                    last = level[other]
                } else {
                    queue.append(Int32(other))
                }
            }
        }
        return last != Int32.max
    }

    /// Sends one unit along the levels; false if there is no augmenting path.
    private mutating func augment(from start: Int, _ roles: [Role]) -> Bool {
        queue.removeAll(keepingCapacity: true)
        var vertex = start
        while true {
            if roles[vertex] == .target {
                for arc in queue {
                    residual[Int(arc)] -= 1
                    residual[Int(mate[Int(arc)])] += 1
                }
                return true
            }
            let end = graph.first[vertex + 1]
            var arc = cursor[vertex]
            while arc < end {
                let other = Int(graph.neighbours[Int(arc)])
                if residual[Int(arc)] > 0, level[other] == level[vertex] + 1 { break }
                arc += 1
            }
            cursor[vertex] = arc
            if arc < end {
                queue.append(arc)
                vertex = Int(graph.neighbours[Int(arc)])
            } else if let back = queue.popLast() {
                vertex = Int(graph.neighbours[Int(mate[Int(back)])])
                cursor[vertex] += 1
            } else {
                return false
            }
        }
    }

    /// All vertices that a role still reaches (or, for the target, that still reach it).
    private func side(of role: Role, _ roles: [Role]) -> [Bool] {
        var reached = roles.map { $0 == role }
        var stack = border(of: role, roles)
        while let vertex = stack.popLast() {
            for arc in graph.range(Int(vertex)) {
                let open = role == .source ? residual[arc] > 0 : residual[Int(mate[arc])] > 0
                let other = Int(graph.neighbours[arc])
                if open, !reached[other] {
                    reached[other] = true
                    stack.append(Int32(other))
                }
            }
        }
        return reached
    }
}
