import Chronology
import Foundation
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// taxi.md R103, R105, I26, C21: erased data stays erased, in backups too.
@Suite("Erasure")
struct ErasureTests {
    private let now = TestCity.start

    @Test("an account is deleted only by its owner's express word, lately proved (R103)")
    func word() async throws {
        try await TestCity.with(.sqlite) { city in
            let mario = try await city.person("mario")
            let grant = try await city.logIn("mario")
            let erase = { (hasProceeded: Bool, moment: Moment) in
                try await refusal {
                    try await city.accounts.eraseAccount(
                        by: grant.session,
                        hasProceeded: hasProceeded,
                        at: moment
                    )
                }
            }
            #expect(try await erase(true, now.adding(seconds: 600)) == .passwordNeeded)
            #expect(try await erase(false, now) == .notProceeded)
            #expect(try await city.accounts.standing(of: mario) == .active)
            #expect(try await erase(true, now) == nil)
            #expect(try await city.accounts.standing(of: mario) == .erased)
            #expect(try await city.accounts.session(of: grant.token, at: now) == nil)
            #expect(
                try await refusal { _ = try await city.logIn("mario") } == .wrongCredentials
            )
            try await city.person("mario", at: now)
        }
    }

    @Test("another module may object, and then nothing is erased")
    func objection() async throws {
        struct OpenRide: Error {}
        try await TestCity.with(.sqlite) { city in
            var city = city
            let mario = try await city.person("mario")
            let grant = try await city.logIn("mario")
            city.accounts = Accounts(
                data: city.data,
                keys: city.accounts.keys,
                secret: city.accounts.secret,
                workers: city.accounts.workers,
                outgoing: city.accounts.outgoing,
                erasing: [{ _, _ in throw OpenRide() }]
            )
            let accounts = city.accounts
            await #expect(throws: OpenRide.self) {
                try await accounts.eraseAccount(
                    by: grant.session,
                    hasProceeded: true,
                    at: now
                )
            }
            #expect(try await city.accounts.profile(of: mario).name == "Nomemario")
            #expect(try await city.accounts.erasures().isEmpty)
        }
    }

    @Test(
        "what a crash leaves half erased is ended by the next start",
        arguments: TestEngine.allCases
    )
    func crash(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let mario = try await city.person("mario")
            let luigi = try await city.person("luigi")
            // One has lost the row but not the key, the other the key but not the row.
            try await city.data.write { transaction in
                try transaction.execute([
                    "DELETE FROM person WHERE number = \(mario)",
                    KeyStore.erasure(of: mario, at: now),
                ])
            }
            try await city.accounts.keys.destroy([luigi], at: now)
            #expect(try await Set(city.accounts.apply([], at: now)) == [mario, luigi])
            #expect(try await city.accounts.apply([], at: now).isEmpty)
            #expect(try await !city.accounts.keys.hasKey(mario))
            #expect(try await city.count("SELECT count(*) AS count FROM person") == 0)
            let list = try await city.accounts.erasures()
            #expect(Erasure.list(Erasure.text(of: list)) == list)
            #expect(Erasure.list("1 2\n3\n") == nil)
        }
    }

    @Test("nothing of an erased person is readable in a restored backup's files (R103)")
    func restored() async throws {
        try await TestCity.with(.sqlite) { city in
            let accounts = city.accounts
            let path = try #require(city.place.path)
            let session = try await Self.act(city)
            let mario = try #require(session.person)
            let words = try await Self.words(of: mario, city)
            // A live copy as in a backup: the current file with its journal.
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.copyItem(
                    atPath: path + suffix,
                    toPath: path + ".backup" + suffix
                )
            }
            try await accounts.eraseAccount(by: session, hasProceeded: true, at: now)
            let list = Erasure.text(of: try await accounts.erasures())
            Self.expectNone(of: words, beside: path)
            let restored = try await Database.open("sqlite:\(path).backup")
            defer { restored.close() }
            let again = Accounts(
                data: restored,
                keys: accounts.keys,
                secret: accounts.secret,
                workers: accounts.workers,
                outgoing: accounts.outgoing
            )
            let before = try await restored.read { transaction in
                try transaction.count("SELECT count(*) AS count FROM person")
            }
            #expect(before == 2, "the backup is older than the erasure")
            try await again.apply(try #require(Erasure.list(list)), at: now)
            #expect(try await again.standing(of: mario) == .erased)
            let after = try await restored.read { transaction in
                try transaction.rows(
                    "SELECT number FROM person WHERE number = \(mario)"
                ).count
                    + transaction.rows(
                        "SELECT person FROM person_field WHERE person = \(mario)"
                    ).count
            }
            #expect(after == 0)
            Self.expectNone(of: words, beside: path)
            // The queue in the backup still contains sealed mails, which can no longer be opened.
            let mails = try await restored.read { try $0.rows("SELECT * FROM mail") }
            for row in mails {
                let person: PersonNumber = try row.value("person")
                guard person == mario else { continue }
                let message = OutgoingMessage(
                    kind: MessageKind(rawValue: try row.value("kind")),
                    person: person,
                    moment: now,
                    sealed: try row.value("sealed")
                )
                #expect(try await again.open(message) == nil)
            }
            let log = try await again.attempts(in: now..<now.adding(seconds: 1))
            #expect(!log.isEmpty, "the log keeps a pseudonym")
            let trail = try await again.audit()
            #expect(trail.contains { $0.note.person == mario && !$0.isReadable })
            #expect(try await restored.read { try AuditTrail.firstAltered(in: $0) } == nil)
        }
    }

    @Test(
        "where keys and data are both restored, the list that was kept apart erases again",
        arguments: TestEngine.allCases
    )
    func bothRestored(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let mario = try await city.person("mario")
            let list = Erasure.text(of: [Erasure(person: mario, moment: now)])
            // As after a restore of both databases: row and key exist, and no list
            // contains the person.
            let found = try await city.accounts.apply(try #require(Erasure.list(list)), at: now)
            #expect(found == [mario])
            #expect(try await city.accounts.standing(of: mario) == .erased)
            #expect(try await !city.accounts.keys.hasKey(mario))
            #expect(try await city.accounts.erasures().map(\.person) == [mario])
            #expect(try await city.count("SELECT count(*) AS count FROM session") == 0)
        }
    }

    @Test("a destroyed key is overwritten in the key store's file")
    func overwritten() async throws {
        try await TestCity.with(.sqlite) { city in
            let mario = try await city.person("mario")
            let row = try await city.keyDatabase.read { transaction in
                try transaction.row("SELECT sealed FROM person_key WHERE person = \(mario)")
            }
            let sealed = Data(try #require(try row?.value("sealed", as: [UInt8].self)))
            try await city.accounts.keys.destroy([mario], at: now)
            city.keyDatabase.close()
            let path = try #require(city.place.path)
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            for file in files {
                let data = try Data(contentsOf: folder.appendingPathComponent(file))
                #expect(data.range(of: sealed) == nil, "\(file)")
            }
        }
    }

    @Test("on PostgreSQL no column of any table tells anything of a person")
    func columns() async throws {
        try await TestCity.with(.postgres) { city in
            let session = try await Self.act(city)
            let words = try await Self.words(of: try #require(session.person), city)
            let tables = try await city.data.read { transaction in
                try transaction.rows(
                    """
                    SELECT CAST(table_name AS TEXT) AS name FROM information_schema.tables
                    WHERE table_schema = 'public'
                    """
                ).map { try $0.value("name", as: String.self) }
            }
            #expect(tables.count > 10)
            for row in try await Self.allRows(city) {
                for value in row.values {
                    let bytes: [UInt8]
                    switch value {
                    case .text(let text): bytes = Array(text.utf8)
                    case .bytes(let found): bytes = found
                    default: continue
                    }
                    for word in words { #expect(!Data(bytes).contains(word), "\(word)") }
                }
            }
        }
    }

    /// Performs all actions that leave data: registration, log-ins, changes, suspension, mails.
    private static func act(_ city: TestCity) async throws -> Session {
        let now = TestCity.start
        let accounts = city.accounts
        let mario = try await city.person("Zebedeo")
        let admin = try await city.administrator()
        var change = ProfileChange()
        change.address = "Ripa di Porta Ticinese 93"
        try await accounts.change(change, of: mario, at: now)
        try await accounts.setSuspension("lost his Borsalino", of: mario, by: admin, at: now)
        try await accounts.setSuspension(nil, of: mario, by: admin, at: now)
        try await accounts.forgotPassword(of: "Zebedeo", from: TestCity.home, at: now)
        let grant = try await city.logIn("Zebedeo")
        try await accounts.changeEmail(
            to: "nuovo@zebedeo.it",
            by: grant.session,
            from: TestCity.home,
            at: now
        )
        return grant.session
    }

    /// Returns the words that identify the person.
    private static func words(of person: PersonNumber, _ city: TestCity) async throws -> [String] {
        let key = try await city.accounts.key(of: person)
        let fields = try await city.data.read { try Fields.all(key, in: $0) }
        let hash = try #require(fields[.password])
        return [
            "Zebedeo", "zebedeo", "zebedeo@example.org", "Ripa di Porta", "Borsalino", "333123",
            "NomeZ", "CognomeZ", hash, Registration.samplePassword, "argon2",
        ]
    }

    /// Searches all files beside a database, including journals and free pages.
    private static func expectNone(of words: [String], beside path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect((files ?? []).count >= 2)
        for file in files ?? [] {
            let data = (try? Data(contentsOf: folder.appendingPathComponent(file))) ?? Data()
            for word in words { #expect(!data.contains(word), "\(word) is in \(file)") }
        }
    }

    private static func allRows(_ city: TestCity) async throws -> [Row] {
        try await city.data.read { transaction in
            let statements: [SQL] = [
                "SELECT * FROM person", "SELECT * FROM person_role",
                "SELECT * FROM person_field", "SELECT * FROM consent",
                "SELECT * FROM one_time_token", "SELECT * FROM session",
                "SELECT * FROM attempt", "SELECT * FROM attempt_wait",
                "SELECT * FROM known_address", "SELECT * FROM audit", "SELECT * FROM mail",
                "SELECT * FROM erasure",
            ]
            return try transaction.rows(statements).flatMap { $0 }
        }
    }
}

extension Data {
    fileprivate func contains(_ word: String) -> Bool {
        range(of: Data(word.utf8)) != nil
    }
}
