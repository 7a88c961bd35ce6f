package import Chronology
package import Storage

/// The subscribed browsers.
package struct PushSubscriptions: Sendable {
    /// How many browsers one person may have; a new one takes the place of the oldest.
    package static let limit = 10

    private let database: Database

    /// The subscriptions of a database.
    package init(in database: Database) {
        self.database = database
    }

    /// Stores a subscription; a browser that somebody else had subscribed is this person's now.
    package func add(_ subscription: PushSubscription, at now: Moment) async throws {
        try await database.write { transaction in
            try transaction.execute([
                """
                INSERT INTO push_subscription (id, person, endpoint, key, secret, subscribed)
                VALUES (
                    \(subscription.id), \(subscription.person), \(subscription.endpoint),
                    \(subscription.key), \(subscription.secret), \(now.milliseconds)
                ) ON CONFLICT (id) DO UPDATE SET person = excluded.person, key = excluded.key,
                    secret = excluded.secret, subscribed = excluded.subscribed
                """,
                """
                DELETE FROM push_subscription WHERE id IN (
                    SELECT id FROM push_subscription WHERE person = \(subscription.person)
                    ORDER BY subscribed DESC, id LIMIT 1000000 OFFSET \(Self.limit)
                )
                """,
            ])
        }
    }

    /// Forgets a browser of a person: by the person's wish, or when a session ends.
    package func remove(_ id: String, of person: String) async throws {
        try await database.write { transaction in
            _ = try transaction.execute(
                "DELETE FROM push_subscription WHERE id = \(id) AND person = \(person)"
            )
        }
    }

    /// A person's browsers, the latest first.
    package func subscriptions(of person: String) async throws -> [PushSubscription] {
        try await find("person = \(person) ORDER BY subscribed DESC, id")
    }

    func subscription(_ id: String) async throws -> PushSubscription? {
        try await find("id = \(id)").first
    }

    private func find(_ condition: SQL) async throws -> [PushSubscription] {
        try await database.read { transaction in
            try transaction.rows(
                "SELECT person, endpoint, key, secret FROM push_subscription WHERE \(condition)"
            ).map { row in
                PushSubscription(
                    person: try row.value("person"),
                    endpoint: try row.value("endpoint"),
                    key: try row.value("key"),
                    secret: try row.value("secret")
                )
            }
        }
    }
}
