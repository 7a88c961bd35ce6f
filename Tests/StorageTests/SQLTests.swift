import Storage
import StorageTestSupport
import Testing

@testable import struct Storage.SQL

/// design.md, rule 10: SQL is written once, and text cannot become code.
@Suite("SQL")
struct SQLTests {
    /// Known SQL injection texts, and other unusual ones.
    static let oddTexts = [
        "", " ", "'", "''", "\"", "`", "\\", "\\'", ";", "--", "/*", "*/", "?", "?1", "$1", "$$",
        ":name", "@name", "%", "_", "%s", "${x}", "'; DROP TABLE note; --", "' OR '1'='1",
        "1; DELETE FROM note", "') UNION SELECT name FROM sqlite_master --",
        "'||pg_sleep(10)||'", "E'\\x27'", "\u{2019} OR 1=1", "admin'/*", "NULL", "null", "0x27",
        "\r\n", "\t", "\u{1}", "\u{7F}", "\u{FEFF}x", "è", "e\u{300}", "🚕", "\u{202E}abc",
        "\\x414243", "{1,2}", "x'00'", String(repeating: "'", count: 10_000),
    ]

    @Test("a literal is text, and what is interpolated is bound")
    func rendering() {
        let name = "O'Brien"
        let part: SQL = "AND place = \(7)"
        let statement: SQL = "SELECT \(.now) FROM t WHERE name = \(name) \(part) \(.forUpdate)"
        let sqlite = statement.rendered(for: .sqlite)
        #expect(
            sqlite.text == "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) "
                + "FROM t WHERE name = ?1 AND place = ?2 "
        )
        #expect(sqlite.values == [.text(name), .integer(7)])
        let postgres = statement.rendered(for: .postgres)
        #expect(postgres.text.hasSuffix("FROM t WHERE name = $1 AND place = $2 FOR UPDATE"))
        #expect(postgres.values == sqlite.values)
    }

    @Test("odd texts come back as they went in and do nothing else", arguments: TestEngine.allCases)
    func injection(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { place in
            let database = try await place.open()
            defer { database.close() }
            try await database.write { transaction in
                try transaction.execute(
                    """
                    CREATE TABLE note (
                        id \(.integer) PRIMARY KEY, body \(.text) NOT NULL
                    ) \(.strict)
                    """
                )
                for (number, text) in Self.oddTexts.enumerated() {
                    try transaction.execute("INSERT INTO note VALUES (\(number), \(text))")
                }
            }
            for (number, text) in Self.oddTexts.enumerated() {
                let found = try await database.read { transaction in
                    try transaction.rows("SELECT id, body FROM note WHERE body = \(text)")
                }
                let ids = try found.map { try $0.value("id", as: Int.self) }
                #expect(ids == [number])
                let bodies = try found.map { try $0.value("body", as: String.self) }
                #expect(bodies == [text])
            }
            let ordered = try await database.read { transaction in
                try transaction.rows("SELECT body FROM note ORDER BY body")
                    .map { try $0.value("body", as: String.self) }
            }
            let expected = Self.oddTexts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            #expect(ordered.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
        }
    }

    @Test("values of every kind come back as they went in", arguments: TestEngine.allCases)
    func values(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { place in
            let database = try await place.open()
            defer { database.close() }
            let numbers: [Int64?] = [.min, -1, 0, 1, 255, 1 << 40, .max, nil]
            let bytes: [[UInt8]?] = [[], [0], [0, 0], Array(0...255), [0x5C, 0x78], nil]
            try await database.write { transaction in
                try transaction.execute(
                    "CREATE TABLE kind (n \(.integer), b \(.bytes), t \(.text)) \(.strict)"
                )
                for number in numbers {
                    try transaction.execute("INSERT INTO kind (n) VALUES (\(number))")
                }
                for value in bytes {
                    try transaction.execute("INSERT INTO kind (b) VALUES (\(value))")
                }
            }
            let rows = try await database.read { try $0.rows("SELECT n, b, t FROM kind") }
            let foundNumbers = try rows.prefix(numbers.count).map {
                try $0.value("n", as: Int64?.self)
            }
            #expect(foundNumbers == numbers)
            let foundBytes = try rows.dropFirst(numbers.count).map {
                try $0.value("b", as: [UInt8]?.self)
            }
            #expect(foundBytes == bytes)
        }
    }

    @Test("a value of the wrong kind and a column that is not there are named")
    func typedAccess() throws {
        let row = Row(columns: ["a", "b"], values: [.integer(5_000_000_000), .text("x")])
        #expect(throws: DatabaseFailure.noColumn("c")) { try row.value("c", as: Int.self) }
        #expect(throws: DatabaseFailure.wrongType(column: "b", expected: "Int64", found: "text")) {
            try row.value("b", as: Int64.self)
        }
        #expect(
            throws: DatabaseFailure.wrongType(column: "a", expected: "Int32", found: "integer")
        ) { try row.value("a", as: Int32.self) }
        #expect(throws: DatabaseFailure.self) { try row.value("a", as: Bool.self) }
        let text = try row.value("b", as: String?.self)
        #expect(text == "x")
    }

    @Test(
        "a text with NUL, a wrong statement and a fraction are refused",
        arguments: TestEngine.allCases
    )
    func refusals(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            await #expect(throws: DatabaseFailure.badText) {
                try await database.read { try $0.rows("SELECT \("a\0b") AS a") }
            }
            await #expect(throws: DatabaseFailure.self) {
                try await database.read { try $0.rows("SELEC 1") }
            }
            await #expect(throws: DatabaseFailure.self) {
                try await database.read { try $0.rows("SELECT CAST(0.5 AS REAL) AS a") }
            }
            await #expect(throws: DatabaseFailure.self, "two statements in one") {
                try await database.write { try $0.execute("SELECT 1; SELECT 2") }
            }
        }
    }

    @Test("the rules of a schema are told apart", arguments: TestEngine.allCases)
    func constraints(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            try await EventLog("a", in: database).found()
            let cases: [(DatabaseFailure.Constraint, SQL)] = [
                (.unique, "INSERT INTO log SELECT * FROM log"),
                (.notNull, "UPDATE log SET sequence = \(Int64?.none)"),
                (.check, "UPDATE log SET sequence = \(-1)"),
                (
                    .foreignKey,
                    "INSERT INTO outbox VALUES ('b', 1, 0, 'k', \([UInt8]()), 0, 0)"
                ),
            ]
            for (expected, statement) in cases {
                do {
                    try await database.write { _ = try $0.execute(statement) }
                    Issue.record("\(expected) was not enforced")
                } catch DatabaseFailure.constraint(let found, _) {
                    #expect(found == expected)
                }
            }
        }
    }
}
