import Foundation
import SeededRandom
import StorageTestSupport
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Issue 3, "Crash tests"; spec/taxi.md F1, F2, I20 to I23, 5.7 (5).
@Suite("A service that is killed", .serialized)
struct CrashTests {
    @Test(
        "whatever goes wrong at whatever call, nothing is lost and nothing done twice (F1, F2)",
        arguments: TestEngine.allCases
    )
    func everyCall(engine: TestEngine) async throws {
        // The exhaustive test tries every call of the scenario with rotating faults.
        let limit = Effort.current == .everything ? nil : Effort.instances(24)
        try await withTemporaryFolder { folder in
            let shim = try await CrashShim(in: folder)
            let total = try await Self.countCalls(on: engine, in: folder, shim)
            try #require(total > 100)
            let trials = CrashShim.trials(
                of: CrashShim.Fault.of(engine),
                calls: total,
                limit: limit
            )
            try await forEach(trials, atOnce: 4) { trial in
                try await withDatabase(on: engine) { place in
                    try await withTemporaryFolder { folder in
                        try await Self.tryOut(trial, on: place, in: folder, shim)
                    }
                }
            }
        }
    }

    /// Three passengers and two taxis: as much as happens in a ride, and little more.
    private static let passengers: Range<UInt64> = 1..<4
    private static let scenario = "drive 1 3 2 3"

    private static func countCalls(
        on engine: TestEngine,
        in folder: String,
        _ shim: CrashShim
    ) async throws -> Int {
        let count = folder + "/count"
        try await withDatabase(on: engine) { place in
            let probe = try Probe(
                scenario,
                on: place.address,
                environment: shim.environment(on: engine, ["CRASH_COUNT": count]),
                output: folder + "/output"
            )
            #expect(try await probe.end() == 0, "\(probe.text)")
            var history = History()
            history.add(probe.text)
            try await Aftermath.check(place.address, history, passengers: passengers, "no fault")
        }
        return try CrashShim.count(in: count)
    }

    private static func tryOut(
        _ trial: CrashShim.Trial,
        on place: TestDatabase,
        in folder: String,
        _ shim: CrashShim
    ) async throws {
        var history = History()
        let first = try Probe(
            scenario,
            on: place.address,
            environment: shim.environment(on: place.engine, trial),
            output: folder + "/first"
        )
        let code = try await first.end()
        let label: Comment = "\(trial): \(String(describing: code)) \(first.text.suffix(800))"
        #expect(code == (trial.fault.isDeath ? 128 + SIGKILL : 3) || code == 0, label)
        history.add(first.text)
        var second = try Probe(scenario, on: place.address, output: folder + "/second")
        var end = try await second.end()
        if end == 3, !second.text.contains("serving") {
            // A server that has not started to serve does not wait for its database: if the disk is
            // blocked for seconds, it exits and is restarted by its supervisor.
            second = try Probe(scenario, on: place.address, output: folder + "/third")
            end = try await second.end()
        }
        #expect(end == 0, "\(label.rawValue), then \(second.text.suffix(800))")
        history.add(second.text)
        try await Aftermath.check(place.address, history, passengers: passengers, label)
    }

    @Test(
        "kill -9 at any moment, again and again, with eight rides at a time (I20, I21, F1)",
        arguments: TestEngine.allCases
    )
    func killed(engine: TestEngine) async throws {
        let random = SeededRandom(seed: 21)
        try await withDatabase(on: engine) { [random] place in
            var random = random
            try await withTemporaryFolder { folder in
                var history = History()
                let plan = "drive 1 200 8 3"
                for _ in 0..<Effort.instances(12, everything: 120) {
                    let probe = try Probe(plan, on: place.address, output: folder + "/output")
                    let pause = Int.random(in: 5..<400, using: &random)
                    try await Task.sleep(for: .milliseconds(pause))
                    kill(probe.child.pid, SIGKILL)
                    _ = try await probe.end()
                    history.add(probe.text)
                }
                let last = try Probe(plan, on: place.address, output: folder + "/output")
                #expect(try await last.end() == 0, "\(last.text.suffix(800))")
                history.add(last.text)
                try await Aftermath.check(place.address, history, passengers: 1..<201, "seed 21")
            }
        }
    }

    @Test(
        "SIGTERM during a batch ends it soon, and keeps what it acknowledged (F4)",
        arguments: TestEngine.allCases
    )
    func terminated(engine: TestEngine) async throws {
        let random = SeededRandom(seed: 4)
        try await withDatabase(on: engine) { [random] place in
            var random = random
            try await withTemporaryFolder { folder in
                var history = History()
                var done = 0
                for turn in 0..<Effort.instances(3) {
                    let probe = try Probe(
                        "drive 1 1000000 60 3",
                        on: place.address,
                        output: folder + "/\(turn)"
                    )
                    done += Int.random(in: 60..<200, using: &random)
                    let key = " end-\(done) "
                    try await probe.until { $0.contains(key) }
                    kill(probe.child.pid, SIGTERM)
                    let code = try await onThread { probe.child.wait(atMost: 30) }
                    #expect(code == 0, "\(probe.text.suffix(800))")
                    let isEnded = probe.text.hasSuffix("\nended\n")
                    #expect(isEnded)
                    history.add(probe.text)
                }
                try await Aftermath.check(
                    place.address,
                    history,
                    isDelivered: false,
                    "terminated, seed 4"
                )
            }
        }
    }
}
