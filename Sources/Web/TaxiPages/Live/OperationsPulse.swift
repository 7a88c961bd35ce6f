package import Chronology
import Synchronization

/// Collects changes that concern the operators' pages.
///
/// In a large city changes are constant, so these pages are notified at most once a second. They
/// are also notified periodically without changes, because they show ages.
package final class OperationsPulse: Sendable {
    /// The interval of notifications without changes, in seconds.
    package static let quietSeconds: Int64 = 20

    private struct State: Sendable {
        var hasNews = false
        var told = Moment(milliseconds: 0)
    }

    private let state = Mutex(State())

    /// Records the log's entries until the task ends.
    package func follow<Entry: Sendable>(_ entries: AsyncStream<Entry>) async {
        for await _ in entries { state.withLock { $0.hasNews = true } }
    }

    /// Whether to notify the pages now.
    ///
    /// Call it once a second.
    package func beats(at now: Moment) -> Bool {
        state.withLock { state in
            guard state.hasNews || now >= state.told.adding(seconds: Self.quietSeconds) else {
                return false
            }
            state = State(hasNews: false, told: now)
            return true
        }
    }
}
