package import Chronology
package import Identity
import Synchronization

/// The sessions of those who only say where they are or whose open pages look again by themselves,
/// as they were looked up a moment ago: a fleet of ten thousand says two thousand times a second
/// where it is.
///
/// The ``LiveDesk`` looks them up with those that listen, and whatever has ended or changed is
/// forgotten: at once where it ended here, some seconds later where it did elsewhere.
package final class KnownSessions: Sendable {
    /// For how long a session is believed at most, in seconds: of a device that reports every five
    /// seconds, one report in thirty waits for the database.
    package static let seconds: Int64 = 150
    /// So many are remembered; beyond that those that are too old go, or all.
    private static let limit = 50_000

    private struct Row: Sendable {
        var session: Session
        var proof: SecretToken.FormProof
        var at: Moment
    }

    private struct State: Sendable {
        var rows: [SecretToken: Row] = [:]
        /// Grows whenever something is forgotten.
        var forgotten: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The session of a secret, and what knows its forms; nil where it was not looked up lately.
    package func session(
        of secret: SecretToken,
        at now: Moment
    ) -> (session: Session, proof: SecretToken.FormProof)? {
        state.withLock { state in
            guard let row = state.rows[secret], Self.holds(row, at: now) else { return nil }
            return (row.session, row.proof)
        }
    }

    /// To be asked for before a session is looked up that shall be remembered.
    package var mark: UInt64 { state.withLock { $0.forgotten } }

    /// Remembers what was looked up, unless something was forgotten since: it may have been this.
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

    /// The numbers of all that are believed.
    package func numbers(at now: Moment) -> Set<Int64> {
        state.withLock { state in
            // Not made anew where nothing changes: there are ten thousand, every some seconds.
            for (secret, row) in state.rows where !Self.holds(row, at: now) {
                state.rows[secret] = nil
            }
            return Set(state.rows.values.lazy.map { $0.session.number })
        }
    }

    /// Forgets a session by its secret.
    package func forget(_ secret: SecretToken) {
        state.withLock { state in
            state.rows.removeValue(forKey: secret)
            state.forgotten += 1
        }
    }

    /// Keeps of some sessions those that still stand as they are known.
    ///
    /// - Parameters:
    ///   - standings: what was found of them; nothing of those that have ended.
    ///   - numbers: which were looked up.
    package func keep(_ standings: [Int64: SessionStanding], of numbers: Set<Int64>) {
        state.withLock { state in
            let count = state.rows.count
            for (secret, row) in state.rows where numbers.contains(row.session.number) {
                if standings[row.session.number] == row.session.standing { continue }
                state.rows[secret] = nil
            }
            // What is being looked up just now may be one of those that have ended, too.
            if state.rows.count < count || standings.count < numbers.count { state.forgotten += 1 }
        }
    }

    private static func holds(_ row: Row, at now: Moment) -> Bool {
        row.at <= now && now < row.at.adding(seconds: seconds)
    }
}
