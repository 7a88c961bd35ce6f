/// The error of a failed backup, check or restore.
package enum BackupFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The database contains no tables of this program.
    case nothing
    /// A file system operation failed, for the given reason.
    case file(String, reason: String)
    /// The file is not a backup.
    case foreign(String)
    /// The file is truncated.
    case cutShort(String)
    /// The content does not match its checksums.
    case damaged(String)
    /// The database to restore into is not empty.
    case notEmpty(table: String)
    /// The backup was made by a newer version of the program.
    case newer(migration: String)
    /// A migration of the backup differs from this program's.
    case otherSchema(migration: String)
    /// A table has no primary key, unsupported column types, or a reference to itself.
    case unfit(table: String)
    /// A restored table differs from the backup.
    case differs(table: String)

    /// One line for the operator: the problem and its solution.
    package var description: String {
        switch self {
        case .nothing: "the database is empty: there is nothing to back up; is its address right?"
        case .file(let path, let reason):
            "\(path): \(reason); is there space, and may the server write there?"
        case .foreign(let path): "\(path): is no backup that Viavai made."
        case .cutShort(let path): "\(path): is cut short; take another copy or another backup."
        case .damaged(let path): "\(path): is damaged; take another copy or another backup."
        case .notEmpty(let table):
            "the database to restore into is not empty (it has the table \(table)); "
                + "name a new one in the settings."
        case .newer(let migration):
            "the backup was made by a newer version (it knows \(migration)); update Viavai first."
        case .otherSchema(let migration):
            "the backup's schema differs from this program's at \(migration); "
                + "restore it with the version that made it."
        case .unfit(let table): "the table \(table) is not of a form that can be backed up."
        case .differs(let table):
            "the table \(table) came out different from the backup; nothing was restored."
        }
    }
}
