import Chronology
import LiveFeeds
import Logging
import ServiceLifecycle
import Taxi
import TaxiPages

/// Fetches the live feeds while the site is served.
struct FeedKeeping: Service, CustomStringConvertible {
    let feeds: LiveFeeds
    /// The time source of the server.
    let clock: ServiceClock
    let logger: Logger

    /// The service's name in logs.
    var description: String { "live feeds" }

    /// Runs until the server stops.
    func run() async throws {
        // A request in progress cannot be interrupted, and the server does not wait for it.
        let fetching = Task {
            await feeds.run {
                Instant(clock.now())
            } sleep: { moment in
                try await clock.sleep(Moment(milliseconds: moment.seconds * 1_000))
            } note: { status in
                note(status)
            }
        }
        defer { fetching.cancel() }
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            return
        }
    }

    /// Logs a feed that has become bad or good.
    private func note(_ status: FeedStatus) {
        if let problem = status.problem {
            logger.warning(
                "a live feed has failed",
                metadata: ["feed": "\(status.source.name)", "error": "\(problem.text)"]
            )
        } else {
            logger.info(
                "a live feed is back",
                metadata: ["feed": "\(status.source.name)"]
            )
        }
    }
}
