package import Chronology
import Storage

/// That a person consented to a text.
package struct Consent: Hashable, Sendable {
    /// The version of the text.
    package let version: String
    /// When.
    package let moment: Moment
}

extension Accounts {
    /// What a person has consented to, oldest first (R97).
    package func consents(of person: PersonNumber) async throws -> [Consent] {
        try await data.read { transaction in
            try transaction.rows(
                "SELECT version, moment FROM consent WHERE person = \(person) ORDER BY moment"
            ).map { Consent(version: try $0.value("version"), moment: try $0.moment("moment")) }
        }
    }
}
