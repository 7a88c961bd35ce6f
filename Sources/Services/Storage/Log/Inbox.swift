/// Lets a receiver apply items exactly once that are delivered at least once.
package enum Inbox {
    /// Records an item as received, in the transaction that applies it.
    ///
    /// - Parameters:
    ///   - id: the item's id.
    ///   - receiver: the name of the receiver.
    ///   - transaction: the transaction that applies the item.
    /// - Returns: whether the item is new and must be applied.
    /// - Throws: any `DatabaseFailure` of the engine.
    package static func accept(
        _ id: String,
        by receiver: String,
        in transaction: Transaction
    ) throws(DatabaseFailure) -> Bool {
        let added = try transaction.execute(
            """
            INSERT INTO inbox (receiver, id, accepted) VALUES (\(receiver), \(id), \(.now))
            ON CONFLICT DO NOTHING
            """
        )
        precondition(added <= 1, "An item was recorded as received more than once.")
        return added == 1
    }

    /// Deletes ids that are too old for any sender to repeat the item.
    ///
    /// - Returns: the number of deleted ids.
    @discardableResult
    package static func forget(olderThan age: Duration, in database: Database) async throws -> Int {
        try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM inbox WHERE accepted < \(.now) - \(age.milliseconds)"
            )
        }
    }
}
