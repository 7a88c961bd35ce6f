package import Chronology
package import Storage

/// Encrypts and decrypts personal data under a key of each person.
///
/// Destroying the key erases the person's data, in all backups as well.
package protocol PersonalSeal: Sendable {
    /// Encrypts a text under the key of a person.
    ///
    /// - Returns: nil if the person is erased.
    /// - Throws: an error if the key is temporarily unavailable.
    func close(_ text: String, of person: String) async throws -> [UInt8]?
    /// Decrypts a sealed text.
    ///
    /// - Returns: nil if the person is erased, or the data was not sealed for this person.
    /// - Throws: an error if the key is temporarily unavailable.
    func open(_ sealed: [UInt8], of person: String) async throws -> String?
}

/// The push subscriptions of all people, sealed so that only their owner and the sender
/// know the endpoints.
package struct PushSubscriptions: Sendable {
    /// The most browsers of one person; a new one replaces the oldest.
    package static let limit = 10

    private let database: Database
    private let seal: any PersonalSeal

    /// Creates access to the subscriptions in a database.
    ///
    /// - Parameters:
    ///   - database: the database that stores them.
    ///   - seal: encrypts and decrypts the stored data.
    package init(in database: Database, under seal: any PersonalSeal) {
        self.database = database
        self.seal = seal
    }

    /// Stores a subscription.
    ///
    /// It takes over a browser that another person had subscribed, and replaces another
    /// subscription of the same session, because a session has one browser.
    ///
    /// - Parameters:
    ///   - subscription: the subscription; not stored if the person is erased.
    ///   - session: the session that subscribed, if any; a log-out there ends the subscription.
    ///   - now: the current time.
    /// - Throws: `DatabaseFailure`; errors of the seal.
    package func add(
        _ subscription: PushSubscription,
        session: Int64? = nil,
        at now: Moment
    ) async throws {
        let person = subscription.person
        guard let sealed = try await seal.close(try subscription.text, of: person) else { return }
        let former: SQL = "person = \(person) AND session = \(session)"
        try await database.write { transaction in
            try Self.replace(
                former,
                by: subscription,
                sealed,
                session: session,
                at: now,
                transaction
            )
        }
    }

    /// Replaces the subscription of a browser after its endpoint changed; no effect if there is
    /// none, for example because its owner removed it.
    ///
    /// - Parameters:
    ///   - subscription: the new subscription; not stored if the person is erased.
    ///   - old: the previous endpoint; nil if the browser does not know it.
    ///   - session: the current session of the browser, which may differ from the subscribing one.
    ///   - now: the current time.
    /// - Throws: `DatabaseFailure`; errors of the seal.
    package func renew(
        _ subscription: PushSubscription,
        from old: String?,
        session: Int64,
        at now: Moment
    ) async throws {
        let person = subscription.person
        guard let sealed = try await seal.close(try subscription.text, of: person) else { return }
        let id = old.map(PushSubscription.id) ?? ""
        let former: SQL = "person = \(person) AND (session = \(session) OR id = \(id))"
        try await database.write { transaction in
            let found = try transaction.row(
                "SELECT 1 AS one FROM push_subscription WHERE \(former) LIMIT 1"
            )
            guard found != nil else { return }
            try Self.replace(
                former,
                by: subscription,
                sealed,
                session: session,
                at: now,
                transaction
            )
        }
    }

    private static func replace(
        _ former: SQL,
        by subscription: PushSubscription,
        _ sealed: [UInt8],
        session: Int64?,
        at now: Moment,
        _ transaction: Transaction
    ) throws {
        let changed = try transaction.execute([
            "DELETE FROM push_subscription WHERE \(former)",
            """
            INSERT INTO push_subscription (id, person, sealed, subscribed, session)
            VALUES (
                \(subscription.id), \(subscription.person), \(sealed),
                \(now.milliseconds), \(session)
            ) ON CONFLICT (id) DO UPDATE SET person = excluded.person,
                sealed = excluded.sealed, subscribed = excluded.subscribed,
                session = excluded.session
            """,
            """
            DELETE FROM push_subscription WHERE id IN (
                SELECT id FROM push_subscription WHERE person = \(subscription.person)
                ORDER BY subscribed DESC, id LIMIT 1000000 OFFSET \(Self.limit)
            )
            """,
        ])
        precondition(changed[1] == 1, "A subscription was not stored as exactly one row.")
    }

    /// Deletes a subscription at its owner's request.
    package func remove(_ id: String, of person: String) async throws {
        try await delete("id = \(id) AND person = \(person)")
    }

    /// Deletes the subscription of a session that a person ends.
    package func remove(ofSession session: Int64, of person: String) async throws {
        try await delete("session = \(session) AND person = \(person)")
    }

    /// Deletes all subscriptions of a person except that of one session.
    package func removeAll(of person: String, butOfSession session: Int64) async throws {
        try await delete("person = \(person) AND (session IS NULL OR session <> \(session))")
    }

    private func delete(_ condition: SQL) async throws {
        try await database.write { transaction in
            _ = try transaction.execute("DELETE FROM push_subscription WHERE \(condition)")
        }
    }

    /// Transfers a subscription to the session that replaces its own; deletes it if the new session
    /// belongs to another person.
    package func move(
        fromSession old: Int64,
        to new: Int64,
        of person: String
    ) async throws {
        precondition(old != new, "A session was to replace itself, which ends its subscription.")
        try await database.write { transaction in
            try transaction.execute([
                """
                UPDATE push_subscription SET session = \(new)
                WHERE session = \(old) AND person = \(person)
                """,
                "DELETE FROM push_subscription WHERE session = \(old)",
            ])
        }
    }

    /// A subscription in its owner's list.
    package struct Entry: Sendable, Equatable {
        /// The identifier of the subscription.
        package let id: String
        /// The host of the push service: `updates.push.services.mozilla.com`.
        package let service: String
        /// The session that subscribed, if any.
        package let session: Int64?
        /// When the browser was subscribed.
        package let subscribed: Moment
    }

    /// Lists a person's subscriptions for a page, latest first.
    package func entries(of person: String) async throws -> [Entry] {
        try await stored("person = \(person) ORDER BY subscribed DESC, id").map { stored in
            let parts = stored.subscription.endpoint.split(separator: "/")
            return Entry(
                id: stored.subscription.id,
                service: parts.count > 1 ? String(parts[1]) : "",
                session: stored.session,
                subscribed: stored.subscribed
            )
        }
    }

    /// Lists a person's subscriptions, latest first.
    package func subscriptions(of person: String) async throws -> [PushSubscription] {
        try await stored("person = \(person) ORDER BY subscribed DESC, id").map(\.subscription)
    }

    /// Lists the identifiers of a person's subscriptions, latest first.
    func names(of person: String) async throws -> [String] {
        try await database.read { transaction in
            try transaction.rows(
                """
                SELECT id FROM push_subscription WHERE person = \(person)
                ORDER BY subscribed DESC, id
                """
            ).map { try $0.value("id") }
        }
    }

    func subscription(_ id: String) async throws -> PushSubscription? {
        try await stored("id = \(id)").first?.subscription
    }

    private struct Row: Sendable {
        var person: String
        var sealed: [UInt8]
        var session: Int64?
        var subscribed: Moment
    }

    private struct Stored: Sendable {
        var subscription: PushSubscription
        var session: Int64?
        var subscribed: Moment
    }

    private func stored(_ condition: SQL) async throws -> [Stored] {
        let rows = try await database.read { transaction in
            try transaction.rows(
                """
                SELECT person, sealed, session, subscribed FROM push_subscription
                WHERE \(condition)
                """
            ).map { row in
                Row(
                    person: try row.value("person"),
                    sealed: try row.value("sealed"),
                    session: try row.value("session"),
                    subscribed: Moment(milliseconds: try row.value("subscribed"))
                )
            }
        }
        var found: [Stored] = []
        for row in rows {
            guard let text = try await seal.open(row.sealed, of: row.person),
                let subscription = PushSubscription(person: row.person, text: text)
            else { continue }
            found.append(
                Stored(
                    subscription: subscription,
                    session: row.session,
                    subscribed: row.subscribed
                )
            )
        }
        return found
    }
}
