import Chronology
import Foundation
import Identity
import Storage
import StorageTestSupport
import Taxi
import TestClock
import TestSupport
import Testing
import WebTestSupport

@testable import Backups
@testable import WebApp

/// Issue 4, 4: `viavai admin backup` and `restore` work on a running server with either database.
@Suite("Backups of an installation", .serialized)
struct BackupTests {
    /// Registers people through the accounts and confirms them.
    static func register(_ names: [String], at installation: Installation) async throws {
        for name in names {
            try await installation.accounts.register(
                Registration(
                    userName: name,
                    email: "\(name)@example.org",
                    password: "Passw0rdOne",
                    passwordAgain: "Passw0rdOne",
                    name: "Nome\(name)",
                    surname: "Cognome\(name)",
                    consent: installation.accounts.settings.consentVersion
                ),
                from: ClientAddress("192.0.2.1"),
                at: installation.clock.now()
            )
        }
    }

    /// The settings of an installation in a folder.
    static func settings(
        in folder: String,
        _ more: [String: String] = [:]
    ) throws -> Settings {
        var options = [
            "database": "sqlite:\(folder)/city.sqlite",
            "keys.database": "sqlite:\(folder)/keys.sqlite", "keys.secret": "\(folder)/secret",
            "backups.folder": "\(folder)/backups", "backups.keys_folder": "\(folder)/backups-keys",
            "log.level": "critical",
        ]
        options.merge(more) { $1 }
        return try Settings(file: nil, environment: [:], options: options)
    }

    static func open(_ settings: Settings) async throws -> Installation {
        try await Installation(settings, clock: SettableClock().clock, workers: .quick())
    }

    /// The settings of one new city on a database engine, with its keys in SQLite.
    private static func withCity(
        on engine: TestEngine,
        in folder: String,
        _ body: @Sendable (Settings) async throws -> Void
    ) async throws {
        try await withDatabase(on: engine) { place in
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            try await body(settings(in: folder, ["database": place.address]))
        }
    }

    @Test(
        "a backup beside a server that registers people is restored to an equal copy",
        arguments: TestEngine.allCases
    )
    func live(engine: TestEngine) async throws {
        try await withTemporaryFolder { folder in
            try await Self.withCity(on: engine, in: folder + "/old") { settings in
                let installation = try await Self.open(settings)
                defer { installation.close() }
                try await Self.register(["anna"], at: installation)
                async let others: Void = Self.register(
                    (0..<12).map { "bruno\($0)x" },
                    at: installation
                )
                let variables = ["DATABASE": settings.database]
                let made = try await ServedProgram.run(
                    ["admin", "backup", "--reason", "Nightly!"],
                    in: folder + "/old",
                    variables
                )
                try await others
                #expect(made.code == 0, "\(made.text)")
                let backup = try BackupFolder(settings).find("newest")
                #expect(backup.name.hasSuffix("Z-nightly"))
                #expect(backup.state == .whole)
                let attributes = try FileManager.default.attributesOfItem(atPath: backup.folder)
                #expect(attributes[.posixPermissions] as? Int == 0o700)
                try await Self.restore(backup, of: settings, on: engine, in: folder)
            }
        }
    }

    /// Restores a backup into a new city and compares the two.
    private static func restore(
        _ backup: Backup,
        of settings: Settings,
        on engine: TestEngine,
        in folder: String
    ) async throws {
        let city = try Database.check(backup: backup.city)
        let keys = try Database.check(backup: backup.keys)
        try await withCity(on: engine, in: folder + "/new") { new in
            let variables = [
                "DATABASE": new.database, "BACKUPS_FOLDER": settings.backups,
                "BACKUPS_KEYS_FOLDER": settings.keyBackups,
            ]
            let arguments = ["admin", "restore", backup.name]
            let early = try await ServedProgram.run(arguments, in: folder + "/new", variables)
            #expect(early.code == 3)
            #expect(early.text.contains("the secret is missing"))
            try FileManager.default.copyItem(
                atPath: folder + "/old/secret",
                toPath: folder + "/new/secret"
            )
            let done = try await ServedProgram.run(arguments, in: folder + "/new", variables)
            #expect(done.code == 0, "\(done.text)")
            let copy = try await Database.open(new.database)
            defer { copy.close() }
            let copyKeys = try await Database.open(new.keyDatabase)
            defer { copyKeys.close() }
            #expect(try await copy.summary() == city)
            #expect(try await copyKeys.summary() == keys)
            let again = try await ServedProgram.run(arguments, in: folder + "/new", variables)
            #expect(again.code == 3)
            #expect(again.text.contains("is not empty"))
            // All of its data can be decrypted: the keys are as recent as the data.
            let installation = try await open(new)
            defer { installation.close() }
            let people = try await copy.read { transaction in
                try transaction.rows("SELECT number FROM person").map {
                    try $0.value("number", as: PersonNumber.self)
                }
            }
            #expect(!people.isEmpty)
            for person in people {
                let profile = try await installation.accounts.profile(of: person)
                #expect(profile.name.hasPrefix("Nome"))
            }
        }
    }

    @Test("a city moves from SQLite to PostgreSQL and back by its backup")
    func engines() async throws {
        try await withTemporaryFolder { folder in
            try await Self.withCity(on: .sqlite, in: folder) { first in
                let installation = try await Self.open(first)
                try await Self.register(["anna", "bruno"], at: installation)
                let backup = try await installation.backups.make(reason: "moving")
                let before = try await installation.database.summary()
                installation.close()
                try await Self.withCity(on: .postgres, in: folder) { second in
                    let clock = SettableClock().clock
                    let outcome = try await Restoration(second, clock: clock)
                        .run(backup.name, .data)
                    #expect(outcome.erasedAgain.isEmpty)
                    let moved = try await Self.open(second)
                    defer { moved.close() }
                    #expect(try await moved.database.summary().tables == before.tables)
                }
            }
        }
    }

    @Test("killed at any moment, a backup is there as a whole or not at all")
    func killed() async throws {
        try await withTemporaryFolder { folder in
            let shim = try await CrashShim(in: folder)
            let settings = try Self.settings(in: folder)
            let installation = try await Self.open(settings)
            try await Self.register(["anna", "bruno"], at: installation)
            installation.close()
            let kept = ["BACKUPS_KEEP": "10000"]
            let calls = ["CRASH_PATH": "/backups"]
            let counted = shim.environment(on: .sqlite, calls)
                .merging(["CRASH_COUNT": folder + "/count"]) { $1 }
            let first = try await ServedProgram.run(
                ["admin", "backup"],
                in: folder,
                kept,
                more: counted
            )
            #expect(first.code == 0, "\(first.text)")
            let total = try CrashShim.count(in: folder + "/count")
            #expect(total > 20)
            let shelf = BackupFolder(settings)
            let limit = Effort.current == .everything ? nil : Effort.instances(12)
            var whole = 1
            for trial in CrashShim.trials(
                of: [.kill, .killafter, .short, .ENOSPC, .EIO],
                calls: total,
                limit: limit
            ) {
                let environment = shim.environment(on: .sqlite, trial).merging(calls) { $1 }
                let made = try await ServedProgram.run(
                    ["admin", "backup"],
                    in: folder,
                    kept,
                    more: environment
                )
                if made.code == 0 { whole += 1 }
                if trial.fault.isDeath, made.code != 0 {
                    #expect(made.code == 128 + SIGKILL, "\(trial): \(made.text)")
                }
                let all = shelf.all
                // If killed after the last rename, the backup counts although it was never
                // reported.
                #expect((whole...whole + 1).contains(all.count), "\(trial)")
                whole = all.count
                for backup in all { #expect(backup.state == .whole, "\(trial)") }
                try shelf.verify(try shelf.find("newest"))
            }
            // The next backup cleans up.
            let last = try await ServedProgram.run(["admin", "backup"], in: folder, kept)
            #expect(last.code == 0, "\(last.text)")
            for place in [settings.backups, settings.keyBackups] {
                let names = try FileManager.default.contentsOfDirectory(atPath: place)
                #expect(!names.contains { $0.hasSuffix(".part") }, "\(names)")
            }
        }
    }

    @Test("what cannot be relied on is refused with a line that says what to do")
    func refused() async throws {
        try await withTemporaryFolder { folder in
            let settings = try Self.settings(in: folder)
            let installation = try await Self.open(settings)
            try await Self.register(["anna"], at: installation)
            let backup = try await installation.backups.make(reason: "a")
            installation.close()
            func restore(_ arguments: String...) async throws -> String {
                let options = [
                    "DATABASE": "sqlite:\(folder)/new.sqlite",
                    "KEYS_DATABASE": "sqlite:\(folder)/new-keys.sqlite",
                ]
                let done = try await ServedProgram.run(
                    ["admin", "restore"] + arguments,
                    in: folder,
                    options
                )
                #expect(done.code == 3)
                return done.text
            }
            #expect(try await restore("20200101T000000Z-x").contains("there is no backup"))
            let city = URL(fileURLWithPath: backup.city)
            let sound = try Data(contentsOf: city)
            var altered = sound
            altered[sound.count / 2] ^= 1
            try altered.write(to: city)
            #expect(try await restore(backup.name).contains("is not what was written"))
            try sound.write(to: city)
            try FileManager.default.removeItem(atPath: backup.keys)
            #expect(try await restore("newest").contains("--data-only"))
            // A truncated list of erased people must not be taken for the complete one, not even at
            // startup.
            try Data("12 34\n56".utf8)
                .write(to: URL(fileURLWithPath: settings.backups + "/erasures.txt"))
            #expect(try await restore("newest", "--data-only").contains("list of erased people"))
            let started = try await ServedProgram.run(["serve"], in: folder)
            #expect(started.code == 3)
            #expect(started.text.contains("list of erased people"))
        }
    }

    @Test("another secret than the one that the keys were wrapped in is refused at the start")
    func otherSecret() async throws {
        try await withTemporaryFolder { folder in
            let settings = try Self.settings(in: folder)
            let installation = try await Self.open(settings)
            try await Self.register(["anna"], at: installation)
            installation.close()
            try FileManager.default.removeItem(atPath: folder + "/secret")
            let started = try await ServedProgram.run(["serve"], in: folder)
            #expect(started.code == 3)
            #expect(started.text.contains("is not the secret"))
        }
    }
}
