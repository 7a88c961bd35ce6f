import Dispatching
import Foundation
import Identity
import Storage
import StorageTestSupport
import TestClock
import TestSupport
import Testing
import WebTestSupport

@testable import Backups
@testable import WebApp

/// Lost keys are reported at once, and are never lost from the backups as well (issue 29).
@Suite("Lost keys", .serialized)
struct KeyLossTests {
    /// The ways in which the database of keys may be lost.
    enum Loss: String, CaseIterable {
        case missing
        case emptyFile
        case emptyTables
        case ofAnother
    }

    private static func lose(_ loss: Loss, in folder: String) async throws {
        let path = folder + "/keys.sqlite"
        if loss == .emptyTables || loss == .ofAnother {
            let keys = try await Database.open("sqlite:\(path)")
            defer { keys.close() }
            let change: SQL =
                loss == .emptyTables
                ? "DELETE FROM person_key" : "UPDATE person_key SET person = person + 1"
            try await keys.write { _ = try $0.execute(change) }
            return
        }
        for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + end)
        }
        guard loss == .emptyFile else { return }
        try Data().write(to: URL(fileURLWithPath: path))
    }

    /// Starts the server, which must refuse to run within five seconds.
    ///
    /// - Returns: its output.
    private static func refusal(in folder: String) async throws -> String {
        let clock = ContinuousClock()
        let begin = clock.now
        do {
            let program = try await ServedProgram(in: folder)
            _ = try await program.end()
            Issue.record("it serves")
            return ""
        } catch ServedProgram.Failure.notReady(let text) {
            #expect(clock.now - begin < .seconds(5))
            #expect(try await ServedProgram.run(["serve"], in: folder).code == 3)
            return text
        }
    }

    private static func files(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test(
        "a server without its people's keys does not start, and makes no backup",
        arguments: Loss.allCases
    )
    func refused(loss: Loss) async throws {
        try await withTemporaryFolder { folder in
            let settings = try BackupTests.settings(in: folder)
            let installation = try await BackupTests.open(settings)
            try await BackupTests.register(["anna", "bruno"], at: installation)
            let good = try await installation.backups.make(reason: "good")
            installation.close()
            try await Self.lose(loss, in: folder)
            let said = try await Self.refusal(in: folder)
            #expect(said.contains("keys.database") && said.contains("--keys-only"), "\(said)")
            #expect(said.split(separator: "\n").count == 1, "one line, but: \(said)")
            let isThere = FileManager.default.fileExists(atPath: folder + "/keys.sqlite")
            #expect(isThere == (loss != .missing), "it hides that the file is missing")
            let made = try await ServedProgram.run(["admin", "backup"], in: folder)
            #expect(made.code == 3, "\(made.text)")
            #expect(Self.files(in: settings.keyBackups) == ["\(good.name).keys"])
            // Follow the message: set aside what is left, and restore the keys.
            let back = try await ServedProgram.run(
                ["admin", "restore", "newest", "--keys-only"],
                in: folder,
                ["KEYS_DATABASE": "sqlite:\(folder)/new-keys.sqlite"]
            )
            #expect(back.code == 0, "\(back.text)")
            let new = ["KEYS_DATABASE": "sqlite:\(folder)/new-keys.sqlite"]
            let program = try await ServedProgram(in: folder, new)
            #expect(try await program.end() == 0)
        }
    }

    @Test("a new installation without people starts, and one with a secret gone makes no other")
    func secretGone() async throws {
        try await withTemporaryFolder { folder in
            let first = try await ServedProgram(in: folder)
            #expect(try await first.end() == 0)
            let installation = try await BackupTests.open(try BackupTests.settings(in: folder))
            try await BackupTests.register(["anna"], at: installation)
            installation.close()
            try FileManager.default.removeItem(atPath: folder + "/secret")
            let said = try await Self.refusal(in: folder)
            #expect(said.contains("restore that one from its backup"), "\(said)")
            #expect(!FileManager.default.fileExists(atPath: folder + "/secret"))
        }
    }

    @Test("keys that were lost stay in the copies for as long as a kept backup needs them")
    func kept() async throws {
        try await withTemporaryFolder { folder in
            let settings = try BackupTests.settings(in: folder)
            let clock = SettableClock()
            let installation = try await Installation(
                settings,
                clock: clock.clock,
                workers: .quick()
            )
            try await BackupTests.register(["anna"], at: installation)
            let good = try await installation.backups.make(reason: "good")
            try await installation.keyDatabase.write {
                _ = try $0.execute("DELETE FROM person_key")
            }
            // People registered after the loss have keys: the server keeps running, and so do the
            // backups.
            try await BackupTests.register(["bruno"], at: installation)
            for number in 1...5 {
                clock.advance(seconds: 2 * 86_400)
                try await installation.backups.make(reason: "later \(number)")
            }
            installation.backups.folder.pruneKeys(at: clock.now)
            installation.close()
            #expect(FileManager.default.fileExists(atPath: good.keys))
            // The console reports the loss, and restoring a backup brings everybody back.
            let started = try await ServedProgram(in: folder)
            #expect(started.text.contains("no key of 1 people"), "\(started.text)")
            #expect(try await started.end() == 0)
            let new = [
                "DATABASE": "sqlite:\(folder)/new.sqlite",
                "KEYS_DATABASE": "sqlite:\(folder)/new-keys.sqlite",
            ]
            let back = try await ServedProgram.run(["admin", "restore", "newest"], in: folder, new)
            #expect(back.code == 0, "\(back.text)")
            let again = try await ServedProgram(in: folder, new)
            try await again.withVisitor { visitor in
                for name in ["anna", "bruno"] {
                    let fields = ["name": name, "password": "Passw0rdOne"]
                    let answer = try await visitor.submit(fields, on: "/login")
                    // The address is not confirmed; only a correct password reveals that.
                    #expect(!answer.text.contains("not right"), "\(name)")
                }
            }
            #expect(try await again.end() == 0)
        }
    }

    @Test("a backup is not verified where rows of rides are missing that the log tells of")
    func rowsDeleted() async throws {
        try await RideTown.open(.viavai) { town in
            let backups = town.site.installation.backups
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            let number = Int64(try RideTown.number(path).rawValue)
            try await town.accept(town.taxis[0])
            try await town.site.until("the tables are written") {
                try await visitor.get("/account/rides").text.contains("href=\"/ride/\(number)\"")
            }
            let whole = try await backups.make(reason: "whole")
            try backups.folder.verify(whole)
            try await town.site.installation.database.write {
                _ = try $0.execute("DELETE FROM ride WHERE request = \(number)")
            }
            let lacking = try await backups.make(reason: "lacking")
            #expect(throws: BackupFault.rowsMissing(1, table: "ride")) {
                try backups.folder.verify(lacking)
            }
        }
    }

    @Test("a backup is verified only where its keys open what is sealed")
    func opened() async throws {
        try await withTemporaryFolder { folder in
            let settings = try BackupTests.settings(in: folder)
            let installation = try await BackupTests.open(settings)
            let empty = try await installation.backups.make(reason: "empty")
            try await BackupTests.register(["anna"], at: installation)
            let good = try await installation.backups.make(reason: "good")
            installation.close()
            func verified() async throws -> (code: Int32, text: String) {
                try await ServedProgram.run(["admin", "backups", "--verify"], in: folder)
            }
            #expect(try await verified().code == 0)
            let secret = try Data(contentsOf: URL(fileURLWithPath: settings.secret))
            try FileManager.default.removeItem(atPath: settings.secret)
            let unopened = try await verified()
            #expect(unopened.code == 3, "\(unopened.text)")
            #expect(!unopened.text.contains("verified"), "\(unopened.text)")
            try Data(ServerSecret.randomBytes()).write(to: URL(fileURLWithPath: settings.secret))
            let other = try await verified()
            #expect(other.code == 2, "\(other.text)")
            #expect(other.text.contains("do not open"), "\(other.text)")
            try secret.write(to: URL(fileURLWithPath: settings.secret))
            // Only the copy from before the first registration is left.
            try FileManager.default.removeItem(atPath: good.keys)
            let keyless = try await verified()
            #expect(keyless.code == 2, "\(keyless.text)")
            let line = keyless.text.split(separator: "\n").first { $0.hasPrefix(good.name) }
            #expect(line?.contains("verified") == false, "\(keyless.text)")
            #expect(FileManager.default.fileExists(atPath: empty.keys))
        }
    }
}
