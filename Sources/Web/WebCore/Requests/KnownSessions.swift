package import Chronology
package import Identity
import Synchronization

/// Caches recent session lookups for requests that only report a position and for open pages that
/// refresh themselves.
///
/// Ten thousand devices report two thousand times per second.
///
/// `LiveUpdates` revalidates these sessions together with those that receive events. Sessions
/// that ended or changed on this server are removed immediately, those that changed on another
/// server some seconds later.
package final class KnownSessions: Sendable {
    /// The maximum age of a cached session, in seconds.
    ///
    /// A device that reports every five seconds waits for the database on one report in thirty.
    package static let seconds: Int64 = 150
    /// The maximum number of entries.
    ///
    /// Beyond it, expired entries are removed, or all if none has expired.
    private static let limit = 50_000

    private struct Row: Sendable {
        var session: Session
        var proof: SecretToken.FormProof
        var at: Moment
    }

    private struct State: Sendable {
        var rows: [SecretToken: Row] = [:]
        /// A counter that increases with each removal.
        var forgotten: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The session for a secret and the proof for its forms; nil if it was not looked up recently.
    package func session(
        of secret: SecretToken,
        at now: Moment
    ) -> (session: Session, proof: SecretToken.FormProof)? {
        state.withLock { state in
            guard let row = state.rows[secret], Self.holds(row, at: now) else { return nil }
            return (row.session, row.proof)
        }
    }

    /// A marker to take before looking up a session that will be cached.
    package var mark: UInt64 { state.withLock { $0.forgotten } }

    /// Caches a lookup unless an entry has been removed since the marker: it may have been this
    /// one.
    package func remember(
        _ session: Session,
        of secret: SecretToken,
        since mark: UInt64,
        at now: Moment
    ) {
        let proof = secret.formProof
        state.withLock { state in
            guard state.forgotten == mark else { return }
            if state.rows.count >= Self.limit {
                state.rows = state.rows.filter { Self.holds($0.value, at: now) }
                if state.rows.count >= Self.limit { state.rows = [:] }
            }
            state.rows[secret] = Row(session: session, proof: proof, at: now)
        }
    }

    /// The numbers of all sessions that are still valid in the cache.
    package func numbers(at now: Moment) -> Set<Int64> {
        state.withLock { state in
            // Leave unchanged entries in place: there are ten thousand of them every few seconds.
            for (secret, row) in state.rows where !Self.holds(row, at: now) {
                state.rows[secret] = nil
            }
            return Set(state.rows.values.lazy.map { $0.session.number })
        }
    }

    /// Removes the session with a secret.
    package func forget(_ secret: SecretToken) {
        state.withLock { state in
            state.rows.removeValue(forKey: secret)
            state.forgotten += 1
        }
    }

    /// Revalidates sessions and removes those that have ended or changed.
    ///
    /// - Parameters:
    ///   - standings: the current state of the sessions; ended sessions are missing.
    ///   - numbers: the sessions that were looked up.
    package func keep(_ standings: [Int64: SessionStanding], of numbers: Set<Int64>) {
        state.withLock { state in
            let count = state.rows.count
            for (secret, row) in state.rows where numbers.contains(row.session.number) {
                if standings[row.session.number] == row.session.standing { continue }
                state.rows[secret] = nil
            }
            // A lookup in progress may be for one of the sessions that have ended.
            if state.rows.count < count || standings.count < numbers.count { state.forgotten += 1 }
        }
    }

    private static func holds(_ row: Row, at now: Moment) -> Bool {
        row.at <= now && now < row.at.adding(seconds: seconds)
    }
}
