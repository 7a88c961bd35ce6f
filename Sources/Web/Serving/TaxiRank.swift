package import Logging
import ServiceLifecycle
import Taxi

/// Runs the taxi service for as long as the server runs.
///
/// Where it cannot go on, the server stops too: whatever watches over it starts it again, and it
/// then stands by or serves with a fresh state (design.md, rule 3).
package struct TaxiRank: Service {
    private let taxi: TaxiService
    private let logger: Logger

    /// The rank of an installation's taxis.
    package init(_ installation: Installation, logger: Logger) {
        taxi = installation.taxi
        self.logger = logger
    }

    /// Works until the server stops.
    package func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await taxi.run() }
        } catch is CancellationError {
            return
        } catch {
            logger.critical("the taxi service stopped", metadata: ["error": "\(error)"])
            throw error
        }
    }
}
