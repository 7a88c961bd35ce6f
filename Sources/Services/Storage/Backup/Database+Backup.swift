import Crypto

extension Database {
    /// The time limit of a backup or restore, which takes hours for a large city on slow disks.
    private static var backupLimit: Duration { .seconds(6 * 3_600) }

    /// Writes a snapshot of the database into a file, concurrently with reads and writes.
    ///
    /// The file contains complete transactions only and can be restored on either engine. Only its
    /// owner can read it, and it is durable when this returns. Until then its end is missing, so
    /// that ``restore(from:migrations:)`` rejects it.
    ///
    /// - Parameter path: the file, which is replaced if it exists.
    /// - Returns: a summary of the contents.
    /// - Throws: `BackupFailure` or `DatabaseFailure`.
    /// - Complexity: O(database); memory for some hundred rows.
    @discardableResult
    package func backup(to path: String) async throws -> BackupSummary {
        try await read(within: Self.backupLimit) { transaction in
            // The file is created here, because a read that lost its connection runs again.
            let tables = try Catalogue.tables(in: transaction)
            let steps = try MigrationStep.all(in: transaction, of: tables)
            let writer = try BackupWriter(path)
            try writer.write(.header, steps.flatMap(\.values))
            var counted: [BackupSummary.Table] = []
            for table in tables {
                try writer.write(.table, table.values)
                let end = try TableScan(of: table).run(in: transaction) { payload in
                    try writer.write(.rows, payload)
                }
                try writer.write(.tableEnd, [.integer(Int64(end.rows)), .bytes(end.digest)])
                counted.append(end)
            }
            try writer.finish()
            return BackupSummary(migrations: steps.map(\.name), tables: counted)
        }
    }

    /// Summarises the current contents, to compare them with another database.
    ///
    /// - Complexity: O(database).
    package func summary() async throws -> BackupSummary {
        try await read(within: Self.backupLimit) { try Self.summary(in: $0) }
    }

    /// Checks that a backup is complete and undamaged.
    ///
    /// - Parameter path: the path of the file.
    /// - Returns: a summary of the contents.
    /// - Throws: `BackupFailure`.
    package static func check(backup path: String) throws -> BackupSummary {
        try BackupContents(path).read { _ in }
    }

    /// Fills this empty database from a backup and migrates it to the version of this program.
    ///
    /// This is a single transaction: if it fails, the database is empty as before. The restored
    /// rows are read again and compared with the backup's checksums before the commit.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - migrations: all migrations of this program, in order.
    /// - Returns: a summary of the restored contents, before newer migrations ran.
    /// - Throws: `BackupFailure`, `DatabaseFailure` or `MigrationFailure`.
    @discardableResult
    package func restore(
        from path: String,
        migrations: [Migration]
    ) async throws -> BackupSummary {
        let expected = try Self.check(backup: path)
        try await write(within: Self.backupLimit) { transaction in
            try Self.checkEmpty(in: transaction)
            try Self.load(path, migrations, in: transaction)
            let found = try Self.summary(in: transaction)
            if let table = found.firstDifference(from: expected) {
                throw BackupFailure.differs(table: table)
            }
        }
        try await migrate(migrations)
        return expected
    }

    /// Checks that there are no tables, so that a backup can be restored.
    ///
    /// - Throws: `BackupFailure.notEmpty`.
    package func checkEmpty() async throws {
        try await read { try Self.checkEmpty(in: $0) }
    }

    private static func checkEmpty(in transaction: Transaction) throws {
        if let table = try Catalogue.anyTable(in: transaction) {
            throw BackupFailure.notEmpty(table: table)
        }
    }

    private static func summary(in transaction: Transaction) throws -> BackupSummary {
        let tables = try Catalogue.tables(in: transaction)
        let steps = try MigrationStep.all(in: transaction, of: tables)
        return BackupSummary(
            migrations: steps.map(\.name),
            tables: try tables.map { try TableScan(of: $0).run(in: transaction) { _ in } }
        )
    }

    /// Creates the schema of the backup and inserts its rows.
    private static func load(
        _ path: String,
        _ migrations: [Migration],
        in transaction: Transaction
    ) throws {
        var known: [TableShape] = []
        var table: TableShape?
        let contents = try BackupContents(path)
        try contents.read { event in
            switch event {
            case .header(let steps):
                try transaction.execute(Migration.table)
                for step in try steps.map({ try $0.known(among: migrations) }) {
                    try transaction.execute(step.statements)
                }
                known = try Catalogue.tables(in: transaction)
                // Rows inserted by migrations are replaced by those of the backup.
                try transaction.execute(known.reversed().map(\.clearing))
            case .table(let shape):
                guard known.contains(shape) else {
                    throw BackupFailure.differs(table: shape.name)
                }
                table = shape
            case .rows(let rows):
                guard let table else { throw BackupFailure.damaged(path) }
                let inserted = try transaction.execute(rows.map { table.insertion(of: $0) })
                precondition(
                    inserted.allSatisfy { $0 == 1 },
                    "A row of a backup was not inserted exactly once."
                )
            }
        }
    }
}

/// A migration as recorded in a database or a backup.
struct MigrationStep: Sendable, Equatable {
    var name: String
    var digest: [UInt8]

    /// The encoding in a backup's header.
    var values: [SQLValue] { [.text(name), .bytes(digest)] }

    /// Returns the executed migrations in order.
    ///
    /// - Throws: `BackupFailure.nothing` if there are none.
    static func all(
        in transaction: Transaction,
        of tables: [TableShape]
    ) throws -> [MigrationStep] {
        guard tables.contains(where: { $0.name == "migration" }) else {
            throw BackupFailure.nothing
        }
        return try transaction.rows("SELECT name, digest FROM migration ORDER BY name").map {
            MigrationStep(name: try $0.value("name"), digest: try $0.value("digest"))
        }
    }

    /// Returns this program's migration of the same name.
    func known(among migrations: [Migration]) throws(BackupFailure) -> Migration {
        guard let known = migrations.first(where: { $0.name == name }) else {
            throw .newer(migration: name)
        }
        guard known.digest == digest else { throw .otherSchema(migration: name) }
        return known
    }
}

/// Reads a table from its first row to its last.
struct TableScan {
    /// The targeted page size in bytes, which determines the memory of a backup.
    private static let pageBytes = 1 << 20
    /// The most rows of a page.
    private static let pageRows = 4_096

    private let table: TableShape

    init(of table: TableShape) {
        self.table = table
    }

    /// Reads all rows in pages.
    ///
    /// - Parameters:
    ///   - transaction: the transaction to read in.
    ///   - body: receives complete rows in encoded form.
    /// - Returns: the number of rows and their digest.
    /// - Throws: errors of the body or the database.
    func run(
        in transaction: Transaction,
        _ body: ([UInt8]) throws -> Void
    ) throws -> BackupSummary.Table {
        var hash = SHA256()
        var count = 0
        var last: [SQLValue]?
        var limit = 16
        while true {
            let rows = try transaction.rows(table.page(after: last, limit: limit))
            guard !rows.isEmpty else { break }
            precondition(rows.count <= limit, "A page of a table has more rows than asked for.")
            var payload: [UInt8] = []
            for row in rows { for value in row.values { RowCoding.append(value, to: &payload) } }
            hash.update(data: payload)
            try body(payload)
            count += rows.count
            guard rows.count == limit else { break }
            last = rows.last?.values
            // Rows of a table have similar sizes; a snapshot may have megabytes, a
            // zone's name ten bytes.
            let wanted = rows.count * Self.pageBytes / max(payload.count, 1)
            limit = min(max(wanted, 1), Self.pageRows)
        }
        return BackupSummary.Table(
            name: table.name,
            rows: count,
            digest: Array(hash.finalize())
        )
    }
}
