import Crypto

/// A step from one version of the schema to the next.
///
/// Steps are only ever added: what has run somewhere never changes and never goes away.
package struct Migration: Sendable {
    /// `NNNN-verb-noun`; the numbers grow in the order of the steps.
    package let name: String
    /// What it does, in one transaction.
    package let statements: [SQL]

    /// A step.
    package init(_ name: String, _ statements: [SQL]) {
        self.name = name
        self.statements = statements
    }

    /// The table of the steps that have run.
    static let table: SQL = """
        CREATE TABLE IF NOT EXISTS migration (
            name \(.text) NOT NULL PRIMARY KEY,
            digest \(.bytes) NOT NULL,
            applied \(.integer) NOT NULL
        ) \(.strict)
        """

    /// What the database remembers of a step, to notice when somebody edits it.
    ///
    /// It is of what was written, not of how an engine spells it.
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

/// Why a database cannot be brought to the program's version.
package enum MigrationFailure: Error, Sendable, Equatable {
    /// The database has a step that this program does not know: it was used by a newer one.
    case newerDatabase(migration: String)
    /// A step differs from what ran on this database.
    case edited(migration: String)
    /// The program lists a step before one that already ran here.
    case outOfOrder(migration: String)
    /// A step's name is not `NNNN-verb-noun`, or not after the one before it.
    case badName(String)
}

extension Database {
    /// How long one step may take: indexes over large tables take their time.
    private static var migrationLimit: Duration { .seconds(3_600) }

    /// How often to try again when another server makes the first table at the same moment.
    private static var firstTableAttempts: Int { 5 }

    /// Brings the schema to the version of this program.
    ///
    /// Several servers may do this at once; each step runs once.
    ///
    /// - Parameter migrations: all steps since the beginning, of all rooms, in order.
    /// - Returns: the names of the steps that ran now.
    /// - Throws: `MigrationFailure` or `DatabaseFailure`; the steps before the failing one stay.
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
                // PostgreSQL's IF NOT EXISTS does not wait for another server that does the same:
                // the one of the two that is late finds its type or its name taken.
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
        try transaction.execute(
            "INSERT INTO migration VALUES (\(next.name), \(next.digest), \(.now))"
        )
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
