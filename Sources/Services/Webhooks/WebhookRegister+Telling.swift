package import Chronology
package import Identity
package import Storage

extension WebhookRegister {
    /// A message before it is queued.
    struct Message: Sendable {
        let id: String
        let subject: String
        let kind: WebhookEvent.Kind
        let body: String
    }

    /// Queues messages about rides, in the transaction that knows what happened.
    ///
    /// News that was told before changes nothing.
    ///
    /// - Parameters:
    ///   - news: what happened, in its order.
    ///   - now: the current time.
    ///   - transaction: the transaction to write in.
    /// - Throws: any database error.
    package func tellOfRides(
        _ news: [WebhookNews],
        at now: Moment,
        in transaction: Transaction
    ) throws {
        let requests = news.map { news in (number: news.request, passenger: news.person) }
        guard !news.isEmpty, try Self.isAnyOpen(in: transaction) else { return }
        let listeners = try Accounts.listeners(to: requests, at: now, in: transaction)
        for (news, listeners) in zip(news, listeners) {
            for listener in listeners {
                try tell(news, listener, at: now, in: transaction)
            }
        }
    }

    /// Queues a message that a plan no longer works; as for ``tellOfRides(_:at:in:)``.
    package func tellOfPlan(
        _ news: WebhookNews,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        guard try Self.isAnyOpen(in: transaction) else { return }
        let listeners = try Accounts.listeners(toPlansOf: news.person, at: now, in: transaction)
        for listener in listeners { try tell(news, listener, at: now, in: transaction) }
    }

    /// Deletes the messages about a person, as part of the erasure of the person.
    package static func forget(_ person: PersonNumber, in transaction: Transaction) throws {
        try transaction.execute("DELETE FROM webhook_delivery WHERE person = \(person)")
    }

    /// Most cities have no endpoint, and then nobody has to be looked up.
    private static func isAnyOpen(in transaction: Transaction) throws -> Bool {
        try transaction.row("SELECT 1 AS one FROM webhook_endpoint WHERE shut IS NULL LIMIT 1")
            != nil
    }

    private func tell(
        _ news: WebhookNews,
        _ listener: Listener,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        let endpoints = try transaction.rows(
            """
            SELECT number, kinds FROM webhook_endpoint
            WHERE application = \(listener.application) AND shut IS NULL ORDER BY number
            """
        )
        let kind = news.event.kind
        for row in endpoints {
            let kinds: String = try row.value("kinds")
            guard kinds.split(separator: " ").contains(Substring(kind.rawValue)) else { continue }
            let number: Int64 = try row.value("number")
            let person = listener.person.map { accounts.subject(of: $0, for: listener.application) }
            let message = Message(
                id: id(of: news.cause, to: number),
                subject: news.event.subject(for: listener.person),
                kind: kind,
                body: news.event.body(at: news.moment, person: person)
            )
            try Self.append(message, to: number, for: listener, at: now, in: transaction)
        }
    }

    static func append(
        _ message: Message,
        to endpoint: Int64,
        for listener: Listener,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        let known = try transaction.row(
            """
            SELECT 1 AS one FROM webhook_delivery
            WHERE endpoint = \(endpoint) AND id = \(message.id)
            """
        )
        guard known == nil else { return }
        let counted = try transaction.execute(
            "UPDATE webhook_endpoint SET last = last + 1 WHERE number = \(endpoint)"
        )
        let row = try transaction.row(
            "SELECT last, is_stream FROM webhook_endpoint WHERE number = \(endpoint)"
        )
        guard counted == 1, let row else {
            preconditionFailure("A message was queued to an endpoint that does not exist.")
        }
        let position: Int64 = try row.value("last")
        // What is read from a stream waits for nobody: it is settled as soon as it is written.
        let isStream = try row.value("is_stream", as: Int64.self) == 1
        let state =
            isStream
            ? .delivered : try first(of: message.subject, of: endpoint, in: transaction)
        let settled: Moment? = isStream ? now : nil
        try transaction.execute(
            """
            INSERT INTO webhook_delivery (
                endpoint, position, id, subject, kind, body, person, scopes, state, due, attempts,
                made, settled
            ) VALUES (
                \(endpoint), \(position), \(message.id), \(message.subject),
                \(message.kind.rawValue), \(message.body), \(listener.person),
                \(Scope.text(of: listener.scopes)), \(state.rawValue), \(now), 0, \(now),
                \(settled)
            )
            """
        )
        try transaction.announce()
    }

    /// The state of another message about a subject: it waits, or is behind another one.
    static func first(
        of subject: String,
        of endpoint: Int64,
        in transaction: Transaction
    ) throws -> WebhookDelivery.State {
        let first = try transaction.row(
            """
            SELECT 1 AS one FROM webhook_delivery
            WHERE endpoint = \(endpoint) AND subject = \(subject)
                AND state IN ('waiting', 'sending')
            """
        )
        return first == nil ? .waiting : .behind
    }
}

extension WebhookNews {
    /// The number of the request that the news is about; 0 if it is about none.
    fileprivate var request: Int64 {
        switch event {
        case .found(let request), .arrived(let request), .lost(let request),
            .ended(let request, _):
            request
        case .planBroken, .test: 0
        }
    }
}
