import SeededRandom
import TestSupport

/// The clock and the order of events of a simulation, both determined by a seed.
///
/// `@unchecked Sendable`: everything in a simulation runs on the thread that calls ``step()``, one
/// event after another.
final class Scheduler: @unchecked Sendable {
    private struct Event {
        var due: Int64
        /// Orders the events of the same millisecond.
        var order: UInt64
        var work: () -> Void
    }

    /// The milliseconds since the simulation began.
    private(set) var now: Int64 = 0
    /// The number of events so far.
    private(set) var steps = 0
    /// A hash of the order of all events; equal for equal runs.
    private(set) var digest: UInt64 = 0
    private var random: SeededRandom
    /// The pending events, the next one last.
    private var events: [Event] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// Schedules work after a number of milliseconds, in random order among everything due then.
    func after(_ milliseconds: Int64, _ work: @escaping () -> Void) {
        precondition(milliseconds >= 0, "an event lies in the past")
        let event = Event(due: now + milliseconds, order: random.next(), work: work)
        var low = 0
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            let other = events[middle]
            if (other.due, other.order) > (event.due, event.order) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        events.insert(event, at: low)
    }

    /// Performs the next event.
    ///
    /// - Returns: whether there was one.
    func step() -> Bool {
        guard let event = events.popLast() else { return false }
        now = event.due
        steps += 1
        digest = (digest ^ event.order ^ UInt64(event.due)) &* 0x100_0000_01B3
        event.work()
        return true
    }

    /// Returns true with a probability of `perMille` in a thousand.
    func chance(_ perMille: Int) -> Bool { random.next() % 1_000 < UInt64(perMille) }

    func between(_ low: Int64, _ high: Int64) -> Int64 {
        low + Int64(random.next() % UInt64(high - low + 1))
    }

    func one<Element>(of elements: [Element]) -> Element {
        elements[Int(random.next() % UInt64(elements.count))]
    }
}
