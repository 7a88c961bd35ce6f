import Foundation
import Storage
import StorageTestSupport
import TestSupport
import Testing

/// taxi.md F2: a full disk causes a typed error, and acknowledged entries remain.
///
/// Only root can mount a small file system; otherwise the crash tests, which make single writes
/// fail, cover this.
@Suite("A full disk")
struct FullDiskTests {
    @Test(
        "SQLite on a full disk refuses to write, and goes on when there is space",
        .enabled(
            if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/bin/mount"),
            "only the superuser can mount a small disk"
        )
    )
    func sqlite() async throws {
        try await withTemporaryFolder { folder in
            let options = ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
            let mounted = try await onThread { try ChildProcess("/bin/mount", options).wait() }
            guard mounted == 0 else {
                try Test.cancel("this machine mounts no disks, which containers forbid even root")
            }
            defer { _ = try? ChildProcess("/bin/umount", ["-l", folder]).wait() }
            let ballast = folder + "/ballast"
            try Data(count: 400_000).write(to: URL(fileURLWithPath: ballast))
            let database = try await Database.open("sqlite:" + folder + "/full.sqlite")
            defer { database.close() }
            try await database.migrate(Migration.storage)
            let log = EventLog("m", in: database)
            var head = try await log.found()
            let lease = try await Lease.acquire("m", by: "a", for: .seconds(600), in: database)
            let batch = LogBatch(entries: [Array(repeating: 7, count: 5_000)])
            var failure: DatabaseFailure?
            while failure == nil {
                do {
                    head = try await log.append(batch, after: head, under: lease)
                } catch let found as DatabaseFailure {
                    failure = found
                }
            }
            guard case .diskFull = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(head.sequence > 10)
            #expect(try await log.verify() == head)
            try FileManager.default.removeItem(atPath: ballast)
            head = try await log.append(batch, after: head, under: lease)
            #expect(try await log.verify() == head)
        }
    }
}
