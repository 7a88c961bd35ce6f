/// The large strongly connected parts of a network, within which every vertex
/// can reach every other.
///
/// Tarjan's strongly connected components (1972), with an explicit stack instead of recursion. A
/// component is *large* if it has at least 1,000 vertices or is the largest of the network.
struct Components {
    /// The component of each vertex.
    private(set) var component: [Int32]
    private var sizes: [Int] = []

    /// The number of vertices from which a component is large.
    private static let largeSize = 1_000

    /// The components of the graph whose arcs, sorted by tail, begin at `first`.
    ///
    /// - Parameters:
    ///   - first: where each vertex's arcs begin; one more than there are vertices.
    ///   - heads: where each arc ends.
    ///   - isOpen: whether an arc may be passed.
    init(first: [UInt32], heads: [UInt32], isOpen: (Int) -> Bool) {
        let count = first.count - 1
        component = Array(repeating: -1, count: count)
        var number = [Int32](repeating: -1, count: count)
        var lowest = number
        var cursor = first
        var path: [Int32] = []
        var open: [Int32] = []
        var next: Int32 = 0
        for start in 0..<count where number[start] < 0 {
            path.append(Int32(start))
            while let top = path.last {
                let vertex = Int(top)
                if number[vertex] < 0 {
                    number[vertex] = next
                    lowest[vertex] = next
                    next += 1
                    open.append(top)
                }
                var child = -1
                while cursor[vertex] < first[vertex + 1], child < 0 {
                    let arc = Int(cursor[vertex])
                    cursor[vertex] += 1
                    guard isOpen(arc) else { continue }
                    let head = Int(heads[arc])
                    if number[head] < 0 {
                        child = head
                    } else if component[head] < 0 {
                        lowest[vertex] = min(lowest[vertex], number[head])
                    }
                }
                if child >= 0 {
                    path.append(Int32(child))
                    continue
                }
                path.removeLast()
                if let parent = path.last {
                    lowest[Int(parent)] = min(lowest[Int(parent)], lowest[vertex])
                }
                if lowest[vertex] == number[vertex] { close(vertex, &open) }
            }
        }
    }

    private mutating func close(_ vertex: Int, _ open: inout [Int32]) {
        var size = 0
        while let member = open.popLast() {
            component[Int(member)] = Int32(sizes.count)
            size += 1
            if Int(member) == vertex { break }
        }
        sizes.append(size)
    }

    /// Whether each vertex belongs to a large component.
    func large() -> [Bool] {
        let enough = min(Self.largeSize, sizes.max() ?? 0)
        return component.map { $0 >= 0 && sizes[Int($0)] >= enough }
    }
}
