/// The error of a database operation.
///
/// Unless stated otherwise, nothing was written.
package enum DatabaseFailure: Error, Sendable, Equatable {
    /// The address is neither `sqlite:FILE` nor `postgres://…`.
    case badAddress(String)
    /// The database cannot be opened or the server cannot be reached.
    case unavailable(String)
    /// The configuration of the database or server could lose committed transactions.
    case notDurable(String)
    /// This program has closed the database.
    case closed
    /// The connection broke before the commit.
    case connectionLost(String)
    /// The connection or the disk failed during the commit, so its outcome is unknown.
    case outcomeUnknown(String)
    /// The time limit passed before the result was available.
    case deadlineExceeded
    /// More calls are waiting than the limit permits.
    case tooManyWaiting(limit: Int)
    /// Another connection held a required lock for too long.
    case busy
    /// Concurrent transactions conflicted repeatedly.
    case conflict
    /// The disk has no space left.
    case diskFull(String)
    /// The disk failed to read or write.
    case inputOutput(String)
    /// The stored data is not a valid database.
    case damaged(String)
    /// A constraint of the schema forbids the change.
    case constraint(Constraint, String)
    /// The engine rejects the statement.
    case badStatement(String)
    /// A text contains a NUL character, which PostgreSQL cannot store.
    case badText
    /// The result has no such column.
    case noColumn(String)
    /// The value in a column has a different type than requested.
    case wrongType(column: String, expected: String, found: String)

    /// Whether the database could not do what any caller may ask of it, for a reason that an
    /// operator can remove: it is away, full, broken or overloaded.
    package var isOutage: Bool {
        switch self {
        case .unavailable, .notDurable, .connectionLost, .outcomeUnknown, .deadlineExceeded,
            .tooManyWaiting, .busy, .conflict, .diskFull, .inputOutput:
            true
        case .badAddress, .closed, .damaged, .constraint, .badStatement, .badText, .noColumn,
            .wrongType:
            false
        }
    }

    /// The constraints of a schema.
    package enum Constraint: Sendable, Equatable {
        case unique
        case foreignKey
        case notNull
        case check
        case other
    }
}

extension DatabaseFailure {
    /// Whether a retry of the transaction may succeed; nothing was written.
    var isWorthAnotherTry: Bool {
        switch self {
        case .conflict, .connectionLost: true
        default: false
        }
    }
}
