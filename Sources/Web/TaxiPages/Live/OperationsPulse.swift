package import Chronology
import Synchronization

/// Remembers that something happened of which the operators' pages must be told.
///
/// In a large city something happens all the time: they are told once a second at most, and from
/// time to time though nothing did, since ages grow.
package final class OperationsPulse: Sendable {
    /// After how many seconds pages are told though nothing happened.
    package static let quietSeconds: Int64 = 20

    private struct State: Sendable {
        var hasNews = false
        var told = Moment(milliseconds: 0)
    }

    private let state = Mutex(State())

    /// Follows the log until the task ends.
    package func follow<Entry: Sendable>(_ entries: AsyncStream<Entry>) async {
        for await _ in entries { state.withLock { $0.hasNews = true } }
    }

    /// Whether pages are to be told now; asked once a second.
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
