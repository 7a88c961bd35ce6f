import Streets

/// The passages between vertices: each edge has two, one in each direction, whose numbers are
/// twice the edge's and one more.
struct PassageNetwork {
    /// How many vertices there are.
    let vertexCount: Int
    /// Where each passage ends.
    private(set) var heads: [UInt32] = []
    /// The times of each passage for ``Profile/allCases``, ``StreetDraft/Arc/closed`` where it is.
    private(set) var times: [Times] = []
    /// Where the passages that leave each vertex begin in `order`.
    private var offsets: [Int]
    private var order: [UInt32] = []

    /// Milliseconds for each of ``Profile/allCases``, in lanes 0 to 4.
    typealias Times = SIMD8<UInt32>

    /// A network of edges that join vertices, and the times along and against each.
    init(vertexCount: Int, edges: [(from: UInt32, to: UInt32, along: Times, against: Times)]) {
        self.vertexCount = vertexCount
        heads.reserveCapacity(edges.count * 2)
        times.reserveCapacity(edges.count * 2)
        offsets = [Int](repeating: 0, count: vertexCount + 1)
        for edge in edges {
            heads.append(edge.to)
            heads.append(edge.from)
            times.append(edge.along)
            times.append(edge.against)
            offsets[Int(edge.from) + 1] += 1
            offsets[Int(edge.to) + 1] += 1
        }
        for vertex in 0..<vertexCount { offsets[vertex + 1] += offsets[vertex] }
        var next = offsets
        order = [UInt32](repeating: 0, count: heads.count)
        for passage in heads.indices {
            let tail = Int(heads[passage ^ 1])
            order[next[tail]] = UInt32(passage)
            next[tail] += 1
        }
    }

    /// The vertex where a passage ends.
    func head(_ passage: UInt32) -> UInt32 { heads[Int(passage)] }

    /// The vertex where a passage begins.
    func tail(_ passage: UInt32) -> UInt32 { heads[Int(passage) ^ 1] }

    /// The passages that leave a vertex, ascending.
    func leaving(_ vertex: UInt32) -> ArraySlice<UInt32> {
        order[offsets[Int(vertex)]..<offsets[Int(vertex) + 1]]
    }

    /// The profiles that may make a passage, one bit each.
    func open(_ passage: UInt32) -> UInt8 {
        var mask: UInt8 = 0
        let times = times[Int(passage)]
        for profile in Profile.allCases
        where times[Int(profile.rawValue)] != StreetDraft.Arc.closed {
            mask |= 1 << profile.rawValue
        }
        return mask
    }

    /// Whether at least one of some profiles may make a passage.
    func isOpen(_ passage: UInt32, _ profiles: UInt8) -> Bool {
        open(passage) & profiles != 0
    }
}
