import Foundation
import Storage
import StorageTestSupport
import Testing

@Suite("Scrubbing")
struct ScrubTests {
    @Test(
        "what was deleted is gone from the files, and the rest is there",
        arguments: TestEngine.allCases
    )
    func scrubs(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { place in
            let database = try await place.open()
            defer { database.close() }
            let secret = Array("a secret that must not stay".utf8)
            try await database.write { transaction in
                try transaction.execute([
                    """
                    CREATE TABLE secret (
                        id \(.integer) NOT NULL PRIMARY KEY, content \(.bytes) NOT NULL
                    ) \(.strict)
                    """,
                    "INSERT INTO secret VALUES (1, \(secret))",
                    "INSERT INTO secret VALUES (2, \([1, 2, 3] as [UInt8]))",
                ])
            }
            try await database.write { try $0.execute("DELETE FROM secret WHERE id = 1") }
            #expect(Self.files(of: place).isEmpty || Self.holds(secret, place), "in the journal")
            try await database.scrub()
            #expect(!Self.holds(secret, place))
            let rows = try await database.read { try $0.rows("SELECT id FROM secret") }
            #expect(try rows.map { try $0.value("id", as: Int.self) } == [2])
        }
    }

    @Test("a closed database cannot be scrubbed")
    func closed() async throws {
        try await withDatabase(on: .sqlite) { place in
            let database = try await place.open()
            database.close()
            await #expect(throws: DatabaseFailure.closed) { try await database.scrub() }
        }
    }

    private static func files(of place: TestDatabase) -> [String] {
        guard let path = place.path else { return [] }
        return ["", "-wal", "-shm"].map { path + $0 }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }

    private static func holds(_ bytes: [UInt8], _ place: TestDatabase) -> Bool {
        files(of: place).contains { file in
            let data = try? Data(contentsOf: URL(fileURLWithPath: file))
            return data?.range(of: Data(bytes)) != nil
        }
    }
}
