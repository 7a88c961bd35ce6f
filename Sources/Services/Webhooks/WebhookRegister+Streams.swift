package import Chronology
import Identity
package import Storage

/// A message as a program reads it from a stream.
package struct StreamedMessage: Hashable, Sendable {
    /// Its position among the messages of the endpoint.
    package let position: Int64
    /// The id that a webhook would send as `webhook-id`.
    package let id: String
    /// The type of the event.
    package let kind: String
    /// The body that a webhook would send.
    package let body: String
}

extension Migration {
    /// Endpoints without an address, whose messages are read from a stream.
    package static let webhookStreams: [Migration] = [
        Migration(
            "0260-add-webhook-streams",
            [
                """
                ALTER TABLE webhook_endpoint ADD COLUMN is_stream \(.integer) NOT NULL DEFAULT 0
                    CHECK (is_stream IN (0, 1))
                """
            ]
        )
    ]
}

/// Messages that programs read themselves, instead of being sent them.
///
/// They are those of webhooks: written in the transaction of their cause, with the same ids, and
/// kept for ``WebhookRegister/keptDays``. Positions are given in the order of the transactions, so
/// a reader who goes on after a position misses nothing.
extension WebhookRegister {
    /// Adds an endpoint without an address.
    ///
    /// - Parameters:
    ///   - kinds: the types of events that are kept for it.
    ///   - application: the number of the application.
    ///   - now: the current time.
    ///   - answering: makes the result of the endpoint.
    /// - Returns: the result; by default the number of the endpoint.
    /// - Throws: ``WebhookProblem`` if no type is chosen, or there are too many endpoints.
    package func addStream<Answer: Sendable>(
        of kinds: Set<WebhookEvent.Kind>,
        to application: Int64,
        at now: Moment,
        answering: @escaping Answering<WebhookEndpoint, Answer> = { made, _ in made.number }
    ) async throws -> Answer {
        if kinds.isEmpty || kinds.contains(.test) { throw WebhookProblem.noKinds }
        let form = WebhookForm(address: "", kinds: kinds)
        return try await insert(form, isStream: true, to: application, at: now) {
            made,
            transaction in
            try answering(made.endpoint, transaction)
        }
    }

    /// Reads the messages of an endpoint after a position, in their order.
    ///
    /// What the application may no longer be told is passed over, as a webhook would drop it.
    ///
    /// - Parameters:
    ///   - number: the endpoint.
    ///   - application: its application.
    ///   - position: the position of the last message that was read.
    ///   - limit: the largest number of messages that are looked at.
    ///   - now: the current time.
    /// - Returns: the messages, and the position after which to go on.
    /// - Throws: ``WebhookProblem/unknown`` if there is no such endpoint, or the application is
    ///   shut out; any database error.
    package func messages(
        of number: Int64,
        of application: Int64,
        after position: Int64,
        limit: Int,
        at now: Moment
    ) async throws -> (messages: [StreamedMessage], last: Int64) {
        try await database.read { transaction in
            _ = try Self.row(number, of: application, in: transaction)
            let isActive = try transaction.row(
                """
                SELECT 1 AS one FROM application WHERE number = \(application) AND revoked IS NULL
                """
            )
            guard isActive != nil else { throw WebhookProblem.unknown }
            let rows = try transaction.rows(
                """
                SELECT * FROM webhook_delivery
                WHERE endpoint = \(number) AND position > \(position)
                ORDER BY position LIMIT \(limit)
                """
            )
            var messages: [StreamedMessage] = []
            var last = position
            for row in rows {
                let message = StreamedMessage(
                    position: try row.value("position"),
                    id: try row.value("id"),
                    kind: try row.value("kind"),
                    body: try row.value("body")
                )
                last = message.position
                let listener = Listener(
                    application: application,
                    person: try row.value("person"),
                    scopes: Scope.all(in: try row.value("scopes")) ?? []
                )
                let isDropped =
                    try row.value("state", as: String.self)
                    == WebhookDelivery.State.dropped.rawValue
                if !isDropped, try Accounts.isAllowed(listener, at: now, in: transaction) {
                    messages.append(message)
                }
            }
            return (messages, last)
        }
    }

    /// The position of a message; nil if it is not kept any more.
    package func position(
        of id: String,
        in number: Int64,
        of application: Int64
    ) async throws -> Int64? {
        try await database.read(isBrief: true) { transaction in
            _ = try Self.row(number, of: application, in: transaction)
            return try transaction.row(
                """
                SELECT position FROM webhook_delivery WHERE endpoint = \(number) AND id = \(id)
                """
            )?.value("position")
        }
    }

    /// The position of the newest message of an endpoint; 0 if there was none yet.
    package func newestPosition(in number: Int64, of application: Int64) async throws -> Int64 {
        try await database.read(isBrief: true) { transaction in
            try Self.row(number, of: application, in: transaction).value("last")
        }
    }
}
