package import Chronology
package import Storage

/// The queue of messages that wait, with the results of the others for some days.
///
/// Each row is handed out at least once. A worker holds a claimed row for ``hold``; if the row is
/// not settled by then, for example after a crash, it is handed out again. The attempt number is a
/// fencing token: a late worker settles nothing.
package struct NotificationQueue: Sendable {
    /// The most rows of a channel claimed at once: few enough that all are attempted within
    /// ``hold``, however slow the receiving server is.
    package static let claimLimit = 32
    /// How long a claimed row is withheld from other workers, in milliseconds.
    static let hold: Int64 = 6 * 60_000

    let database: Database

    /// Creates access to the queue in a database.
    package init(in database: Database) {
        self.database = database
    }

    /// The state of a message or of its part for one channel.
    package enum State: String, Sendable {
        /// Waits for its first or a further attempt.
        case queued
        /// A worker has claimed the row.
        case sending
        /// The parts of the message have rows of their own.
        case routed
        /// The receiving server has accepted the message.
        case sent
        /// The receiving server has permanently refused the message.
        case bounced
        /// The limit of attempts or the lifetime has been reached.
        case givenUp = "given-up"
        /// There was no recipient: the person is erased or wants no such message.
        case dropped
    }

    /// Rows that share a worker; separate workers keep a slow mail server from delaying push.
    package enum DeliveryChannel: Sendable, Hashable, CaseIterable {
        case mail
        case sms
        case push
        /// Messages whose channels are not chosen yet; the last one, so that a round over all
        /// channels leaves the new parts to the next round.
        case routing

        var channel: Channel? {
            switch self {
            case .mail: .mail
            case .sms: .sms
            case .push: .push
            case .routing: nil
            }
        }

        var column: String { channel?.rawValue ?? "" }
    }

    /// A destination of a message: a channel and, for push, a browser.
    struct Part: Sendable, Hashable {
        let channel: Channel
        var target = ""
    }

    /// A row that this worker has claimed.
    struct Claim: Sendable {
        let posting: String
        /// The channel; nil if not chosen yet.
        let channel: Channel?
        /// The identifier of the browser, for push.
        let target: String
        let person: String
        let kind: any NotificationKind
        let sealed: [UInt8]
        let useful: Moment
        let posted: Moment
        /// The attempt number, counted from 1.
        let attempt: Int64
    }

    /// Claims due rows of one channel, earliest first.
    ///
    /// Rows of a kind that no product has are dropped: they cannot be sent.
    func claim(
        _ channel: DeliveryChannel,
        of kinds: NotificationKinds,
        at now: Moment
    ) async throws -> [Claim] {
        try await database.write { transaction in
            let due = try transaction.rows(
                """
                SELECT posting, channel, target, person, kind, sealed, useful, posted, attempts
                FROM notification
                WHERE state IN ('queued', 'sending') AND channel = \(channel.column)
                    AND due <= \(now.milliseconds)
                ORDER BY due, posting, target LIMIT \(Self.claimLimit) \(.skipLocked)
                """
            )
            // Another version of the program has queued them.
            for row in due where kinds[try row.value("kind")] == nil {
                try transaction.execute(
                    """
                    UPDATE notification SET state = 'dropped', sealed = NULL,
                        settled = \(now.milliseconds), answer = 'of an unknown kind'
                    WHERE posting = \(try row.value("posting", as: String.self))
                        AND state IN ('queued', 'sending')
                    """
                )
            }
            let claims = try due.compactMap { try Self.claim($0, of: kinds) }
            let claimed = try transaction.execute(
                claims.map { claim in
                    """
                    UPDATE notification SET state = 'sending', attempts = attempts + 1,
                        due = \(now.adding(milliseconds: Self.hold).milliseconds)
                    WHERE \(Self.place(claim))
                    """
                }
            )
            precondition(
                claimed.allSatisfy { $0 == 1 },
                "A message was claimed that is not in the queue."
            )
            return claims
        }
    }

    /// Settles a row and deletes its sealed data.
    ///
    /// A failed push takes the next channel unless another browser was or will be reached. The
    /// answer is the response of the receiving server without personal data.
    func settle(
        _ claim: Claim,
        as state: State,
        answer: String? = nil,
        at now: Moment
    ) async throws {
        try await database.write { transaction in
            guard try Self.settle(claim, as: state, answer: answer, at: now, in: transaction),
                claim.channel == .push, [.bounced, .givenUp, .dropped].contains(state)
            else { return }
            try Self.routeAnew(claim, at: now, in: transaction)
        }
    }

    /// Postpones a row and counts the attempt, if there was one.
    func postpone(
        _ claim: Claim,
        until due: Moment,
        answer: String?,
        isAttempt: Bool
    ) async throws {
        precondition(claim.attempt > 0, "A delivery was postponed before its first attempt.")
        try await database.write { transaction in
            let postponed = try transaction.execute(
                """
                UPDATE notification SET state = 'queued', due = \(due.milliseconds),
                    answer = \(answer), attempts = attempts - \(isAttempt ? 0 : 1)
                WHERE \(Self.held(claim))
                """
            )
            precondition(postponed <= 1, "Two messages had the same id, channel and target.")
        }
    }

    /// Replaces a message by its parts, one per channel and browser.
    ///
    /// A part that exists from an earlier routing is left as it is.
    func route(_ claim: Claim, to parts: [Part], at now: Moment) async throws {
        precondition(claim.channel == nil, "A message was routed that has its channel already.")
        precondition(!parts.isEmpty, "A message was routed to no channel and would be lost.")
        try await database.write { transaction in
            guard try Self.settle(claim, as: .routed, at: now, in: transaction) else { return }
            try transaction.execute(
                parts.map { part in
                    """
                    INSERT INTO notification (
                        posting, channel, target, person, kind, state, sealed, due, useful,
                        attempts, posted
                    ) VALUES (
                        \(claim.posting), \(part.channel.rawValue), \(part.target),
                        \(claim.person), \(claim.kind.rawValue), 'queued', \(claim.sealed),
                        \(now.milliseconds), \(claim.useful.milliseconds), 0,
                        \(claim.posted.milliseconds)
                    ) ON CONFLICT DO NOTHING
                    """
                }
            )
            try transaction.announce()
        }
    }

    /// Returns the existing parts of a message.
    func parts(of claim: Claim) async throws -> Set<Part> {
        try await database.read { transaction in
            let rows = try transaction.rows(
                """
                SELECT channel, target FROM notification
                WHERE posting = \(claim.posting) AND channel <> ''
                """
            )
            return Set(
                try rows.compactMap { row in
                    let target: String = try row.value("target")
                    return Channel(rawValue: try row.value("channel")).map {
                        Part(channel: $0, target: target)
                    }
                }
            )
        }
    }

    /// Settles the part for a browser that no longer exists and deletes its subscription.
    func browserIsGone(_ claim: Claim, at now: Moment) async throws {
        precondition(claim.channel == .push, "A mail or text message was for a browser.")
        try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM push_subscription WHERE id = \(claim.target)"
            )
            let answer = "the browser is no longer subscribed"
            guard
                try Self.settle(claim, as: .bounced, answer: answer, at: now, in: transaction)
            else { return }
            try Self.routeAnew(claim, at: now, in: transaction)
        }
    }

    /// Routes a message again after a part failed, if it is not too old and no other part
    /// was sent or waits.
    private static func routeAnew(
        _ claim: Claim,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        precondition(claim.channel == .push, "A mail or text message was to take another channel.")
        guard now < claim.useful else { return }
        let others = try transaction.row(
            """
            SELECT 1 AS one FROM notification WHERE posting = \(claim.posting)
                AND channel <> '' AND state IN ('queued', 'sending', 'sent')
            """
        )
        guard others == nil else { return }
        try transaction.execute(
            """
            UPDATE notification SET state = 'queued', sealed = \(claim.sealed),
                due = \(now.milliseconds), settled = NULL
            WHERE posting = \(claim.posting) AND channel = '' AND state = 'routed'
            """
        )
        try transaction.announce()
    }

    /// Returns when the earliest row of each channel is due; channels without waiting rows are left
    /// out.
    package func nextDue() async throws -> [DeliveryChannel: Moment] {
        try await database.read { transaction in
            let rows = try transaction.rows(
                """
                SELECT channel, MIN(due) AS due FROM notification
                WHERE state IN ('queued', 'sending') GROUP BY channel
                """
            )
            var found: [DeliveryChannel: Moment] = [:]
            for row in rows {
                let column: String = try row.value("channel")
                guard let channel = DeliveryChannel.allCases.first(where: { $0.column == column })
                else {
                    continue
                }
                found[channel] = Moment(milliseconds: try row.value("due"))
            }
            return found
        }
    }

    /// Deletes rows that were settled before an instant.
    ///
    /// - Returns: the number of deleted rows.
    @discardableResult
    package func purge(settledBefore moment: Moment) async throws -> Int {
        // A message is deleted together with its last part, so that its id cannot be queued again
        // while a part waits.
        try await database.write { transaction in
            try transaction.execute(
                """
                DELETE FROM notification WHERE settled < \(moment.milliseconds) AND NOT EXISTS (
                    SELECT 1 FROM notification AS other
                    WHERE other.posting = notification.posting
                        AND (other.settled IS NULL OR other.settled >= \(moment.milliseconds))
                )
                """
            )
        }
    }

    private static func settle(
        _ claim: Claim,
        as state: State,
        answer: String? = nil,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Bool {
        precondition(
            state != .queued && state != .sending,
            "A message was settled that still waits."
        )
        let settled = try transaction.execute(
            """
            UPDATE notification SET state = \(state.rawValue), sealed = NULL,
                settled = \(now.milliseconds), answer = \(answer)
            WHERE \(Self.held(claim))
            """
        )
        precondition(settled <= 1, "Two messages had the same id, channel and target.")
        return settled == 1
    }

    private static func place(_ claim: Claim) -> SQL {
        let channel = claim.channel?.rawValue ?? ""
        return """
            posting = \(claim.posting) AND channel = \(channel) AND target = \(claim.target)
            """
    }

    private static func held(_ claim: Claim) -> SQL {
        "\(place(claim)) AND state = 'sending' AND attempts = \(claim.attempt)"
    }

    private static func claim(_ row: Row, of kinds: NotificationKinds) throws -> Claim? {
        guard let kind = kinds[try row.value("kind")] else { return nil }
        return Claim(
            posting: try row.value("posting"),
            channel: Channel(rawValue: try row.value("channel")),
            target: try row.value("target"),
            person: try row.value("person"),
            kind: kind,
            sealed: try row.value("sealed"),
            useful: Moment(milliseconds: try row.value("useful")),
            posted: Moment(milliseconds: try row.value("posted")),
            attempt: try row.value("attempts", as: Int64.self) + 1
        )
    }
}

/// A configuration error of this module.
package enum NotifyFailure: Error, Sendable, Equatable {
    /// A setting is invalid, for the given reason.
    case badSetting(String)
    /// A cryptographic key is invalid.
    case badKey
}
