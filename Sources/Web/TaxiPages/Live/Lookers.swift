package import Chronology
package import Notify
import Synchronization

/// Whose page shows shared rides of others that could be joined: they hear when one of these has
/// changed, and now and then, since estimates age.
///
/// Nobody hears of strangers' rides by a topic of his own. As with ``Seats`` a page says so before
/// it reads anything, and whoever does not come again after an event has gone elsewhere.
package final class Lookers: Sendable {
    /// How often somebody is told at most that something has changed, in seconds: what he is shown
    /// takes ways through the streets to find.
    package static let changesSeconds: Int64 = 5
    /// After how many seconds he is told though nothing has changed.
    package static let agesSeconds: Int64 = 20
    /// For how long somebody looks who was not heard of again, in seconds.
    package static let lastsSeconds: Int64 = 60

    private struct Row: Sendable {
        var seen: Moment
        var told: Moment
        var hasChanged = false
    }

    private let rows = Mutex<[Topic: Row]>([:])

    /// Somebody's page is being made.
    ///
    /// - Parameters:
    ///   - topic: what it hears.
    ///   - now: the moment.
    package func look(_ topic: Topic, at now: Moment) {
        rows.withLock { $0[topic] = Row(seen: now, told: now) }
    }

    /// A shared ride can be joined, or can no longer, or otherwise than before.
    package func noteChange() {
        rows.withLock { rows in
            for topic in rows.keys { rows[topic]?.hasChanged = true }
        }
    }

    /// Who is to be told now, in no order that matters; each counts as told.
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
