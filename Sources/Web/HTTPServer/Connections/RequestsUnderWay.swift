import Synchronization

/// The requests of a connection that are being answered, even if the client has disconnected: the
/// server completes what they began before it stops.
final class RequestsUnderWay: Sendable {
    private struct State {
        var paths: [String] = []
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// The beginnings of the paths of current requests; the rest of a path may be a secret.
    var places: [String] {
        state.withLock { $0.paths.map { "/\($0.dropFirst().prefix { $0 != "/" })" } }
    }

    /// Whether no request is being answered.
    var isEmpty: Bool { state.withLock { $0.paths.isEmpty } }

    /// A request was passed on.
    ///
    /// - Parameter path: the path of the request, without the query.
    func begin(_ path: String) {
        state.withLock { $0.paths.append(path) }
    }

    /// A request was answered.
    /// - Parameter path: the path of the request.
    func end(_ path: String) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if let place = state.paths.firstIndex(of: path) { state.paths.remove(at: place) }
            guard state.paths.isEmpty else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Waits until no request is left, once no more can come; only one caller may wait.
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
