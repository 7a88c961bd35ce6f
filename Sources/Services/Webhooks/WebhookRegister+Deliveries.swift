package import Chronology
import Identity
import Storage

extension WebhookRegister {
    /// Lists the messages to an endpoint with all their attempts, the newest first.
    ///
    /// - Parameters:
    ///   - number: the endpoint.
    ///   - application: its application.
    ///   - before: the position of the last message of the previous page.
    ///   - limit: the largest number of messages.
    /// - Returns: the messages.
    /// - Throws: ``WebhookProblem/unknown``, any database error.
    package func deliveries(
        to number: Int64,
        of application: Int64,
        before: Int64? = nil,
        limit: Int
    ) async throws -> [WebhookDelivery] {
        let before = before ?? .max
        return try await database.read { transaction in
            _ = try Self.row(number, of: application, in: transaction)
            let rows = try transaction.rows(
                """
                SELECT * FROM webhook_delivery
                WHERE endpoint = \(number) AND position < \(before)
                ORDER BY position DESC LIMIT \(limit)
                """
            )
            return try rows.map { try WebhookDelivery($0, in: transaction) }
        }
    }

    /// A message to an endpoint, by its id.
    ///
    /// - Throws: ``WebhookProblem/unknown``, any database error.
    package func delivery(
        _ id: String,
        to number: Int64,
        of application: Int64
    ) async throws -> WebhookDelivery {
        try await database.read { transaction in
            _ = try Self.row(number, of: application, in: transaction)
            return try Self.delivery(id, to: number, in: transaction)
        }
    }

    /// A message to an endpoint, as a transaction sees it.
    static func delivery(
        _ id: String,
        to number: Int64,
        in transaction: Transaction
    ) throws -> WebhookDelivery {
        let row = try transaction.row(
            "SELECT * FROM webhook_delivery WHERE endpoint = \(number) AND id = \(id)"
        )
        guard let row else { throw WebhookProblem.unknown }
        return try WebhookDelivery(row, in: transaction)
    }

    /// Deletes messages that were settled more than ``keptDays`` ago, with their attempts.
    package func purge(at now: Moment) async throws {
        let oldest = now.adding(seconds: -Int64(keptDays) * 86_400)
        try await database.write { transaction in
            try transaction.execute("DELETE FROM webhook_delivery WHERE settled < \(oldest)")
        }
    }

    /// An endpoint that was shut, of which the city has not been told.
    package struct Shut: Hashable, Sendable {
        /// The number of the endpoint.
        package let endpoint: Int64
        /// The number of the application.
        package let application: Int64
        /// When it was shut.
        package let moment: Moment
    }

    /// The endpoints that were shut, of which the city has not been told.
    package func untoldShut() async throws -> [Shut] {
        try await database.read { transaction in
            try transaction.rows(
                """
                SELECT number, application, shut FROM webhook_endpoint
                WHERE shut IS NOT NULL AND is_told = 0 ORDER BY shut, number
                """
            )
            .map { row in
                Shut(
                    endpoint: try row.value("number"),
                    application: try row.value("application"),
                    moment: try row.moment("shut")
                )
            }
        }
    }

    /// Notes that the city was told that an endpoint was shut.
    package func noteTold(_ shut: Shut) async throws {
        try await database.write { transaction in
            try transaction.execute(
                """
                UPDATE webhook_endpoint SET is_told = 1
                WHERE number = \(shut.endpoint) AND shut = \(shut.moment)
                """
            )
        }
    }
}

extension WebhookDelivery {
    fileprivate init(_ row: Row, in transaction: Transaction) throws {
        let endpoint: Int64 = try row.value("endpoint")
        let position: Int64 = try row.value("position")
        let word: String = try row.value("state")
        guard let state = State(rawValue: word) else {
            preconditionFailure("A message has a state that does not exist.")
        }
        let rows = try transaction.rows(
            """
            SELECT * FROM webhook_attempt
            WHERE endpoint = \(endpoint) AND position = \(position) ORDER BY attempt
            """
        )
        self.init(
            position: position,
            id: try row.value("id"),
            kind: try row.value("kind"),
            state: state,
            made: try row.moment("made"),
            due: state == .waiting ? try row.moment("due") : nil,
            body: try row.value("body"),
            attempts: try rows.map(Attempt.init)
        )
    }
}

extension WebhookDelivery.Attempt {
    fileprivate init(_ row: Row) throws {
        number = try row.value("attempt")
        began = try row.moment("began")
        milliseconds = try row.value("took")
        status = try row.value("status")
        error = try row.value("error")
    }
}
