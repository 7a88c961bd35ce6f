/// A vertex that waits to be settled: the cheapest first, ties by the smaller number.
struct QueuedVertex: Comparable, BitwiseCopyable {
    var cost: UInt64
    var vertex: UInt32

    @inline(__always)
    static func < (first: QueuedVertex, second: QueuedVertex) -> Bool {
        first.cost < second.cost
            || (first.cost == second.cost && first.vertex < second.vertex)
    }
}
