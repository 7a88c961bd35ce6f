import Storage
import StorageTestSupport
import Testing

@testable import struct Storage.Migration

/// style.md, rule 14: append-only, one transaction each, never on a newer database.
@Suite("Migrations")
struct MigrationTests {
    private static let steps = [
        Migration("0001-create-place", ["CREATE TABLE place (name \(.text) NOT NULL) \(.strict)"]),
        Migration(
            "0002-add-size",
            [
                "ALTER TABLE place ADD COLUMN size \(.integer)",
                "UPDATE place SET size = length(name)",
            ]
        ),
        Migration("0003-index-place", ["CREATE INDEX place_name ON place (name)"]),
    ]

    @Test("every version is brought to the newest, with its data", arguments: TestEngine.allCases)
    func everyVersion(engine: TestEngine) async throws {
        for version in 0...Self.steps.count {
            try await withDatabase(on: engine) { place in
                let database = try await place.open()
                defer { database.close() }
                let first = try await database.migrate(Array(Self.steps.prefix(version)))
                #expect(first == Self.steps.prefix(version).map(\.name))
                if version > 0 {
                    try await database.write {
                        try $0.execute("INSERT INTO place (name) VALUES ('Brera')")
                    }
                }
                let rest = try await database.migrate(Self.steps)
                #expect(rest == Self.steps.dropFirst(version).map(\.name))
                let rows = try await database.read { try $0.rows("SELECT name, size FROM place") }
                let sizes = try rows.map { try $0.value("size", as: Int?.self) }
                #expect(sizes == (version == 0 ? [] : [version == 1 ? 5 : nil]))
                let again = try await database.migrate(Self.steps)
                #expect(again.isEmpty)
            }
        }
    }

    @Test("the module's own tables come from every earlier version", arguments: TestEngine.allCases)
    func ownTables(engine: TestEngine) async throws {
        for version in 0..<Migration.storage.count {
            try await withDatabase(on: engine) { place in
                let database = try await place.open()
                defer { database.close() }
                try await database.migrate(Array(Migration.storage.prefix(version)))
                let log = EventLog("a", in: database)
                if version > 0 { try await log.found() }
                try await database.migrate(Migration.storage)
                let head = try await log.found()
                #expect(head == LogHead.genesis(log: "a", founding: []))
            }
        }
    }

    @Test("the module's own steps are what ran elsewhere")
    func frozen() {
        let digests = Migration.storage.map { migration in
            migration.digest.prefix(4).map { String($0, radix: 16) }.joined(separator: " ")
        }
        #expect(digests == ["4c ad 37 ea", "d0 ea 93 4a", "40 d8 dd 8c"])
    }

    @Test(
        "a step that fails leaves nothing, and the ones before it stay",
        arguments: TestEngine.allCases
    )
    func failing(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { place in
            let database = try await place.open()
            defer { database.close() }
            let bad = Migration(
                "0002-break-all",
                ["CREATE TABLE other (a \(.integer)) \(.strict)", "CREATE NONSENSE"]
            )
            await #expect(throws: DatabaseFailure.self) {
                try await database.migrate([Self.steps[0], bad])
            }
            let done = try await database.migrate(Self.steps)
            #expect(done == ["0002-add-size", "0003-index-place"])
            await #expect(throws: DatabaseFailure.self) {
                try await database.read { try $0.rows("SELECT a FROM other") }
            }
        }
    }

    @Test("newer, edited and reordered databases are refused", arguments: TestEngine.allCases)
    func refusals(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { place in
            let database = try await place.open()
            defer { database.close() }
            try await database.migrate(Self.steps)
            await #expect(throws: MigrationFailure.newerDatabase(migration: "0003-index-place")) {
                try await database.migrate(Array(Self.steps.prefix(2)))
            }
            var edited = Self.steps
            edited[1] = Migration("0002-add-size", ["ALTER TABLE place ADD COLUMN size \(.text)"])
            await #expect(throws: MigrationFailure.edited(migration: "0002-add-size")) {
                try await database.migrate(edited)
            }
            let early = [Migration("0000-begin-early", ["SELECT 1"])]
            await #expect(throws: MigrationFailure.outOfOrder(migration: "0000-begin-early")) {
                try await database.migrate(early + Self.steps)
            }
        }
    }

    @Test("servers that start together migrate once", arguments: TestEngine.allCases)
    func together(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { place in
            let done = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let database = try await place.open()
                        defer { database.close() }
                        return try await database.migrate(Self.steps)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(done.sorted() == Self.steps.map(\.name))
        }
    }

    @Test(
        "a name that is not NNNN-verb-noun, or out of order, is refused",
        arguments: [
            "", "1-a-b", "0001", "0001-create", "0001--create", "abcd-create-log", "0003-a-b",
        ]
    )
    func names(name: String) async throws {
        try await withDatabase(on: .sqlite) { place in
            let database = try await place.open()
            defer { database.close() }
            await #expect(throws: MigrationFailure.badName("0002-later-step")) {
                try await database.migrate([
                    Migration("0003-first-step", []), Migration("0002-later-step", []),
                ])
            }
            let second = Migration(name, [])
            await #expect(throws: MigrationFailure.badName(name)) {
                try await database.migrate([Migration("0003-first-step", []), second])
            }
        }
    }
}
