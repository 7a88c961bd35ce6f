import Crypto

extension Database {
    /// How long a backup or a restore may take: hours, on a metropolis with slow disks.
    private static var backupLimit: Duration { .seconds(6 * 3_600) }

    /// Writes a copy of this moment's state into a file, while others read and write.
    ///
    /// It holds whole transactions only, and can be restored on either engine. Nobody but the
    /// file's owner can read it, and it is durable when this returns; until then it has no end,
    /// and is refused by ``restore(from:migrations:)``.
    ///
    /// - Parameter path: the file; what was in it is gone.
    /// - Returns: what the copy holds.
    /// - Throws: `BackupFailure` or `DatabaseFailure`.
    /// - Complexity: O(database); memory for some hundred rows.
    @discardableResult
    package func backup(to path: String) async throws -> BackupSummary {
        try await read(within: Self.backupLimit) { transaction in
            // A read that lost its connection runs again: so the file is begun here.
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

    /// What the database holds at this moment, to compare it with another.
    ///
    /// - Complexity: O(database).
    package func summary() async throws -> BackupSummary {
        try await read(within: Self.backupLimit) { try Self.summary(in: $0) }
    }

    /// Checks that a backup is whole and what was written.
    ///
    /// - Parameter path: the file.
    /// - Returns: what it holds.
    /// - Throws: `BackupFailure`.
    package static func check(backup path: String) throws -> BackupSummary {
        try BackupContents(path).read { _ in }
    }

    /// Fills this empty database from a backup, then brings it to the version of this program.
    ///
    /// All of it is one transaction: where it fails, the database is as empty as before. What was
    /// restored is read again and compared with the backup's checksums before it counts.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - migrations: all steps of the schema that this program knows, in order.
    /// - Returns: what was restored, before newer steps ran.
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

    /// Checks that there are no tables: that the database can be restored into.
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

    /// Makes the schema that the backup was made of, and writes its rows.
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
                // Migrations may have put rows there, but the backup's are the ones that count.
                try transaction.execute(known.reversed().map(\.clearing))
            case .table(let shape):
                guard known.contains(shape) else {
                    throw BackupFailure.differs(table: shape.name)
                }
                table = shape
            case .rows(let rows):
                guard let table else { throw BackupFailure.damaged(path) }
                try transaction.execute(rows.map { table.insertion(of: $0) })
            }
        }
    }
}

/// A step of the schema as a database or a backup remembers it.
struct MigrationStep: Sendable, Equatable {
    var name: String
    var digest: [UInt8]

    /// As a backup's header has it.
    var values: [SQLValue] { [.text(name), .bytes(digest)] }

    /// The steps that have run, in order.
    ///
    /// - Throws: `BackupFailure.nothing` where none has.
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

    /// The program's own step of this name.
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
    /// Pages aim at so many bytes: a backup's memory.
    private static let pageBytes = 1 << 20
    /// How many rows a page has at most.
    private static let pageRows = 4_096

    private let table: TableShape

    init(of table: TableShape) {
        self.table = table
    }

    /// Reads all rows.
    ///
    /// - Parameters:
    ///   - transaction: where.
    ///   - body: gets whole rows, as bytes.
    /// - Returns: how many rows there were, and their digest.
    /// - Throws: what the body or the database throws.
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
            var payload: [UInt8] = []
            for row in rows { for value in row.values { RowCoding.append(value, to: &payload) } }
            hash.update(data: payload)
            try body(payload)
            count += rows.count
            guard rows.count == limit else { break }
            last = rows.last?.values
            // Rows of a table are of like size; a snapshot may have megabytes, a zone's name ten.
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
