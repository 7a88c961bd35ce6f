/// The SQL dialect of an engine.
enum Dialect: Sendable {
    case sqlite
    case postgres
}

/// A part of a statement that depends on the dialect.
package enum SQLWord: String, Sendable {
    /// The column type of 64-bit integers.
    case integer
    /// The column type of texts, which are compared by code points.
    case text
    /// The column type of byte strings.
    case bytes
    /// The end of each `CREATE TABLE`, which makes column types binding.
    case strict
    /// The time of the database's clock: milliseconds since 1970 UTC.
    case now
    /// The end of a `SELECT` that locks its rows until this transaction ends.
    case forUpdate
    /// Like `forUpdate`, but rows locked by another transaction are skipped.
    case skipLocked
    /// A statement that blocks other migrations until this transaction ends.
    case migrationLock
    /// A statement that notifies followers after the commit.
    case announcement
    /// The statement that lists all columns of all tables; see `Catalogue`.
    case columnCatalogue
    /// The statement that lists the references between tables; see `Catalogue`.
    case referenceCatalogue

    /// The PostgreSQL channel on which followers are notified of changes.
    static let channel = "viavai_changes"

    func spelling(in dialect: Dialect) -> String {
        switch (self, dialect) {
        case (.integer, .sqlite): "INTEGER"
        case (.integer, .postgres): "BIGINT"
        case (.text, .sqlite): "TEXT"
        case (.text, .postgres): "TEXT COLLATE \"C\""
        case (.bytes, .sqlite): "BLOB"
        case (.bytes, .postgres): "BYTEA"
        case (.strict, .sqlite): "STRICT"
        case (.strict, .postgres): ""
        case (.now, .sqlite): "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
        case (.now, .postgres): "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
        case (.forUpdate, .sqlite), (.skipLocked, .sqlite): ""
        case (.forUpdate, .postgres): "FOR UPDATE"
        case (.skipLocked, .postgres): "FOR UPDATE SKIP LOCKED"
        // SQLite has a single writer, and changes to it are detected by polling.
        case (.migrationLock, .sqlite), (.announcement, .sqlite): "SELECT 1"
        // Unlike a SELECT, it waits before the transaction's snapshot is taken.
        case (.migrationLock, .postgres): "LOCK TABLE migration IN EXCLUSIVE MODE"
        case (.announcement, .postgres): "SELECT 1 FROM pg_notify('\(Self.channel)', '')"
        case (.columnCatalogue, _): Self.columnListing(in: dialect)
        case (.referenceCatalogue, _): Self.referenceListing(in: dialect)
        }
    }
}
