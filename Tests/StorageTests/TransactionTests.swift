import Dispatch
import Storage
import StorageTestSupport
import Synchronization
import Testing

/// Issue 3, "Storage": reading and writing behind one interface, the same on both engines.
@Suite("Transactions")
struct TransactionTests {
    private struct Stop: Error {}

    /// The last number written.
    private final class Written: Sendable {
        let number = Atomic(0)
    }

    private static func withCounters(
        on engine: TestEngine,
        _ body: @Sendable (TestDatabase, Database) async throws -> Void
    ) async throws {
        try await withDatabase(on: engine) { place in
            let database = try await place.open()
            defer { database.close() }
            try await database.write { transaction in
                try transaction.execute(
                    "CREATE TABLE counter (id \(.integer) PRIMARY KEY, n \(.integer)) \(.strict)"
                )
                try transaction.execute("INSERT INTO counter VALUES (0, 0)")
            }
            try await body(place, database)
        }
    }

    private static func count(_ database: Database) async throws -> Int {
        try await database.read { transaction in
            try transaction.row("SELECT n FROM counter WHERE id = 0")?.value("n") ?? -1
        }
    }

    @Test("a transaction reads the clock once", arguments: TestEngine.allCases)
    func oneMoment(engine: TestEngine) async throws {
        try await Self.withCounters(on: engine) { _, database in
            let moments = try await database.write { transaction in
                let end = ContinuousClock.now + .milliseconds(20)
                var moments: Set<Int64> = []
                while ContinuousClock.now < end {
                    try transaction.execute("UPDATE counter SET n = \(.now)")
                    let row = try transaction.row("SELECT n, \(.now) AS now FROM counter")
                    if let row { moments.formUnion([try row.value("n"), try row.value("now")]) }
                }
                return moments
            }
            #expect(moments.count == 1)
            let later = try await database.write { transaction in
                try transaction.row("SELECT \(.now) AS now")?.value("now") ?? Int64(0)
            }
            #expect(moments.allSatisfy { $0 < later })
        }
    }

    @Test("a body that throws is undone, and the error comes back", arguments: TestEngine.allCases)
    func undone(engine: TestEngine) async throws {
        try await Self.withCounters(on: engine) { _, database in
            await #expect(throws: Stop.self) {
                try await database.write { transaction in
                    try transaction.execute("UPDATE counter SET n = 5")
                    throw Stop()
                }
            }
            let counted = try await Self.count(database)
            #expect(counted == 0)
        }
    }

    @Test("after a failed statement nothing counts, even if caught", arguments: TestEngine.allCases)
    func caught(engine: TestEngine) async throws {
        try await Self.withCounters(on: engine) { _, database in
            await #expect(throws: DatabaseFailure.self) {
                try await database.write { transaction in
                    try transaction.execute("UPDATE counter SET n = 5")
                    _ = try? transaction.execute("INSERT INTO counter VALUES (0, 0)")
                    _ = try? transaction.execute("UPDATE counter SET n = 6")
                }
            }
            let counted = try await Self.count(database)
            #expect(counted == 0)
        }
    }

    @Test(
        "writes that wait together all count, but for those that throw",
        arguments: TestEngine.allCases
    )
    func gathered(engine: TestEngine) async throws {
        try await Self.withCounters(on: engine) { place, database in
            let failed = await withTaskGroup(of: Bool.self) { group in
                for number in 1...300 {
                    group.addTask {
                        do {
                            try await database.write { transaction in
                                try transaction.execute("UPDATE counter SET n = n + 1 WHERE id = 0")
                                if number % 7 == 0 { throw Stop() }
                                if number % 11 == 0 {
                                    try transaction.execute("INSERT INTO counter VALUES (0, 0)")
                                }
                                try transaction.execute("INSERT INTO counter VALUES (\(number), 1)")
                            }
                            return false
                        } catch {
                            return true
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            let expected = (1...300).count { $0 % 7 == 0 || $0 % 11 == 0 }
            #expect(failed == expected)
            let other = try await place.open()
            defer { other.close() }
            let counted = try await Self.count(other)
            #expect(counted == 300 - expected)
            let rows = try await other.read { try $0.rows("SELECT id FROM counter WHERE n = 1") }
            #expect(rows.count >= 300 - expected)
        }
    }

    @Test("a read sees one state, whatever is written meanwhile", arguments: TestEngine.allCases)
    func snapshot(engine: TestEngine) async throws {
        try await Self.withCounters(on: engine) { _, database in
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let written = DispatchSemaphore(value: 0)
            async let seen = database.read { transaction in
                let before: Int = try transaction.row("SELECT n FROM counter")?.value("n") ?? -1
                begin.yield()
                written.wait()
                let after: Int = try transaction.row("SELECT n FROM counter")?.value("n") ?? -1
                return [before, after]
            }
            for await _ in begun { break }
            try await database.write { _ = try $0.execute("UPDATE counter SET n = 9") }
            written.signal()
            #expect(try await seen == [0, 0])
            let counted = try await Self.count(database)
            #expect(counted == 9)
        }
    }

    @Test("a call whose time is over fails and writes nothing", arguments: TestEngine.allCases)
    func deadlines(engine: TestEngine) async throws {
        try await Self.withCounters(on: engine) { _, database in
            await #expect(throws: DatabaseFailure.deadlineExceeded) {
                try await database.write(within: .zero) { transaction in
                    _ = try transaction.execute("UPDATE counter SET n = 5")
                }
            }
            // Counts for much longer than the time limit.
            let endless: SQL = """
                WITH RECURSIVE up (n) AS (
                    SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < \(1 << 40))
                SELECT COUNT(*) AS n FROM up
                """
            await #expect(throws: DatabaseFailure.deadlineExceeded) {
                try await database.read(within: .milliseconds(50)) { try $0.rows(endless) }
            }
            await #expect(throws: DatabaseFailure.deadlineExceeded) {
                try await database.write(within: .milliseconds(50)) { transaction in
                    try transaction.execute("UPDATE counter SET n = 5")
                    _ = try transaction.rows(endless)
                }
            }
            let counted = try await Self.count(database)
            #expect(counted == 0)
        }
    }

    @Test("two programs that count on one database miss nothing", arguments: TestEngine.allCases)
    func concurrent(engine: TestEngine) async throws {
        try await Self.withCounters(on: engine) { place, database in
            let other = try await place.open()
            defer { other.close() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for one in [database, other] {
                    for _ in 0..<40 {
                        group.addTask {
                            try await one.write { transaction in
                                let n: Int =
                                    try transaction.row("SELECT n FROM counter")?
                                    .value("n") ?? 0
                                try transaction.execute("UPDATE counter SET n = \(n + 1)")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let counted = try await Self.count(database)
            #expect(counted == 80)
        }
    }

    @Test("a follower is told what another program wrote", arguments: TestEngine.allCases)
    func changes(engine: TestEngine) async throws {
        try await Self.withCounters(on: engine) { place, database in
            let other = try await place.open()
            defer { other.close() }
            var looks = other.changes().makeAsyncIterator()
            for expected in 1...3 {
                try await database.write { transaction in
                    try transaction.execute("UPDATE counter SET n = n + 1")
                    try transaction.announce()
                }
                var seen = try await Self.count(other)
                while seen < expected {
                    await looks.next()
                    seen = try await Self.count(other)
                }
                #expect(seen == expected)
            }
        }
    }

    @Test("a read that has ended, or failed, holds nothing open; the next sees what is new")
    func endedReads() async throws {
        try await Self.withCounters(on: .postgres) { _, database in
            for expected in 1...20 {
                try await database.write { transaction in
                    _ = try transaction.execute("UPDATE counter SET n = \(expected)")
                }
                let counted = try await Self.count(database)
                #expect(counted == expected)
                await #expect(throws: DatabaseFailure.self) {
                    try await database.read { _ = try $0.rows("SELECT nothing") }
                }
            }
            var held = -1
            // The end of a read may still be in progress.
            for _ in 0..<50 where held != 0 {
                held = try await database.read { transaction in
                    try transaction.row(
                        """
                        SELECT count(*) AS n FROM pg_stat_activity
                        WHERE datname = current_database() AND state LIKE 'idle in transaction%'
                        """
                    )?.value("n") ?? -1
                }
            }
            #expect(held == 0)
        }
    }

    @Test("reads that wait together share a transaction, and none of them fails for another")
    func gatheredReads() async throws {
        try await Self.withCounters(on: .postgres) { _, database in
            let begun = await withTaskGroup(of: Int64?.self) { group in
                // All connections are busy for a while.
                for _ in 0..<8 {
                    group.addTask {
                        try? await database.read { _ = try $0.rows("SELECT pg_sleep(0.2)") }
                        return nil
                    }
                }
                for number in 0..<200 {
                    group.addTask {
                        try? await database.read { transaction in
                            if number % 25 == 3 { _ = try transaction.rows("SELECT nothing") }
                            if number % 25 == 7 { throw Stop() }
                            return try transaction.row(
                                """
                                SELECT CAST(extract(epoch FROM now()) * 1000000 AS BIGINT) AS at
                                """
                            )?.value("at")
                        }
                    }
                }
                return await group.reduce(into: [Int64]()) { $0 += [$1].compactMap(\.self) }
            }
            #expect(begun.count == 200 - 16)
            #expect(Set(begun).count < begun.count / 2)
        }
    }

    @Test("what a write has returned is seen by each read after it", arguments: TestEngine.allCases)
    func freshReads(engine: TestEngine) async throws {
        try await Self.withCounters(on: engine) { _, database in
            let written = Written()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 1...60 {
                        try await database.write { transaction in
                            _ = try transaction.execute("UPDATE counter SET n = \(number)")
                        }
                        written.number.store(number, ordering: .sequentiallyConsistent)
                    }
                }
                for _ in 0..<40 {
                    group.addTask {
                        while !Task.isCancelled {
                            let known = written.number.load(ordering: .sequentiallyConsistent)
                            let seen = try await Self.count(database)
                            #expect(seen >= known)
                            if known == 60 { return }
                        }
                    }
                }
                // If one fails, the others are cancelled.
                for try await _ in group {}
            }
        }
    }

    @Test("a closed database says so", arguments: TestEngine.allCases)
    func closed(engine: TestEngine) async throws {
        try await Self.withCounters(on: engine) { _, database in
            database.close()
            await #expect(throws: DatabaseFailure.closed) {
                try await database.write { _ = try $0.execute("UPDATE counter SET n = 5") }
            }
            await #expect(throws: DatabaseFailure.closed) { try await Self.count(database) }
            for await _ in database.changes() {}
        }
    }

    @Test(
        "an address that is none, or leads nowhere, is refused",
        arguments: ["", "sqlite:", "mysql://x", "file.sqlite", "sqlite:/nowhere/at/all.sqlite"]
    )
    func addresses(address: String) async {
        await #expect(throws: DatabaseFailure.self) { _ = try await Database.open(address) }
    }
}
