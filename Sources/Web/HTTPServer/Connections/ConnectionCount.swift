import Logging
import Synchronization

/// Counts connections, up to a limit.
final class ConnectionCount: Sendable {
    /// The treatment of a new connection.
    enum Fate: Hashable {
        /// The connection is served.
        case served
        /// The connection is answered with 503 and closed.
        case refused
        /// The connection is closed at once, because too many others are being answered with 503.
        case ended
    }

    /// The greatest number of connections that are answered with 503 at the same time; each takes a
    /// few seconds.
    static let refusedAtOnce = 64

    private struct State {
        var served = 0
        var refused = 0
        var hasTold = false
    }

    /// The greatest number of connections that are served.
    let limit: Int
    private let logger: Logger
    private let state = Mutex(State())

    init(limit: Int, logger: Logger) {
        self.limit = limit
        self.logger = logger
    }

    /// Registers a new connection.
    func begin() -> Fate {
        let (fate, isNews) = state.withLock { state -> (Fate, Bool) in
            if state.served < limit {
                state.served += 1
                return (.served, false)
            }
            let isNews = !state.hasTold
            state.hasTold = true
            guard state.refused < Self.refusedAtOnce else { return (.ended, isNews) }
            state.refused += 1
            return (.refused, isNews)
        }
        if isNews {
            logger.warning(
                "there are too many connections: further ones are refused",
                metadata: ["connections": "\(limit)"]
            )
        }
        return fate
    }

    /// Removes a connection.
    func end(_ fate: Fate) {
        state.withLock { state in
            switch fate {
            case .served: state.served -= 1
            case .refused: state.refused -= 1
            case .ended: break
            }
            // Logged again only after half of the places were free, so that an attack does not fill
            // the log.
            if state.served < (limit + 1) / 2 { state.hasTold = false }
        }
    }
}
