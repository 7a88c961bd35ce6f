/// How an engine spells SQL.
enum Dialect: Sendable {
    case sqlite
    case postgres
}

/// A word that the two engines spell differently.
package enum SQLWord: String, Sendable {
    /// The type of whole numbers of 64 bits.
    case integer
    /// The type of texts, compared and sorted by their code points.
    case text
    /// The type of byte strings.
    case bytes
    /// The end of every `CREATE TABLE`: columns hold what their types say.
    case strict
    /// The database's own clock, read once in a transaction: milliseconds since 1970 UTC.
    case now
    /// The end of a `SELECT` whose rows nobody else may change before this transaction ends.
    case forUpdate
    /// Like `forUpdate`, but rows that another transaction holds are left out.
    case skipLocked
    /// A statement that keeps every other migration waiting until this transaction ends.
    case migrationLock
    /// A statement that tells followers, once the transaction is committed, to look again.
    case announcement
    /// A statement that lists all columns of all tables; see `Catalogue`.
    case columnCatalogue
    /// A statement that lists which table refers to which; see `Catalogue`.
    case referenceCatalogue

    /// The name of the channel on which PostgreSQL tells followers of changes.
    static let channel = "viavai_changes"

    /// SQLite's clock, which stands still within a statement only; a session remembers what it
    /// said first in a transaction.
    static let statementClock = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

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
        case (.now, .sqlite): Self.statementClock
        case (.now, .postgres): "CAST(extract(epoch FROM transaction_timestamp()) * 1000 AS BIGINT)"
        case (.forUpdate, .sqlite), (.skipLocked, .sqlite): ""
        case (.forUpdate, .postgres): "FOR UPDATE"
        case (.skipLocked, .postgres): "FOR UPDATE SKIP LOCKED"
        // SQLite has one writer at a time and notices changes by itself.
        case (.migrationLock, .sqlite), (.announcement, .sqlite): "SELECT 1"
        // Unlike a SELECT it waits before the transaction fixes what it will see.
        case (.migrationLock, .postgres): "LOCK TABLE migration IN EXCLUSIVE MODE"
        case (.announcement, .postgres): "SELECT 1 FROM pg_notify('\(Self.channel)', '')"
        case (.columnCatalogue, _): Self.columnListing(in: dialect)
        case (.referenceCatalogue, _): Self.referenceListing(in: dialect)
        }
    }
}
