import SeededRandom
import Storage
import StorageTestSupport
import TestSupport
import Testing

/// Issue 3, "How sure": log, outbox and answers against an in-memory model, with programs that stop
/// between any two transactions; taxi.md I20, I21, I23.
@Suite("Log against a model")
struct LogModelTests {
    /// The expected contents of the database.
    private struct Model {
        var entries: [[UInt8]] = []
        var items: [String: [UInt8]] = [:]
        var answers: [String: [UInt8]] = [:]
        var delivered: Set<String> = []
        var snapshot: Int64?
    }

    /// A run of a program, which starts by reading the state and stops at any time.
    private struct Run {
        var database: Database
        var log: EventLog
        var lease: Lease
        var head: LogHead

        init(_ place: TestDatabase, name: String) async throws {
            database = try await place.open()
            log = EventLog("m", in: database)
            lease = try await Lease.acquire("m", by: name, for: .seconds(60), in: database)
            head = try await log.head()
        }
    }

    @Test("what was acknowledged is there, once", arguments: TestEngine.allCases)
    func randomRuns(engine: TestEngine) async throws {
        for seed in 1...UInt64(Effort.instances(8)) {
            try await withDatabase(on: engine) { place in
                do {
                    try await Self.play(seed: seed, on: place)
                } catch {
                    Issue.record(error, "seed \(seed)")
                }
            }
        }
    }

    private static func play(seed: UInt64, on place: TestDatabase) async throws {
        var random = SeededRandom(seed: seed)
        let first = try await place.open()
        try await first.migrate(Migration.storage)
        try await EventLog("m", in: first).found()
        first.close()
        var model = Model()
        var runs = [try await Run(place, name: "a")]
        for _ in 0..<80 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9: try await append(to: &runs[runs.count - 1], &model, &random)
            case 9..<13: try await deliver(from: runs[runs.count - 1], &model, &random)
            case 13..<15: try await repeatCommand(to: runs[runs.count - 1], model, &random)
            case 15: try await keepSnapshot(of: runs[runs.count - 1], &model)
            case 16..<18 where runs.count > 1: try await intrude(runs[0])
            default:
                // The program stops; the next one has the same name and starts at once. Some of the
                // stopped programs were merely stalled and will continue.
                if runs.count > 2 { runs.removeFirst().database.close() }
                runs.append(try await Run(place, name: "a"))
            }
            try await check(runs[runs.count - 1], model)
        }
        for run in runs { run.database.close() }
    }

    private static func bytes(_ random: inout SeededRandom) -> [UInt8] {
        (0..<Int.random(in: 0..<40, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
    }

    private static func append(
        to run: inout Run,
        _ model: inout Model,
        _ random: inout SeededRandom
    ) async throws {
        let entries = (0..<Int.random(in: 0..<6, using: &random)).map { _ in bytes(&random) }
        var batch = LogBatch(entries: entries)
        var counts: [Int: Int] = [:]
        for _ in 0..<(entries.isEmpty ? 0 : Int.random(in: 0..<4, using: &random)) {
            let entry = Int.random(in: entries.indices, using: &random)
            let payload = bytes(&random)
            batch.effects.append(LogBatch.Effect(entry: entry, kind: "k", payload: payload))
            let id = "\(model.entries.count + 1 + entry).\(counts[entry, default: 0])"
            counts[entry, default: 0] += 1
            model.items[id] = payload
        }
        let key = "key \(model.answers.count)"
        let answer = bytes(&random)
        batch.answers = [
            CommandAnswer(caller: "c", key: key, request: Array(key.utf8), answer: answer)
        ]
        run.head = try await run.log.append(batch, after: run.head, under: run.lease)
        model.entries += entries
        model.answers[key] = answer
    }

    private static func deliver(
        from run: Run,
        _ model: inout Model,
        _ random: inout SeededRandom
    ) async throws {
        let outbox = Outbox(of: run.log)
        for item in try await outbox.claim(3, for: .zero) {
            let id = item.id.description
            #expect(model.items[id] == item.payload)
            let isNew = try await run.database.write { transaction in
                try Inbox.accept(id, by: "r", in: transaction)
            }
            #expect(isNew == model.delivered.insert(id).inserted)
            // A worker that stops here leaves the item to the next one.
            if Bool.random(using: &random) {
                try await outbox.complete([item.id])
                model.items[id] = nil
            }
        }
    }

    private static func repeatCommand(
        to run: Run,
        _ model: Model,
        _ random: inout SeededRandom
    ) async throws {
        let number = Int.random(in: 0...model.answers.count, using: &random)
        let key = "key \(number)"
        let found = try await CommandAnswers(in: run.database)
            .find(key: key, of: "c", request: Array(key.utf8))
        #expect(found == model.answers[key].map { .answered($0) } ?? .unknown)
    }

    private static func keepSnapshot(of run: Run, _ model: inout Model) async throws {
        let state = Array("\(run.head.sequence)".utf8)
        let store = SnapshotStore(of: run.log, keeping: 2)
        try await store.save(Snapshot(head: run.head, state: state))
        model.snapshot = run.head.sequence
    }

    /// A stalled program continues with its old lease and its outdated head.
    private static func intrude(_ stalled: Run) async throws {
        let batch = LogBatch(entries: [[0xFF]])
        await #expect(throws: LogFailure.self) {
            try await stalled.log.append(batch, after: stalled.head, under: stalled.lease)
        }
        await #expect(throws: LeaseFailure.self) {
            _ = try await stalled.lease.renewed(for: .seconds(9), in: stalled.database)
        }
    }

    private static func check(_ run: Run, _ model: Model) async throws {
        let verified = try await run.log.verify()
        #expect(verified == run.head)
        let records = try await run.log.records(after: run.log.genesis(), limit: 10_000)
        #expect(records.map(\.entry) == model.entries)
        let items = try await Outbox(of: run.log).count()
        #expect(items == model.items.count)
        let found = try await SnapshotStore(of: run.log).newest()
        #expect(found.snapshot?.head.sequence == model.snapshot)
        #expect(found.damaged.isEmpty)
    }
}
