package import Chronology

/// The only source of time of the service.
///
/// It is monotonic: it starts at the wall-clock time and then follows the monotonic clock, so that
/// adjusting the wall clock changes no order and no deadline (I28).
package struct ServiceClock: Sendable {
    package let now: @Sendable () -> Moment
    /// Returns at the given time, or throws if cancelled earlier.
    package let sleep: @Sendable (_ until: Moment) async throws -> Void

    /// Creates a clock from two functions, for tests.
    package init(
        now: @escaping @Sendable () -> Moment,
        sleep: @escaping @Sendable (_ until: Moment) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// Returns after the given time, or throws if cancelled earlier.
    package func pause(_ milliseconds: Int64) async throws {
        try await sleep(now().adding(milliseconds: milliseconds))
    }

    /// Creates the system clock, which reads the wall-clock time once and then the monotonic clock.
    package static func system(startingAt wall: Moment) -> ServiceClock {
        let start = ContinuousClock.now
        return ServiceClock {
            wall.adding(milliseconds: start.duration(to: .now).wholeMilliseconds)
        } sleep: { moment in
            let milliseconds = moment.milliseconds - wall.milliseconds
            try await Task.sleep(until: start + .milliseconds(milliseconds), clock: .continuous)
        }
    }
}
