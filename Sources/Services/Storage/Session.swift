/// One connection to an engine, used by one thread at a time.
protocol Session: AnyObject {
    /// Begins a transaction; connects first where needed.
    ///
    /// - Parameters:
    ///   - access: what it may do.
    ///   - deadline: when it and its statements must be done; the commit is given longer.
    /// - Throws: `deadlineExceeded`, or why there is no connection.
    func begin(_ access: Access, deadline: ContinuousClock.Instant) throws(DatabaseFailure)

    /// Gives the statements from now on another deadline: those of the next body.
    func limit(to deadline: ContinuousClock.Instant)

    /// Runs statements in order and stops at the first that fails.
    ///
    /// - Returns: an answer for each statement.
    func run(_ statements: [SQL]) throws(DatabaseFailure) -> [Answer]

    /// Remembers a statement that has no answer worth waiting for; it runs before the next.
    func queue(_ statement: SQL) throws(DatabaseFailure)

    /// Whether a transaction is open that can still go on; a failure can end it.
    var isInTransaction: Bool { get }

    /// Ends the transaction; when it returns, its changes are durable.
    func commit() throws(DatabaseFailure)

    /// Ends a transaction that has only read, and of which nothing failed.
    func endReading()

    /// Undoes the transaction, if there is one, whatever state the connection is in.
    func rollback()
}

/// What a transaction may do.
enum Access: Sendable {
    case reading
    case writing
}

/// What a statement gave.
struct Answer: Sendable {
    /// Its rows, for statements that have any.
    var rows: [Row] = []
    /// How many rows it changed.
    var changed = 0
    /// Whether it was a commit that the server turned into its opposite.
    var isUndone = false
}
