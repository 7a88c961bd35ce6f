import Chronology
import Synchronization

/// A clock that follows another one, at its speed or several times as fast.
///
/// It never goes back, and never jumps when its speed changes.
package final class AdjustableClock: Sendable {
    private struct Pace {
        /// A moment of the other clock, and what this one showed then.
        var since: Moment
        var shown: Moment
        var speed: Int64

        func moment(at now: Moment) -> Moment {
            shown.adding(milliseconds: (now.milliseconds - since.milliseconds) * speed)
        }
    }

    /// The longest sleep by the other clock, in milliseconds: after it, who sleeps notices that
    /// the speed has changed.
    private static let longestSleep: Int64 = 250

    private let base: ServiceClock
    private let pace: Mutex<Pace>

    /// Creates a clock that shows the same time as another one.
    package init(following base: ServiceClock) {
        self.base = base
        let now = base.now()
        pace = Mutex(Pace(since: now, shown: now, speed: 1))
    }

    /// Lets the clock run several times as fast as the other one from now on.
    package func run(_ speed: Int64) {
        precondition((1...1_000).contains(speed), "a clock runs at 1 to 1,000 times a speed")
        let now = base.now()
        pace.withLock { $0 = Pace(since: now, shown: $0.moment(at: now), speed: speed) }
    }

    /// The clock as services read it.
    package var clock: ServiceClock {
        ServiceClock {
            let now = self.base.now()
            return self.pace.withLock { $0.moment(at: now) }
        } sleep: {
            try await self.sleep(until: $0)
        }
    }

    private func sleep(until moment: Moment) async throws {
        while true {
            let now = base.now()
            let (left, speed) = pace.withLock { pace in
                (moment.milliseconds - pace.moment(at: now).milliseconds, pace.speed)
            }
            guard left > 0 else { return }
            // Rounded up, so that nobody wakes too early.
            let rest = min((left + speed - 1) / speed, Self.longestSleep)
            try await base.sleep(now.adding(milliseconds: rest))
        }
    }
}
