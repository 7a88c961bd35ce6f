import Chronology
import Identity
import Storage

extension WebhookQueue {
    /// Records how an attempt ended.
    ///
    /// - Parameters:
    ///   - answer: what the receiver answered.
    ///   - claim: the claimed message.
    ///   - now: the current time.
    /// - Returns: what became of the message; nil if another worker has it by now.
    /// - Throws: any database error; the message is then sent again.
    func record(
        _ answer: WebhookAnswer,
        _ claim: Claim,
        at now: Moment
    ) async throws -> WebhookDelivery.State? {
        let took = max(0, now.milliseconds - claim.began.milliseconds)
        return try await register.database.write { transaction in
            try transaction.execute(
                """
                UPDATE webhook_attempt
                SET took = \(took), status = \(answer.status), error = \(answer.error)
                WHERE \(Self.place(claim)) AND attempt = \(claim.attempt)
                """
            )
            let row = try transaction.row(
                """
                SELECT state FROM webhook_delivery
                WHERE \(Self.place(claim)) AND attempts = \(claim.attempt)
                """
            )
            // It was removed with its endpoint or its person, or another worker has it.
            guard let row else { return nil }
            let isHeld = try row.value("state", as: String.self) == "sending"
            if answer.isSuccess {
                try settle(claim, as: .delivered, at: now, in: transaction)
                try Self.noteSuccess(of: claim.endpoint, in: transaction)
                return .delivered
            }
            // The endpoint was shut meanwhile, which settled the message.
            guard isHeld else { return nil }
            return try fail(answer, claim, at: now, in: transaction)
        }
    }

    /// Plans the next attempt, or gives up.
    private func fail(
        _ answer: WebhookAnswer,
        _ claim: Claim,
        at now: Moment,
        in transaction: Transaction
    ) throws -> WebhookDelivery.State {
        let isShut = try noteFailure(answer, claim, at: now, in: transaction)
        if isShut { return .givenUp }
        let end = claim.made.adding(milliseconds: Self.patience)
        guard now < end else {
            try settle(claim, as: .givenUp, at: now, in: transaction)
            return .givenUp
        }
        let pause = WebhookPauses.pause(after: claim.attempt, wished: answer.pause)
        let due = min(now.adding(milliseconds: pause), end)
        try transaction.execute(
            """
            UPDATE webhook_delivery SET state = 'waiting', due = \(due)
            WHERE \(Self.place(claim))
            """
        )
        return .waiting
    }

    /// Counts a failure of an endpoint, and shuts it if it has failed for a day or is gone.
    ///
    /// Attempts that were under way together count once.
    ///
    /// - Returns: whether it is shut.
    private func noteFailure(
        _ answer: WebhookAnswer,
        _ claim: Claim,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Bool {
        let row = try transaction.row(
            """
            SELECT failing, failures, failed, shut FROM webhook_endpoint
            WHERE number = \(claim.endpoint)
            """
        )
        guard let row, try row.optionalMoment("shut") == nil else { return true }
        let failing = try row.optionalMoment("failing") ?? now
        let end = failing.adding(milliseconds: Self.patience)
        if answer.isGone || now >= end {
            try shut(claim.endpoint, at: now, in: transaction)
            return true
        }
        if let failed = try row.optionalMoment("failed"), claim.began < failed { return false }
        let failures = try row.value("failures", as: Int64.self) + 1
        let pause = WebhookPauses.pause(after: failures, wished: answer.pause)
        let retry = min(now.adding(milliseconds: pause), end)
        try transaction.execute(
            """
            UPDATE webhook_endpoint SET failing = \(failing), failures = \(failures),
                failed = \(now), retry = \(retry)
            WHERE number = \(claim.endpoint)
            """
        )
        return false
    }

    private static func noteSuccess(of endpoint: Int64, in transaction: Transaction) throws {
        try transaction.execute(
            """
            UPDATE webhook_endpoint SET failing = NULL, failures = 0, failed = NULL, retry = 0
            WHERE number = \(endpoint) AND failing IS NOT NULL
            """
        )
    }

    /// Shuts an endpoint and gives its messages up.
    private func shut(
        _ endpoint: Int64,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        try transaction.execute([
            """
            UPDATE webhook_endpoint SET shut = \(now), is_told = 0 WHERE number = \(endpoint)
            """,
            """
            UPDATE webhook_delivery SET state = 'given-up', settled = \(now)
            WHERE endpoint = \(endpoint) AND settled IS NULL
            """,
        ])
        try transaction.announce()
    }
}

/// What a receiver answered to an attempt.
package enum WebhookAnswer: Sendable, Equatable {
    /// It answered with a status, and perhaps wishes a pause in seconds.
    case status(Int, retryAfterSeconds: Int64? = nil)
    /// There was no complete answer, for this reason.
    case failure(String)

    /// Whether it acknowledged the message.
    var isSuccess: Bool {
        if case .status(let status, _) = self { return (200..<300).contains(status) }
        return false
    }

    /// Whether it says that it exists no more.
    var isGone: Bool {
        if case .status(410, _) = self { return true }
        return false
    }

    var status: Int64? {
        if case .status(let status, _) = self { return Int64(status) }
        return nil
    }

    var error: String? {
        if case .failure(let error) = self { return error }
        return nil
    }

    /// The pause that it wishes, in milliseconds.
    var pause: Int64? {
        guard case .status(_, let seconds?) = self else { return nil }
        return min(max(seconds, 0), 86_400) * 1_000
    }
}

/// The pauses between attempts.
enum WebhookPauses {
    private static let first: Int64 = 5_000
    private static let longest: Int64 = 2 * 3_600_000

    /// The pause in milliseconds: five seconds, doubled each time, at most two hours; a receiver
    /// can extend it, within the same limit.
    static func pause(after attempt: Int64, wished: Int64? = nil) -> Int64 {
        let doublings = min(max(attempt, 1) - 1, 20)
        return min(max(first << doublings, wished ?? 0), longest)
    }
}
