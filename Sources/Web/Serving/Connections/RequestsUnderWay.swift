import Synchronization

/// The requests of a connection that are being answered, also where the other end has gone away:
/// what they began is brought to its end before the server is.
final class RequestsUnderWay: Sendable {
    private struct State {
        var count = 0
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// A request is passed on.
    func begin() {
        state.withLock { $0.count += 1 }
    }

    /// A request was answered.
    func end() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.count -= 1
            guard state.count == 0 else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Waits until none is left, once no more can come; for one who waits.
    func none() async {
        await withCheckedContinuation { continuation in
            let isNone = state.withLock { state in
                if state.count > 0 { state.waiting = continuation }
                return state.count == 0
            }
            if isNone { continuation.resume() }
        }
    }
}
