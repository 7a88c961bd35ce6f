package import Chronology
import Storage

/// The outcome of a log-in attempt.
package enum AttemptOutcome: String, CaseIterable, Sendable {
    /// The person was logged in.
    case success
    /// The account does not exist or the password is wrong.
    case wrong
    /// The attempt came during the waiting time after a wrong password; nothing was checked.
    case early
    /// Too many passwords were being checked at the time; nothing was checked.
    case busy
    /// The password was right, but the account awaits confirmation.
    case unconfirmed
    /// The password was right, but the account is suspended.
    case suspended
    /// The password was right, but the address is new and the e-mail must be proved too.
    case proof
    /// The code from a new address was wrong.
    case wrongCode = "wrong_code"
}

/// A log-in attempt as it is logged (R129).
package struct Attempt: Equatable, Sendable {
    /// When the attempt was made.
    package let moment: Moment
    /// The pseudonym of the account name, whether or not the account exists.
    package let subject: [UInt8]
    /// The network address of the request.
    package let address: String
    package let outcome: AttemptOutcome
}

/// Access to the tables of log-in attempts and waiting times, for one account and address.
struct AttemptLog {
    /// The pseudonym of the account.
    let subject: [UInt8]
    /// The network address of the request.
    let address: ClientAddress
    /// The digest of the network address.
    let addressKey: [UInt8]

    /// A random number that distinguishes attempts of the same instant.
    static func anyNumber() -> Int64 { Int64.random(in: 1..<(1 << 53)) }

    /// Logs an attempt; a repeated call with the same number has no effect.
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

    /// Claims the right to try: the next attempt of this account and address must wait.
    ///
    /// Of several simultaneous attempts, therefore, only the first is checked and counted.
    ///
    /// - Returns: nil if claimed, otherwise the end of the waiting time.
    func claim(wait: Int64, at now: Moment, in transaction: Transaction) throws -> Moment? {
        let until = now.adding(seconds: wait)
        // A time beyond `until` stems from before the clock was set back and is ignored.
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

    /// Returns the end of the waiting time; nil if an attempt is allowed.
    func waits(_ wait: Int64, at now: Moment, in transaction: Transaction) throws -> Moment? {
        try transaction.row(
            """
            SELECT until FROM attempt_wait
            WHERE subject = \(subject) AND address = \(addressKey)
                AND until > \(now) AND until <= \(now.adding(seconds: wait))
            """
        )?.moment("until")
    }

    /// Ends the waiting time early.
    func release(in transaction: Transaction) throws {
        try transaction.execute(
            "DELETE FROM attempt_wait WHERE subject = \(subject) AND address = \(addressKey)"
        )
    }

    /// Returns whether more than `limit` attempts failed since a point in time, from any address.
    ///
    /// It reads no more rows than necessary, so that a flood of attempts does not
    /// slow each one down.
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
