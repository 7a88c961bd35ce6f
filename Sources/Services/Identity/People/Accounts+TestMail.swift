package import Chronology
import Storage

extension Accounts {
    /// Writes to somebody that mail works, so that it is known before anybody depends on it.
    ///
    /// - Parameters:
    ///   - session: whose owner is written to.
    ///   - now: the moment.
    /// - Throws: `notAllowed`, `noSuchPerson`; what the databases throw.
    package func sendTestMail(to session: Session, at now: Moment) async throws {
        let key = try await key(of: try active(session))
        try await data.write { transaction in
            let fields = try Fields.all(key, in: transaction)
            try tell(.testMail, key, fields, at: now, in: transaction)
        }
    }
}
