import Dispatch
import Foundation
import Storage
import StorageTestSupport
import Synchronization
import TestSupport
import Testing

/// Issue 3: two servers on one PostgreSQL, and a killed server; taxi.md F1, F5, I21.
@Suite("Failover")
struct FailoverTests {
    @Test(
        "a take-over waits for an append under way, and fences the next",
        arguments: TestEngine.allCases
    )
    func takeOverDuringAppend(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { place in
            let old = try await place.open()
            let new = try await place.open()
            defer {
                old.close()
                new.close()
            }
            try await old.migrate(Migration.storage)
            let log = EventLog("m", in: old)
            let genesis = try await log.found()
            // The lease expires at once, so that anyone can take it.
            let lease = try await Lease.acquire("m", by: "old", for: .zero, in: old)
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let goOn = DispatchSemaphore(value: 0)
            async let appended = old.write { transaction in
                let epoch = try transaction.row(
                    "SELECT epoch FROM lease WHERE name = 'm' \(.forUpdate)"
                )
                begin.yield()
                goOn.wait()
                return try epoch?.value("epoch", as: Int64.self)
            }
            for await _ in begun { break }
            let isTaken = Mutex(false)
            async let taken = {
                let lease = try await Lease.acquire("m", by: "new", for: .seconds(60), in: new)
                isTaken.withLock { $0 = true }
                return lease
            }()
            #expect(!isTaken.withLock { $0 }, "the old writer is in the middle of an append")
            goOn.signal()
            #expect(try await appended == 1)
            #expect(try await taken.epoch == 2)
            await #expect(throws: LogFailure.fenced(epoch: 1, current: 2)) {
                try await log.append(LogBatch(entries: [[1]]), after: genesis, under: lease)
            }
            #expect(try await log.verify() == genesis)
        }
    }

    @Test(
        "of two writers only the holder writes, as the lease goes to and fro",
        arguments: TestEngine.allCases
    )
    func twoWriters(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { place in
            let databases = [try await place.open(), try await place.open()]
            defer { for database in databases { database.close() } }
            try await databases[0].migrate(Migration.storage)
            try await EventLog("m", in: databases[0]).found()
            let acknowledged = Acknowledged()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, database) in databases.enumerated() {
                    group.addTask {
                        let log = EventLog("m", in: database)
                        for round in 0..<8 {
                            // Both have the same name, so each takes the lease from the other.
                            let lease = try await Lease.acquire(
                                "m",
                                by: "a",
                                for: .seconds(60),
                                in: database
                            )
                            var head = try await log.head()
                            do {
                                for step in 0..<6 {
                                    let entry = [UInt8(number), UInt8(round), UInt8(step)]
                                    head = try await log.append(
                                        LogBatch(entries: [entry]),
                                        after: head,
                                        under: lease
                                    )
                                    acknowledged.entries.withLock { $0.append(entry) }
                                }
                            } catch is LogFailure {
                                continue
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let log = EventLog("m", in: databases[1])
            let records = try await log.records(after: log.genesis())
            let expected = acknowledged.entries.withLock { $0 }
            #expect(records.count == expected.count)
            #expect(Set(records.map(\.entry)) == Set(expected))
            let epochs = records.map(\.epoch)
            #expect(epochs == epochs.sorted())
        }
    }

    @Test("a writer that stalls half-way does not keep others waiting, and never writes")
    func stalled() async throws {
        try await withDatabase(on: .postgres) { place in
            let old = try await place.open()
            let new = try await place.open()
            defer {
                old.close()
                new.close()
            }
            try await old.migrate(Migration.storage)
            let log = EventLog("m", in: old)
            try await log.found()
            _ = try await Lease.acquire("m", by: "old", for: .zero, in: old)
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let goOn = DispatchSemaphore(value: 0)
            let stalled = Task {
                try await old.write(within: .seconds(60)) { transaction in
                    let row = try transaction.row(
                        "SELECT epoch FROM lease WHERE name = 'm' \(.forUpdate)"
                    )
                    let epoch: Int64 = try row?.value("epoch") ?? 0
                    guard epoch == 1 else { throw LogFailure.fenced(epoch: 1, current: epoch) }
                    begin.yield()
                    goOn.wait()
                    try transaction.execute("INSERT INTO inbox VALUES ('old', 'late', 0)")
                }
            }
            for await _ in begun { break }
            // The server ends the stalled transaction after a few seconds.
            let lease = try await Lease.acquire(
                "m",
                by: "new",
                for: .seconds(60),
                in: new,
                within: .seconds(30)
            )
            #expect(lease.epoch == 2)
            goOn.signal()
            await #expect(throws: LogFailure.fenced(epoch: 1, current: 2)) {
                try await stalled.value
            }
            let late = try await new.read { try $0.rows("SELECT id FROM inbox") }
            #expect(late.isEmpty)
        }
    }

    @Test("a server that is killed and started again has lost nothing acknowledged")
    func killedServer() async throws {
        try PostgresCluster.requireInstalled()
        let cluster = try await onThread { try PostgresCluster() }
        try await onThread { try cluster.makeDatabase("crash") }
        let database = try await Database.open(cluster.address(of: "crash"))
        defer { database.close() }
        try await database.migrate(Migration.storage)
        let log = EventLog("m", in: database)
        var head = try await log.found()
        let lease = try await Lease.acquire("m", by: "a", for: .seconds(600), in: database)
        for round in 0..<3 {
            let killer = Task {
                for await _ in database.changes() {
                    let now = try await log.head().sequence
                    if now >= Int64(round * 40 + 20) { break }
                }
                try await onThread {
                    try cluster.kill()
                    try cluster.startAgain()
                }
            }
            while head.sequence < Int64(round * 40 + 40) {
                let batch = LogBatch(entries: [Array("entry \(head.sequence + 1)".utf8)])
                let next = head.adding(batch.entries[0])
                do {
                    head = try await log.append(
                        batch,
                        after: head,
                        under: lease,
                        within: .seconds(60)
                    )
                } catch DatabaseFailure.outcomeUnknown {
                    // The only case in which the outcome is unknown and must be read.
                    let found = try await log.head()
                    #expect(found == head || found == next)
                    head = found
                }
            }
            try await killer.value
            #expect(try await log.verify() == head)
        }
        let records = try await log.records(after: log.genesis())
        #expect(records.map(\.entry) == (1...120).map { Array("entry \($0)".utf8) })
    }

    @Test("a server that is not there, or says no, is named in time")
    func unreachable() async throws {
        do {
            _ = try await Database.open(
                "postgres://viavai@127.0.0.1:1/nowhere",
                within: .seconds(3)
            )
            Issue.record("nobody should answer")
        } catch DatabaseFailure.unavailable(let message) {
            #expect(!message.isEmpty)
        }
        try await withDatabase(on: .postgres) { place in
            await #expect(throws: DatabaseFailure.self) {
                _ = try await Database.open(place.address + "nowhere", within: .seconds(60))
            }
        }
    }
}

/// The entries that writers were told are durable.
private final class Acknowledged: Sendable {
    let entries = Mutex<[[UInt8]]>([])
}
