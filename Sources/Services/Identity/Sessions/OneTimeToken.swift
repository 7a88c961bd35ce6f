import Chronology
import Storage

/// Secrets that are sent to a person and can be used once.
enum OneTimeToken {
    /// The single purpose for which a token is valid.
    enum Purpose: String {
        /// Confirms or aborts a registration.
        case registration
        /// Lets a person replace a forgotten password.
        case reset
        /// Lets a person whom the city entered choose the first password.
        case invitation
        /// Confirms a new e-mail address.
        case email
        /// Confirms a new user name.
        case userName = "user name"
        /// Represents a log-in that awaits its code.
        case proof
    }

    /// The most valid tokens of one purpose per person, so that nobody can flood a mailbox.
    static let limit = 3

    /// Creates a token and stores its digest.
    ///
    /// - Parameters:
    ///   - purpose: the purpose of the token.
    ///   - person: the owner; nil for a decoy that is never accepted.
    ///   - seconds: how long the token is valid.
    ///   - now: the current time.
    ///   - code: the digest of a code that must accompany it.
    ///   - tries: how many attempts the code allows.
    ///   - transaction: the transaction to write in.
    /// - Returns: the token; nil if the person already has ``limit`` of them.
    /// - Throws: any database error.
    static func make(
        _ purpose: Purpose,
        for person: PersonNumber?,
        lasting seconds: Int64,
        at now: Moment,
        code: [UInt8]? = nil,
        tries: Int = 1,
        in transaction: Transaction
    ) throws -> SecretToken? {
        precondition(person == nil || seconds > 0, "a person can use a new token")
        precondition(tries > 0, "a code may be tried")
        if let person {
            let count = try transaction.count(
                """
                SELECT count(*) AS count FROM one_time_token
                WHERE person = \(person) AND purpose = \(purpose.rawValue) AND expires > \(now)
                """
            )
            guard count < limit else { return nil }
        }
        let token = SecretToken.random()
        try transaction.execute(
            """
            INSERT INTO one_time_token (hash, person, purpose, made, expires, code, tries_left)
            VALUES (
                \(token.hash), \(person), \(purpose.rawValue), \(now),
                \(now.adding(seconds: seconds)), \(code), \(tries)
            )
            """
        )
        return token
    }

    /// Returns the owner of a token.
    ///
    /// - Throws: `badToken` if it was never issued, is used up or has expired.
    static func owner(
        of token: SecretToken,
        _ purpose: Purpose,
        at now: Moment,
        in transaction: Transaction
    ) throws -> PersonNumber {
        let row = try transaction.row(
            """
            SELECT person FROM one_time_token
            WHERE hash = \(token.hash) AND purpose = \(purpose.rawValue) AND expires > \(now)
            """
        )
        guard let person: PersonNumber = try row?.value("person") else {
            throw AccountFailure.badToken
        }
        return person
    }

    /// The digest of the code or value that belongs to a token.
    static func code(of token: SecretToken, in transaction: Transaction) throws -> [UInt8]? {
        try transaction.row("SELECT code FROM one_time_token WHERE hash = \(token.hash)")?
            .value("code") ?? nil
    }

    /// Uses up a token and all others of the same purpose and person.
    ///
    /// - Returns: the owner of the token.
    /// - Throws: `badToken`.
    static func use(
        _ token: SecretToken,
        _ purpose: Purpose,
        at now: Moment,
        in transaction: Transaction
    ) throws -> PersonNumber {
        let person = try owner(of: token, purpose, at: now, in: transaction)
        try withdraw(purpose, of: person, in: transaction)
        return person
    }

    /// Invalidates all tokens of a purpose.
    static func withdraw(
        _ purpose: Purpose,
        of person: PersonNumber,
        in transaction: Transaction
    ) throws {
        try transaction.execute(
            """
            DELETE FROM one_time_token
            WHERE person = \(person) AND purpose = \(purpose.rawValue)
            """
        )
    }
}
