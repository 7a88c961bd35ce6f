/// What a body of `Database.read` or `Database.write` works with.
///
/// It must not leave the body. After a statement has failed, every later one fails in the same
/// way and the transaction is undone, on both engines.
package final class Transaction {
    private let session: any Session
    private(set) var failure: DatabaseFailure?

    init(_ session: any Session) {
        self.session = session
    }

    /// Runs a statement and gives all its rows.
    ///
    /// - Throws: any `DatabaseFailure` of the engine.
    package func rows(_ statement: SQL) throws(DatabaseFailure) -> [Row] {
        try answers([statement]).last?.rows ?? []
    }

    /// Runs statements one after another, sent together where the engine is far away.
    ///
    /// - Returns: the rows of each.
    package func rows(_ statements: [SQL]) throws(DatabaseFailure) -> [[Row]] {
        try answers(statements).map(\.rows)
    }

    /// Runs a statement and gives its first row.
    package func row(_ statement: SQL) throws(DatabaseFailure) -> Row? {
        try rows(statement).first
    }

    /// Runs a statement.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    package func execute(_ statement: SQL) throws(DatabaseFailure) -> Int {
        try answers([statement]).last?.changed ?? 0
    }

    /// Runs statements one after another, sent together where the engine is far away.
    ///
    /// - Returns: how many rows each of them changed.
    @discardableResult
    package func execute(_ statements: [SQL]) throws(DatabaseFailure) -> [Int] {
        try answers(statements).map(\.changed)
    }

    /// Tells those who listen to `Database.changes()` to look again after the commit.
    package func announce() throws(DatabaseFailure) {
        if let failure { throw failure }
        do {
            try session.queue("\(.announcement)")
        } catch {
            failure = error
            throw error
        }
    }

    /// Runs statements one after another, sent together where the engine is far away.
    ///
    /// - Returns: the rows of each, and how many it changed.
    func answers(_ statements: [SQL]) throws(DatabaseFailure) -> [Answer] {
        if let failure { throw failure }
        do {
            return try session.run(statements)
        } catch {
            failure = error
            throw error
        }
    }
}
