import Storage
import StorageTestSupport
import Testing

/// Issue 3, "Storage": snapshots; taxi.md F3, corrupt snapshots.
@Suite("Snapshots")
struct SnapshotTests {
    private static func withHeads(
        on engine: TestEngine,
        _ body: @Sendable (SnapshotStore, [LogHead], Database) async throws -> Void
    ) async throws {
        try await withStorage(on: engine) { database in
            let log = EventLog("m", in: database)
            var heads = [try await log.found()]
            let lease = try await Lease.acquire("m", by: "a", for: .seconds(60), in: database)
            for number in 1...6 {
                let batch = LogBatch(entries: [[UInt8(number)]])
                heads.append(try await log.append(batch, after: heads[number - 1], under: lease))
            }
            try await body(SnapshotStore(of: log), heads, database)
        }
    }

    @Test(
        "the newest at or below a number is found, and old ones go",
        arguments: TestEngine.allCases
    )
    func newest(engine: TestEngine) async throws {
        try await Self.withHeads(on: engine) { store, heads, _ in
            let none = try await store.newest()
            #expect(none.snapshot == nil)
            for number in [0, 1, 2, 4, 6] {
                try await store.save(Snapshot(head: heads[number], state: [UInt8(number)]))
            }
            let cases: [(Int64?, Int?)] = [
                (nil, 6), (6, 6), (5, 4), (4, 4), (3, 2), (2, 2), (1, nil),
            ]
            for (limit, expected) in cases {
                let found = try await store.newest(atOrBelow: limit)
                #expect(found.snapshot?.head == expected.map { heads[$0] })
                #expect(found.snapshot?.state == expected.map { [UInt8($0)] })
                #expect(found.damaged.isEmpty)
            }
        }
    }

    @Test("damaged snapshots are passed over and named", arguments: TestEngine.allCases)
    func damaged(engine: TestEngine) async throws {
        try await Self.withHeads(on: engine) { store, heads, database in
            for number in [2, 4, 6] {
                try await store.save(Snapshot(head: heads[number], state: [UInt8(number)]))
            }
            try await database.write { transaction in
                try transaction.execute("UPDATE snapshot SET state = digest WHERE sequence = 6")
                try transaction.execute("UPDATE snapshot SET head = digest WHERE sequence = 4")
            }
            let found = try await store.newest()
            #expect(found.snapshot == Snapshot(head: heads[2], state: [2]))
            #expect(found.damaged == [6, 4])
        }
    }

    @Test("a snapshot of another log's head is refused", arguments: TestEngine.allCases)
    func foreign(engine: TestEngine) async throws {
        try await Self.withHeads(on: engine) { store, heads, _ in
            let elsewhere = LogHead(sequence: 3, hash: heads[2].hash)
            await #expect(throws: LogFailure.headMoved(expected: elsewhere, found: heads[3])) {
                try await store.save(Snapshot(head: elsewhere, state: []))
            }
            let beyond = heads[6].adding([1])
            await #expect(throws: LogFailure.self) {
                try await store.save(Snapshot(head: beyond, state: []))
            }
        }
    }
}
