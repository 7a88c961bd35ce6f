import Foundation
import Storage
import StorageTestSupport
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Issue 3: two servers on one PostgreSQL; spec/taxi.md F5.
@Suite("Two servers on one database", .serialized)
struct TakeoverTests {
    /// A writer that has driven some passengers, and a standby that waits.
    private static func withTwo(
        _ body:
            @Sendable (_ address: String, _ writer: Probe, _ standby: Probe) async throws
            -> Void
    ) async throws {
        try await withDatabase(on: .postgres) { place in
            try await withTemporaryFolder { folder in
                let address = place.address
                let writer = try Probe(
                    "drive 1 100000 4 3",
                    on: address,
                    as: "writer",
                    output: folder + "/writer"
                )
                try await writer.until { $0.contains(" end-20 ") }
                let standby = try Probe(
                    // What the writer leaves undone is repeated here.
                    "drive 1 100000 4 1500",
                    on: address,
                    as: "standby",
                    output: folder + "/standby"
                )
                let before = writer.text.utf8.count
                try await writer.until { $0.utf8.count > before + 20_000 }
                #expect(standby.text.isEmpty, "a standby must not serve beside the writer")
                do {
                    try await body(address, writer, standby)
                } catch {
                    kill(writer.child.pid, SIGKILL)
                    kill(standby.child.pid, SIGKILL)
                    throw error
                }
            }
        }
    }

    /// Lets the standby do more than the writer has done; checks what both did together.
    static func finish(
        _ address: String,
        _ writer: Probe,
        _ standby: Probe,
        _ label: Comment
    ) async throws {
        var history = History()
        history.add(writer.text)
        let rides = history.acknowledged.keys.filter { $0.hasPrefix("call-") }.count
        try await standby.until { $0.contains(" end-\(rides + 20) ") }
        kill(standby.child.pid, SIGTERM)
        #expect(try await standby.end() == 0, "\(standby.text.suffix(800))")
        history.add(standby.text)
        #expect(history.acknowledged.count > 200, "both were at work")
        try await Aftermath.check(address, history, isDelivered: false, label)
    }

    @Test("a standby serves within ten seconds of the writer's death, and nothing is lost (F5)")
    func killed() async throws {
        try await Self.withTwo { address, writer, standby in
            kill(writer.child.pid, SIGKILL)
            _ = try await writer.end()
            try await standby.until(within: 10) { $0.contains("ack ") }
            try await Self.finish(address, writer, standby, "the writer was killed")
        }
    }

    @Test("a writer that ends gives way at once")
    func terminated() async throws {
        try await Self.withTwo { address, writer, standby in
            kill(writer.child.pid, SIGTERM)
            #expect(try await writer.end() == 0, "\(writer.text.suffix(800))")
            try await Self.finish(address, writer, standby, "the writer was terminated")
        }
    }

    @Test("a writer that slept through its lease wakes up fenced, and says so (F5)")
    func stopped() async throws {
        for _ in 0..<Effort.instances(1, everything: 10) {
            try await Self.withTwo { address, writer, standby in
                kill(writer.child.pid, SIGSTOP)
                try await standby.until(within: 20) { $0.contains("ack ") }
                kill(writer.child.pid, SIGCONT)
                #expect(try await writer.end() == 3)
                let last = writer.text.split(separator: "\n").last ?? ""
                let isClear = last.contains("fenced") || last.contains("lost")
                #expect(last.hasPrefix("failed ") && isClear, "\(last)")
                try await Self.finish(address, writer, standby, "the writer was stopped")
            }
        }
    }
}
