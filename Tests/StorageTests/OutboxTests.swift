import Storage
import StorageTestSupport
import Synchronization
import Testing

/// design.md, rule 4; taxi.md I20: each effect is delivered at least once and applied once.
@Suite("Outbox and answers")
struct OutboxTests {
    private static func withLog(
        on engine: TestEngine,
        _ body: @Sendable (EventLog, LogHead, Lease, Database) async throws -> Void
    ) async throws {
        try await withStorage(on: engine) { database in
            let log = EventLog("m", in: database)
            let head = try await log.found()
            let lease = try await Lease.acquire("m", by: "a", for: .seconds(60), in: database)
            try await body(log, head, lease, database)
        }
    }

    private static func effects(_ entries: [Int]) -> [LogBatch.Effect] {
        entries.map { LogBatch.Effect(entry: $0, kind: "push", payload: [UInt8($0)]) }
    }

    @Test("items come with stable ids, later ones not yet", arguments: TestEngine.allCases)
    func claiming(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { log, head, lease, _ in
            let late = LogBatch.Effect(entry: 0, kind: "mail", payload: [9], delay: .seconds(90))
            let batch = LogBatch(entries: [[1], [2]], effects: Self.effects([0, 1, 0]) + [late])
            _ = try await log.append(batch, after: head, under: lease)
            let outbox = Outbox(of: log)
            let due = try await outbox.due(2)
            #expect(due.map(\.id.description) == ["1.0", "1.1"])
            #expect(try await outbox.due(9).map(\.id.description) == ["1.0", "1.1", "2.0"])
            let first = try await outbox.claim(2, for: .seconds(60))
            #expect(first == due)
            let second = try await outbox.claim(9, for: .seconds(60))
            #expect((first + second).map(\.id.description).sorted() == ["1.0", "1.1", "2.0"])
            #expect((first + second).allSatisfy { $0.attempt == 1 && $0.kind == "push" })
            #expect(try await outbox.claim(9, for: .seconds(60)).isEmpty)
            #expect(try await outbox.due(9).isEmpty)
            try await outbox.complete((first + second).map(\.id))
            #expect(try await outbox.count() == 1)
            // The late item is due.
            #expect(try await outbox.due(9).isEmpty)
        }
    }

    @Test(
        "items come in the order of their entries, however long their batch took to write",
        arguments: TestEngine.allCases
    )
    func order(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { log, head, lease, _ in
            // The items of both entries alternate, so a clock that goes on while they are written
            // would mix them.
            let pause = Duration.milliseconds(-1)
            let effects = (0..<2_000).map { number in
                LogBatch.Effect(entry: number % 2, kind: "push", payload: [], delay: pause)
            }
            _ = try await log.append(
                LogBatch(entries: [[1], [2]], effects: effects),
                after: head,
                under: lease
            )
            let first = try await Outbox(of: log).claim(1_000, for: .seconds(60))
            #expect(first.map(\.id.description) == (0..<1_000).map { "1.\($0)" })
        }
    }

    @Test("what is not completed comes again, with its attempt", arguments: TestEngine.allCases)
    func again(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { log, head, lease, _ in
            let batch = LogBatch(entries: [[1]], effects: Self.effects([0]))
            _ = try await log.append(batch, after: head, under: lease)
            let outbox = Outbox(of: log)
            for attempt: Int64 in 1...3 {
                let items = try await outbox.claim(5, for: .zero)
                #expect(items.map(\.attempt) == [attempt])
                #expect(items.map(\.id) == [Outbox.ItemId(sequence: 1, ordinal: 0)])
            }
            try await outbox.postpone(
                Outbox.ItemId(sequence: 1, ordinal: 0),
                for: Outbox.backoff(attempt: 7)
            )
            #expect(try await outbox.claim(5, for: .zero).isEmpty)
        }
    }

    /// Returns the faults of sent notices; each committed number must be sent once.
    private static func faults(of sent: [UInt8], committed: Set<UInt8>) -> Set<String> {
        var faults: Set<String> = []
        if Set(sent).count < sent.count { faults.insert("sent twice") }
        if !committed.isSuperset(of: sent) { faults.insert("sent for what was rolled back") }
        if !committed.isSubset(of: sent) { faults.insert("not sent") }
        return faults
    }

    // Batches with one notice each compete for the same head: losers retry, and one can never be
    // written. `attempt` is called with the number of a batch at each attempt.
    private static func race(
        _ log: EventLog,
        _ first: LogHead,
        _ lease: Lease,
        attempt: @escaping @Sendable (UInt8) -> Void
    ) async throws {
        let taken = CommandAnswer(caller: "c", key: "taken", request: [1], answer: [1])
        let start = try await log.append(
            LogBatch(entries: [[0]], answers: [taken]),
            after: first,
            under: lease
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number: UInt8 in 1...8 {
                group.addTask {
                    var batch = LogBatch(entries: [[number]], effects: [])
                    batch.effects = [LogBatch.Effect(entry: 0, kind: "push", payload: [number])]
                    if number == 8 { batch.answers = [taken] }
                    var head = start
                    while true {
                        attempt(number)
                        do {
                            _ = try await log.append(batch, after: head, under: lease)
                            return
                        } catch LogFailure.headMoved {
                            head = try await log.head()
                        } catch LogFailure.keyTaken {
                            return
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "notices sent while a transaction is tried go out twice, or for nothing; these do not",
        arguments: TestEngine.allCases
    )
    func retriedTransactions(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { log, first, lease, _ in
            // Reintroduces defect 4: a sender that sends at each attempt of a batch.
            let inside = Mutex<[UInt8]>([])
            try await Self.race(log, first, lease) { number in
                inside.withLock { $0.append(number) }
            }
            let written = try await log.records(after: first).dropFirst().map(\.entry[0])
            let committed = Set(written)
            #expect(committed == Set(1...7))
            #expect(written.count == 7)
            let wrong = Self.faults(of: inside.withLock(\.self), committed: committed)
            #expect(wrong == ["sent twice", "sent for what was rolled back"])
            let sent = try await Outbox(of: log).claim(100, for: .seconds(60)).flatMap(\.payload)
            #expect(Self.faults(of: sent, committed: committed) == [])
        }
    }

    @Test("pauses double up to an hour")
    func pauses() {
        let pauses = [1, 2, 3, 12, 13, 90].map { Outbox.backoff(attempt: $0) }
        #expect(pauses == [1, 2, 4, 2_048, 3_600, 3_600].map { .seconds($0) })
    }

    @Test(
        "an outbox that nobody empties is trimmed from its oldest end",
        arguments: TestEngine.allCases
    )
    func trimming(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { log, head, lease, _ in
            let batch = LogBatch(
                entries: (0..<10).map { [UInt8($0)] },
                effects: Self.effects(Array(0..<10) + [4, 4])
            )
            _ = try await log.append(batch, after: head, under: lease)
            let outbox = Outbox(of: log)
            #expect(try await outbox.trim(to: 12) == 0)
            #expect(try await outbox.trim(to: 6) == 6)
            let left = try await outbox.claim(100, for: .seconds(9)).map(\.id.description)
            #expect(left.sorted() == ["10.0", "5.2", "6.0", "7.0", "8.0", "9.0"])
        }
    }

    @Test("two workers never hold the same item", arguments: TestEngine.allCases)
    func workers(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { log, head, lease, _ in
            let batch = LogBatch(
                entries: (0..<200).map { [UInt8($0)] },
                effects: Self.effects(Array(0..<200))
            )
            _ = try await log.append(batch, after: head, under: lease)
            let outbox = Outbox(of: log)
            let taken = try await withThrowingTaskGroup(of: [Outbox.ItemId].self) { group in
                for _ in 0..<30 {
                    group.addTask { try await outbox.claim(9, for: .seconds(60)).map(\.id) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(taken.count == 200)
            #expect(Set(taken).count == 200)
        }
    }

    @Test("a receiver applies an item once", arguments: TestEngine.allCases)
    func inbox(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { _, _, _, database in
            var applied: [Bool] = []
            for (id, receiver) in [("1.0", "a"), ("1.0", "a"), ("1.0", "b"), ("1.1", "a")] {
                applied.append(
                    try await database.write { try Inbox.accept(id, by: receiver, in: $0) }
                )
            }
            #expect(applied == [true, false, true, true])
            #expect(try await Inbox.forget(olderThan: .seconds(60), in: database) == 0)
            #expect(try await Inbox.forget(olderThan: .seconds(-60), in: database) == 3)
        }
    }

    @Test(
        "a command that is claimed is done once; another may take its key over (ui.md 4.1)",
        arguments: TestEngine.allCases
    )
    func claims(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { _, _, _, database in
            let answers = CommandAnswers(in: database)
            func command(
                _ request: UInt8,
                key: String = "k",
                of caller: String = "c"
            )
                -> CommandAnswer
            { CommandAnswer(caller: caller, key: key, request: [request], answer: []) }
            #expect(try await answers.claim(command(1)) == .mine)
            #expect(try await answers.claim(command(1)) == .begun)
            try await answers.settle(command(1).answered([7]))
            #expect(try await answers.claim(command(1)) == .answered([7]))
            #expect(try await answers.claim(command(2)) == .otherRequest)
            #expect(try await answers.claim(command(1, of: "d")) == .mine)
            #expect(try await answers.claim(command(2), replaces: true) == .mine)
            // The answer to the first command comes too late.
            try await answers.settle(command(1).answered([7]))
            try await answers.giveUp(command(1))
            #expect(try await answers.claim(command(2)) == .begun)
            try await answers.giveUp(command(2))
            #expect(try await answers.claim(command(1)) == .mine)
            // Only a limited number of answers per caller is kept.
            for number in 0..<20 {
                let claim = command(1, key: "k\(number)")
                #expect(try await answers.claim(claim, keeping: 5) == .mine)
            }
            let kept = try await database.read { transaction in
                try transaction.rows("SELECT key FROM command_answer WHERE caller = 'c'").count
            }
            #expect(kept == 5)
            #expect(try await answers.claim(command(1, of: "d")) == .begun)
        }
    }

    @Test(
        "an answer that is kept with its change excludes a second change (R107)",
        arguments: TestEngine.allCases
    )
    func together(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { _, _, _, database in
            let answers = CommandAnswers(in: database)
            try await database.write { transaction in
                try transaction.execute("CREATE TABLE done (number \(.integer) NOT NULL)")
            }
            @Sendable func change(_ key: String, _ request: UInt8, _ answer: UInt8) async throws {
                try await database.write { transaction in
                    try transaction.execute("INSERT INTO done (number) VALUES (\(Int64(answer)))")
                    let command = CommandAnswer(
                        caller: "c",
                        key: key,
                        request: [request],
                        answer: [answer]
                    )
                    try CommandAnswers.settle(command, in: transaction)
                }
            }
            func done() async throws -> [Int64] {
                try await database.read { transaction in
                    try transaction.rows("SELECT number FROM done ORDER BY number")
                        .map { try $0.value("number") }
                }
            }
            let claim = CommandAnswer(caller: "c", key: "k", request: [1], answer: [])
            #expect(try await answers.claim(claim) == .mine)
            try await change("k", 1, 7)
            #expect(try await answers.claim(claim) == .answered([7]))
            // The same command again, and another one under its key.
            for request in [1, 2] as [UInt8] {
                await #expect(throws: CommandAnswers.AnsweredBefore.self) {
                    try await change("k", request, 8)
                }
            }
            // Who failed afterwards takes nothing back.
            try await answers.giveUp(claim)
            #expect(try await answers.claim(claim) == .answered([7]))
            #expect(try await done() == [7])
            // Of several writers at once, one makes the change, whether or not there is a claim.
            let succeeded = await withTaskGroup(of: Bool.self) { group in
                for number in 10..<14 as Range<UInt8> {
                    group.addTask { (try? await change("l", 1, number)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(succeeded == 1)
            #expect(try await done().count == 2)
        }
    }

    @Test(
        "a repeated command gets its answer, another under its key is refused",
        arguments: TestEngine.allCases
    )
    func answers(engine: TestEngine) async throws {
        try await Self.withLog(on: engine) { log, head, lease, database in
            let answers = CommandAnswers(in: database)
            #expect(try await answers.find(key: "k", of: "c", request: [1]) == .unknown)
            let answer = CommandAnswer(caller: "c", key: "k", request: [1], answer: [7])
            let next = try await log.append(
                LogBatch(entries: [[1]], answers: [answer]),
                after: head,
                under: lease
            )
            #expect(try await answers.find(key: "k", of: "c", request: [1]) == .answered([7]))
            #expect(try await answers.find(key: "k", of: "c", request: [2]) == .otherRequest)
            #expect(try await answers.find(key: "k", of: "d", request: [1]) == .unknown)
            await #expect(throws: LogFailure.keyTaken(caller: "c", key: "k")) {
                try await log.append(
                    LogBatch(entries: [[2]], answers: [answer]),
                    after: next,
                    under: lease
                )
            }
            #expect(try await log.verify() == next)
            #expect(try await answers.forget(olderThan: .seconds(60)) == 0)
            #expect(try await answers.forget(olderThan: .seconds(-60)) == 1)
            #expect(try await answers.find(key: "k", of: "c", request: [1]) == .unknown)
        }
    }
}
