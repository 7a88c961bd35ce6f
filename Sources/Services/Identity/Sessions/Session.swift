package import Chronology
package import Localization
import Storage

/// A browser or app that is known to the server, with or without a person.
package struct Session: Equatable, Sendable {
    /// Names the session in its owner's list; it opens nothing.
    package let number: Int64
    /// Who logged in; nil for a guest.
    package let person: PersonNumber?
    /// What the person may do now; empty for a guest.
    package let roles: Set<Role>
    /// The language chosen in this session; nil where nobody chose.
    package let language: Language?
    /// When it began.
    package let made: Moment
    /// When it was last used, to some minutes.
    package let used: Moment
    /// When its owner last gave the password; nil for a guest.
    package let authenticated: Moment?
    /// Whether nothing may be done before a new password is chosen (R100).
    package let mustChangePassword: Bool
    /// Whether it came from the link for a forgotten password, so that no old one is asked for.
    package let isFromReset: Bool

    /// Whether the password was given so recently that grave acts need not ask again (R8).
    ///
    /// - Parameters:
    ///   - minutes: how recently.
    ///   - now: the moment.
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

/// A session and the secret that its owner carries.
package struct SessionGrant: Equatable, Sendable {
    /// The secret, for a cookie that scripts cannot read.
    package let token: SecretToken
    /// The session.
    package let session: Session
}

/// A session in its owner's list.
package struct SessionEntry: Equatable, Sendable {
    /// Names it.
    package let number: Int64
    /// Words for the device, as given at log-in.
    package let device: String
    /// When it began.
    package let made: Moment
    /// When it was last used, to some minutes.
    package let used: Moment
}
