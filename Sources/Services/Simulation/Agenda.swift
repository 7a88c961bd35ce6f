import Chronology
import Heap

/// A priority queue of planned events: earliest first, then by rank, then in order of planning.
struct Agenda<Happening: Sendable>: Sendable {
    private struct Item: Comparable, Sendable {
        var at: Moment
        var rank: Int
        var order: UInt64
        var happening: Happening

        private var key: (Int64, Int, UInt64) { (at.milliseconds, rank, order) }

        static func < (left: Item, right: Item) -> Bool { left.key < right.key }
        static func == (left: Item, right: Item) -> Bool { left.key == right.key }
    }

    private var heap = Heap<Item>()
    private var planned: UInt64 = 0

    var nextMoment: Moment? { heap.first?.at }

    mutating func plan(_ happening: Happening, at moment: Moment, rank: Int = 0) {
        heap.push(Item(at: moment, rank: rank, order: planned, happening: happening))
        planned += 1
    }

    mutating func next() -> (at: Moment, happening: Happening)? {
        heap.pop().map { ($0.at, $0.happening) }
    }
}
