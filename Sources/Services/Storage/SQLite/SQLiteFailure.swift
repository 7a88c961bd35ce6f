import GRDB

extension DatabaseFailure {
    /// Maps an error of SQLite or GRDB.
    init(_ error: any Error) {
        if let failure = error as? DatabaseFailure {
            self = failure
            return
        }
        guard let error = error as? DatabaseError else {
            self = .unavailable("\(error)")
            return
        }
        let message = error.message ?? "\(error.extendedResultCode)"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        case .SQLITE_INTERRUPT: self = .deadlineExceeded
        case .SQLITE_FULL: self = .diskFull(message)
        case .SQLITE_IOERR:
            self = .inputOutput("\(message) (\(error.extendedResultCode.rawValue))")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT: self = .damaged(message)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_READONLY:
            self = .unavailable(message)
        case .SQLITE_MISUSE: self = .closed
        case .SQLITE_CONSTRAINT: self = .constraint(Self.constraint(of: error), message)
        default: self = .badStatement(message)
        }
    }

    private static func constraint(of error: DatabaseError) -> Constraint {
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
            .unique
        case .SQLITE_CONSTRAINT_FOREIGNKEY: .foreignKey
        case .SQLITE_CONSTRAINT_NOTNULL: .notNull
        case .SQLITE_CONSTRAINT_CHECK: .check
        default: .other
        }
    }
}
