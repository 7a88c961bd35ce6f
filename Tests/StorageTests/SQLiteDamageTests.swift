import Foundation
import SeededRandom
import Storage
import StorageTestSupport
import TestSupport
import Testing

/// taxi.md F3: a truncated or altered SQLite file gives a typed error, never a trap or wrong data.
@Suite("Damaged SQLite files")
struct SQLiteDamageTests {
    /// Creates a file with a log of 400 records and its journal written back.
    private static func makeFile(_ path: String) async throws -> LogHead {
        let database = try await Database.open("sqlite:" + path)
        defer { database.close() }
        try await database.migrate(Migration.storage)
        let log = EventLog("m", in: database)
        var head = try await log.found()
        let lease = try await Lease.acquire("m", by: "a", for: .seconds(60), in: database)
        for number in 0..<20 {
            let entries = (0..<20).map { Array("entry \(number * 20 + $0) of a log".utf8) }
            head = try await log.append(LogBatch(entries: entries), after: head, under: lease)
        }
        return head
    }

    /// Reads the whole log, as a starting service does.
    private static func head(of path: String) async throws -> LogHead {
        let database = try await Database.open("sqlite:" + path)
        defer { database.close() }
        try await database.migrate(Migration.storage)
        return try await EventLog("m", in: database).verify()
    }

    private static func isTyped(_ error: any Error) -> Bool {
        error is DatabaseFailure || error is LogFailure || error is MigrationFailure
    }

    @Test("altered bytes are found, or were not in use")
    func altered() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/sound.sqlite"
            let head = try await Self.makeFile(path)
            let sound = try Data(contentsOf: URL(fileURLWithPath: path))
            for seed in 1...UInt64(Effort.instances(150)) {
                var random = SeededRandom(seed: seed)
                var bytes = sound
                for _ in 0..<Int.random(in: 1...20, using: &random) {
                    let place = Int.random(in: bytes.indices, using: &random)
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
                let copy = folder + "/\(seed).sqlite"
                try bytes.write(to: URL(fileURLWithPath: copy))
                do {
                    let found = try await Self.head(of: copy)
                    #expect(found == head, "seed \(seed)")
                } catch {
                    #expect(Self.isTyped(error), "seed \(seed): \(error)")
                }
            }
        }
    }

    @Test("a file that was cut is found damaged")
    func cut() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/sound.sqlite"
            let head = try await Self.makeFile(path)
            let sound = try Data(contentsOf: URL(fileURLWithPath: path))
            for seed in 1...UInt64(Effort.instances(80)) {
                var random = SeededRandom(seed: seed)
                let length = Int.random(in: 1..<sound.count, using: &random)
                let copy = folder + "/\(seed).sqlite"
                try sound.prefix(length).write(to: URL(fileURLWithPath: copy))
                do {
                    let found = try await Self.head(of: copy)
                    Issue.record("seed \(seed): a cut file gave \(found == head)")
                } catch {
                    #expect(Self.isTyped(error), "seed \(seed): \(error)")
                }
            }
        }
    }

    @Test("a journal that was cut or altered loses its tail, and no more than that")
    func journal() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/sound.sqlite"
            let database = try await Database.open("sqlite:" + path)
            defer { database.close() }
            try await database.migrate(Migration.storage)
            let log = EventLog("m", in: database)
            var heads = [try await log.found()]
            let lease = try await Lease.acquire("m", by: "a", for: .seconds(60), in: database)
            for number in 0..<30 {
                let batch = LogBatch(entries: [[UInt8(number)]])
                heads.append(try await log.append(batch, after: heads[number], under: lease))
            }
            // As after a power failure: the file with its journal, without shared memory.
            let sound = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
            for seed in 1...UInt64(Effort.instances(80)) {
                var random = SeededRandom(seed: seed)
                var bytes = sound
                if Bool.random(using: &random) {
                    bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &random))
                } else {
                    let place = Int.random(in: bytes.indices, using: &random)
                    bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
                let copy = folder + "/\(seed).sqlite"
                try FileManager.default.copyItem(atPath: path, toPath: copy)
                try bytes.write(to: URL(fileURLWithPath: copy + "-wal"))
                do {
                    let found = try await Self.head(of: copy)
                    #expect(heads.contains(found), "seed \(seed)")
                } catch LogFailure.noSuchLog {
                    // Truncated before the log was created.
                } catch {
                    #expect(Self.isTyped(error), "seed \(seed): \(error)")
                }
            }
        }
    }

    @Test(
        "what is no database at all is refused",
        arguments: ["x", "SQLite format 3\0 and no more"]
    )
    func foreign(content: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/other.sqlite"
            try Data(content.utf8).write(to: URL(fileURLWithPath: path))
            await #expect(throws: DatabaseFailure.self) { _ = try await Self.head(of: path) }
        }
    }
}
