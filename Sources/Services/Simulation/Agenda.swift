import Chronology

/// A priority queue of planned events: earliest first, then by rank, then in order of planning.
struct Agenda<Happening: Sendable>: Sendable {
    private struct Item: Sendable {
        var at: Moment
        var rank: Int
        var order: UInt64
        var happening: Happening

        func isBefore(_ other: Item) -> Bool {
            (at.milliseconds, rank, order) < (other.at.milliseconds, other.rank, other.order)
        }
    }

    private var heap: [Item] = []
    private var planned: UInt64 = 0

    var nextMoment: Moment? { heap.first?.at }

    mutating func plan(_ happening: Happening, at moment: Moment, rank: Int = 0) {
        heap.append(Item(at: moment, rank: rank, order: planned, happening: happening))
        planned += 1
        var position = heap.count - 1
        while position > 0 {
            let parent = (position - 1) / 2
            guard heap[position].isBefore(heap[parent]) else { break }
            heap.swapAt(position, parent)
            position = parent
        }
    }

    mutating func next() -> (at: Moment, happening: Happening)? {
        guard let last = heap.popLast() else { return nil }
        guard let first = heap.first else { return (last.at, last.happening) }
        heap[0] = last
        var position = 0
        while true {
            var least = position
            for child in [2 * position + 1, 2 * position + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != position else { break }
            heap.swapAt(position, least)
            position = least
        }
        return (first.at, first.happening)
    }
}
