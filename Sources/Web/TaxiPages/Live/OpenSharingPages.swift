package import Chronology
package import Notify
import Synchronization

/// Tracks the passengers whose page shows shared rides to join.
///
/// Their pages are notified when one of these rides changes, and periodically because estimates
/// age. No topic reveals the rides of strangers. As with ``OpenDriverPages``, a page registers
/// before it reads any data. A page that does not reload after an event is assumed closed.
package final class OpenSharingPages: Sendable {
    /// The shortest interval between two notifications of changes, in seconds.
    ///
    /// Each reload computes routes, which is expensive.
    package static let changesSeconds: Int64 = 5
    /// The interval of notifications without changes, in seconds.
    package static let agesSeconds: Int64 = 20
    /// How long a page stays registered without reloading, in seconds.
    package static let lastsSeconds: Int64 = 60

    private struct Row: Sendable {
        var seen: Moment
        var told: Moment
        var hasChanged = false
    }

    private let rows = Mutex<[Topic: Row]>([:])

    /// Registers a page that is about to be rendered.
    ///
    /// - Parameters:
    ///   - topic: the topic that the page follows.
    ///   - now: the current time.
    package func register(_ topic: Topic, at now: Moment) {
        rows.withLock { $0[topic] = Row(seen: now, told: now) }
    }

    /// Records that the set of rides to join, or one of these rides, has changed.
    package func noteChange() {
        rows.withLock { rows in
            for topic in rows.keys { rows[topic]?.hasChanged = true }
        }
    }

    /// Returns the topics to notify now, in no particular order, and marks them as notified.
    package func due(at now: Moment) -> [Topic] {
        rows.withLock { rows in
            rows = rows.filter { now < $0.value.seen.adding(seconds: Self.lastsSeconds) }
            let due = rows.filter { _, row in
                let pause = row.hasChanged ? Self.changesSeconds : Self.agesSeconds
                return row.told.adding(seconds: pause) <= now
            }
            for topic in due.keys {
                rows[topic]?.told = now
                rows[topic]?.hasChanged = false
            }
            return Array(due.keys)
        }
    }
}
