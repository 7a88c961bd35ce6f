import Foundation
import Identity
import StorageTestSupport
import TestClock
import TestSupport
import Testing
import WebTestSupport

@testable import Backups
@testable import WebApp

extension BackupTests {
    @Test("the oldest go, the newest good one never, whatever lies broken beside it")
    func pruned() async throws {
        try await withTemporaryFolder { folder in
            let settings = try Self.settings(in: folder, ["backups.keep": "3"])
            let clock = SettableClock()
            let installation = try await Installation(
                settings,
                clock: clock.clock,
                workers: .quick()
            )
            defer { installation.close() }
            var names: [String] = []
            for number in 0..<5 {
                names.append(try await installation.backups.make(reason: "n\(number)").name)
                clock.advance(seconds: 60)
            }
            let shelf = installation.backups.folder
            #expect(shelf.all.map(\.name) == names.suffix(3).reversed())
            // Damaged backups, newer than all others: they do not count, and displace none.
            for (number, name) in names.suffix(2).enumerated() {
                let file =
                    "\(settings.backups)/\(name)/" + ["city.backup", "manifest.json"][number]
                try Data("?".utf8).write(to: URL(fileURLWithPath: file))
            }
            #expect(shelf.all.map(\.state) == [.damaged, .damaged, .whole])
            #expect(try shelf.find("newest").name == names[2])
            let next = try await installation.backups.make(reason: "next").name
            #expect(shelf.all.map(\.name).contains(names[2]))
            #expect(try shelf.find("newest").name == next)
            let listed = try await ServedProgram.run(["admin", "backups"], in: folder)
            #expect(listed.code == 2)
            #expect(listed.text.contains("\(names[3])\t"))
            #expect(listed.text.contains("damaged"))
        }
    }

    @Test("copies of the keys go after six days, the newest good one never (R103)")
    func prunedKeys() async throws {
        try await withTemporaryFolder { folder in
            let settings = try Self.settings(in: folder)
            let clock = SettableClock()
            let installation = try await Installation(
                settings,
                clock: clock.clock,
                workers: .quick()
            )
            defer { installation.close() }
            let shelf = installation.backups.folder
            let days = { (days: Int64) in
                clock.advance(seconds: days * 86_400)
                shelf.pruneKeys(at: clock.now)
                return shelf.all.map(\.state)
            }
            try await installation.backups.make(reason: "old")
            let old = shelf.all[0]
            #expect(days(30) == [.whole], "without them no backup could be restored")
            try await installation.backups.make(reason: "new")
            #expect(shelf.all.map(\.state) == [.whole, .withoutKeys], "another takes its place")
            #expect(try shelf.keys(for: old) == shelf.all[0].keys)
            try await installation.backups.make(reason: "newer")
            #expect(days(5) == [.whole, .whole, .withoutKeys])
            // A newer but damaged backup displaces no other.
            try Data("?".utf8).write(to: URL(fileURLWithPath: shelf.all[0].keys))
            #expect(days(30) == [.damaged, .whole, .withoutKeys])
            // Nor do many of them, left behind by interrupted backups.
            for _ in 1...4 {
                clock.advance(seconds: 60)
                let name = shelf.freeName(at: clock.now, reason: "broken")
                let place = URL(fileURLWithPath: "\(shelf.keysPath)/\(name).keys")
                try Data("?".utf8).write(to: place)
            }
            #expect(days(0) == [.withoutKeys, .whole, .withoutKeys])
        }
    }
}
