import Foundation
import Storage
import StorageTestSupport
import TestSupport
import Testing

/// Issue 3, "Crash tests"; taxi.md F1, F2, I20, I21, I23.
///
/// A preloaded library makes the nth write, sync, rename or message to the server fail, for each n
/// of a scenario. Acknowledged entries must be present exactly once.
@Suite("Crashes at every write", .serialized)
struct CrashTests {
    private static let rounds = 4

    /// The end of a run of the probe.
    private struct Outcome {
        var code: Int32
        /// The last acknowledged sequence number.
        var acknowledged: Int64
        var text: String
    }

    @Test("nothing acknowledged is lost, wherever it stops", arguments: TestEngine.allCases)
    func everyCall(engine: TestEngine) async throws {
        try await withTemporaryFolder { folder in
            let shim = try await CrashShim(in: folder)
            let total = try await Self.countCalls(on: engine, in: folder, shim: shim)
            try #require(total > 20)
            // Some of the calls; the exhaustive test tries all of them with rotating faults.
            let limit = Effort.current == .everything ? nil : Effort.instances(30)
            let trials = CrashShim.trials(
                of: CrashShim.Fault.of(engine),
                calls: total,
                limit: limit
            )
            try await forEach(trials, atOnce: 4) { trial in
                try await withDatabase(on: engine) { place in
                    try await withTemporaryFolder { folder in
                        try await Self.tryOut(trial, on: place, in: folder, shim: shim)
                    }
                }
            }
        }
    }

    @Test("a slow disk only makes it slow")
    func slow() async throws {
        try await withTemporaryFolder { folder in
            let shim = try await CrashShim(in: folder)
            let outcome = try await Self.probe(
                "sqlite:" + folder + "/slow.sqlite",
                in: folder,
                environment: shim.environment(
                    on: .sqlite,
                    [
                        "CRASH_CALLS": "fsync,fdatasync", "CRASH_AT": "1", "CRASH_HOW": "delay",
                        "CRASH_DELAY": "5",
                    ]
                )
            )
            #expect(outcome.code == 0, "\(outcome.text)")
            #expect(outcome.acknowledged == Int64(Self.rounds * 3))
        }
    }

    private static func tryOut(
        _ trial: CrashShim.Trial,
        on place: TestDatabase,
        in folder: String,
        shim: CrashShim
    ) async throws {
        let environment = shim.environment(on: place.engine, trial)
        let outcome = try await probe(place.address, in: folder, environment: environment)
        let label: Comment = "\(trial): \(outcome.code) \(outcome.text)"
        // If it survived, it reports a typed failure, or the fault did not matter: for example a
        // journal that was not cleaned up, or a connection that was reopened.
        let code = trial.fault.isDeath ? 128 + SIGKILL : 3
        #expect(outcome.code == code || outcome.code == 0, label)
        try await check(place, acknowledged: outcome.acknowledged, label)
        // The next run continues from there.
        let next = try await probe(place.address, in: folder, environment: [:])
        #expect(next.code == 0, "\(label.rawValue), then \(next.text)")
        #expect(next.acknowledged >= outcome.acknowledged + Int64(rounds * 3), label)
    }

    /// Opens the database after a crash and checks that all acknowledged entries are present once.
    private static func check(
        _ place: TestDatabase,
        acknowledged: Int64,
        _ label: Comment
    ) async throws {
        let database = try await place.open()
        defer { database.close() }
        try await database.migrate(Migration.storage)
        let log = EventLog("probe", in: database)
        try await log.found()
        // A server may still be processing what a killed writer sent; the lease fences that off.
        _ = try await Lease.acquire("probe", by: "probe", for: .zero, in: database)
        let head = try await log.verify()
        #expect(head.sequence >= acknowledged, label)
        #expect(head.sequence % 3 == 0, "a batch was torn: \(label.rawValue)")
        let records = try await log.records(after: log.genesis())
        for record in records {
            let text = "entry \(record.sequence)."
            #expect(record.entry.starts(with: text.utf8), label)
        }
        let answers = CommandAnswers(in: database)
        for number in stride(from: Int64(3), through: head.sequence, by: 3) {
            let key = "key \(number)"
            let found = try await answers.find(key: key, of: "c", request: Array(key.utf8))
            #expect(found == .answered(records[Int(number) - 1].entry), label)
        }
        let items = try await Outbox(of: log).count()
        let batches = Int(head.sequence / 3)
        #expect((batches - batches / 3 - 1...batches).contains(items), label)
        let snapshot = try await SnapshotStore(of: log).newest()
        #expect(snapshot.damaged.isEmpty, label)
    }

    private static func countCalls(
        on engine: TestEngine,
        in folder: String,
        shim: CrashShim
    ) async throws -> Int {
        let count = folder + "/count"
        try await withDatabase(on: engine) { place in
            let environment = shim.environment(on: engine, ["CRASH_COUNT": count])
            let outcome = try await probe(place.address, in: folder, environment: environment)
            #expect(outcome.code == 0, "\(outcome.text)")
        }
        return try CrashShim.count(in: count)
    }

    private static func probe(
        _ address: String,
        in folder: String,
        environment: [String: String]
    ) async throws -> Outcome {
        let output = folder + "/output"
        let program = try builtProgram("StorageProbe")
        let code = try await onThread {
            try ChildProcess(
                program,
                [address, "\(rounds)"],
                environment: environment,
                output: output
            ).wait()
        }
        let text = try String(contentsOfFile: output, encoding: .utf8)
        let numbers = text.split(separator: "\n").filter { $0.hasPrefix("done ") }
            .compactMap { Int64($0.dropFirst("done ".count)) }
        return Outcome(code: code, acknowledged: numbers.last ?? 0, text: text)
    }
}
