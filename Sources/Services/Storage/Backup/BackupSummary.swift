/// What a database or a backup of it holds, table by table.
///
/// Two databases whose summaries have the same tables hold the same rows, on whichever engine.
package struct BackupSummary: Sendable, Equatable {
    /// One table.
    package struct Table: Sendable, Equatable {
        /// Its name.
        package let name: String
        /// How many rows it has.
        package let rows: Int
        /// SHA-256 of its rows in the order of their primary key.
        package let digest: [UInt8]
    }

    /// The steps of the schema that have run, in order.
    package let migrations: [String]
    /// The tables, each after those that it refers to.
    package let tables: [Table]

    /// How many rows all tables have together.
    package var rows: Int { tables.reduce(0) { $0 + $1.rows } }

    /// The first table that is not the same in both; nil where all are.
    package func firstDifference(from other: BackupSummary) -> String? {
        for (own, others) in zip(tables, other.tables) where own != others { return own.name }
        return tables.count == other.tables.count
            ? nil : (tables.count > other.tables.count ? tables : other.tables).last?.name
    }
}
