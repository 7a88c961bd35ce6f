/// Lets a receiver apply what is delivered at least once exactly once.
package enum Inbox {
    /// Marks an item as received, in the transaction that applies it.
    ///
    /// - Parameters:
    ///   - id: the item's id.
    ///   - receiver: who applies it.
    ///   - transaction: the one in which it is applied.
    /// - Returns: whether it is here for the first time and is to be applied.
    /// - Throws: any `DatabaseFailure` of the engine.
    package static func accept(
        _ id: String,
        by receiver: String,
        in transaction: Transaction
    ) throws(DatabaseFailure) -> Bool {
        try transaction.execute(
            """
            INSERT INTO inbox (receiver, id, accepted) VALUES (\(receiver), \(id), \(.now))
            ON CONFLICT DO NOTHING
            """
        ) > 0
    }

    /// Forgets ids that are older than any sender still repeats.
    ///
    /// - Returns: how many were forgotten.
    @discardableResult
    package static func forget(olderThan age: Duration, in database: Database) async throws -> Int {
        try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM inbox WHERE accepted < \(.now) - \(age.milliseconds)"
            )
        }
    }
}
