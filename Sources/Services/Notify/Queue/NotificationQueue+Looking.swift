package import Chronology
import Storage

extension NotificationQueue {
    /// The state of a message or of its part for one channel.
    package struct Entry: Sendable, Equatable {
        /// The channel; nil for the message itself.
        package let channel: Channel?
        /// The name of the kind.
        package let kind: String
        package let state: State
        /// The number of delivery attempts.
        package let attempts: Int64
        /// When the message was queued.
        package let posted: Moment
        /// When the row was settled; nil while it waits.
        package let settled: Moment?
        /// The latest response of the receiving server, without personal data.
        package let answer: String?
    }

    /// Returns a message and its parts, the message first; empty if it is unknown.
    package func entries(of posting: PostingId) async throws -> [Entry] {
        try await entries("posting = \(posting.text) ORDER BY channel, target")
    }

    /// Whether nobody has accepted a message, and every channel and browser chosen for it was tried
    /// at least once; later attempts may still succeed.
    func isUnreached(_ claim: Claim) async throws -> Bool {
        try await database.read { transaction in
            try transaction.row(
                """
                SELECT 1 AS one FROM notification WHERE posting = \(claim.posting) AND (
                    state IN ('sent', 'sending')
                    OR state = 'queued' AND (channel = '' OR attempts = 0)
                ) LIMIT 1
                """
            ) == nil
        }
    }

    /// Lists the latest messages to a person, latest first.
    package func entries(of person: String, limit: Int) async throws -> [Entry] {
        try await entries("person = \(person) ORDER BY posted DESC, posting LIMIT \(limit)")
    }

    /// Lists the latest messages of a kind to any recipient, latest first, each
    /// followed by its parts.
    ///
    /// - Complexity: O(rows).
    package func entries(of kind: any NotificationKind, limit: Int) async throws -> [Entry] {
        try await entries(
            "kind = \(kind.rawValue) ORDER BY posted DESC, posting, channel LIMIT \(limit)"
        )
    }

    /// Counts, for metrics, the messages that wait or are being sent, and those bounced or given up
    /// within the last hour.
    package func counts(at now: Moment) async throws -> [DeliveryChannel: [State: Int]] {
        let hour = now.adding(seconds: -3_600)
        return try await database.read { transaction in
            let rows = try transaction.rows(
                """
                SELECT channel, state, COUNT(*) AS count FROM notification
                WHERE state IN ('queued', 'sending') GROUP BY channel, state
                UNION ALL
                SELECT channel, state, COUNT(*) AS count FROM notification
                WHERE settled >= \(hour.milliseconds) AND state IN ('bounced', 'given-up')
                GROUP BY channel, state
                """
            )
            var counts: [DeliveryChannel: [State: Int]] = [:]
            for row in rows {
                let column: String = try row.value("channel")
                guard let state = State(rawValue: try row.value("state")),
                    let channel = DeliveryChannel.allCases.first(where: { $0.column == column })
                else { continue }
                counts[channel, default: [:]][state] = try row.value("count")
            }
            return counts
        }
    }

    /// An undelivered mail or text message that no later delivery to the recipient followed.
    package struct Lost: Sendable, Equatable {
        /// The opaque name of the recipient.
        package let person: String
        package let channel: Channel
        /// When it bounced or was given up.
        package let settled: Moment
        /// The response of the receiving server, without personal data.
        package let answer: String?
    }

    /// Lists undelivered messages, latest first.
    ///
    /// - Complexity: O(messages settled since then).
    package func lost(since moment: Moment, limit: Int) async throws -> [Lost] {
        try await lost("settled >= \(moment.milliseconds)", limit)
    }

    /// Returns the latest undelivered message to a person; nil if there is none.
    package func lost(to person: String) async throws -> Lost? {
        try await lost("person = \(person)", 1).first
    }

    private func lost(_ condition: SQL, _ limit: Int) async throws -> [Lost] {
        // Guests type the addresses for their codes, and nobody else can correct them.
        let code = AccountNotificationKind.guestCode
        return try await database.read { transaction in
            try transaction.rows(
                """
                SELECT person, channel, settled, answer FROM notification AS lost
                WHERE \(condition) AND state IN ('bounced', 'given-up')
                    AND channel IN ('mail', 'sms') AND kind <> \(code.rawValue)
                    AND NOT EXISTS (
                        SELECT 1 FROM notification AS later
                        WHERE later.person = lost.person AND later.channel = lost.channel
                            AND later.state = 'sent' AND later.settled >= lost.settled
                    )
                ORDER BY settled DESC, posting LIMIT \(limit)
                """
            ).compactMap { row in
                guard let channel = Channel(rawValue: try row.value("channel")) else { return nil }
                return Lost(
                    person: try row.value("person"),
                    channel: channel,
                    settled: Moment(milliseconds: try row.value("settled")),
                    answer: try row.value("answer")
                )
            }
        }
    }

    private func entries(_ condition: SQL) async throws -> [Entry] {
        try await database.read { transaction in
            try transaction.rows(
                """
                SELECT channel, kind, state, attempts, posted, settled, answer
                FROM notification WHERE \(condition)
                """
            ).compactMap { row in
                guard let state = State(rawValue: try row.value("state")) else { return nil }
                let settled: Int64? = try row.value("settled")
                return Entry(
                    channel: Channel(rawValue: try row.value("channel")),
                    kind: try row.value("kind"),
                    state: state,
                    attempts: try row.value("attempts"),
                    posted: Moment(milliseconds: try row.value("posted")),
                    settled: settled.map { Moment(milliseconds: $0) },
                    answer: try row.value("answer")
                )
            }
        }
    }
}
