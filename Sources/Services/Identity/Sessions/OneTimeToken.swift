import Chronology
import Storage

/// Secrets that are sent to a person and good for one use.
enum OneTimeToken {
    /// What a token is good for; it is good for nothing else.
    enum Purpose: String {
        /// Confirms a registration, or aborts it.
        case registration
        /// Lets a person choose a password who forgot the old one.
        case reset
        /// Lets a person choose the first password whom the city entered.
        case invitation
        /// Confirms a new e-mail address.
        case email
        /// Confirms a new user name.
        case userName = "user name"
        /// Stands for a log-in that waits for its code.
        case proof
    }

    /// How many tokens of one purpose a person may have at a time: more only fill a mailbox.
    static let limit = 3

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - purpose: what for.
    ///   - person: for whom; nil for a decoy that will never be accepted.
    ///   - seconds: how long it is good.
    ///   - now: the moment.
    ///   - code: the digest of a code that must come with it.
    ///   - tries: how many times a code may be tried.
    ///   - transaction: where it is stored.
    /// - Returns: the token; nil where the person has ``limit`` of them.
    /// - Throws: what the database throws.
    static func make(
        _ purpose: Purpose,
        for person: PersonNumber?,
        lasting seconds: Int64,
        at now: Moment,
        code: [UInt8]? = nil,
        tries: Int = 1,
        in transaction: Transaction
    ) throws -> SecretToken? {
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

    /// Whose token it is.
    ///
    /// - Throws: `badToken` where it was never given, is used up, or has expired.
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

    /// The digest of the code or value that a token goes with.
    static func code(of token: SecretToken, in transaction: Transaction) throws -> [UInt8]? {
        try transaction.row("SELECT code FROM one_time_token WHERE hash = \(token.hash)")?
            .value("code") ?? nil
    }

    /// Uses a token up, and with it all others of that purpose of that person.
    ///
    /// - Returns: whose it was.
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

    /// Makes all tokens of a purpose void.
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
