/// A connection to an engine, used by one thread at a time.
protocol Session: AnyObject {
    /// Begins a transaction, connecting first if necessary.
    ///
    /// - Parameters:
    ///   - access: whether the transaction may write.
    ///   - deadline: the deadline of its statements; the commit may take longer.
    /// - Throws: `deadlineExceeded`, or the error of the connection.
    func begin(_ access: Access, deadline: ContinuousClock.Instant) throws(DatabaseFailure)

    /// Sets another deadline for the statements that follow, which belong to another body.
    func limit(to deadline: ContinuousClock.Instant)

    /// Runs statements in order and stops at the first that fails.
    ///
    /// - Returns: an answer for each statement.
    func run(_ statements: [SQL]) throws(DatabaseFailure) -> [Answer]

    /// Queues a statement whose answer is not needed; it runs before the next one.
    func queue(_ statement: SQL) throws(DatabaseFailure)

    /// Whether a usable transaction is open; an error can end it.
    var isInTransaction: Bool { get }

    /// Commits the transaction; its changes are durable on return.
    func commit() throws(DatabaseFailure)

    /// Ends a transaction that has only read, without errors.
    func endReading()

    /// Rolls back the transaction, if any, whatever the state of the connection.
    func rollback()
}

enum Access: Sendable {
    case reading
    case writing
}

/// The result of a statement.
struct Answer: Sendable {
    /// The rows, for statements that return any.
    var rows: [Row] = []
    /// The number of changed rows.
    var changed = 0
    /// Whether it was a commit that the server turned into a rollback.
    var isUndone = false
}
