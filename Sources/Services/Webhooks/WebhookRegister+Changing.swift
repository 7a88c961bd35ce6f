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
    ///   - answering: makes the result of the endpoint.
    /// - Returns: the result; by default the number, and the secret, which cannot be read again.
    /// - Throws: ``WebhookProblem`` for a form with a problem, or if there are too many.
    @discardableResult
    package func add<Answer: Sendable>(
        _ form: WebhookForm,
        to application: Int64,
        at now: Moment,
        noting: @escaping Noting = { _ in },
        answering: @escaping Answering<SecretWebhook, Answer> = { made, _ in
            (number: made.endpoint.number, secret: made.secret)
        }
    ) async throws -> Answer {
        if let problem = form.problems(scope).first { throw problem }
        return try await insert(
            form,
            isStream: false,
            to: application,
            at: now,
            noting: noting,
            answering: answering
        )
    }

    /// Stores an endpoint whose form has no problems.
    func insert<Answer: Sendable>(
        _ form: WebhookForm,
        isStream: Bool,
        to application: Int64,
        at now: Moment,
        noting: @escaping Noting = { _ in },
        answering: @escaping Answering<SecretWebhook, Answer>
    ) async throws -> Answer {
        let number = Int64.random(in: 1...(1 << 53))
        let secret = WebhookSecret.random()
        let address = try sealed(address: form.address, of: number)
        let key = try sealed(secret, of: number)
        return try await database.write { transaction in
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
            let endpoint = try endpoint(number, of: application, in: transaction)
            return try answering(SecretWebhook(endpoint: endpoint, secret: secret), transaction)
        }
    }

    /// Changes the address and the types of events of an endpoint.
    ///
    /// Messages that wait go to the new address.
    ///
    /// - Returns: the result of `answering`, which is given the changed endpoint.
    /// - Throws: ``WebhookProblem`` for a form with a problem, or if there is no such endpoint.
    @discardableResult
    package func change<Answer: Sendable>(
        _ number: Int64,
        of application: Int64,
        to form: WebhookForm,
        noting: @escaping Noting = { _ in },
        answering: @escaping Answering<WebhookEndpoint, Answer> = { changed, _ in changed }
    ) async throws -> Answer {
        if let problem = form.problems(scope).first { throw problem }
        let address = try sealed(address: form.address, of: number)
        return try await change(number, of: application, noting, answering) { row, transaction in
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
    /// - Returns: the result of `answering`, which is given the endpoint as it was.
    /// - Throws: ``WebhookProblem/unknown``, any database error.
    @discardableResult
    package func remove<Answer: Sendable>(
        _ number: Int64,
        of application: Int64,
        noting: @escaping Noting = { _ in },
        answering: @escaping Answering<WebhookEndpoint, Answer> = { removed, _ in removed }
    ) async throws -> Answer {
        try await database.write { transaction in
            let endpoint = try endpoint(number, of: application, in: transaction)
            try transaction.execute("DELETE FROM webhook_endpoint WHERE number = \(number)")
            try noting(transaction)
            return try answering(endpoint, transaction)
        }
    }

    /// Gives an endpoint another secret; for a day, messages are signed with both.
    ///
    /// - Returns: the result of `answering`; by default the new secret, which cannot be read again.
    /// - Throws: ``WebhookProblem/unknown``, any database error.
    package func replaceSecret<Answer: Sendable>(
        of number: Int64,
        of application: Int64,
        at now: Moment,
        noting: @escaping Noting = { _ in },
        answering: @escaping Answering<SecretWebhook, Answer> = { made, _ in made.secret }
    ) async throws -> Answer {
        let secret = WebhookSecret.random()
        let key = try sealed(secret, of: number)
        let ends = now.adding(seconds: Self.formerSeconds)
        return try await change(number, of: application, noting) { endpoint, transaction in
            try answering(SecretWebhook(endpoint: endpoint, secret: secret), transaction)
        } _: { _, transaction in
            try transaction.execute(
                """
                UPDATE webhook_endpoint SET former = secret, former_ends = \(ends), secret = \(key)
                WHERE number = \(number)
                """
            )
        }
    }

    /// Opens an endpoint that was shut; what happened meanwhile is not told.
    ///
    /// - Returns: the result of `answering`, which is given the open endpoint.
    /// - Throws: ``WebhookProblem/unknown``, any database error.
    @discardableResult
    package func open<Answer: Sendable>(
        _ number: Int64,
        of application: Int64,
        noting: @escaping Noting = { _ in },
        answering: @escaping Answering<WebhookEndpoint, Answer> = { opened, _ in opened }
    ) async throws -> Answer {
        try await change(number, of: application, noting, answering) { _, transaction in
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
    /// - Returns: the result of `answering`; by default the id of the message.
    /// - Throws: ``WebhookProblem/unknown``, ``WebhookProblem/isShut``, any database error.
    package func sendTest<Answer: Sendable>(
        to number: Int64,
        of application: Int64,
        at now: Moment,
        noting: @escaping Noting = { _ in },
        answering: @escaping Answering<WebhookDelivery, Answer> = { message, _ in message.id }
    ) async throws -> Answer {
        let id = id(of: "test \(UInt64.random(in: .min ... .max))", to: number)
        let body = WebhookEvent.test.body(at: now, person: nil)
        let listener = Listener(application: application, person: nil, scopes: Self.scopes)
        return try await change(number, of: application, noting) { _, transaction in
            try answering(Self.delivery(id, to: number, in: transaction), transaction)
        } _: { row, transaction in
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
    }

    /// Sends a message again, under its own id.
    ///
    /// One that waits for its next attempt is sent at once.
    ///
    /// - Returns: the result of `answering`, which is given the message.
    /// - Throws: ``WebhookProblem/unknown``, ``WebhookProblem/isShut``, any database error.
    @discardableResult
    package func sendAgain<Answer: Sendable>(
        _ id: String,
        to number: Int64,
        of application: Int64,
        at now: Moment,
        noting: @escaping Noting = { _ in },
        answering: @escaping Answering<WebhookDelivery, Answer> = { message, _ in message }
    ) async throws -> Answer {
        try await change(number, of: application, noting) { _, transaction in
            try answering(Self.delivery(id, to: number, in: transaction), transaction)
        } _: { row, transaction in
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

    private func change<Answer: Sendable>(
        _ number: Int64,
        of application: Int64,
        _ noting: @escaping Noting,
        _ answering: @escaping Answering<WebhookEndpoint, Answer>,
        _ body: @escaping @Sendable (Row, Transaction) throws -> Void
    ) async throws -> Answer {
        try await database.write { transaction in
            let row = try Self.row(number, of: application, in: transaction)
            try body(row, transaction)
            try noting(transaction)
            return try answering(
                endpoint(number, of: application, in: transaction),
                transaction
            )
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
