import Dispatch
import Synchronization

/// Threads for work that waits for others: libcurl must not hold those that run Swift's tasks, nor
/// those that the database shares with the rest of the program.
final class BlockingThreads: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        /// The queues that have nothing to do, by their places.
        var free: [Int]
    }

    /// Serial ones: each gets a thread of its own while it works, however many others are busy.
    private let queues: [DispatchQueue]
    private let state: Mutex<State>

    /// As many threads at most, made when they are needed.
    init(_ name: String, limit: Int) {
        let count = max(limit, 1)
        queues = (0..<count).map { DispatchQueue(label: "\(name).\($0)") }
        state = Mutex(State(free: Array(0..<count)))
    }

    /// Runs what waits, and gives its result.
    ///
    /// Callers bound how much they hand over: the courier takes a batch, and waits for its end.
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
