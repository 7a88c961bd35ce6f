import Dispatching
import Foundation
import Storage
import StorageTestSupport
import TestSupport
import Testing

@testable import Taxi

#if canImport(Glibc)
import Glibc
#endif

@Suite("A service that is killed", .serialized)
struct CrashTests {
    /// The probe beside the tests.
    private static var probe: String {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return folder.appendingPathComponent("TaxiProbe").path
    }

    /// What a run acknowledged: the number of the entry for each key.
    private static func acknowledged(_ path: String) throws -> (acks: [String: Int64], isDone: Bool)
    {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var acks: [String: Int64] = [:]
        // A line without its end was not written whole, and acknowledges nothing.
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ")
            if words.count == 3, words[0] == "ack" { acks[String(words[1])] = Int64(words[2]) }
        }
        return (acks, text.hasSuffix("done\n"))
    }

    /// Starts the probe, and kills it after so many milliseconds; nil lets it end.
    private static func run(
        _ address: String,
        holder: String = "probe",
        passengers: Range<UInt64>,
        output: String,
        killAfter: Int?
    ) async throws -> Int32 {
        let child = try ChildProcess(
            probe,
            [address, holder, "\(passengers.lowerBound)", "\(passengers.count)", "8"],
            output: output
        )
        if let killAfter {
            try await Task.sleep(for: .milliseconds(killAfter))
            kill(child.pid, SIGKILL)
        }
        return try await onThread { child.wait() }
    }

    @Test(
        "kill -9 at any moment loses nothing acknowledged and does nothing twice (I20, I21, F1)",
        arguments: TestEngine.allCases
    )
    func killed(engine: TestEngine) async throws {
        let random = SeededRandom(seed: 21)
        try await withDatabase(on: engine) { [random] place in
            var random = random
            try await withTemporaryFolder { folder in
                let output = folder + "/out"
                var known: [String: Int64] = [:]
                let passengers: Range<UInt64> = 1..<201
                for _ in 0..<Effort.instances(12, everything: 120) {
                    _ = try await Self.run(
                        place.address,
                        passengers: passengers,
                        output: output,
                        killAfter: Int.random(in: 5..<400, using: &random)
                    )
                    try Self.merge(try Self.acknowledged(output).acks, into: &known)
                }
                let code = try await Self.run(
                    place.address,
                    passengers: passengers,
                    output: output,
                    killAfter: nil
                )
                #expect(code == 0)
                let last = try Self.acknowledged(output)
                #expect(last.isDone)
                try Self.merge(last.acks, into: &known)
                try await Self.check(place, known, passengers)
            }
        }
    }

    /// A key is acknowledged with the same entry in every run.
    private static func merge(_ new: [String: Int64], into known: inout [String: Int64]) throws {
        for (key, sequence) in new {
            if let before = known[key] {
                #expect(before == sequence, "\(key) was acknowledged as two entries")
            }
            known[key] = sequence
        }
    }

    /// The log holds each acknowledged entry, drives each passenger once, and replays.
    private static func check(
        _ place: TestDatabase,
        _ known: [String: Int64],
        _ passengers: Range<UInt64>
    ) async throws {
        let database = try await place.open()
        defer { database.close() }
        let log = EventLog("town", in: database)
        let head = try await log.verify()
        #expect(known.values.allSatisfy { $0 <= head.sequence })
        var dispatcher = Dispatcher()
        var completed: [PassengerNumber: Int] = [:]
        var owners: [RequestNumber: PassengerNumber] = [:]
        for record in try await log.records(after: try await log.genesis(), limit: 10_000) {
            let entry = try Entry(bytes: record.entry)
            for event in entry.events {
                if case .requested(let request, let form) = event {
                    owners[request] = form.passenger
                }
                if case .ended(let request, .completed, _) = event, let who = owners[request] {
                    completed[who, default: 0] += 1
                }
            }
            try dispatcher.repeatDecision(of: entry)
        }
        #expect(completed.count == passengers.count)
        #expect(completed.values.allSatisfy { $0 == 1 })
        #expect(dispatcher.requestCount == 0)
    }

    @Test("a standby serves within ten seconds of the writer's death, and nothing is lost (F5)")
    func standby() async throws {
        try await withDatabase(on: .postgres) { place in
            try await withTemporaryFolder { folder in
                let first = try ChildProcess(
                    Self.probe,
                    [place.address, "first", "1", "100000", "4"],
                    output: folder + "/first"
                )
                try await Self.until(within: 20) {
                    try Self.acknowledged(folder + "/first").acks["end-20"] != nil
                }
                let second = try ChildProcess(
                    Self.probe,
                    [place.address, "second", "200001", "20", "4"],
                    output: folder + "/second"
                )
                try await Task.sleep(for: .milliseconds(500))
                let waiting = try String(contentsOfFile: folder + "/second", encoding: .utf8)
                #expect(waiting.isEmpty, "the standby must not serve beside the writer")
                kill(first.pid, SIGKILL)
                _ = try await onThread { first.wait() }
                let died = ContinuousClock.now
                try await Self.until(within: 10) {
                    try !Self.acknowledged(folder + "/second").acks.isEmpty
                }
                #expect(ContinuousClock.now - died < .seconds(10))
                #expect(try await onThread { second.wait() } == 0)
                let database = try await place.open()
                defer { database.close() }
                let head = try await EventLog("town", in: database).verify()
                let acks = try Self.acknowledged(folder + "/first").acks.values
                #expect(acks.allSatisfy { $0 <= head.sequence })
            }
        }
    }

    private static func until(within seconds: Int, _ holds: () throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while try !holds() {
            guard ContinuousClock.now < end else {
                Issue.record("it did not happen within \(seconds) s")
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
