package import Chronology
import Storage

/// A person's consent to a version of the terms.
package struct Consent: Hashable, Sendable {
    package let version: String
    /// When the person consented.
    package let moment: Moment
}

extension Accounts {
    /// Lists the consents of a person, oldest first (R97).
    package func consents(of person: PersonNumber) async throws -> [Consent] {
        try await data.read { transaction in
            try transaction.rows(
                "SELECT version, moment FROM consent WHERE person = \(person) ORDER BY moment"
            ).map { Consent(version: try $0.value("version"), moment: try $0.moment("moment")) }
        }
    }
}
