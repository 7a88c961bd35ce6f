import Encoding
import Storage
import StorageTestSupport
import Testing

/// Issue 3, "Storage": the log with sequence numbers and hash chain; taxi.md I22, I23, F3, F5.
@Suite("Event log")
struct EventLogTests {
    private static func entries(_ range: ClosedRange<Int>) -> [[UInt8]] {
        range.map { Array("entry \($0)".utf8) }
    }

    private static func withLog(
        on engine: TestEngine,
        _ body: @Sendable (EventLog, Lease, Database) async throws -> Void
    ) async throws {
        try await withStorage(on: engine) { database in
            let log = EventLog("milan", in: database)
            try await log.found(with: [1, 2, 3])
            let lease = try await Lease.acquire("milan", by: "a", for: .seconds(60), in: database)
            try await body(log, lease, database)
        }
    }

    @Test("entries come back in order, numbered from 1, in pages", arguments: TestEngine.allCases)
    func appending(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { log, lease, _ in
            let genesis = try await log.genesis()
            #expect(genesis == LogHead.genesis(log: "milan", founding: [1, 2, 3]))
            var head = genesis
            head = try await log.append(
                LogBatch(entries: Self.entries(1...5)),
                after: head,
                under: lease
            )
            head = try await log.append(LogBatch(entries: []), after: head, under: lease)
            head = try await log.append(
                LogBatch(entries: Self.entries(6...7) + [[]]),
                after: head,
                under: lease
            )
            #expect(head.sequence == 8)
            #expect(try await log.head() == head)
            let all = try await log.records(after: genesis)
            #expect(all.map(\.sequence) == Array(1...8))
            #expect(all.map(\.entry) == Self.entries(1...7) + [[]])
            #expect(all.allSatisfy { $0.epoch == lease.epoch })
            let page = try await log.records(after: all[2].head, limit: 2)
            #expect(page == Array(all[3...4]))
            #expect(try await log.records(after: head).isEmpty)
            #expect(try await log.verify() == head)
        }
    }

    @Test("the chain is SHA-256 over what came before, number and entry")
    func chain() {
        let genesis = LogHead.genesis(log: "a", founding: [])
        #expect(genesis != LogHead.genesis(log: "b", founding: []))
        #expect(genesis != LogHead.genesis(log: "a", founding: [0]))
        let one = LogHead(sequence: 0, hash: Array(repeating: 0, count: 32)).adding([0x61])
        // Computed with printf and sha256sum from 32 zero bytes, seven more, 0x01 and "a".
        let hex = one.hash.hex
        #expect(hex == "00f87f5348b32d1caf5e59cbfadc31d568b7b2d04679e0d52b5aad8c5d4dfeed")
    }

    @Test("who thinks that the log ends elsewhere writes nothing", arguments: TestEngine.allCases)
    func wrongHead(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { log, lease, _ in
            let genesis = try await log.genesis()
            let head = try await log.append(
                LogBatch(entries: Self.entries(1...2)),
                after: genesis,
                under: lease
            )
            await #expect(throws: LogFailure.headMoved(expected: genesis, found: head)) {
                try await log.append(
                    LogBatch(entries: Self.entries(9...9)),
                    after: genesis,
                    under: lease
                )
            }
            #expect(try await log.verify() == head)
        }
    }

    @Test("an old lease writes nothing, not even beside the log", arguments: TestEngine.allCases)
    func fenced(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { log, lease, database in
            let head = try await log.append(
                LogBatch(entries: Self.entries(1...2)),
                after: log.genesis(),
                under: lease
            )
            let next = try await Lease.acquire("milan", by: "a", for: .seconds(60), in: database)
            let batch = LogBatch(
                entries: Self.entries(3...3),
                effects: [LogBatch.Effect(entry: 0, kind: "push", payload: [])],
                answers: [CommandAnswer(caller: "c", key: "k", request: [], answer: [])],
                statements: ["INSERT INTO inbox VALUES ('x', 'y', 0)"]
            )
            await #expect(throws: LogFailure.fenced(epoch: 1, current: 2)) {
                try await log.append(batch, after: head, under: lease)
            }
            #expect(try await log.verify() == head)
            #expect(try await Outbox(of: log).count() == 0)
            let inbox = try await database.read { try $0.rows("SELECT id FROM inbox") }
            #expect(inbox.isEmpty)
            let later = try await log.append(batch, after: head, under: next)
            #expect(try await log.verify() == later)
            #expect(try await Outbox(of: log).count() == 1)
        }
    }

    @Test("nothing of a batch is written when one part fails", arguments: TestEngine.allCases)
    func wholeOrNot(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { log, lease, _ in
            let genesis = try await log.genesis()
            let bad = LogBatch(
                entries: Self.entries(1...3),
                effects: [LogBatch.Effect(entry: 2, kind: "push", payload: [1])],
                statements: ["INSERT INTO lease SELECT * FROM lease"]
            )
            await #expect(throws: DatabaseFailure.self) {
                try await log.append(bad, after: genesis, under: lease)
            }
            #expect(try await log.verify() == genesis)
            #expect(try await Outbox(of: log).count() == 0)
            let long = LogBatch(entries: [Array(repeating: 0, count: LogBatch.entryLimit + 1)])
            await #expect(throws: LogFailure.self) {
                try await log.append(long, after: genesis, under: lease)
            }
            let lost = LogBatch(
                entries: [],
                effects: [LogBatch.Effect(entry: 0, kind: "push", payload: [])]
            )
            await #expect(throws: LogFailure.noSuchEntry(0)) {
                try await log.append(lost, after: genesis, under: lease)
            }
        }
    }

    @Test("an altered, lost, added or cut record is named", arguments: TestEngine.allCases)
    func damage(engine: TestEngine) async throws {
        let log = "milan"
        let cases: [(SQL, LogFailure)] = [
            (
                "UPDATE log_record SET entry = \(Array("X".utf8)) WHERE sequence = 4",
                .altered(log: log, sequence: 4)
            ),
            ("DELETE FROM log_record WHERE sequence = 5", .missing(log: log, sequence: 5)),
            ("DELETE FROM log_record WHERE sequence > 8", .missing(log: log, sequence: 9)),
            ("UPDATE log SET sequence = 9", .beyondHead(log: log, sequence: 10)),
            (
                "UPDATE log SET hash = genesis",
                .wrongHead(log: log, sequence: 10)
            ),
            ("UPDATE log SET founding = hash", .wrongGenesis(log: log)),
            ("UPDATE log SET genesis = hash", .wrongGenesis(log: log)),
        ]
        for (statement, expected) in cases {
            try await Self.withLog(on: engine) { log, lease, database in
                _ = try await log.append(
                    LogBatch(entries: Self.entries(1...10)),
                    after: log.genesis(),
                    under: lease
                )
                try await database.write { try $0.execute(statement) }
                await #expect(throws: expected) { try await log.verify() }
            }
        }
    }

    @Test("a log is founded once, and only as what it is", arguments: TestEngine.allCases)
    func founding(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let log = EventLog("a", in: database)
            await #expect(throws: LogFailure.noSuchLog("a")) { try await log.head() }
            let head = try await log.found(with: [1])
            #expect(try await log.found(with: [1]) == head)
            await #expect(throws: LogFailure.otherFounding(log: "a")) {
                try await log.found(with: [2])
            }
            let other = try await EventLog("b", in: database).found(with: [1])
            #expect(other != head)
        }
    }
}
