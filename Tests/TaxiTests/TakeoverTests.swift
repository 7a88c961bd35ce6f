import Foundation
import Storage
import StorageTestSupport
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Issue 3: two servers on one PostgreSQL; spec/taxi.md F5.
@Suite("Two servers on one database", .serialized)
struct TakeoverTests {
    /// Runs a test with a writer that has driven some passengers, and a waiting standby.
    ///
    /// A disk that blocks for longer than the lease term makes them swap roles, in which case the
    /// setup is repeated. A term that is too short would cause that every time.
    private static func withTwo(
        _ body:
            @Sendable (_ address: String, _ writer: Probe, _ standby: Probe) async throws
            -> Void
    ) async throws {
        for attempt in 1...3 {
            let isDone = Mutex(false)
            try await withDatabase(on: .postgres) { place in
                try await withTemporaryFolder { folder in
                    let writer = try await working(on: place.address, in: folder)
                    defer { kill(writer.child.pid, SIGKILL) }
                    let standby = try Probe(
                        // The standby repeats what the writer leaves undone.
                        "drive 1 100000 4 1500",
                        on: place.address,
                        as: "standby",
                        output: folder + "/standby"
                    )
                    defer { kill(standby.child.pid, SIGKILL) }
                    let before = writer.text.utf8.count
                    try await eventually(within: Probe.limit, "\(writer.text.suffix(500))") {
                        writer.text.utf8.count > before + 20_000 || isFenced(writer)
                    }
                    guard attempt == 3 || !isFenced(writer) else { return }
                    #expect(standby.text.isEmpty, "a standby must not serve beside the writer")
                    try await body(place.address, writer, standby)
                    isDone.withLock { $0 = true }
                }
            }
            if isDone.withLock({ $0 }) { return }
        }
    }

    /// A server that writes.
    private static func working(on address: String, in folder: String) async throws -> Probe {
        let writer = try Probe(
            "drive 1 100000 4 3",
            on: address,
            as: "writer",
            output: folder + "/writer"
        )
        try await writer.until { $0.contains(" end-20 ") }
        return writer
    }

    /// Returns whether a writer has ended because another has taken over its lease.
    private static func isFenced(_ writer: Probe) -> Bool {
        let last = writer.text.split(separator: "\n").last ?? ""
        return last.hasPrefix("failed ") && (last.contains("fenced") || last.contains("lost"))
    }

    /// Lets the standby do more than the writer has done, and checks their combined results.
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
                #expect(Self.isFenced(writer), "\(writer.text.suffix(500))")
                try await Self.finish(address, writer, standby, "the writer was stopped")
            }
        }
    }
}
