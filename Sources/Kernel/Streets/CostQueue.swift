/// A queue of vertices by cost, cheapest first, ties by the smaller number.
///
/// A heap with four children to a node: half the depth of a binary one, and a node's
/// children share a cache line.
struct CostQueue {
    private var entries: [Entry] = []

    struct Entry: BitwiseCopyable {
        var cost: UInt64
        var vertex: UInt32

        @inline(__always)
        static func < (first: Entry, second: Entry) -> Bool {
            first.cost < second.cost
                || (first.cost == second.cost && first.vertex < second.vertex)
        }
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }

    mutating func push(_ entry: Entry) {
        entries.append(entry)
        unsafe entries.withUnsafeMutableBufferPointer { heap in
            var position = heap.count - 1
            while position > 0 {
                let parent = (position - 1) / 4
                let above = unsafe heap[parent]
                guard entry < above else { break }
                unsafe heap[position] = above
                position = parent
            }
            unsafe heap[position] = entry
        }
    }

    mutating func pop() -> Entry? {
        guard let last = entries.popLast() else { return nil }
        guard let first = entries.first else { return last }
        unsafe entries.withUnsafeMutableBufferPointer { heap in
            var position = 0
            while true {
                let child = 4 * position + 1
                guard child < heap.count else { break }
                var least = child
                var smallest = unsafe heap[child]
                for other in child + 1..<min(child + 4, heap.count) {
                    let candidate = unsafe heap[other]
                    if candidate < smallest {
                        smallest = candidate
                        least = other
                    }
                }
                guard smallest < last else { break }
                unsafe heap[position] = smallest
                position = least
            }
            unsafe heap[position] = last
        }
        return first
    }
}
