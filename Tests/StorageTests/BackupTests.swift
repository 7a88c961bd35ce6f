import Foundation
import SeededRandom
import Storage
import StorageTestSupport
import TestSupport
import Testing

/// Issue 4, 4: backups of a live server on both databases; a restored copy equals the original.
@Suite("Backups")
struct BackupTests {
    private static let steps =
        Migration.storage + [
            Migration(
                "0900-create-things",
                [
                    """
                    CREATE TABLE b_parent (
                        name \(.text) NOT NULL, number \(.integer) NOT NULL, data \(.bytes),
                        PRIMARY KEY (name, number)
                    ) \(.strict)
                    """,
                    // By name it comes before the table that it references.
                    """
                    CREATE TABLE a_child (
                        id \(.bytes) NOT NULL PRIMARY KEY, name \(.text), number \(.integer),
                        "order" \(.integer),
                        FOREIGN KEY (name, number) REFERENCES b_parent (name, number)
                    ) \(.strict)
                    """,
                    "INSERT INTO b_parent VALUES ('seed', 0, NULL)",
                ]
            )
        ]

    private static let pairs = TestEngine.allCases.flatMap { first in
        TestEngine.allCases.map { (first, $0) }
    }

    /// Opens a database with the tables of these tests.
    private static func withTables(
        on engine: TestEngine,
        _ body: @Sendable (Database, String) async throws -> Void
    ) async throws {
        try await withDatabase(on: engine) { place in
            try await withTemporaryFolder { folder in
                let database = try await place.open()
                defer { database.close() }
                try await database.migrate(steps)
                try await body(database, folder + "/backup")
            }
        }
    }

    /// Provides an empty database.
    private static func withEmpty(
        on engine: TestEngine,
        _ body: @Sendable (Database) async throws -> Void
    ) async throws {
        try await withDatabase(on: engine) { place in
            let database = try await place.open()
            defer { database.close() }
            try await body(database)
        }
    }

    /// Inserts rows of all kinds: limits, empty values, other alphabets, more than a page.
    private static func fill(_ database: Database) async throws {
        let names = ["", "a", "A", "è", "\u{1F695}", "z\"'\\\n", "seed"]
        let numbers = [Int64.min, -1, 1, Int64.max]
        try await database.write { transaction in
            for name in names {
                for number in numbers {
                    let data: [UInt8]? =
                        number == 1
                        ? nil : Array(repeating: UInt8(truncatingIfNeeded: number), count: 9)
                    try transaction.execute(
                        "INSERT INTO b_parent VALUES (\(name), \(number), \(data))"
                    )
                }
            }
            try transaction.execute("DELETE FROM b_parent WHERE name = 'seed' AND number = 0")
            for number in 0..<300 {
                let id = [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
                let name: String? = number.isMultiple(of: 3) ? nil : names[number % names.count]
                try transaction.execute(
                    "INSERT INTO a_child VALUES (\(id), \(name), \(numbers[number % 4]), \(number))"
                )
            }
            let large = Array(repeating: UInt8(7), count: 3_000_000)
            try transaction.execute("INSERT INTO b_parent VALUES ('large', 1, \(large))")
            try transaction.execute("INSERT INTO b_parent VALUES ('none', 1, \([] as [UInt8]))")
        }
    }

    @Test("a restored copy equals the original, row by row, on either engine", arguments: pairs)
    func equal(from: TestEngine, to: TestEngine) async throws {
        try await Self.withTables(on: from) { original, file in
            try await Self.fill(original)
            let made = try await original.backup(to: file)
            #expect(made == (try Database.check(backup: file)))
            #expect(made == (try await original.summary()))
            #expect(made.tables.first { $0.name == "a_child" }?.rows == 300)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            try await Self.withEmpty(on: to) { copy in
                try await copy.restore(from: file, migrations: Self.steps)
                #expect(try await copy.summary() == made)
                let statement: SQL = "SELECT * FROM b_parent ORDER BY name, number"
                let before = try await original.read { try $0.rows(statement) }
                let after = try await copy.read { try $0.rows(statement) }
                #expect(before == after)
                let children: SQL = "SELECT * FROM a_child ORDER BY id"
                let second = try await copy.read { try $0.rows(children) }
                #expect(try await original.read { try $0.rows(children) } == second)
                let steps: SQL = "SELECT * FROM migration ORDER BY name"
                let applied = try await copy.read { try $0.rows(steps) }
                #expect(try await original.read { try $0.rows(steps) } == applied)
                // A backup of the copy has the same bytes.
                try await copy.backup(to: file + "2")
                #expect(
                    FileManager.default.contents(atPath: file)
                        == FileManager.default.contents(atPath: file + "2")
                )
            }
        }
    }

    @Test(
        "a backup taken while others write is one moment: no entry torn, none lost before it",
        arguments: TestEngine.allCases
    )
    func live(engine: TestEngine) async throws {
        try await Self.withTables(on: engine) { database, file in
            let log = EventLog("m", in: database)
            let first = try await log.found()
            let lease = try await Lease.acquire("m", by: "a", for: .seconds(60), in: database)
            let (heads, told) = AsyncStream<LogHead>.makeStream()
            async let written: LogHead = {
                defer { told.finish() }
                var head = first
                for round in 0..<120 {
                    let entries = (0..<5).map { Array("entry \(round) \($0)".utf8) }
                    head = try await log.append(
                        LogBatch(entries: entries),
                        after: head,
                        under: lease
                    )
                    try await database.write { transaction in
                        let id = Array("\(round)".utf8)
                        try transaction.execute(
                            "INSERT INTO b_parent VALUES ('r', \(round), \(id))"
                        )
                        try transaction.execute(
                            "INSERT INTO a_child VALUES (\(id), 'r', \(round), 0)"
                        )
                    }
                    told.yield(head)
                }
                return head
            }()
            var sequences: [Int64] = []
            var files = 0
            for await head in heads where files < 4 && head.sequence >= Int64(files) * 100 {
                files += 1
                try await database.backup(to: "\(file)\(files)")
                sequences.append(head.sequence)
            }
            _ = try await written
            #expect(files == 4)
            for (number, sequence) in zip(1..., sequences) {
                try await Self.withEmpty(on: engine) { copy in
                    try await copy.restore(from: "\(file)\(number)", migrations: Self.steps)
                    let head = try await EventLog("m", in: copy).verify()
                    #expect(head.sequence >= sequence)
                    #expect(head.sequence.isMultiple(of: 5))
                    let counts = try await copy.read { transaction in
                        try transaction.rows([
                            "SELECT count(*) AS count FROM b_parent WHERE name = 'r'",
                            "SELECT count(*) AS count FROM a_child",
                        ]).map { try $0[0].value("count", as: Int64.self) }
                    }
                    #expect(counts[0] == counts[1])
                    #expect((head.sequence / 5 - 1...head.sequence / 5).contains(counts[0]))
                }
            }
        }
    }

    @Test("what is damaged, cut short or something else is refused, and nothing is restored")
    func damaged() async throws {
        try await Self.withTables(on: .sqlite) { database, file in
            try await database.write { transaction in
                for number in 0..<40 {
                    try transaction.execute("INSERT INTO b_parent VALUES ('r', \(number), NULL)")
                }
            }
            try await database.backup(to: file)
            let sound = try Data(contentsOf: URL(fileURLWithPath: file))
            let other = file + ".other"
            func refusal(_ data: Data) throws -> BackupFailure? {
                try data.write(to: URL(fileURLWithPath: other))
                do {
                    _ = try Database.check(backup: other)
                    return nil
                } catch let failure as BackupFailure {
                    return failure
                }
            }
            for length in stride(from: 0, to: sound.count, by: 13) {
                let failure = try refusal(sound.prefix(length))
                #expect(failure == (length < 8 ? .foreign(other) : .cutShort(other)))
            }
            for seed in 1...UInt64(Effort.instances(200)) {
                var random = SeededRandom(seed: seed)
                var bytes = sound
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
                #expect(try refusal(bytes) != nil, "seed \(seed)")
            }
            #expect(try refusal(sound + [0]) == .damaged(other))
            #expect(try refusal(Data("SQLite format 3".utf8)) == .foreign(other))
            #expect(throws: BackupFailure.self) { try Database.check(backup: "/nowhere/at/all") }
            #expect(throws: BackupFailure.self) { try Database.check(backup: "/dev/zero") }
            try sound.dropLast().write(to: URL(fileURLWithPath: other))
            try await Self.withEmpty(on: .sqlite) { copy in
                await #expect(throws: BackupFailure.cutShort(other)) {
                    try await copy.restore(from: other, migrations: Self.steps)
                }
                try await copy.restore(from: file, migrations: Self.steps)
            }
        }
    }

    @Test(
        "only an empty database is restored into, and only by a program that knows its schema",
        arguments: TestEngine.allCases
    )
    func refused(engine: TestEngine) async throws {
        try await Self.withTables(on: engine) { database, file in
            try await Self.fill(database)
            let before = try await database.backup(to: file)
            await #expect(throws: BackupFailure.notEmpty(table: "a_child")) {
                try await database.restore(from: file, migrations: Self.steps)
            }
            #expect(try await database.summary() == before)
            try await Self.withEmpty(on: engine) { copy in
                await #expect(throws: BackupFailure.nothing) {
                    try await copy.backup(to: file + "0")
                }
                await #expect(throws: BackupFailure.newer(migration: "0900-create-things")) {
                    try await copy.restore(from: file, migrations: Migration.storage)
                }
                let edited = Migration.storage + [Migration("0900-create-things", [])]
                await #expect(throws: BackupFailure.otherSchema(migration: "0900-create-things")) {
                    try await copy.restore(from: file, migrations: edited)
                }
                // A refused restore leaves no trace: the next one succeeds, and
                // newer migrations run.
                let newer =
                    Self.steps + [
                        Migration(
                            "0901-add-size",
                            ["ALTER TABLE b_parent ADD COLUMN size \(.integer)"]
                        )
                    ]
                try await copy.restore(from: file, migrations: newer)
                let row = try await copy.read { try $0.row("SELECT size FROM b_parent LIMIT 1") }
                #expect(try row?.value("size", as: Int?.self) == .some(nil))
                #expect(try await copy.summary().migrations.last == "0901-add-size")
            }
        }
    }
}
