package import Chronology
package import Localization
import Storage

/// A browser or app that is known to the server, with or without a person.
package struct Session: Equatable, Sendable {
    /// Identifies the session in its owner's list; it grants nothing.
    package let number: Int64
    /// The logged-in person; nil for a guest.
    package let person: PersonNumber?
    /// The current roles of the person; empty for a guest.
    package let roles: Set<Role>
    /// The language chosen in this session; nil if none was chosen.
    package let language: Language?
    /// When the session began.
    package let made: Moment
    /// When it was last used, accurate to a few minutes.
    package let used: Moment
    /// When its owner last entered the password; nil for a guest.
    package let authenticated: Moment?
    /// Whether a new password must be chosen before anything else (R100).
    package let mustChangePassword: Bool
    /// Whether it began with a link for a forgotten password and thus needs no old password.
    package let isFromReset: Bool

    /// Returns whether the password was entered recently enough for sensitive actions (R8).
    ///
    /// - Parameters:
    ///   - minutes: the maximum age of the password check.
    ///   - now: the current time.
    /// - Returns: false also while a new password must be chosen.
    package func isAuthenticated(within minutes: Int64, at now: Moment) -> Bool {
        guard let authenticated, !mustChangePassword else { return false }
        return authenticated <= now && now < authenticated.adding(seconds: minutes * 60)
    }

    init(_ row: Row, in transaction: Transaction) throws {
        number = try row.value("number")
        person = try row.value("person")
        roles = try person.map { try PersonRecord.roles(of: $0, in: transaction) } ?? []
        let language: String? = try row.value("language")
        self.language = language.flatMap(Language.init)
        made = try row.moment("made")
        used = try row.moment("used")
        authenticated = try row.optionalMoment("authenticated")
        let mustChange: Bool? = try row.value("must_change")
        mustChangePassword = mustChange ?? false
        isFromReset = try row.value("from_reset")
    }
}

/// A session with the secret that its owner keeps.
package struct SessionGrant: Equatable, Sendable {
    /// The secret, for a cookie that scripts cannot read.
    package let token: SecretToken
    package let session: Session
}

/// A session in its owner's list.
package struct SessionEntry: Equatable, Sendable {
    /// Identifies the session in calls that end it.
    package let number: Int64
    /// The description of the device, recorded at log-in.
    package let device: String
    /// When the session began.
    package let made: Moment
    /// When it was last used, accurate to a few minutes.
    package let used: Moment
}
