import NIOCore
import NIOPosix
import Synchronization

/// The one thread of this process, for its connections and the tasks that use them.
///
/// A driver's task that wakes up on another thread, and switches to the thread of its connection
/// and back, uses more of the cores that the measured server needs too (docs/benchmarks.md). So do
/// the event loop's timers: there would be tens of thousands, and cancelling one searches all
/// others. Waiting tasks are therefore kept in one list per millisecond.
final class Loop: TaskExecutor {
    static let only = Loop()

    /// The event loop group of the connections, which has one thread.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let thread: any EventLoop
    private let begun = ContinuousClock.now
    private let alarms = Mutex(Alarms())

    /// The waiting tasks, by the millisecond in which they resume.
    private struct Alarms {
        var lists: [Int64: [@Sendable () -> Void]] = [:]
        /// The millisecond whose list is resumed next.
        var next: Int64 = 0
    }

    private init() {
        thread = group.next()
        thread.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(1)) { _ in
            self.call()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Waits until a moment, or up to a millisecond longer.
    ///
    /// - Throws: `CancellationError`.
    func sleep(until moment: ContinuousClock.Instant) async throws {
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard sleeper.begin(continuation) else { return }
                call(at: moment) { sleeper.end(isCancelled: false) }
            }
        } onCancel: {
            sleeper.end(isCancelled: true)
        }
    }

    /// Calls a function on this thread at a moment, or up to a millisecond later.
    func call(at moment: ContinuousClock.Instant, _ what: @escaping @Sendable () -> Void) {
        let place = milliseconds(moment) + 1
        alarms.withLock { $0.lists[max(place, $0.next), default: []].append(what) }
    }

    private func call() {
        let last = milliseconds(.now)
        let due = alarms.withLock { alarms in
            var due: [@Sendable () -> Void] = []
            while alarms.next <= last {
                due += alarms.lists.removeValue(forKey: alarms.next) ?? []
                alarms.next += 1
            }
            return due
        }
        for what in due { what() }
    }

    private func milliseconds(_ moment: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = begun.duration(to: moment).components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}

/// A task that waits for a moment and resumes once: at that moment, or when it is cancelled.
private final class Sleeper: Sendable {
    private enum State {
        case awake
        case asleep(CheckedContinuation<Void, any Error>)
        case over
    }

    private let state = Mutex(State.awake)

    /// Starts the wait of a task.
    ///
    /// - Returns: false if the task was already cancelled.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let isAsleep = state.withLock { state in
            guard case .awake = state else { return false }
            state = .asleep(continuation)
            return true
        }
        if !isAsleep { continuation.resume(throwing: CancellationError()) }
        return isAsleep
    }

    func end(isCancelled: Bool) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            defer { state = .over }
            if case .asleep(let continuation) = state { return continuation }
            return nil
        }
        if isCancelled {
            continuation?.resume(throwing: CancellationError())
        } else {
            continuation?.resume()
        }
    }
}
