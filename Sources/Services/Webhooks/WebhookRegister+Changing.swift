package import Chronology
package import Identity
import Storage

extension WebhookRegister {
    /// Adds an endpoint to an application.
    ///
    /// - Parameters:
    ///   - form: what was entered, without problems.
    ///   - application: the number of the application.
    ///   - now: the current time.
    ///   - noting: writes the note of who did it.
    /// - Returns: the number, and the secret, which cannot be read again.
    /// - Throws: ``WebhookProblem`` for a form with a problem, or if there are too many.
    package func add(
        _ form: WebhookForm,
        to application: Int64,
        at now: Moment,
        noting: @escaping Noting = { _ in }
    ) async throws -> (number: Int64, secret: WebhookSecret) {
        if let problem = form.problems(scope).first { throw problem }
        return try await insert(form, isStream: false, to: application, at: now, noting: noting)
    }

    /// Stores an endpoint whose form has no problems.
    func insert(
        _ form: WebhookForm,
        isStream: Bool,
        to application: Int64,
        at now: Moment,
        noting: @escaping Noting = { _ in }
    ) async throws -> (number: Int64, secret: WebhookSecret) {
        let number = Int64.random(in: 1...(1 << 53))
        let secret = WebhookSecret.random()
        let address = try sealed(address: form.address, of: number)
        let key = try sealed(secret, of: number)
        try await database.write { transaction in
            let count = try transaction.count(
                """
                SELECT count(*) AS count FROM webhook_endpoint WHERE application = \(application)
                """
            )
            guard count < Self.endpointLimit else {
                throw WebhookProblem.tooMany(limit: Self.endpointLimit)
            }
            try transaction.execute(
                """
                INSERT INTO webhook_endpoint (
                    number, application, sealed, secret, kinds, made, failures, retry, is_told,
                    last, is_stream
                ) VALUES (
                    \(number), \(application), \(address), \(key), \(form.kindText), \(now), 0, 0,
                    0, 0, \(isStream ? 1 : 0)
                )
                """
            )
            try noting(transaction)
        }
        return (number, secret)
    }

    /// Changes the address and the types of events of an endpoint.
    ///
    /// Messages that wait go to the new address.
    ///
    /// - Throws: ``WebhookProblem`` for a form with a problem, or if there is no such endpoint.
    package func change(
        _ number: Int64,
        of application: Int64,
        to form: WebhookForm,
        noting: @escaping Noting = { _ in }
    ) async throws {
        if let problem = form.problems(scope).first { throw problem }
        let address = try sealed(address: form.address, of: number)
        try await change(number, of: application, noting) { row, transaction in
            try Self.checkHasAddress(row)
            try transaction.execute(
                """
                UPDATE webhook_endpoint SET sealed = \(address), kinds = \(form.kindText)
                WHERE number = \(number)
                """
            )
        }
    }

    /// Removes an endpoint with all its messages.
    ///
    /// - Throws: ``WebhookProblem/unknown``, any database error.
    package func remove(
        _ number: Int64,
        of application: Int64,
        noting: @escaping Noting = { _ in }
    ) async throws {
        try await change(number, of: application, noting) { _, transaction in
            try transaction.execute("DELETE FROM webhook_endpoint WHERE number = \(number)")
        }
    }

    /// Gives an endpoint another secret; for a day, messages are signed with both.
    ///
    /// - Returns: the new secret, which cannot be read again.
    /// - Throws: ``WebhookProblem/unknown``, any database error.
    package func replaceSecret(
        of number: Int64,
        of application: Int64,
        at now: Moment,
        noting: @escaping Noting = { _ in }
    ) async throws -> WebhookSecret {
        let secret = WebhookSecret.random()
        let key = try sealed(secret, of: number)
        let ends = now.adding(seconds: Self.formerSeconds)
        try await change(number, of: application, noting) { _, transaction in
            try transaction.execute(
                """
                UPDATE webhook_endpoint SET former = secret, former_ends = \(ends), secret = \(key)
                WHERE number = \(number)
                """
            )
        }
        return secret
    }

    /// Opens an endpoint that was shut; what happened meanwhile is not told.
    ///
    /// - Throws: ``WebhookProblem/unknown``, any database error.
    package func open(
        _ number: Int64,
        of application: Int64,
        noting: @escaping Noting = { _ in }
    ) async throws {
        try await change(number, of: application, noting) { _, transaction in
            try transaction.execute(
                """
                UPDATE webhook_endpoint SET shut = NULL, is_told = 0, failing = NULL,
                    failures = 0, failed = NULL, retry = 0
                WHERE number = \(number)
                """
            )
            try transaction.announce()
        }
    }

    /// Queues a test message to an endpoint.
    ///
    /// - Returns: the id of the message.
    /// - Throws: ``WebhookProblem/unknown``, ``WebhookProblem/isShut``, any database error.
    package func sendTest(
        to number: Int64,
        of application: Int64,
        at now: Moment,
        noting: @escaping Noting = { _ in }
    ) async throws -> String {
        let id = id(of: "test \(UInt64.random(in: .min ... .max))", to: number)
        let body = WebhookEvent.test.body(at: now, person: nil)
        let listener = Listener(application: application, person: nil, scopes: Self.scopes)
        try await change(number, of: application, noting) { row, transaction in
            guard try row.optionalMoment("shut") == nil else { throw WebhookProblem.isShut }
            let message = Message(
                id: id,
                subject: WebhookEvent.test.subject(for: nil),
                kind: .test,
                body: body
            )
            try Self.append(message, to: number, for: listener, at: now, in: transaction)
            try Self.hasten(number, at: now, in: transaction)
        }
        return id
    }

    /// Sends a message again, under its own id.
    ///
    /// One that waits for its next attempt is sent at once.
    ///
    /// - Throws: ``WebhookProblem/unknown``, ``WebhookProblem/isShut``, any database error.
    package func sendAgain(
        _ id: String,
        to number: Int64,
        of application: Int64,
        at now: Moment,
        noting: @escaping Noting = { _ in }
    ) async throws {
        try await change(number, of: application, noting) { row, transaction in
            guard try row.optionalMoment("shut") == nil else { throw WebhookProblem.isShut }
            try Self.checkHasAddress(row)
            let found = try transaction.row(
                """
                SELECT position, subject, state FROM webhook_delivery
                WHERE endpoint = \(number) AND id = \(id)
                """
            )
            guard let found else { throw WebhookProblem.unknown }
            try Self.requeue(found, of: number, at: now, in: transaction)
            try Self.hasten(number, at: now, in: transaction)
        }
    }

    /// The permissions of which an application needs one to have endpoints.
    package static let scopes = Scope.ofRides.union([.followPlans])

    private static func requeue(
        _ row: Row,
        of endpoint: Int64,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        let position: Int64 = try row.value("position")
        let subject: String = try row.value("subject")
        let place: SQL = "endpoint = \(endpoint) AND position = \(position)"
        switch WebhookDelivery.State(rawValue: try row.value("state")) {
        case .waiting:
            try transaction.execute("UPDATE webhook_delivery SET due = \(now) WHERE \(place)")
        case .delivered, .givenUp, .dropped:
            let state = try first(of: subject, of: endpoint, in: transaction)
            try transaction.execute(
                """
                UPDATE webhook_delivery SET state = \(state.rawValue), due = \(now), settled = NULL
                WHERE \(place)
                """
            )
        // It is sent anyway.
        case .behind, .sending, nil: break
        }
    }

    private func change(
        _ number: Int64,
        of application: Int64,
        _ noting: @escaping Noting,
        _ body: @escaping @Sendable (Row, Transaction) throws -> Void
    ) async throws {
        try await database.write { transaction in
            let row = try Self.row(number, of: application, in: transaction)
            try body(row, transaction)
            try noting(transaction)
        }
    }

    /// Nothing is sent to an endpoint that is read as a stream.
    private static func checkHasAddress(_ row: Row) throws {
        guard try row.value("is_stream", as: Int64.self) == 0 else { throw WebhookProblem.unknown }
    }

    /// Lets the next attempt to an endpoint be made at once.
    private static func hasten(
        _ number: Int64,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        try transaction.execute(
            "UPDATE webhook_endpoint SET retry = \(now) WHERE number = \(number)"
        )
        try transaction.announce()
    }
}

extension WebhookForm {
    /// The types of events in the format of the database.
    fileprivate var kindText: String { kinds.sorted().map(\.rawValue).joined(separator: " ") }
}
