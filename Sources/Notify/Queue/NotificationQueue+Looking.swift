package import Chronology
import Storage

extension NotificationQueue {
    /// What became of a message, or of its part for one channel.
    package struct Entry: Sendable, Equatable {
        /// The channel; nil for the message itself.
        package let channel: Channel?
        /// What kind of message it is.
        package let kind: Kind
        /// Where it stands.
        package let state: State
        /// How often it was tried.
        package let attempts: Int64
        /// When it was posted.
        package let posted: Moment
        /// When it was over; nil while it waits.
        package let settled: Moment?
        /// What the other side said last, without personal data.
        package let answer: String?
    }

    /// A message and its parts, the message first; nothing where it is unknown.
    package func entries(of posting: PostingId) async throws -> [Entry] {
        try await entries("posting = \(posting.text) ORDER BY channel, target")
    }

    /// The latest of what concerns a person, latest first.
    package func entries(of person: String, limit: Int) async throws -> [Entry] {
        try await entries("person = \(person) ORDER BY posted DESC, posting LIMIT \(limit)")
    }

    /// The latest of a kind, whoever it is for, latest first; the part that went out comes after
    /// its message.
    ///
    /// - Complexity: O(rows).
    package func entries(of kind: Kind, limit: Int) async throws -> [Entry] {
        try await entries(
            "kind = \(kind.rawValue) ORDER BY posted DESC, posting, channel LIMIT \(limit)"
        )
    }

    /// How many rows stand where, for metrics and the console.
    ///
    /// - Complexity: O(rows).
    package func counts() async throws -> [State: Int] {
        try await database.read { transaction in
            let rows = try transaction.rows(
                "SELECT state, COUNT(*) AS count FROM notification GROUP BY state"
            )
            var counts: [State: Int] = [:]
            for row in rows {
                guard let state = State(rawValue: try row.value("state")) else { continue }
                counts[state] = try row.value("count")
            }
            return counts
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
                guard let kind = Kind(rawValue: try row.value("kind")),
                    let state = State(rawValue: try row.value("state"))
                else { return nil }
                let settled: Int64? = try row.value("settled")
                return Entry(
                    channel: Channel(rawValue: try row.value("channel")),
                    kind: kind,
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
