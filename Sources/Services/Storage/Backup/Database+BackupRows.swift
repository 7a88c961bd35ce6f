extension Database {
    /// Checks a backup as ``check(backup:)`` does, and lends the rows of some tables on the way.
    ///
    /// The end of the file is checked last: what the body was lent counts only when this returns.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - tables: the names of the tables whose rows are wanted.
    ///   - body: gets the name of a table and one of its rows, in the order of the primary key.
    /// - Returns: what the backup holds.
    /// - Throws: what the body throws, `BackupFailure`.
    @discardableResult
    package static func check(
        backup path: String,
        lending tables: Set<String>,
        to body: (String, Row) throws -> Void
    ) throws -> BackupSummary {
        var table = ""
        var columns: [String]?
        return try BackupContents(path).read { event in
            switch event {
            case .header: break
            case .table(let shape):
                table = shape.name
                columns = tables.contains(table) ? shape.columns.map(\.name) : nil
            case .rows(let rows):
                guard let columns else { return }
                for row in rows { try body(table, Row(columns: columns, values: row)) }
            }
        }
    }
}
