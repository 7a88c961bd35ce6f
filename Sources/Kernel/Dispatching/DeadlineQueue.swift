public import Chronology

/// Something that happens when its time comes, unless what it waits for has changed by then.
public struct Deadline: Hashable, Comparable, Sendable {
    /// What becomes due.
    public enum Subject: Hashable, Sendable {
        /// The answer to the offer of a request, or the next try of a held or reserved one.
        case request(RequestNumber)
        /// The turn kept for a driver out of contact.
        case turn(TaxiNumber)
        /// A driver's licence.
        case licence(TaxiNumber)

        /// Which of several that are due at once comes first.
        var order: (kind: UInt8, number: UInt64) {
            switch self {
            case .licence(let taxi): (0, UInt64(taxi.rawValue))
            case .turn(let taxi): (1, UInt64(taxi.rawValue))
            case .request(let request): (2, request.rawValue)
            }
        }
    }

    /// When.
    public var due: Moment
    /// What.
    public var subject: Subject

    /// Earlier first; at the same moment licences, then turns, then requests, by number.
    public static func < (left: Deadline, right: Deadline) -> Bool {
        if left.due != right.due { return left.due < right.due }
        return left.subject.order < right.subject.order
    }
}

/// The deadlines, the next one first.
///
/// It is an index of the state and no part of it: whoever takes a deadline asks the state whether
/// it still holds. So what is no longer due need not be looked for; ``sweep(keeping:)`` drops it
/// when it has become most of the heap.
struct DeadlineQueue: Sendable {
    private var heap: [Deadline] = []

    var count: Int { heap.count }
    var next: Deadline? { heap.first }

    mutating func push(_ deadline: Deadline) {
        heap.append(deadline)
        var position = heap.count - 1
        while position > 0 {
            let parent = (position - 1) / 2
            guard heap[position] < heap[parent] else { break }
            heap.swapAt(position, parent)
            position = parent
        }
    }

    mutating func pop() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var position = 0
        while true {
            var least = position
            for child in [2 * position + 1, 2 * position + 2]
            where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            guard least != position else { break }
            heap.swapAt(position, least)
            position = least
        }
    }

    /// Keeps only those that still hold, each once.
    mutating func sweep(keeping holds: (Deadline) -> Bool) {
        var kept: [Deadline] = []
        for deadline in heap.sorted() where kept.last != deadline && holds(deadline) {
            kept.append(deadline)
        }
        heap = kept
    }
}
