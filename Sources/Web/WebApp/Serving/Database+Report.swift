import Logging
import Storage
import Synchronization

extension Database {
    /// Says in the log when the database cannot be used, and when it can again: one line each,
    /// however many requests fail meanwhile.
    ///
    /// - Parameters:
    ///   - name: which of the installation's databases it is.
    ///   - logger: the log.
    func report(as name: String, to logger: Logger) {
        let start = Mutex<ContinuousClock.Instant?>(nil)
        whenTroubled { trouble in
            if let trouble {
                start.withLock { $0 = .now }
                let what: Logger.Message =
                    switch trouble {
                    case .away: "a database does not answer"
                    case .unwritable: "a database accepts no changes"
                    }
                logger.error(what, metadata: ["database": "\(name)", "error": "\(trouble.reason)"])
            } else {
                let lasted = start.withLock { $0 }.map { $0.duration(to: .now) } ?? .zero
                logger.notice(
                    "a database can be used again",
                    metadata: ["database": "\(name)", "seconds": "\(lasted.components.seconds)"]
                )
            }
        }
    }
}
