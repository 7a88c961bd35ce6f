import Foundation
import StorageTestSupport
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// taxi.md I28, F17: the wall clock decides neither who may write nor when.
@Suite("Wall clocks that are wrong", .serialized)
struct WrongClockTests {
    /// The term of a lease without renewal, as requested by the probe.
    private static let term = Duration.seconds(4)

    /// A run on a database, with a wall clock that is ahead of the machine's by a number of
    /// seconds.
    private static func probe(
        _ plan: String,
        on place: TestDatabase,
        as holder: String,
        ahead seconds: Int,
        in folder: String,
        _ shim: CrashShim
    ) throws -> Probe {
        try Probe(
            plan,
            on: place.address,
            as: holder,
            environment: shim.environment(on: .sqlite, ["CRASH_CLOCK": "\(seconds)"]),
            output: folder + "/" + holder
        )
    }

    @Test(
        "after kill -9 with the clock set back, another run serves and delivers within ten seconds",
        arguments: [-25, -3_600]
    )
    func setBack(seconds: Int) async throws {
        try await withDatabase(on: .sqlite) { place in
            try await withTemporaryFolder { folder in
                let shim = try await CrashShim(in: folder)
                let plan = "drive 1 100000 4 1500"
                let first = try Self.probe(plan, on: place, as: "first", ahead: 0, in: folder, shim)
                defer { kill(first.child.pid, SIGKILL) }
                try await first.until { $0.contains(" end-3 ") }
                kill(first.child.pid, SIGKILL)
                _ = try await first.end()
                let second = try Self.probe(
                    plan,
                    on: place,
                    as: "second",
                    ahead: seconds,
                    in: folder,
                    shim
                )
                defer { kill(second.child.pid, SIGKILL) }
                try await second.until(within: 10) { $0.contains("ack ") && $0.contains("got ") }
                kill(second.child.pid, SIGTERM)
                #expect(try await second.end() == 0, "\(second.text.suffix(800))")
            }
        }
    }

    @Test("a server whose clock is far ahead does not take the lease of one that renews it")
    func setForward() async throws {
        try await withDatabase(on: .sqlite) { place in
            try await withTemporaryFolder { folder in
                let shim = try await CrashShim(in: folder)
                let writer = try Self.probe(
                    "drive 1 100000 2 3",
                    on: place,
                    as: "writer",
                    ahead: 0,
                    in: folder,
                    shim
                )
                defer { kill(writer.child.pid, SIGKILL) }
                try await writer.until { $0.contains("ack ") }
                let other = try Self.probe(
                    "idle",
                    on: place,
                    as: "other",
                    ahead: 3_600,
                    in: folder,
                    shim
                )
                defer { kill(other.child.pid, SIGKILL) }
                let enough = ContinuousClock.now + Self.term * 2
                try await eventually(within: 60) {
                    ContinuousClock.now >= enough || other.text.contains("serving")
                }
                #expect(!other.text.contains("serving"))
                let before = writer.text.utf8.count
                try await writer.until { $0.utf8.count > before && !$0.contains("failed ") }
            }
        }
    }
}
