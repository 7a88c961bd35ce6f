public import Chronology
import Heap

/// A moment at which the dispatcher acts, unless the state has changed so that
/// it no longer applies.
public struct Deadline: Hashable, Comparable, Sendable {
    /// What the deadline is about.
    public enum Subject: Hashable, Sendable {
        /// The answer to the offer of a request, or the next attempt for a held or reserved one.
        case request(RequestNumber)
        /// The queue position kept for a driver out of contact.
        case turn(TaxiNumber)
        /// The licence of a driver's taxi.
        case licence(TaxiNumber)

        /// The order of deadlines that are due at the same moment.
        var order: (kind: UInt8, number: UInt64) {
            switch self {
            case .licence(let taxi): (0, UInt64(taxi.rawValue))
            case .turn(let taxi): (1, UInt64(taxi.rawValue))
            case .request(let request): (2, request.rawValue)
            }
        }
    }

    /// The moment at which it is due.
    public var due: Moment
    /// The request, kept turn or licence that it is about.
    public var subject: Subject

    /// Earlier first; at the same moment licences, then turns, then requests, by number.
    public static func < (left: Deadline, right: Deadline) -> Bool {
        if left.due != right.due { return left.due < right.due }
        return left.subject.order < right.subject.order
    }
}

/// A heap of deadlines, the next one first.
///
/// It is an index of the state, not part of it: after taking a deadline, the caller checks with the
/// state that it still holds. Obsolete deadlines therefore need not be removed at once;
/// ``sweep(keeping:)`` drops them when they have become most of the heap.
struct DeadlineQueue: Sendable {
    private var heap = Heap<Deadline>()

    var count: Int { heap.count }
    var next: Deadline? { heap.first }

    mutating func push(_ deadline: Deadline) {
        heap.push(deadline)
    }

    mutating func pop() {
        heap.pop()
    }

    /// Keeps one copy of each deadline that still holds and removes the rest.
    mutating func sweep(keeping holds: (Deadline) -> Bool) {
        var kept: [Deadline] = []
        for deadline in heap.unordered.sorted() where kept.last != deadline && holds(deadline) {
            kept.append(deadline)
        }
        heap = Heap(kept)
    }
}
