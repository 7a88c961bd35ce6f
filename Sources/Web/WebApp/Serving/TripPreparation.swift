import Chronology
import ServiceLifecycle
import Taxi
import TripPlanning

/// Prepares the trip planner: when the server starts, and after each midnight of the city (V54).
///
/// Without it, the first question about each day would wait while its timetable is laid out, and
/// the first person at a stop while all stops and lines are arranged.
struct TripPreparation: Service, CustomStringConvertible {
    /// What answers the questions.
    let planner: TripPlanner
    /// The time source of the server.
    let clock: ServiceClock

    /// The service's name in logs.
    var description: String { "trip preparation" }

    /// Runs until the server stops.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    let now = Instant(seconds: clock.now().milliseconds / 1_000)
                    let midnight = await planner.prepare(at: now)
                    try await clock.sleep(Moment(milliseconds: midnight.seconds * 1_000))
                }
            }
        } catch is CancellationError {
            return
        }
    }
}
