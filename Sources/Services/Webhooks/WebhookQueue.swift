import Chronology
import Identity
import Storage

/// The messages that are due, and the outcome of each attempt to deliver them.
///
/// Only the first unsettled message of each subject can be claimed, so that the messages about a
/// ride arrive in order. A worker holds a claimed message for ``hold``; if it is not settled by
/// then, for example after a crash, it is sent again with the same id. The number of the attempt
/// is a fencing token: a late worker settles nothing.
struct WebhookQueue: Sendable {
    /// How long a claimed message is withheld from other workers, in milliseconds: longer than an
    /// attempt takes at most.
    static let hold: Int64 = 45_000
    /// How long a message is retried, and how long an endpoint stays open without an
    /// acknowledgement, in milliseconds.
    static let patience: Int64 = 86_400_000

    let register: WebhookRegister

    private var database: Database { register.database }

    /// An endpoint with a message that is due, now or later.
    struct Waiting: Sendable, Hashable {
        let endpoint: Int64
        /// When the next message may be sent.
        let due: Moment
        /// Whether the last attempt failed, so that one message at a time is tried.
        let isFailing: Bool
    }

    /// A message that this worker has claimed.
    struct Claim: Sendable {
        let endpoint: Int64
        let position: Int64
        let id: String
        let subject: String
        let body: String
        let address: String
        /// The secrets that sign it, the newest first.
        let secrets: [WebhookSecret]
        let isFailing: Bool
        /// The number of the attempt, counted from 1.
        let attempt: Int64
        let made: Moment
        let began: Moment
    }

    /// The open endpoints with messages that wait, the one with the earliest message first.
    func waiting() async throws -> [Waiting] {
        try await database.read { transaction in
            let rows = try transaction.rows(
                """
                SELECT e.number AS number, e.failing AS failing, e.retry AS retry,
                    (SELECT MIN(d.due) FROM webhook_delivery d
                        WHERE d.endpoint = e.number AND d.state IN ('waiting', 'sending')) AS due
                FROM webhook_endpoint e WHERE e.shut IS NULL
                """
            )
            return try rows.compactMap { row -> Waiting? in
                guard let due = try row.optionalMoment("due") else { return nil }
                let isFailing = try row.optionalMoment("failing") != nil
                return Waiting(
                    endpoint: try row.value("number"),
                    due: isFailing ? max(due, try row.moment("retry")) : due,
                    isFailing: isFailing
                )
            }
            .sorted { ($0.due, $0.endpoint) < ($1.due, $1.endpoint) }
        }
    }

    /// Claims due messages.
    ///
    /// - Parameters:
    ///   - capacities: for each endpoint, how many messages may be claimed.
    ///   - now: the current time.
    /// - Returns: the claims; messages that the application may no longer get are dropped.
    /// - Throws: any database error.
    func claim(
        _ capacities: [(endpoint: Int64, capacity: Int)],
        at now: Moment
    ) async throws -> [Claim] {
        guard !capacities.isEmpty else { return [] }
        return try await database.write { transaction in
            var claims: [Claim] = []
            for (endpoint, capacity) in capacities {
                claims += try claim(endpoint, capacity, at: now, in: transaction)
            }
            return claims
        }
    }

    private func claim(
        _ endpoint: Int64,
        _ capacity: Int,
        at now: Moment,
        in transaction: Transaction
    ) throws -> [Claim] {
        precondition(capacity > 0, "No message was to be claimed.")
        let found = try transaction.row(
            "SELECT * FROM webhook_endpoint WHERE number = \(endpoint) AND shut IS NULL"
        )
        guard let found else { return [] }
        let rows = try transaction.rows(
            """
            SELECT * FROM webhook_delivery
            WHERE endpoint = \(endpoint) AND state IN ('waiting', 'sending') AND due <= \(now)
            ORDER BY due, position LIMIT \(capacity) \(.skipLocked)
            """
        )
        let application: Int64 = try found.value("application")
        var claims: [Claim] = []
        for row in rows {
            let listener = Listener(
                application: application,
                person: try row.value("person"),
                scopes: Scope.all(in: try row.value("scopes")) ?? []
            )
            let claim = try claim(row, of: found, at: now)
            if try Accounts.isAllowed(listener, at: now, in: transaction) {
                try begin(claim, in: transaction)
                claims.append(claim)
            } else {
                try settle(claim, as: .dropped, at: now, in: transaction)
            }
        }
        return claims
    }

    private func claim(_ row: Row, of found: Row, at now: Moment) throws -> Claim {
        let number: Int64 = try found.value("number")
        var sealed: [[UInt8]] = [try found.value("secret")]
        if let ends = try found.optionalMoment("former_ends"), now < ends,
            let former: [UInt8] = try found.value("former")
        {
            sealed.append(former)
        }
        return Claim(
            endpoint: number,
            position: try row.value("position"),
            id: try row.value("id"),
            subject: try row.value("subject"),
            body: try row.value("body"),
            address: try register.address(sealed: try found.value("sealed"), of: number),
            secrets: try sealed.compactMap { try register.secret(sealed: $0, of: number) },
            isFailing: try found.optionalMoment("failing") != nil,
            attempt: try row.value("attempts", as: Int64.self) + 1,
            made: try row.moment("made"),
            began: now
        )
    }

    private func begin(_ claim: Claim, in transaction: Transaction) throws {
        let due = claim.began.adding(milliseconds: Self.hold)
        let begun = try transaction.execute([
            """
            UPDATE webhook_delivery
            SET state = 'sending', attempts = \(claim.attempt), due = \(due)
            WHERE \(Self.place(claim))
            """,
            """
            INSERT INTO webhook_attempt (endpoint, position, attempt, began)
            VALUES (\(claim.endpoint), \(claim.position), \(claim.attempt), \(claim.began))
            """,
        ])
        precondition(begun == [1, 1], "A message was claimed that is not in the queue.")
    }

    static func place(_ claim: Claim) -> SQL {
        "endpoint = \(claim.endpoint) AND position = \(claim.position)"
    }

    /// Ends a message, and lets the next one about the same subject wait for its attempt.
    func settle(
        _ claim: Claim,
        as state: WebhookDelivery.State,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        precondition(
            [.delivered, .givenUp, .dropped].contains(state),
            "A message was settled that still waits."
        )
        let settled = try transaction.execute(
            """
            UPDATE webhook_delivery SET state = \(state.rawValue), settled = \(now)
            WHERE \(Self.place(claim))
            """
        )
        precondition(settled == 1, "A message was settled that is not in the queue.")
        if state == .dropped {
            // A message that the application may not get is not listed either.
            try transaction.execute(
                "UPDATE webhook_delivery SET body = '' WHERE \(Self.place(claim))"
            )
        }
        try transaction.execute(
            """
            UPDATE webhook_delivery SET state = 'waiting', due = \(now)
            WHERE endpoint = \(claim.endpoint) AND position = (
                SELECT MIN(position) FROM webhook_delivery
                WHERE endpoint = \(claim.endpoint) AND subject = \(claim.subject)
                    AND state = 'behind'
            ) AND NOT EXISTS (
                SELECT 1 FROM webhook_delivery
                WHERE endpoint = \(claim.endpoint) AND subject = \(claim.subject)
                    AND state IN ('waiting', 'sending')
            )
            """
        )
        try transaction.announce()
    }
}
