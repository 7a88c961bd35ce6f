import Chronology
import FeedRegister
import LiveFeeds
import Logging
import ServiceLifecycle
import Taxi
import TaxiPages

/// Fetches the live feeds while the site is served.
struct FeedKeeping: Service, CustomStringConvertible {
    let feeds: LiveFeeds
    /// The feeds that staff add.
    let register: FeedRegister
    /// The time source of the server.
    let clock: ServiceClock
    let logger: Logger

    /// How often the register of feeds is read, in seconds.
    private static let followSeconds: Int64 = 60

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
        let following = Task { await follow() }
        defer {
            fetching.cancel()
            following.cancel()
        }
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            return
        }
    }

    /// Takes over, minute by minute, what staff changed on another server of the installation.
    private func follow() async {
        while !Task.isCancelled {
            let next = clock.now().adding(seconds: Self.followSeconds)
            do { try await clock.sleep(next) } catch { return }
            // Without the database, the feeds that are known are served further.
            guard let running = try? await register.running() else { continue }
            await feeds.serve(added: running, now: Instant(clock.now()))
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
