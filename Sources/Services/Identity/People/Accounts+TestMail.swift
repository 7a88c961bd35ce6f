package import Chronology
import Storage

extension Accounts {
    /// Sends a test e-mail, so that an administrator can verify delivery before
    /// anybody depends on it.
    ///
    /// - Parameters:
    ///   - session: the session of the recipient.
    ///   - now: the current time.
    /// - Throws: `notAllowed`, `noSuchPerson`; any database error.
    package func sendTestMail(to session: Session, at now: Moment) async throws {
        let key = try await key(of: try active(session))
        try await data.write { transaction in
            let fields = try Fields.all(key, in: transaction)
            try tell(.testMail, key, fields, at: now, in: transaction)
        }
    }
}
