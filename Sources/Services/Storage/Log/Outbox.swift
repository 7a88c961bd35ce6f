/// What a log's entries cause outside: handed out at least once, until it is completed.
///
/// An item that is handed out and not completed comes again later, so receivers deduplicate by its
/// id. A worker takes due items, delivers them, and completes or postpones each.
package struct Outbox: Sendable {
    /// How many items are handed out at once at most.
    package static let claimLimit = 1_000

    private let log: String
    private let database: Database

    /// The outbox of a log.
    package init(of log: EventLog) {
        self.log = log.name
        database = log.database
    }

    /// An item that was handed out.
    package struct Item: Sendable, Hashable {
        /// Which item it is; the same whenever it is handed out.
        package let id: ItemId
        /// What kind of receiver it is for.
        package let kind: String
        /// What the receiver gets.
        package let payload: [UInt8]
        /// The how manieth time it is handed out, from 1.
        package let attempt: Int64
    }

    /// Which item: the entry that caused it and its number among those of that entry.
    package struct ItemId: Sendable, Hashable, CustomStringConvertible {
        /// The sequence number of the entry.
        package let sequence: Int64
        /// From 0.
        package let ordinal: Int64

        /// The id of an item.
        package init(sequence: Int64, ordinal: Int64) {
            self.sequence = sequence
            self.ordinal = ordinal
        }

        /// Both numbers, for receivers that want one text.
        package var description: String { "\(sequence).\(ordinal)" }
    }

    /// Takes due items, earliest first, and keeps them from others for a while.
    ///
    /// - Parameters:
    ///   - count: how many at most; no more than `claimLimit`.
    ///   - hold: after how long they are handed out again unless completed.
    /// - Returns: the items, by due time, then id.
    /// - Throws: `DatabaseFailure`.
    package func claim(_ count: Int, for hold: Duration) async throws -> [Item] {
        let limit = Swift.min(Swift.max(count, 1), Self.claimLimit)
        return try await database.write { [log] transaction in
            let due = try transaction.rows(
                """
                SELECT sequence, ordinal, kind, payload, attempts FROM outbox
                WHERE log = \(log) AND due <= \(.now)
                ORDER BY due, sequence, ordinal LIMIT \(limit) \(.skipLocked)
                """
            )
            let items = try due.map(Self.item)
            try transaction.execute(
                items.map { item in
                    """
                    UPDATE outbox SET attempts = attempts + 1, due = \(.now) + \(hold.milliseconds)
                    WHERE \(Self.place(item.id, in: log))
                    """
                }
            )
            return items
        }
    }

    /// Due items, earliest first, which are kept from nobody: for who alone delivers them, to the
    /// same database, and so completes them with that.
    ///
    /// - Parameter count: how many at most; no more than `claimLimit`.
    /// - Returns: the items, by due time, then id.
    /// - Throws: `DatabaseFailure`.
    package func due(_ count: Int) async throws -> [Item] {
        let limit = Swift.min(Swift.max(count, 1), Self.claimLimit)
        return try await database.read(isBrief: true) { [log] transaction in
            try transaction.rows(
                """
                SELECT sequence, ordinal, kind, payload, attempts FROM outbox
                WHERE log = \(log) AND due <= \(.now)
                ORDER BY due, sequence, ordinal LIMIT \(limit)
                """
            ).map(Self.item)
        }
    }

    private static func item(_ row: Row) throws -> Item {
        Item(
            id: ItemId(
                sequence: try row.value("sequence"),
                ordinal: try row.value("ordinal")
            ),
            kind: try row.value("kind"),
            payload: try row.value("payload"),
            attempt: try row.value("attempts", as: Int64.self) + 1
        )
    }

    /// Forgets items that were delivered, or that never will be.
    package func complete(_ ids: [ItemId]) async throws {
        try await database.write { try complete(ids, in: $0) }
    }

    /// Forgets items in the transaction in which they are delivered, where that is to the same
    /// database.
    package func complete(_ ids: [ItemId], in transaction: Transaction) throws {
        try transaction.execute(
            ids.map { "DELETE FROM outbox WHERE \(Self.place($0, in: log))" }
        )
    }

    /// Hands an item out again after a pause; `backoff(attempt:)` says how long it should be.
    package func postpone(_ id: ItemId, for pause: Duration) async throws {
        try await database.write { [log] transaction in
            _ = try transaction.execute(
                """
                UPDATE outbox SET due = \(.now) + \(pause.milliseconds)
                WHERE \(Self.place(id, in: log))
                """
            )
        }
    }

    /// Drops the oldest items beyond a number, lest an outbox that nobody empties grow for ever.
    ///
    /// - Parameter limit: how many items to keep.
    /// - Returns: how many were dropped: worth a warning.
    /// - Throws: `DatabaseFailure`.
    package func trim(to limit: Int) async throws -> Int {
        try await database.write { [log] transaction in
            let first = try transaction.row(
                """
                SELECT sequence, ordinal FROM outbox WHERE log = \(log)
                ORDER BY sequence DESC, ordinal DESC LIMIT 1 OFFSET \(limit)
                """
            )
            guard let first else { return 0 }
            let sequence: Int64 = try first.value("sequence")
            return try transaction.execute(
                """
                DELETE FROM outbox WHERE log = \(log) AND (sequence < \(sequence)
                    OR (sequence = \(sequence)
                        AND ordinal <= \(try first.value("ordinal", as: Int64.self))))
                """
            )
        }
    }

    /// How many items there are, due or not.
    ///
    /// - Complexity: O(items).
    package func count() async throws -> Int {
        try await database.read { [log] transaction in
            try transaction.row("SELECT COUNT(*) AS count FROM outbox WHERE log = \(log)")?
                .value("count") ?? 0
        }
    }

    /// How long to wait after a failed attempt: one second, doubled each time, at most an hour.
    package static func backoff(attempt: Int64) -> Duration {
        let doublings = Swift.min(Swift.max(attempt, 1) - 1, 12)
        return .seconds(Swift.min(1 << doublings, 3_600))
    }

    private static func place(_ id: ItemId, in log: String) -> SQL {
        "log = \(log) AND sequence = \(id.sequence) AND ordinal = \(id.ordinal)"
    }
}
