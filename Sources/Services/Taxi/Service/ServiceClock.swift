package import Chronology

/// Where the service's time comes from: the one door (design.md, rule 11 of style.md's tests).
///
/// It never runs back and never jumps: it starts from the wall clock and goes on by the monotonic
/// one, so that a step of the wall clock changes no order and no deadline (I28).
package struct ServiceClock: Sendable {
    /// The moment that it is now.
    package let now: @Sendable () -> Moment
    /// Returns when that moment has come, or throws when cancelled before.
    package let sleep: @Sendable (_ until: Moment) async throws -> Void

    /// A clock made of two functions; tests bring their own.
    package init(
        now: @escaping @Sendable () -> Moment,
        sleep: @escaping @Sendable (_ until: Moment) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// Returns when so many milliseconds have passed, or throws when cancelled before.
    func pause(_ milliseconds: Int64) async throws {
        try await sleep(now().adding(milliseconds: milliseconds))
    }

    /// The machine's clock, read once; from then on only its monotonic one counts.
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
