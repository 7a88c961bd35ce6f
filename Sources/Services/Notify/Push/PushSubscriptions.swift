package import Chronology
package import Storage

/// Closes what is stored of people under a key of each person, and opens it.
///
/// Whose key is gone is erased, in all backups too: nothing of the person can be opened again.
package protocol PersonalSeal: Sendable {
    /// Closes a text.
    ///
    /// - Returns: nil where the person is erased.
    /// - Throws: where the key cannot be had now.
    func close(_ text: String, of person: String) async throws -> [UInt8]?
    /// Opens what was closed.
    ///
    /// - Returns: nil where the person is erased, or something else was closed.
    /// - Throws: where the key cannot be had now.
    func open(_ sealed: [UInt8], of person: String) async throws -> String?
}

/// The subscribed browsers, sealed: where a browser is reached is known to nobody but its owner
/// and who sends.
package struct PushSubscriptions: Sendable {
    /// How many browsers one person may have; a new one takes the place of the oldest.
    package static let limit = 10

    private let database: Database
    private let seal: any PersonalSeal

    /// The subscriptions of a database.
    ///
    /// - Parameters:
    ///   - database: where they are stored.
    ///   - seal: closes and opens what is stored of each.
    package init(in database: Database, under seal: any PersonalSeal) {
        self.database = database
        self.seal = seal
    }

    /// Stores a subscription; a browser that somebody else had subscribed is this person's now,
    /// and another of the same session is forgotten: a browser has one.
    ///
    /// - Parameters:
    ///   - subscription: the browser; that of an erased person is not stored.
    ///   - session: the session in which it was subscribed, if any: it ends with a log-out there.
    ///   - now: the moment it is.
    /// - Throws: `DatabaseFailure`; what the seal throws.
    package func add(
        _ subscription: PushSubscription,
        session: Int64? = nil,
        at now: Moment
    ) async throws {
        let person = subscription.person
        guard let sealed = try await seal.close(try subscription.text, of: person) else { return }
        let former: SQL = "person = \(person) AND session = \(session)"
        try await database.write { transaction in
            try transaction.execute(
                ["DELETE FROM push_subscription WHERE \(former)"]
                    + Self.insertions(of: subscription, sealed, session: session, at: now)
            )
        }
    }

    /// Puts a subscription in the place of the one that the same browser had; nothing where there
    /// is none, as where its owner has removed it.
    ///
    /// - Parameters:
    ///   - subscription: the browser as it is now; that of an erased person is not stored.
    ///   - old: the address that it had; nil where it does not know.
    ///   - session: the session that it has: that may be another than the one in which it was
    ///     subscribed.
    ///   - now: the moment it is.
    /// - Throws: `DatabaseFailure`; what the seal throws.
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
            try transaction.execute(
                ["DELETE FROM push_subscription WHERE \(former)"]
                    + Self.insertions(of: subscription, sealed, session: session, at: now)
            )
        }
    }

    private static func insertions(
        of subscription: PushSubscription,
        _ sealed: [UInt8],
        session: Int64?,
        at now: Moment
    ) -> [SQL] {
        [
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
        ]
    }

    /// Forgets a browser of a person, by the person's wish.
    package func remove(_ id: String, of person: String) async throws {
        try await delete("id = \(id) AND person = \(person)")
    }

    /// Forgets the browser of a session that a person ends.
    package func remove(ofSession session: Int64, of person: String) async throws {
        try await delete("session = \(session) AND person = \(person)")
    }

    /// Forgets all browsers of a person but that of one session.
    package func removeAll(of person: String, butOfSession session: Int64) async throws {
        try await delete("person = \(person) AND (session IS NULL OR session <> \(session))")
    }

    private func delete(_ condition: SQL) async throws {
        try await database.write { transaction in
            _ = try transaction.execute("DELETE FROM push_subscription WHERE \(condition)")
        }
    }

    /// Makes the browser of a session one of the session that takes its place; where that is
    /// somebody else's, the browser is forgotten.
    package func move(
        fromSession old: Int64,
        to new: Int64,
        of person: String
    ) async throws {
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

    /// A browser in its owner's list.
    package struct Entry: Sendable, Equatable {
        /// Its name here.
        package let id: String
        /// The name of its push service: `updates.push.services.mozilla.com`.
        package let service: String
        /// The session in which it was subscribed, if any.
        package let session: Int64?
        /// When it was subscribed.
        package let subscribed: Moment
    }

    /// A person's browsers as a page lists them, the latest first.
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

    /// A person's browsers, the latest first.
    package func subscriptions(of person: String) async throws -> [PushSubscription] {
        try await stored("person = \(person) ORDER BY subscribed DESC, id").map(\.subscription)
    }

    /// The names of a person's browsers, the latest first.
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
