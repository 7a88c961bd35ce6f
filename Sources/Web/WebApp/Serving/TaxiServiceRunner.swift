import Chronology
package import Logging
import ServiceLifecycle
import Taxi
import TaxiPages

/// Runs the taxi service while the server runs.
///
/// If the taxi service fails, the server stops too. The service manager restarts it, and it then
/// stands by or serves with fresh state (design.md, rule 3).
package struct TaxiServiceRunner: Service, CustomStringConvertible {
    /// The interval at which the taxi registry is compared with the drivers' papers, in seconds.
    ///
    /// It limits how long this server can miss a change made by another server or on the command
    /// line.
    package static let fleetSeconds: Int64 = 60

    /// The service's name in logs.
    ///
    /// The service group logs this value, so it must not include the stored properties.
    package var description: String { "taxi rank" }

    private let taxi: TaxiService
    private let fleet: Fleet
    private let clock: ServiceClock
    private let logger: Logger
    private let notices: NoticeForwarder
    private let isTroubled: @Sendable () -> Bool

    /// Creates the service that runs an installation's taxis.
    package init(_ installation: Installation, logger: Logger) {
        taxi = installation.taxi
        fleet = installation.fleet
        clock = installation.clock
        self.logger = logger
        notices = NoticeForwarder(installation, logger: logger)
        isTroubled = { installation.isTroubled }
    }

    /// Runs until the server stops.
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
