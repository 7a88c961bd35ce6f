import Heap

/// The memory that queries on a network write to, kept from one query to the next.
///
/// It belongs to one thread at a time, and takes about 44 bytes for each vertex.
public final class StreetWorkspace {
    /// The network's number of vertices.
    let vertexCount: Int
    /// The labels of the search from the origin, and of every one-to-many search.
    let forward: SearchSide
    /// The labels of the search from the destination.
    let backward: SearchSide
    /// The queue of a one-to-many search.
    var queue = Heap<QueuedVertex>()
    /// The row of each vertex in a table's small graph; ``noRow`` outside tables.
    let rows: Scratch<UInt32>

    static let noRow = UInt32.max

    /// A workspace for queries on a network.
    ///
    /// - Complexity: linear in the network's size.
    public init(for network: StreetNetwork) {
        vertexCount = network.vertexCount
        forward = SearchSide(vertexCount: vertexCount)
        backward = SearchSide(vertexCount: vertexCount)
        rows = Scratch(repeating: Self.noRow, count: vertexCount)
    }
}

/// The labels of the vertices in one search.
final class SearchSide {
    let labels: Scratch<Label>
    /// The search that the labels with this stamp belong to.
    private(set) var stamp: UInt32 = 0
    /// The vertices found, in the order in which they were settled: the first `settledCount`.
    let settled: Scratch<UInt32>
    /// How many vertices were settled.
    var settledCount = 0
    /// Where the search entered the network.
    var entries: [Entry] = []

    init(vertexCount: Int) {
        labels = Scratch(repeating: Label(), count: vertexCount)
        settled = Scratch(repeating: 0, count: vertexCount)
    }

    /// Starts a new search: all labels become invalid.
    func begin() {
        settledCount = 0
        entries.removeAll(keepingCapacity: true)
        stamp &+= 1
        if stamp == 0 {
            labels.fill(Label())
            stamp = 1
        }
    }

    /// The cost of a vertex; ``Cost/never`` if the search has not reached it.
    @inline(__always)
    func cost(_ vertex: Int) -> UInt64 {
        let label = labels[vertex]
        return label.stamp == stamp ? label.cost : Cost.packedNever
    }

    /// The label of one vertex.
    struct Label: BitwiseCopyable {
        var cost: UInt64 = Cost.packedNever
        var stamp: UInt32 = 0
        /// The vertex from which it was reached; `Label.none` if the search entered the network
        /// there.
        var parent: UInt32 = Label.none

        static let none = UInt32.max
    }

    /// A vertex where a search enters the network, by an arc and at a cost.
    struct Entry {
        var vertex: Int
        var arc: Int
        var cost: Cost
    }
}
