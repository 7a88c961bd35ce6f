import Streets

/// Finds the streets from which a profile cannot get anywhere, or that it cannot reach.
///
/// A trip that snaps to such an island would find no way; so the passages of all islands but the
/// large ones are closed to the profile. Passages lie in the same *strongly connected component*
/// if each can be reached from the other (Tarjan, "Depth-first search and linear graph
/// algorithms", SIAM J. Comput. 1972, doi:10.1137/0201010; here without recursion).
struct StreetIslands {
    /// Whether a passage (twice an edge's number, plus 1 against it) lies on no small island.
    private(set) var isMainland: [Bool]
    /// How many passages the largest component has.
    private(set) var largest = 0

    /// Finds the islands of one profile.
    ///
    /// A passage has an arc for each copy of its vertices. Copies are states that only some routes
    /// lead to, so a passage is on the mainland if any of its arcs is.
    init(
        _ expansion: TurnExpansion,
        vertexCount: Int,
        passageCount: Int,
        threshold: Int,
        _ profile: Profile
    ) {
        isMainland = [Bool](repeating: threshold == 0, count: passageCount)
        let bit: UInt8 = 1 << profile.rawValue
        let arcs = expansion.arcs.filter { $0.profiles & bit != 0 }
        let components = Self.components(arcs, vertexCount + expansion.copies.count)
        var sizes = [Int](repeating: 0, count: (components.max() ?? 0) + 1)
        for arc in arcs where components[Int(arc.from)] == components[Int(arc.to)] {
            sizes[components[Int(arc.from)]] += 1
        }
        largest = sizes.max() ?? 0
        let threshold = min(largest, threshold)
        for arc in arcs where components[Int(arc.from)] == components[Int(arc.to)] {
            if sizes[components[Int(arc.from)]] >= threshold {
                isMainland[Int(arc.passage)] = true
            }
        }
    }

    /// The number of each vertex's component.
    private static func components(_ arcs: [TurnExpansion.Arc], _ count: Int) -> [Int] {
        var offsets = [Int](repeating: 0, count: count + 1)
        for arc in arcs { offsets[Int(arc.from) + 1] += 1 }
        for vertex in 0..<count { offsets[vertex + 1] += offsets[vertex] }
        var heads = [UInt32](repeating: 0, count: arcs.count)
        var cursor = offsets
        for arc in arcs {
            heads[cursor[Int(arc.from)]] = arc.to
            cursor[Int(arc.from)] += 1
        }
        cursor = offsets
        var component = [Int](repeating: -1, count: count)
        var number = [Int](repeating: 0, count: count)
        var low = [Int](repeating: 0, count: count)
        var open: [Int] = []
        var path: [Int] = []
        var found = 0
        var visited = 0
        for start in 0..<count where number[start] == 0 {
            path.append(start)
            while let vertex = path.last {
                if number[vertex] == 0 {
                    visited += 1
                    number[vertex] = visited
                    low[vertex] = visited
                    open.append(vertex)
                }
                if cursor[vertex] < offsets[vertex + 1] {
                    let head = Int(heads[cursor[vertex]])
                    cursor[vertex] += 1
                    if number[head] == 0 {
                        path.append(head)
                    } else if component[head] < 0 {
                        low[vertex] = min(low[vertex], number[head])
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last { low[parent] = min(low[parent], low[vertex]) }
                guard low[vertex] == number[vertex] else { continue }
                while let member = open.popLast() {
                    component[member] = found
                    if member == vertex { break }
                }
                found += 1
            }
        }
        return component
    }
}
