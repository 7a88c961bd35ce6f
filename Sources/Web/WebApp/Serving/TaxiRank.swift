import TaxiPages
import Chronology
package import Logging
import ServiceLifecycle
import Taxi

/// Runs the taxi service for as long as the server runs.
///
/// Where it cannot go on, the server stops too: whatever watches over it starts it again, and it
/// then stands by or serves with a fresh state (design.md, rule 3).
package struct TaxiRank: Service, CustomStringConvertible {
    /// How often the register of taxis is compared with the drivers' papers, in seconds.
    ///
    /// It bounds how long a change that was made elsewhere, at another server or at the command
    /// line, is not known here.
    package static let fleetSeconds: Int64 = 60

    /// Its name: the group of services logs it, and must not log all that it holds.
    package var description: String { "taxi rank" }

    private let taxi: TaxiService
    private let fleet: Fleet
    private let clock: ServiceClock
    private let logger: Logger
    private let notices: NoticeCarrier
    private let isTroubled: @Sendable () -> Bool

    /// The rank of an installation's taxis.
    package init(_ installation: Installation, logger: Logger) {
        taxi = installation.taxi
        fleet = installation.fleet
        clock = installation.clock
        self.logger = logger
        notices = NoticeCarrier(installation, logger: logger)
        isTroubled = { installation.isTroubled }
    }

    /// Works until the server stops.
    package func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try? await keepFleet() }
                    group.addTask { try? await notices.run() }
                    defer { group.cancelAll() }
                    try await taxi.run()
                }
            }
        } catch is CancellationError {
            return
        } catch {
            logger.critical("the taxi service stopped", metadata: ["error": "\(error)"])
            throw error
        }
    }

    private func keepFleet() async throws {
        try Task.checkCancellation()
        try await taxi.dispatch.started()
        while true {
            do {
                let report = try await fleet.reconcile()
                if !report.isEmpty {
                    logger.info("taxis registered", metadata: ["report": "\(report)"])
                }
            } catch {
                if !isTroubled() {
                    logger.warning("taxis not registered", metadata: ["error": "\(error)"])
                }
            }
            try await clock.sleep(clock.now().adding(seconds: Self.fleetSeconds))
        }
    }
}
