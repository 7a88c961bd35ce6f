import Foundation
import StorageTestSupport
import TestSupport
import Testing

/// Issue 29, "Assertions": dispatch service, lease and storage under a seeded scheduler.
@Suite("Dispatch service, lease and storage, simulated")
struct DispatchSimulationTests {
    /// The seeds that failed once, which every run tries first; a failing run adds its seed.
    private static let list = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("failing-seeds.txt")

    private static var failedBefore: [UInt64] {
        let text = (try? String(contentsOf: list, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { UInt64($0) }
    }

    private static var seeds: [UInt64] {
        if let seed = ProcessInfo.processInfo.environment["VIAVAI_SEED"].flatMap(UInt64.init) {
            return [seed]
        }
        return failedBefore + Array(1...UInt64(Effort.instances(300, everything: 6_000)))
    }

    private static func note(_ seed: UInt64) {
        guard !failedBefore.contains(seed), let file = try? FileHandle(forWritingTo: list) else {
            return
        }
        _ = try? file.seekToEnd()
        try? file.write(contentsOf: Data("\(seed)\n".utf8))
    }

    @Test(
        """
        whatever happens to servers, clocks, network and disk: nothing acknowledged is lost, \
        nothing is done twice, no taxi is given twice, each epoch has one writer, and every \
        follower sees a prefix of the log (I20, I21, I28, F1, F2, F5)
        """
    )
    func seeded() async throws {
        let seeds = Self.seeds
        // One thread per core.
        async let evens = Self.play(seeds.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
        async let odds = Self.play(seeds.enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
        let outcomes = try await evens + odds
        for outcome in outcomes {
            guard let complaint = outcome.complaints.first else { continue }
            Issue.record(
                """
                seed \(outcome.seed): \(complaint)
                repeat it with: VIAVAI_SEED=\(outcome.seed) scripts/test --filter DispatchSimulation
                """
            )
        }
        guard outcomes.count > 100 else { return }
        #expect(outcomes.map(\.entries).reduce(0, +) > 50 * outcomes.count)
        #expect(outcomes.map(\.writers).reduce(0, +) > 2 * outcomes.count)
        for fault in Self.allFaults {
            #expect(outcomes.contains { $0.faults[fault] != nil }, "\(fault) never happened")
        }
    }

    /// Runs simulations until the first one fails.
    private static func play(_ seeds: [UInt64]) async throws -> [World.Outcome] {
        try await onThread {
            var outcomes: [World.Outcome] = []
            for seed in seeds {
                outcomes.append(try World.run(seed: seed))
                guard outcomes.last?.complaints.isEmpty == true else {
                    note(seed)
                    break
                }
            }
            return outcomes
        }
    }

    private static let allFaults = [
        "a broken connection", "a commit lost", "a conflict", "a full disk", "a late commit",
        "a slow answer", "an answer lost", "cut off", "killed", "killed after the commit",
        "killed before the commit", "no answer in time", "no connection", "paused",
        "the database's clock steps",
    ]

    @Test("the same seed gives the same run")
    func repeatable() async throws {
        let digests = try await onThread {
            try (0..<2).map { _ in try World.run(seed: 7).digest }
        }
        #expect(digests[0] == digests[1])
    }

    @Test(
        "a database that forgets is found out",
        arguments: SimulatedDatabase.Defect.allCases
    )
    func defects(defect: SimulatedDatabase.Defect) async throws {
        let found = try await onThread {
            try (1...20).first { seed in
                try !World.run(seed: seed, defect: defect).complaints.isEmpty
            }
        }
        #expect(found != nil)
    }
}
