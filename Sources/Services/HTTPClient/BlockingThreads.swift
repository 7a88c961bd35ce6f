import Dispatch
import Synchronization

/// Threads for blocking work: libcurl must not block the threads that run Swift tasks, nor those
/// that the database uses.
final class BlockingThreads: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        /// The indices of the idle queues.
        var free: [Int]
    }

    /// Serial queues, each of which gets its own thread while it works.
    private let queues: [DispatchQueue]
    private let state: Mutex<State>

    /// Creates a pool of at most `limit` threads, which start on demand.
    init(_ name: String, limit: Int) {
        let count = max(limit, 1)
        queues = (0..<count).map { DispatchQueue(label: "\(name).\($0)") }
        state = Mutex(State(free: Array(0..<count)))
    }

    /// Runs blocking work on a thread of the pool and returns its result.
    ///
    /// Callers limit the number of jobs; those that find no thread free wait in order.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let job: @Sendable () -> Void = { continuation.resume(returning: body()) }
            let place = state.withLock { state in
                state.waiting.append(job)
                return state.free.popLast()
            }
            if let place { queues[place].async { self.drain(place) } }
        }
    }

    private func drain(_ place: Int) {
        while let job = next(place) { job() }
    }

    private func next(_ place: Int) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free.append(place)
            return nil
        }
    }
}
