import Logging
import Storage
import Synchronization

extension Database {
    /// Logs when the database becomes unavailable and when it recovers: one line each, regardless
    /// of the number of failing requests.
    ///
    /// - Parameters:
    ///   - name: the database's role in the installation.
    ///   - logger: the logger for both messages.
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
