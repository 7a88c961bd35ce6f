package import Chronology
import Storage

/// How an attempt to log in ended.
package enum AttemptOutcome: String, CaseIterable, Sendable {
    /// The person is in.
    case success
    /// No such account, or not its password.
    case wrong
    /// It came before the time given after a wrong password; nothing was checked.
    case early
    /// Too many passwords were being checked; nothing was checked.
    case busy
    /// The right password of an account that waits for confirmation.
    case unconfirmed
    /// The right password of a suspended account.
    case suspended
    /// The right password from a new address: the e-mail must be proved too.
    case proof
    /// A wrong code from a new address.
    case wrongCode = "wrong_code"
}

/// An attempt to log in, as the log keeps it (R129).
package struct Attempt: Equatable, Sendable {
    /// When.
    package let moment: Moment
    /// The pseudonym of the account that was tried, known or not.
    package let subject: [UInt8]
    /// The network address.
    package let address: String
    /// How it ended.
    package let outcome: AttemptOutcome
}

/// The tables of log-in attempts and of who has to wait.
struct AttemptLog {
    /// The pseudonym of the account.
    let subject: [UInt8]
    /// Where the attempt comes from.
    let address: ClientAddress
    /// The digest of the address.
    let addressKey: [UInt8]

    /// A number that tells an attempt from others of the same moment.
    static func anyNumber() -> Int64 { Int64.random(in: 1..<(1 << 53)) }

    /// Writes an attempt down; under one number once, however often it is asked for.
    func record(
        _ outcome: AttemptOutcome,
        at now: Moment,
        as number: Int64 = anyNumber(),
        in transaction: Transaction
    ) throws {
        try transaction.execute(
            """
            INSERT INTO attempt (subject, moment, id, address, outcome)
            VALUES (\(subject), \(now), \(number), \(address.text), \(outcome.rawValue))
            ON CONFLICT DO NOTHING
            """
        )
    }

    /// Takes the right to try: the next attempt of this pair waits, whatever comes of this one.
    ///
    /// So attempts that arrive together are one attempt: only the first is checked and counted.
    ///
    /// - Returns: nil, or until when the pair has to wait.
    func claim(wait: Int64, at now: Moment, in transaction: Transaction) throws -> Moment? {
        let until = now.adding(seconds: wait)
        // A moment beyond `until` is from before the clock was set back, and binds nobody.
        let claimed = try transaction.execute(
            """
            INSERT INTO attempt_wait (subject, address, until)
            VALUES (\(subject), \(addressKey), \(until))
            ON CONFLICT (subject, address) DO UPDATE SET until = excluded.until
            WHERE attempt_wait.until <= \(now) OR attempt_wait.until > \(until)
            """
        )
        if claimed > 0 { return nil }
        return try waits(wait, at: now, in: transaction) ?? until
    }

    /// Until when the pair has to wait; nil where it may try.
    func waits(_ wait: Int64, at now: Moment, in transaction: Transaction) throws -> Moment? {
        try transaction.row(
            """
            SELECT until FROM attempt_wait
            WHERE subject = \(subject) AND address = \(addressKey)
                AND until > \(now) AND until <= \(now.adding(seconds: wait))
            """
        )?.moment("until")
    }

    /// Gives the right to try back.
    func release(in transaction: Transaction) throws {
        try transaction.execute(
            "DELETE FROM attempt_wait WHERE subject = \(subject) AND address = \(addressKey)"
        )
    }

    /// Whether more than so many attempts failed since a moment, from whatever address.
    ///
    /// It looks at no more rows than it must: a storm of attempts does not make each one slower.
    func hasFailed(
        moreThan limit: Int,
        since moment: Moment,
        in transaction: Transaction
    ) throws -> Bool {
        try transaction.count(
            """
            SELECT count(*) AS count FROM (
                SELECT 1 AS one FROM attempt
                WHERE subject = \(subject) AND moment > \(moment)
                    AND outcome IN ('wrong', 'wrong_code')
                LIMIT \(limit + 1)
            ) AS failures
            """
        ) > limit
    }
}
