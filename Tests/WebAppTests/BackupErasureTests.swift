import Chronology
import Foundation
import Identity
import Notify
import Storage
import StorageTestSupport
import Taxi
import TestClock
import TestSupport
import Testing
import WebTestSupport

@testable import Backups
@testable import TaxiPages
@testable import WebApp

extension BackupTests {
    @Test("who was erased after a backup is not in what is restored of it (R103, R105)")
    func erased() async throws {
        try await withTemporaryFolder { folder in
            let settings = try Self.settings(in: folder)
            let installation = try await Self.open(settings)
            try await Self.register(["zebedeo", "other"], at: installation)
            let zebedeo = try await Self.number(of: "Nomezebedeo", at: installation)
            try await Self.subscribe(zebedeo, at: installation)
            let old = try await installation.backups.make(reason: "old")
            let data = try await Database.open("sqlite:\(folder)/copy.db")
            defer { data.close() }
            try await data.restore(from: old.city, migrations: Installation.migrations)
            let before = try await Self.opened(in: data, by: installation.accounts.keys)
            #expect(before.isSuperset(of: ["Nomezebedeo", "Nomeother"]))
            let key = try await Self.wrappedKey(of: zebedeo, at: installation)
            #expect(try Self.files(with: key, in: folder).count >= 2)
            // The state after an erasure of which only the list beside the backups remains.
            let now = installation.clock.now()
            let line = "\(zebedeo.rawValue) \(now.milliseconds)\n"
            try await installation.accounts.apply(try #require(Erasure.list(line)), at: now)
            try await installation.backups.rememberErasures()
            installation.close()
            for name in try FileManager.default.contentsOfDirectory(atPath: folder)
            where name.contains(".sqlite") {
                try FileManager.default.removeItem(atPath: folder + "/" + name)
            }
            let outcome = try await Restoration(settings, clock: SettableClock().clock)
                .run(old.name, .both)
            #expect(outcome.erasedAgain == [zebedeo])
            try await Self.expectNobody(in: folder)
            try await Self.expectErased(zebedeo, data, key, in: folder, settings)
        }
    }

    /// Expects that the server, with all logging on, no longer lets the erased person sign in.
    private static func expectNobody(in folder: String) async throws {
        let program = try await ServedProgram(in: folder, ["LOG_LEVEL": "trace"])
        try await program.withVisitor { visitor in
            let fields = ["name": "zebedeo", "password": "Passw0rdOne"]
            let answer = try await visitor.submit(fields, on: "/login")
            #expect(answer.status == 422)
        }
        #expect(try await program.end() == 0)
    }

    /// Expects that neither the restored databases nor, a week later, any other file reveals the
    /// erased data.
    private static func expectErased(
        _ person: PersonNumber,
        _ data: Database,
        _ key: [UInt8],
        in folder: String,
        _ settings: Settings
    ) async throws {
        let clock = SettableClock()
        clock.advance(seconds: 7 * 86_400)
        let copy = try await Installation(settings, clock: clock.clock, workers: .quick())
        #expect(try await copy.accounts.standing(of: person) == .erased)
        #expect(try await copy.accounts.keys.key(of: person) == nil)
        #expect(
            try await copy.database.read { transaction in
                try transaction.rows("SELECT * FROM person").count
            } == 1
        )
        // The old copy of the data still holds the fields, but no remaining key decrypts them.
        let after = try await opened(in: data, by: copy.accounts.keys)
        #expect(after.contains("Nomeother"))
        #expect(!after.contains { $0.localizedCaseInsensitiveContains("zebedeo") })
        let holders = try files(with: key, in: folder)
        #expect(holders.count == 1 && holders[0].hasSuffix("-old.keys"), "\(holders)")
        try await copy.backups.make(reason: "new")
        #expect(try files(with: key, in: folder) == [])
        copy.close()
        for word in ["zebedeo@", "Nomezebedeo", "Cognomezebedeo", "Passw0rdOne", "of-zebedeo"] {
            #expect(try files(with: Array(word.utf8), in: folder) == [], "\(word)")
        }
    }

    /// The number of the person with a given name.
    private static func number(
        of name: String,
        at installation: Installation
    ) async throws -> PersonNumber {
        let people = try await people(in: installation.database)
        let names = try await installation.accounts.names(of: people)
        return try #require(names.first { $0.value.hasPrefix(name) }?.key)
    }

    private static func people(in data: Database) async throws -> [PersonNumber] {
        try await data.read { transaction in
            try transaction.rows("SELECT number FROM person ORDER BY number").map {
                try $0.value("number", as: PersonNumber.self)
            }
        }
    }

    /// Subscribes a person's browser to all notifications.
    private static func subscribe(
        _ person: PersonNumber,
        at installation: Installation
    ) async throws {
        let browser = try #require(
            PushSubscription(
                person: "\(person.rawValue)",
                endpoint: "https://push.example/browser-of-zebedeo",
                key: DeviceSamples.keys["p256dh"] ?? "",
                secret: DeviceSamples.keys["auth"] ?? ""
            )
        )
        try await installation.accounts.browsers(in: installation.database)
            .add(browser, at: installation.clock.now())
    }

    /// All personal fields in a store that any of the keys decrypts.
    private static func opened(in data: Database, by keys: KeyStore) async throws -> Set<String> {
        let found = try await keys.keys(of: try await people(in: data)).values
        return try await data.read { transaction in
            var texts: Set<String> = []
            for row in try transaction.rows("SELECT field, sealed FROM person_field") {
                let field: String = try row.value("field")
                let sealed: [UInt8] = try row.value("sealed")
                for key in found {
                    if let text = try? key.open(sealed, as: field) { texts.insert(text) }
                }
            }
            return texts
        }
    }

    /// A person's key as stored in the database of keys.
    private static func wrappedKey(
        of person: PersonNumber,
        at installation: Installation
    ) async throws -> [UInt8] {
        let row = try await installation.keyDatabase.read { transaction in
            try transaction.row("SELECT sealed FROM person_key WHERE person = \(person)")
        }
        return try #require(try row?.value("sealed", as: [UInt8].self))
    }

    /// The files under a folder that contain the given bytes: databases, their journals, backups,
    /// logs.
    private static func files(with bytes: [UInt8], in folder: String) throws -> [String] {
        let files = try #require(FileManager.default.enumerator(atPath: folder))
        var count = 0
        var found: [String] = []
        for case let name as String in files {
            guard let data = FileManager.default.contents(atPath: folder + "/" + name) else {
                continue
            }
            count += 1
            if data.range(of: Data(bytes)) != nil { found.append(name) }
        }
        #expect(count >= 8)
        return found.sorted()
    }
}
