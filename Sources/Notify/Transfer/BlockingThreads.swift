import Dispatch
import Synchronization

/// Threads for work that waits for others: libcurl must not hold those that run Swift's tasks.
final class BlockingThreads: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var running = 0
    }

    private let limit: Int
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// As many threads at most, made when they are needed.
    init(_ name: String, limit: Int) {
        self.limit = max(limit, 1)
        queue = DispatchQueue(label: name, attributes: .concurrent)
    }

    /// Runs what waits, and gives its result.
    ///
    /// Callers bound how much they hand over: the courier takes a batch, and waits for its end.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let isStarting = state.withLock { state in
                state.waiting.append { continuation.resume(returning: body()) }
                guard state.running < limit else { return false }
                state.running += 1
                return true
            }
            if isStarting { queue.async { self.drain() } }
        }
    }

    private func drain() {
        while let job = next() { job() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
    }
}
