import Synchronization

/// The requests of a connection that are being answered, also where the other end has gone away:
/// what they began is brought to its end before the server is.
final class RequestsUnderWay: Sendable {
    private struct State {
        var paths: [String] = []
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Where those that are being answered just now lead: the beginnings of their paths, since
    /// what follows may be a secret.
    var places: [String] {
        state.withLock { $0.paths.map { "/\($0.dropFirst().prefix { $0 != "/" })" } }
    }

    /// Whether none is being answered.
    var isEmpty: Bool { state.withLock { $0.paths.isEmpty } }

    /// A request is passed on.
    ///
    /// - Parameter path: what it asks for, without the query.
    func begin(_ path: String) {
        state.withLock { $0.paths.append(path) }
    }

    /// A request was answered.
    ///
    /// - Parameter path: the same.
    func end(_ path: String) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if let place = state.paths.firstIndex(of: path) { state.paths.remove(at: place) }
            guard state.paths.isEmpty else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Waits until none is left, once no more can come; for one who waits.
    func none() async {
        await withCheckedContinuation { continuation in
            let isNone = state.withLock { state in
                if !state.paths.isEmpty { state.waiting = continuation }
                return state.paths.isEmpty
            }
            if isNone { continuation.resume() }
        }
    }
}
