package import Chronology
import Synchronization
package import Taxi

/// A clock that stands still until it is advanced.
package final class SettableClock: Sendable {
    private struct Sleeper {
        var until: Moment
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Moment
        var sleepers: [Int: Sleeper] = [:]
        var next = 0
    }

    private let state: Mutex<State>

    /// Creates a clock that shows the given moment.
    package init(startingAt now: Moment = Moment(milliseconds: 1_800_000_000_000)) {
        state = Mutex(State(now: now))
    }

    /// The moment that the clock shows.
    package var now: Moment { state.withLock { $0.now } }

    /// The moment at which the next sleeping task wakes; nil if none is sleeping.
    package var nextWake: Moment? { state.withLock { $0.sleepers.values.map(\.until).min() } }

    /// Whether a task sleeps until exactly the given moment.
    package func isAwaited(at moment: Moment) -> Bool {
        state.withLock { $0.sleepers.values.contains { $0.until == moment } }
    }

    /// The clock as services read it.
    package var clock: ServiceClock {
        ServiceClock {
            self.now
        } sleep: {
            try await self.sleep(until: $0)
        }
    }

    /// Advances the clock and wakes the tasks whose time has come.
    package func advance(seconds: Int64) {
        let woken = state.withLock { state in
            state.now = state.now.adding(seconds: seconds)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    private func sleep(until: Moment) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if until <= state.now { return true }
                    state.sleepers[number] = Sleeper(until: until, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func cancel(_ number: Int) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
