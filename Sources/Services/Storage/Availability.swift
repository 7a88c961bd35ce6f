import Synchronization

/// Why a database cannot be used at the moment.
package enum DatabaseTrouble: Sendable, Equatable {
    /// It does not answer.
    case away(String)
    /// It answers, but accepts no changes: its disk is full or broken, or it is read-only.
    case unwritable(String)

    /// The reason in the words of the engine or the system.
    package var reason: String {
        switch self {
        case .away(let reason), .unwritable(let reason): reason
        }
    }
}

/// Whether a database can be used, and the listeners to changes of that.
final class Availability: Sendable {
    /// How long no write must have failed before one that succeeds ends the trouble.
    ///
    /// On a disk that is almost full small writes succeed between larger ones that fail.
    private static let settling = Duration.seconds(2)

    private struct State {
        var away: String?
        var unwritable: String?
        /// When a write failed last.
        var failed = ContinuousClock.now
        var tell: @Sendable (DatabaseTrouble?) -> Void = { _ in }

        var trouble: DatabaseTrouble? {
            away.map(DatabaseTrouble.away) ?? unwritable.map(DatabaseTrouble.unwritable)
        }
    }

    private let state = Mutex(State())

    /// The present trouble; nil if there is none.
    var trouble: DatabaseTrouble? { state.withLock { $0.trouble } }

    /// Whether the database does not answer.
    var isAway: Bool { state.withLock { $0.away != nil } }

    /// Registers a listener that is called when trouble begins, and with nil when it ends.
    func whenTroubled(_ tell: @escaping @Sendable (DatabaseTrouble?) -> Void) {
        state.withLock { $0.tell = tell }
    }

    /// Fails while the database does not answer.
    ///
    /// - Throws: `unavailable`.
    func check() throws(DatabaseFailure) {
        if let reason = state.withLock({ $0.away }) { throw .unavailable(reason) }
    }

    /// Records that the database does not answer.
    func lost(_ reason: String) {
        change { $0.away = $0.away ?? reason }
    }

    /// Records that the database answers again.
    func found() {
        change { $0.away = nil }
    }

    /// Records that a write failed, if for a reason that other writes share.
    func writeFailed(_ failure: DatabaseFailure) {
        switch failure {
        case .diskFull(let reason), .inputOutput(let reason), .unavailable(let reason),
            .outcomeUnknown(let reason):
            change { state in
                state.failed = .now
                // A database that is away was not seen to refuse a change.
                if state.away == nil { state.unwritable = state.unwritable ?? reason }
            }
        default: break
        }
    }

    /// Records that a transaction that changed rows is durable.
    func wrote() {
        change { state in
            if state.failed + Self.settling <= .now { state.unwritable = nil }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let news = state.withLock { state -> (@Sendable () -> Void)? in
            let before = state.trouble
            body(&state)
            let after = state.trouble
            // One trouble may become another; only beginning and end are news.
            guard (before == nil) != (after == nil) else { return nil }
            return { [tell = state.tell] in tell(after) }
        }
        news?()
    }
}
