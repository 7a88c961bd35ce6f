/// Why a backup was not made, not sound, or not restored.
package enum BackupFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The database has no tables of ours: there is nothing to back up.
    case nothing
    /// The file system refused, with its words.
    case file(String, reason: String)
    /// The file is something else.
    case foreign(String)
    /// The file ends before its end.
    case cutShort(String)
    /// The file is not what was written.
    case damaged(String)
    /// The database to restore into holds a table already.
    case notEmpty(table: String)
    /// A newer version of the program made the backup.
    case newer(migration: String)
    /// The backup's schema has a step that differs from this program's.
    case otherSchema(migration: String)
    /// A table has no primary key, columns of other types, or refers to itself.
    case unfit(table: String)
    /// A restored table does not equal the backup's.
    case differs(table: String)

    /// One line for the operator: what is wrong and what to do.
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
