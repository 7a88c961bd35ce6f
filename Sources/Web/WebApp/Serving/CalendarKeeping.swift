import CalendarPages
import Chronology
import Logging
import ServiceLifecycle
import Taxi

/// Plans people's days ahead while the site is served, so that they are told when to leave.
struct CalendarKeeping: Service, CustomStringConvertible {
    /// The time between two looks at all calendars, in milliseconds.
    private static let pauseMilliseconds: Int64 = 60_000

    /// The feature that plans the days of all calendars.
    let pages: CalendarPages
    /// Days are planned ahead only where the taxis are served: one server does it.
    let taxi: TaxiService
    /// The time source of the server.
    let clock: ServiceClock
    let logger: Logger

    /// The service's name in logs.
    var description: String { "calendars" }

    /// Runs until the server stops.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    if taxi.serves { try await plan() }
                    try await clock.pause(Self.pauseMilliseconds)
                }
            }
        } catch is CancellationError {
            return
        }
    }

    private func plan() async throws {
        do {
            try await pages.planAhead(at: clock.now())
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            logger.warning("days were not planned ahead", metadata: ["error": "\(error)"])
        }
    }
}
