/// The contents of a database or a backup, summarised by table.
///
/// If the tables of two summaries are equal, the databases contain the same rows, on either engine.
package struct BackupSummary: Sendable, Equatable {
    /// The summary of one table.
    package struct Table: Sendable, Equatable {
        package let name: String
        /// The number of rows.
        package let rows: Int
        /// SHA-256 of the rows in the order of the primary key.
        package let digest: [UInt8]
    }

    /// The executed migrations in order.
    package let migrations: [String]
    /// The tables, each after the tables that it references.
    package let tables: [Table]

    /// The total number of rows.
    package var rows: Int { tables.reduce(0) { $0 + $1.rows } }

    /// Returns the first table that differs; nil if all are equal.
    package func firstDifference(from other: BackupSummary) -> String? {
        for (own, others) in zip(tables, other.tables) where own != others { return own.name }
        return tables.count == other.tables.count
            ? nil : (tables.count > other.tables.count ? tables : other.tables).last?.name
    }
}
