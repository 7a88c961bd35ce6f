import Foundation
import Storage
import StorageTestSupport
import TestSupport
import Testing

/// Issue 3, "Crash tests"; taxi.md F1, F2, I20, I21, I23.
///
/// A preloaded shim makes the nth write, sync, rename or message to the server go wrong, for each
/// n of a scenario. What was acknowledged must be there, once.
@Suite("Crashes at every write", .serialized)
struct CrashTests {
    private static let rounds = 4

    /// Which calls count, by engine.
    private static func counted(on engine: TestEngine) -> [String: String] {
        switch engine {
        case .sqlite:
            [
                "CRASH_CALLS": "write,pwrite,writev,pwritev,fsync,fdatasync,rename",
                "CRASH_PATH": ".sqlite",
            ]
        case .postgres: ["CRASH_CALLS": "send", "CRASH_PATH": "socket:"]
        }
    }

    /// What goes wrong with a call.
    private enum Fault: String, CaseIterable {
        case kill, killafter, short, ENOSPC, EIO
    }

    /// How a run of the probe ended.
    private struct Outcome {
        var code: Int32
        /// The last sequence number that was acknowledged.
        var acknowledged: Int64
        var text: String
    }

    @Test("nothing acknowledged is lost, wherever it stops", arguments: TestEngine.allCases)
    func everyCall(engine: TestEngine) async throws {
        try await withTemporaryFolder { folder in
            let shim = try await Self.buildShim(in: folder)
            let total = try await Self.countCalls(on: engine, in: folder, shim: shim)
            try #require(total > 20)
            // Some of the calls, of each fault; the long door tries ten times as many.
            let faults = Fault.allCases
            let step = max(1, total * faults.count / Effort.instances(30, everything: 300))
            for turn in stride(from: 0, to: total * faults.count, by: step) {
                let fault = faults[turn % faults.count]
                let call = turn / faults.count + 1
                try await withDatabase(on: engine) { place in
                    try await Self.tryFault(fault, at: call, on: place, in: folder, shim: shim)
                }
            }
        }
    }

    @Test("a slow disk only makes it slow")
    func slow() async throws {
        try await withTemporaryFolder { folder in
            let shim = try await Self.buildShim(in: folder)
            let outcome = try await Self.probe(
                "sqlite:" + folder + "/slow.sqlite",
                in: folder,
                environment: [
                    "LD_PRELOAD": shim, "CRASH_CALLS": "fsync,fdatasync", "CRASH_AT": "1",
                    "CRASH_HOW": "delay", "CRASH_DELAY": "5", "CRASH_PATH": "slow.sqlite",
                ]
            )
            #expect(outcome.code == 0, "\(outcome.text)")
            #expect(outcome.acknowledged == Int64(rounds * 3))
        }
    }

    private var rounds: Int { Self.rounds }

    private static func tryFault(
        _ fault: Fault,
        at call: Int,
        on place: TestDatabase,
        in folder: String,
        shim: String
    ) async throws {
        var environment = counted(on: place.engine)
        environment["LD_PRELOAD"] = shim
        environment["CRASH_AT"] = "\(call)"
        environment["CRASH_HOW"] = fault.rawValue
        let outcome = try await probe(place.address, in: folder, environment: environment)
        let label: Comment = "\(fault) at call \(call): \(outcome.code) \(outcome.text)"
        switch fault {
        case .kill, .killafter, .short:
            #expect(outcome.code == 128 + SIGKILL || outcome.code == 0, label)
        case .ENOSPC, .EIO:
            // A typed failure, or one that did not matter: a journal that could not be tidied, a
            // connection that could be made again.
            #expect(outcome.code == 3 || outcome.code == 0, label)
        }
        try await check(place, acknowledged: outcome.acknowledged, label)
        // The next run goes on from there.
        let next = try await probe(place.address, in: folder, environment: [:])
        #expect(next.code == 0, "\(label.rawValue), then \(next.text)")
        #expect(next.acknowledged >= outcome.acknowledged + Int64(rounds * 3), label)
    }

    /// Opens what a crash left, and looks whether all that was acknowledged is there, once.
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
        // A server may still be finishing what a killed writer sent; its lease keeps that out.
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
        shim: String
    ) async throws -> Int {
        let count = folder + "/count"
        try await withDatabase(on: engine) { place in
            var environment = counted(on: engine)
            environment["LD_PRELOAD"] = shim
            environment["CRASH_COUNT"] = count
            let outcome = try await probe(place.address, in: folder, environment: environment)
            #expect(outcome.code == 0, "\(outcome.text)")
        }
        let text = try String(contentsOfFile: count, encoding: .utf8)
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    private static func probe(
        _ address: String,
        in folder: String,
        environment: [String: String]
    ) async throws -> Outcome {
        let output = folder + "/output"
        let program = try #require(probePath)
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

    /// The probe beside the tests.
    private static var probePath: String? {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0])
        let places = [bundle.deletingLastPathComponent(), Bundle.main.bundleURL]
        return places.map { $0.appendingPathComponent("StorageProbe").path }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func buildShim(in folder: String) async throws -> String {
        let source = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("CrashShim/CrashShim.c").path
        let shim = folder + "/shim.so"
        let arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl"]
        let code = try await onThread {
            try ChildProcess("/usr/bin/env", arguments, output: folder + "/clang").wait()
        }
        let text = try String(contentsOfFile: folder + "/clang", encoding: .utf8)
        #expect(code == 0, "\(text)")
        return shim
    }
}
