import Foundation
import StorageTestSupport
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Issue 3, "PostgreSQL's postmaster also gets SIGKILL at each commit"; spec/taxi.md F1, F2, F5.
@Suite("A PostgreSQL server that fails", .serialized)
struct PostgresCrashTests {
    /// Runs a test on a server with the given disk behaviour.
    private static func withServer(
        delay: Int = 0,
        _ body: @Sendable (_ server: RiggedPostgres, _ folder: String) async throws -> Void
    ) async throws {
        try PostgresCluster.requireInstalled()
        try await withTemporaryFolder { folder in
            let shim = try await CrashShim(in: folder)
            let server = try await onThread {
                try RiggedPostgres(in: folder, shim, delay: delay)
            }
            try await body(server, folder)
        }
    }

    /// Creates an empty database on a server.
    private static func database(_ name: String, on server: RiggedPostgres) async throws -> String {
        try await onThread { try server.cluster.makeDatabase(name) }
        return server.cluster.address(of: name)
    }

    private static func check(
        _ probes: [Probe],
        on address: String,
        passengers: Range<UInt64> = 0..<0,
        isDelivered: Bool = true,
        _ label: Comment
    ) async throws {
        var history = History()
        for probe in probes { history.add(probe.text) }
        try await Aftermath.check(
            address,
            history,
            passengers: passengers,
            isDelivered: isDelivered,
            label
        )
    }

    @Test("SIGKILL to all of it at any write or sync of its log loses nothing (F1, I20, I21)")
    func everyCommit() async throws {
        try await Self.withServer { server, folder in
            let plan = "drive 1 3 2 1500"
            let counted = try await Self.database("counted", on: server)
            try server.arm("none", at: 0, on: "/pg_wal/")
            let probe = try Probe(plan, on: counted, output: folder + "/counted")
            #expect(try await probe.end() == 0, "\(probe.text.suffix(800))")
            let total = try server.disarm()
            try #require(total > 50)
            let trials = CrashShim.trials(
                of: [.kill, .killafter, .short],
                calls: total,
                limit: Effort.current == .everything ? nil : Effort.instances(5)
            )
            for (place, trial) in trials.enumerated() {
                try await Self.kill(server, trial, "test\(place)", in: folder)
            }
        }
    }

    /// Kills the server during a run and restarts it; the run continues.
    private static func kill(
        _ server: RiggedPostgres,
        _ trial: CrashShim.Trial,
        _ name: String,
        in folder: String
    ) async throws {
        let address = try await database(name, on: server)
        try server.arm(trial.fault.rawValue, at: trial.call, on: "/pg_wal/")
        let probe = try Probe("drive 1 3 2 1500", on: address, output: folder + "/" + name)
        let watcher = Task {
            while server.cluster.isRunning { try await Task.sleep(for: .milliseconds(5)) }
            try server.disarm()
            try await onThread { try server.cluster.startAgain() }
        }
        var code = try await probe.end()
        // A run may end before it reaches that call.
        if try server.disarm() < trial.call { watcher.cancel() }
        _ = await watcher.result
        let label: Comment = "\(trial): \(probe.text.suffix(800))"
        var probes = [probe]
        if code == 3, !probe.text.contains("serving") {
            // A server that has not started to serve does not wait for its database.
            probes.append(
                try Probe("drive 1 3 2 1500", on: address, output: folder + "/again")
            )
            code = try await probes[1].end()
        }
        #expect(code == 0, label)
        try await check(probes, on: address, passengers: 1..<4, label)
        // After a crash, a starting server syncs every file of all its databases.
        try await onThread { try server.cluster.dropDatabase(name) }
    }

    @Test(
        "a full disk under it is a clear error, and it goes on when there is space (F2)",
        arguments: ["/base/", "/pg_wal/"]
    )
    func fullDisk(path: String) async throws {
        try await Self.withServer { server, folder in
            let address = try await Self.database("full", on: server)
            let plan = "drive 1 100000 8 1500"
            let probe = try Probe(plan, on: address, output: folder + "/output")
            defer { Glibc.kill(probe.child.pid, SIGKILL) }
            try await probe.until { $0.contains(" end-20 ") }
            try server.arm("ENOSPC", on: path)
            // For the WAL, the server's processes are terminated repeatedly, and
            // possibly the server.
            let isLog = path == "/pg_wal/"
            try await probe.until { $0.contains(isLog ? "failed " : "diskFull") }
            let before = probe.text
            try server.disarm()
            let acks = before.ranges(of: "\nack ").count
            try await eventually(within: Probe.limit, "\(probe.text.suffix(500))") {
                // A server that runs out of space during recovery may terminate a moment later.
                if !server.cluster.isRunning {
                    try await onThread { try server.cluster.startAgain() }
                }
                return probe.text.ranges(of: "\nack ").count > acks + 100
            }
            Glibc.kill(probe.child.pid, SIGTERM)
            #expect(try await probe.end() == 0, "\(probe.text.suffix(800))")
            try await Self.check([probe], on: address, isDelivered: false, "no space in \(path)")
        }
    }

    @Test("it may go and come back while a writer writes and a standby waits (F5)")
    func restarted() async throws {
        try await Self.withServer { server, folder in
            let address = try await Self.database("two", on: server)
            let writer = try Probe(
                "drive 1 100000 4 1500",
                on: address,
                as: "writer",
                output: folder + "/writer"
            )
            defer { Glibc.kill(writer.child.pid, SIGKILL) }
            try await writer.until { $0.contains(" end-20 ") }
            let standby = try Probe(
                "drive 1 100000 4 1500",
                on: address,
                as: "standby",
                output: folder + "/standby"
            )
            defer { Glibc.kill(standby.child.pid, SIGKILL) }
            // A standby that has not opened its database yet would not survive its outage.
            try await Task.sleep(for: .seconds(5))
            let since = ContinuousClock.now
            try await onThread {
                try server.cluster.kill()
                sleep(Effort.current == .everything ? 15 : 1)
                try server.cluster.startAgain()
            }
            let before = writer.text.utf8.count
            let away = "away for \(ContinuousClock.now - since)"
            try await eventually(within: 120, "\(away): \(writer.text.suffix(500))") {
                // After an outage longer than the lease, the standby may be first.
                writer.text.utf8.count > before + 20_000 || standby.text.contains("ack ")
            }
            Glibc.kill(writer.child.pid, SIGKILL)
            _ = try await writer.end()
            try await TakeoverTests.finish(address, writer, standby, "the server was away")
        }
    }

    @Test(
        "two servers on a disk that takes two seconds for a commit never both write (F2, F5)",
        .enabled(if: Effort.current == .everything, Effort.everythingAdvice)
    )
    func slowDisk() async throws {
        // A commit is a write and a sync of one second each.
        try await Self.withServer(delay: 1_000) { server, folder in
            let address = try await Self.database("slow", on: server)
            let probes = try ["first", "second"].enumerated().map { number, name in
                try Probe(
                    "drive \(1 + number * 100_000) 1000 8 1500",
                    on: address,
                    as: name,
                    output: folder + "/" + name
                )
            }
            defer { for probe in probes { Glibc.kill(probe.child.pid, SIGKILL) } }
            try await eventually(within: 30) { probes.contains { $0.text.contains(" end-") } }
            try server.arm("delay", on: "/pg_wal/")
            let before = probes.map { $0.text.ranges(of: "\nack ").count }.reduce(0, +)
            try await eventually(within: 300) {
                probes.map { $0.text.ranges(of: "\nack ").count }.reduce(0, +) > before + 50
            }
            try server.disarm()
            for probe in probes { Glibc.kill(probe.child.pid, SIGTERM) }
            for probe in probes {
                let code = try await probe.end()
                let last = probe.text.split(separator: "\n").last ?? ""
                let isFenced = last.contains("fenced") || last.contains("lost")
                #expect(code == 0 || code == 3 && isFenced, "\(last)")
            }
            try await Self.check(probes, on: address, isDelivered: false, "slow commits")
        }
    }
}
