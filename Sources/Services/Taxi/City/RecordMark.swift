import Chronology
import Synchronization

/// Tracks how far the ride history has followed the log, for tasks that wait for it.
final class RecordMark: Sendable {
    private struct Waiting {
        var sequence: Int64
        var end: Moment
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var sequence: Int64 = 0
        /// Whether the history is being written; otherwise nobody waits.
        var isFollowed = false
        var waiting: [Waiting] = []

        /// Removes and returns the waiting tasks that match.
        mutating func taken(where holds: (Waiting) -> Bool) -> [Waiting] {
            precondition(
                isFollowed || waiting.isEmpty,
                "A task waits for a history that is not being written."
            )
            defer { waiting.removeAll(where: holds) }
            return waiting.filter(holds)
        }
    }

    private let state = Mutex(State())

    /// Starts tracking at an entry of the log.
    func begin(at sequence: Int64) {
        state.withLock { state in
            state.sequence = sequence
            state.isFollowed = true
        }
    }

    /// Records that the history includes the log up to an entry.
    func reach(_ sequence: Int64) {
        let ready = state.withLock { state in
            let reached = max(state.sequence, sequence)
            state.sequence = reached
            return state.taken { $0.sequence <= reached }
        }
        for waiting in ready { waiting.continuation.resume(returning: true) }
    }

    /// Resumes tasks whose waiting time is over.
    func giveUp(at now: Moment) {
        let late = state.withLock { state in state.taken { $0.end <= now } }
        for waiting in late { waiting.continuation.resume(returning: false) }
    }

    /// Ends tracking and resumes all waiting tasks.
    func end() {
        let all = state.withLock { state in
            defer { state.isFollowed = false }
            return state.taken { _ in true }
        }
        for waiting in all { waiting.continuation.resume(returning: false) }
    }

    /// The number of waiting tasks.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Waits until the history includes the log up to an entry.
    ///
    /// - Parameters:
    ///   - sequence: the sequence number of the entry.
    ///   - end: the latest time, enforced by calls of ``giveUp(at:)``.
    /// - Returns: false if the history is not being written or did not get there in time.
    func reached(_ sequence: Int64, by end: Moment) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                guard state.isFollowed else { return false }
                guard state.sequence < sequence else { return true }
                state.waiting.append(
                    Waiting(sequence: sequence, end: end, continuation: continuation)
                )
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
