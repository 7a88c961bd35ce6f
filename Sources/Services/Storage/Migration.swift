import Crypto

/// A migration from one version of the schema to the next.
///
/// The list is append-only: a migration that was released is neither changed nor removed.
package struct Migration: Sendable {
    /// The name `NNNN-verb-noun`; the numbers grow in the order of execution.
    package let name: String
    /// The statements, executed in one transaction.
    package let statements: [SQL]

    /// Creates a migration from its statements.
    package init(_ name: String, _ statements: [SQL]) {
        self.name = name
        self.statements = statements
    }

    /// The table of executed migrations.
    static let table: SQL = """
        CREATE TABLE IF NOT EXISTS migration (
            name \(.text) NOT NULL PRIMARY KEY,
            digest \(.bytes) NOT NULL,
            applied \(.integer) NOT NULL
        ) \(.strict)
        """

    /// The digest that the database stores to detect a later edit of the migration.
    ///
    /// It covers the source text, independently of an engine's dialect.
    var digest: [UInt8] {
        var hash = SHA256()
        for statement in statements {
            for piece in statement.pieces {
                let text =
                    switch piece {
                    case .text(let written): written
                    case .word(let word): "\\(.\(word.rawValue))"
                    case .value(let value): "\\(\(value))"
                    }
                hash.update(data: Array(text.utf8))
            }
            hash.update(data: [0])
        }
        return Array(hash.finalize())
    }
}

/// The error of a database that cannot be migrated to the program's version.
package enum MigrationFailure: Error, Sendable, Equatable {
    /// The database has a migration that this program does not know, made by a newer version.
    case newerDatabase(migration: String)
    /// A migration differs from the one that ran on this database.
    case edited(migration: String)
    /// The program lists a new migration before one that has already run.
    case outOfOrder(migration: String)
    /// A name is not `NNNN-verb-noun`, or does not follow the previous one.
    case badName(String)
}

extension Database {
    /// The time limit of one migration, since indexes over large tables take long.
    private static var migrationLimit: Duration { .seconds(3_600) }

    /// How often to retry if another server creates the first table at the same time.
    private static var firstTableAttempts: Int { 5 }

    /// Migrates the schema to the version of this program.
    ///
    /// Several servers may do this at once; each migration runs once.
    ///
    /// - Parameter migrations: all migrations of all modules since the first, in order.
    /// - Returns: the names of the migrations that ran now.
    /// - Throws: `MigrationFailure` or `DatabaseFailure`; migrations before the failed one remain.
    @discardableResult
    package func migrate(_ migrations: [Migration]) async throws -> [String] {
        try Self.checkNames(migrations)
        try await makeMigrationTable()
        var done: [String] = []
        while true {
            let name = try await write(within: Self.migrationLimit) { transaction in
                try Self.runNext(of: migrations, in: transaction)
            }
            guard let name else { return done }
            precondition(!done.contains(name), "A migration ran twice.")
            done.append(name)
        }
    }

    private func makeMigrationTable() async throws {
        var attempt = 1
        while true {
            do {
                try await write { try $0.execute(Migration.table) }
                return
            } catch let failure as DatabaseFailure where attempt < Self.firstTableAttempts {
                // PostgreSQL's IF NOT EXISTS does not wait for a concurrent creation: the later
                // server finds the type or table name in use.
                switch failure {
                case .constraint, .badStatement: attempt += 1
                default: throw failure
                }
            }
        }
    }

    private static func runNext(
        of migrations: [Migration],
        in transaction: Transaction
    ) throws -> String? {
        try transaction.execute("\(.migrationLock)")
        let applied = try transaction.rows("SELECT name, digest FROM migration ORDER BY name")
        for (place, row) in applied.enumerated() {
            let name: String = try row.value("name")
            guard let known = migrations.first(where: { $0.name == name }) else {
                throw MigrationFailure.newerDatabase(migration: name)
            }
            guard try row.value("digest") == known.digest else {
                throw MigrationFailure.edited(migration: name)
            }
            guard migrations[place].name == name else {
                throw MigrationFailure.outOfOrder(migration: migrations[place].name)
            }
        }
        guard applied.count < migrations.count else { return nil }
        let next = migrations[applied.count]
        try transaction.execute(next.statements)
        let recorded = try transaction.execute(
            "INSERT INTO migration VALUES (\(next.name), \(next.digest), \(.now))"
        )
        precondition(recorded == 1, "A migration ran and was not recorded.")
        return next.name
    }

    private static func checkNames(_ migrations: [Migration]) throws(MigrationFailure) {
        var last = ""
        for migration in migrations {
            let parts = migration.name.split(separator: "-", omittingEmptySubsequences: false)
            let isNumbered =
                parts[0].utf8.count == 4
                && parts[0].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
            let isNamed = parts.count >= 3 && parts.allSatisfy { !$0.isEmpty }
            guard isNumbered, isNamed, String(parts[0]) > last else {
                throw .badName(migration.name)
            }
            last = String(parts[0])
        }
    }
}
