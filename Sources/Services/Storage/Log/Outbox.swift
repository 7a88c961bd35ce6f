/// The external effects of a log's entries, delivered at least once.
///
/// An item that is claimed and not completed is delivered again later, so receivers deduplicate by
/// its id. A worker claims due items, delivers them, and completes or postpones each.
package struct Outbox: Sendable {
    /// The most items claimed at once.
    package static let claimLimit = 1_000

    private let log: String
    private let database: Database

    /// Creates access to the outbox of a log.
    package init(of log: EventLog) {
        self.log = log.name
        database = log.database
    }

    /// An item that this worker has claimed.
    package struct Item: Sendable, Hashable {
        /// The id, the same for each delivery.
        package let id: ItemId
        /// The type of its receiver.
        package let kind: String
        /// The content for the receiver.
        package let payload: [UInt8]
        /// The delivery attempt, counted from 1.
        package let attempt: Int64
    }

    /// The id of an item: the entry that caused it and its index among the items of that entry.
    package struct ItemId: Sendable, Hashable, CustomStringConvertible {
        /// The sequence number of the entry.
        package let sequence: Int64
        /// The index of the item, counted from 0.
        package let ordinal: Int64

        package init(sequence: Int64, ordinal: Int64) {
            self.sequence = sequence
            self.ordinal = ordinal
        }

        /// Both numbers as one text.
        package var description: String { "\(sequence).\(ordinal)" }
    }

    /// Claims due items, earliest first, and withholds them from other workers for a while.
    ///
    /// - Parameters:
    ///   - count: the most items, up to `claimLimit`.
    ///   - hold: the time after which uncompleted items are delivered again.
    /// - Returns: the items by due time, then id.
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
            precondition(items.count <= limit, "More items were claimed than asked for.")
            let claimed = try transaction.execute(
                items.map { item in
                    """
                    UPDATE outbox SET attempts = attempts + 1, due = \(.now) + \(hold.milliseconds)
                    WHERE \(Self.place(item.id, in: log))
                    """
                }
            )
            precondition(
                claimed.allSatisfy { $0 == 1 },
                "An item was claimed that is not in the outbox."
            )
            return items
        }
    }

    /// Returns due items, earliest first, without claiming them.
    ///
    /// It suits a single worker that delivers to the same database and completes items in the
    /// same transaction.
    ///
    /// - Parameter count: the most items, up to `claimLimit`.
    /// - Returns: the items by due time, then id.
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

    /// Deletes items that were delivered or never will be.
    package func complete(_ ids: [ItemId]) async throws {
        try await database.write { try complete(ids, in: $0) }
    }

    /// Deletes items in the transaction that delivers them to the same database.
    package func complete(_ ids: [ItemId], in transaction: Transaction) throws {
        let deleted = try transaction.execute(
            ids.map { "DELETE FROM outbox WHERE \(Self.place($0, in: log))" }
        )
        precondition(deleted.allSatisfy { $0 <= 1 }, "Two items of the outbox had the same id.")
    }

    /// Schedules another delivery after a pause; see `backoff(attempt:)`.
    package func postpone(_ id: ItemId, for pause: Duration) async throws {
        precondition(pause >= .zero, "An item was postponed into the past.")
        try await database.write { [log] transaction in
            let postponed = try transaction.execute(
                """
                UPDATE outbox SET due = \(.now) + \(pause.milliseconds)
                WHERE \(Self.place(id, in: log))
                """
            )
            precondition(postponed <= 1, "Two items of the outbox had the same id.")
        }
    }

    /// Drops the oldest items beyond a limit, so that an outbox without a worker does
    /// not grow forever.
    ///
    /// - Parameter limit: the number of items to keep.
    /// - Returns: the number of dropped items, worth a warning.
    /// - Throws: `DatabaseFailure`.
    package func trim(to limit: Int) async throws -> Int {
        precondition(limit >= 0, "A negative number of items was to be kept.")
        return try await database.write { [log] transaction in
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

    /// The number of items, due or not.
    ///
    /// - Complexity: O(items).
    package func count() async throws -> Int {
        try await database.read { [log] transaction in
            try transaction.row("SELECT COUNT(*) AS count FROM outbox WHERE log = \(log)")?
                .value("count") ?? 0
        }
    }

    /// The pause after a failed attempt: one second, doubled each time, at most an hour.
    package static func backoff(attempt: Int64) -> Duration {
        let doublings = Swift.min(Swift.max(attempt, 1) - 1, 12)
        return .seconds(Swift.min(1 << doublings, 3_600))
    }

    private static func place(_ id: ItemId, in log: String) -> SQL {
        "log = \(log) AND sequence = \(id.sequence) AND ordinal = \(id.ordinal)"
    }
}
