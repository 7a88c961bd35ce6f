/// The access of a `Database.read` or `Database.write` body to the database.
///
/// It must not escape the body. After a failed statement all later ones fail with the same error,
/// and the transaction is rolled back, on both engines.
package final class Transaction {
    private let session: any Session
    private(set) var failure: DatabaseFailure?
    /// How many rows its statements have changed.
    private(set) var changed = 0

    init(_ session: any Session) {
        self.session = session
    }

    /// Runs a statement and returns its rows.
    ///
    /// - Throws: any `DatabaseFailure` of the engine.
    package func rows(_ statement: SQL) throws(DatabaseFailure) -> [Row] {
        try answers([statement])[0].rows
    }

    /// Runs statements in order, sent together if the engine is remote.
    ///
    /// - Returns: the rows of each.
    package func rows(_ statements: [SQL]) throws(DatabaseFailure) -> [[Row]] {
        try answers(statements).map(\.rows)
    }

    /// Runs a statement and returns its first row.
    package func row(_ statement: SQL) throws(DatabaseFailure) -> Row? {
        try rows(statement).first
    }

    /// Runs a statement that changes rows.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    package func execute(_ statement: SQL) throws(DatabaseFailure) -> Int {
        try answers([statement])[0].changed
    }

    /// Runs statements in order, sent together if the engine is remote.
    ///
    /// - Returns: the number of rows changed by each.
    @discardableResult
    package func execute(_ statements: [SQL]) throws(DatabaseFailure) -> [Int] {
        try answers(statements).map(\.changed)
    }

    /// Notifies subscribers of `Database.changes()` after the commit.
    package func announce() throws(DatabaseFailure) {
        if let failure { throw failure }
        do {
            try session.queue("\(.announcement)")
        } catch {
            failure = error
            throw error
        }
    }

    /// Runs statements in order, sent together if the engine is remote.
    ///
    /// - Returns: the rows of each, and how many it changed.
    func answers(_ statements: [SQL]) throws(DatabaseFailure) -> [Answer] {
        if let failure { throw failure }
        do {
            let answers = try session.run(statements)
            precondition(
                answers.count == statements.count,
                "A session has not answered each statement exactly once."
            )
            for answer in answers { changed += answer.changed }
            return answers
        } catch {
            failure = error
            throw error
        }
    }
}
