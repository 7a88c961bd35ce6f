import Foundation
import Storage
import StorageTestSupport
import Synchronization
import TestSupport
import Testing

/// Issue 29, fault 6: when a database is unavailable, calls fail at once; when it is back, it is
/// used again.
@Suite("A database that cannot be used", .serialized)
struct OutageTests {
    /// The ways in which a server can be unavailable.
    enum Absence: CaseIterable {
        case killed
        case silent
    }

    private static func begin(_ absence: Absence, of cluster: PostgresCluster) async throws {
        try await onThread {
            switch absence {
            case .killed: try cluster.kill()
            case .silent: try cluster.freeze()
            }
        }
    }

    private static func end(_ absence: Absence, of cluster: PostgresCluster) async throws {
        try await onThread {
            switch absence {
            case .killed: try cluster.startAgain()
            case .silent: try cluster.thaw()
            }
        }
    }

    /// Expects calls to fail.
    ///
    /// - Returns: how long they took.
    private static func refusal(by database: Database) async -> Duration {
        await ContinuousClock().measure {
            async let read = fails {
                _ = try await database.read { try $0.row("SELECT holder FROM lease") }
            }
            async let write = fails {
                _ = try await database.write { try $0.execute("DELETE FROM lease") }
            }
            let failed = await [read, write]
            #expect(failed == [true, true])
        }
    }

    private static func fails(_ call: @Sendable () async throws -> Void) async -> Bool {
        do {
            try await call()
            return false
        } catch {
            return error is DatabaseFailure
        }
    }

    @Test(
        "a server that is away costs the first callers seconds, later ones nothing (fault 6)",
        arguments: Absence.allCases
    )
    func away(absence: Absence) async throws {
        try PostgresCluster.requireInstalled()
        let cluster = try await onThread { try PostgresCluster() }
        let place = try TestDatabase(of: cluster)
        let database = try await Database.open(place.address, failsFast: true)
        defer { database.close() }
        try await database.migrate(Migration.storage)
        let told = Told()
        database.whenTroubled { trouble in told.all.withLock { $0.append(trouble) } }
        try await Self.begin(absence, of: cluster)
        #expect(await Self.refusal(by: database) < .seconds(5))
        guard case .away = database.trouble else {
            Issue.record("\(String(describing: database.trouble))")
            return
        }
        for _ in 0..<50 {
            #expect(await Self.refusal(by: database) < .milliseconds(500))
        }
        // Probes of the database fail meanwhile.
        try await ContinuousClock().sleep(for: .seconds(3))
        #expect(database.trouble != nil)
        try await Self.end(absence, of: cluster)
        let back = ContinuousClock.now
        while database.trouble != nil, back + .seconds(10) > .now {
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
        #expect(back.duration(to: .now) < .seconds(3))
        _ = try await database.read { try $0.row("SELECT holder FROM lease") }
        _ = try await Lease.acquire("m", by: "a", for: .seconds(60), in: database)
        let news = told.all.withLock { $0 }
        #expect(news.count == 2, "one beginning and one end: \(news)")
    }

    @Test("a full database accepts no changes until one succeeds again (fault 6, F2)")
    func full() async throws {
        try await withStorage(on: .sqlite) { database in
            let told = Told()
            database.whenTroubled { trouble in told.all.withLock { $0.append(trouble) } }
            let bytes = [UInt8](repeating: 7, count: 200_000)
            try await database.write { transaction in
                try transaction.execute("CREATE TABLE filler (bytes \(.bytes)) \(.strict)")
                // The current number of pages becomes the maximum.
                _ = try transaction.rows("PRAGMA max_page_count = 1")
            }
            do {
                try await database.write {
                    try $0.execute("INSERT INTO filler VALUES (\(bytes))")
                }
                Issue.record("there is no room for that")
            } catch DatabaseFailure.diskFull {}
            // Reading, or committing without changes, proves nothing.
            _ = try await database.read { try $0.rows("SELECT bytes FROM filler") }
            try await database.write { try $0.execute("DELETE FROM filler") }
            guard case .unwritable = database.trouble else {
                Issue.record("\(String(describing: database.trouble))")
                return
            }
            _ = try await database.write { try $0.rows("PRAGMA max_page_count = 100000") }
            let end = ContinuousClock.now + .seconds(10)
            while database.trouble != nil, .now < end {
                try await ContinuousClock().sleep(for: .milliseconds(100))
                try await database.write {
                    try $0.execute("INSERT INTO filler VALUES (\(bytes))")
                }
            }
            #expect(database.trouble == nil)
            #expect(told.all.withLock { $0 }.count == 2)
        }
    }

    @Test("a query counts no changed rows", arguments: TestEngine.allCases)
    func changedRows(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let counts = try await database.write { transaction in
                try transaction.execute([
                    "INSERT INTO lease (name, holder, epoch, expires) VALUES ('m', 'a', 1, 0)",
                    "SELECT name FROM lease",
                    "UPDATE lease SET epoch = 2 RETURNING epoch",
                ])
            }
            #expect(counts == [1, 0, 1])
        }
    }
}

/// The faults that a database has reported.
private final class Told: Sendable {
    let all = Mutex<[DatabaseTrouble?]>([])
}
