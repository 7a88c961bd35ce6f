import Chronology
import Synchronization

/// How far the history of rides has followed the log, for whoever waits for it.
final class RecordMark: Sendable {
    private struct Waiting {
        var sequence: Int64
        var end: Moment
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var sequence: Int64 = 0
        /// Whether the history is followed; nobody waits for one that is not.
        var isFollowed = false
        var waiting: [Waiting] = []

        /// Takes those out of whom something holds.
        mutating func taken(where holds: (Waiting) -> Bool) -> [Waiting] {
            defer { waiting.removeAll(where: holds) }
            return waiting.filter(holds)
        }
    }

    private let state = Mutex(State())

    /// The history is followed from that entry on.
    func begin(at sequence: Int64) {
        state.withLock { state in
            state.sequence = sequence
            state.isFollowed = true
        }
    }

    /// The history has followed the log up to that entry.
    func reach(_ sequence: Int64) {
        let ready = state.withLock { state in
            let reached = max(state.sequence, sequence)
            state.sequence = reached
            return state.taken { $0.sequence <= reached }
        }
        for waiting in ready { waiting.continuation.resume(returning: true) }
    }

    /// Lets those go who have waited for too long.
    func giveUp(at now: Moment) {
        let late = state.withLock { state in state.taken { $0.end <= now } }
        for waiting in late { waiting.continuation.resume(returning: false) }
    }

    /// The history is no longer followed.
    func end() {
        let all = state.withLock { state in
            state.isFollowed = false
            return state.taken { _ in true }
        }
        for waiting in all { waiting.continuation.resume(returning: false) }
    }

    /// How many wait.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Waits until the history has followed the log up to an entry.
    ///
    /// - Parameters:
    ///   - sequence: the number of the entry.
    ///   - end: until when, at most; whoever calls ``giveUp(at:)`` sees to it.
    /// - Returns: false where it is not followed, or no longer, or took too long.
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
