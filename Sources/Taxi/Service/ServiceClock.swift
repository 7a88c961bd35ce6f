package import Chronology

/// Where the service's time comes from: the one door (design.md, rule 11 of style.md's tests).
///
/// It never runs back and never jumps: it starts from the wall clock and goes on by the monotonic
/// one, so that a step of the wall clock changes no order and no deadline (I28).
package struct ServiceClock: Sendable {
    /// The moment that it is now.
    package let now: @Sendable () -> Moment
    /// Returns when so many milliseconds have passed, or throws when cancelled before.
    package let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    /// A clock made of two functions; tests bring their own.
    package init(
        now: @escaping @Sendable () -> Moment,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The machine's clock, read once; from then on only its monotonic one counts.
    package static func system(startingAt wall: Moment) -> ServiceClock {
        let start = ContinuousClock.now
        return ServiceClock {
            wall.adding(milliseconds: start.duration(to: .now).wholeMilliseconds)
        } sleep: { milliseconds in
            try await Task.sleep(for: .milliseconds(milliseconds))
        }
    }
}
