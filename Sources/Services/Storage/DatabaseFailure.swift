/// Why the database did not do what it was asked.
///
/// Unless it says otherwise, nothing was written.
package enum DatabaseFailure: Error, Sendable, Equatable {
    /// The address is neither `sqlite:FILE` nor `postgres://…`.
    case badAddress(String)
    /// It cannot be opened or reached.
    case unavailable(String)
    /// The database or server is set up so that a commit could be lost.
    case notDurable(String)
    /// It was closed by this program.
    case closed
    /// The connection broke before the transaction was committed.
    case connectionLost(String)
    /// The connection or disk failed during the commit: the write may have taken place or not.
    case outcomeUnknown(String)
    /// The time given was over before the answer was there.
    case deadlineExceeded
    /// More calls are waiting than the limit allows.
    case tooManyWaiting(limit: Int)
    /// Another connection held what was needed for too long.
    case busy
    /// Concurrent transactions got into each other's way, again and again.
    case conflict
    /// There is no space left.
    case diskFull(String)
    /// The disk failed to read or write.
    case inputOutput(String)
    /// The stored bytes are not a sound database.
    case damaged(String)
    /// A rule of the schema forbids the change.
    case constraint(Constraint, String)
    /// The engine does not accept the statement.
    case badStatement(String)
    /// A text holds a NUL character, which the engines cannot both store.
    case badText
    /// An answer has no such column.
    case noColumn(String)
    /// A column holds another kind of value than was asked for.
    case wrongType(column: String, expected: String, found: String)

    /// The rules of a schema.
    package enum Constraint: Sendable, Equatable {
        case unique
        case foreignKey
        case notNull
        case check
        case other
    }
}
