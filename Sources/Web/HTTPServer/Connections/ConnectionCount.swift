import Logging
import Synchronization

/// How many connections there are, of how many that there may be.
final class ConnectionCount: Sendable {
    /// What becomes of a new connection.
    enum Fate: Hashable {
        /// It is served.
        case served
        /// It is told to come again, and ended.
        case refused
        /// It is ended at once: even too many are being told.
        case ended
    }

    /// So many are told to come again at the same time; they are gone within seconds.
    static let refusedAtOnce = 64

    private struct State {
        var served = 0
        var refused = 0
        var hasTold = false
    }

    /// How many are served at most.
    let limit: Int
    private let logger: Logger
    private let state = Mutex(State())

    init(limit: Int, logger: Logger) {
        self.limit = limit
        self.logger = logger
    }

    /// Takes a connection in.
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

    /// Lets a connection go.
    func end(_ fate: Fate) {
        state.withLock { state in
            switch fate {
            case .served: state.served -= 1
            case .refused: state.refused -= 1
            case .ended: break
            }
            // Said again only after there was room: an attack shall not fill the log.
            if state.served < (limit + 1) / 2 { state.hasTold = false }
        }
    }
}
