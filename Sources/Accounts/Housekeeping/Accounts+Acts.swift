package import Chronology
import Storage

extension Accounts {
    /// Writes down an administrative act of another room.
    ///
    /// - Parameters:
    ///   - act: what was done, as a word of the program: `publish zones`.
    ///   - object: what it was done to, without personal data.
    ///   - session: who did it.
    ///   - now: the moment.
    /// - Throws: `notAllowed` for a session of nobody; what the databases throw.
    package func note(
        _ act: String,
        object: String,
        by session: Session,
        at now: Moment
    ) async throws {
        let note = AuditNote(by: try active(session), act, object: object)
        try await data.write { transaction in
            try AuditTrail.append(note, under: nil, at: now, in: transaction)
        }
    }
}
