import Chronology
import Encoding
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// taxi.md R5, R108, R110; issue 4, "third-party applications".
@Suite("Applications of others")
struct ApplicationTests {
    private let now = TestCity.start

    private static let form = ApplicationForm(
        name: " Rides Plus ",
        contact: "office@rides.example.org",
        redirects: ["https://rides.example.org/back", ""],
        scopes: [.reserve, .callTaxis],
        requestsPerMinute: 60
    )

    @Test(
        "an application is registered, its key works, is replaced, and is taken away (R5)",
        arguments: TestEngine.allCases
    )
    func life(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let accounts = city.accounts
            let admin = try await city.administrator()
            let (number, key) = try await accounts.registerApplication(
                Self.form,
                by: admin,
                at: now
            )
            let made = try #require(try await accounts.application(number))
            #expect(made.form.name == "Rides Plus")
            #expect(made.form.redirects == ["https://rides.example.org/back"])
            #expect(made.form.scopes == [.callTaxis, .reserve])
            #expect(made.used == nil)
            #expect(made.revoked == nil)
            #expect(try await accounts.application(withKey: key, at: now)?.number == number)
            #expect(try await accounts.application(number)?.used == now)
            #expect(try await accounts.application(withKey: .random(), at: now) == nil)

            let soon = now.adding(seconds: 90)
            let next = try await accounts.rotateKey(of: number, by: admin, at: soon)
            #expect(try await accounts.application(withKey: key, at: soon) == nil)
            let found = try #require(try await accounts.application(withKey: next, at: soon))
            #expect(found.keyMade == soon)

            var changed = Self.form
            changed.scopes = [.followRides]
            try await accounts.changeApplication(number, to: changed, by: admin, at: soon)
            #expect(try await accounts.application(number)?.form.scopes == [.followRides])
            #expect(try await accounts.application(withKey: next, at: soon) != nil)

            try await accounts.revokeApplication(number, by: admin, at: soon)
            #expect(try await accounts.application(withKey: next, at: soon) == nil)
            #expect(try await accounts.applications().map(\.revoked) == [soon])
            await #expect(throws: AccountFailure.changedMeanwhile) {
                try await accounts.rotateKey(of: number, by: admin, at: soon)
            }
            await #expect(throws: AccountFailure.changedMeanwhile) {
                try await accounts.changeApplication(number, to: changed, by: admin, at: soon)
            }
            let acts = try await accounts.audit().map(\.note.act)
            #expect(
                acts.prefix(4) == [
                    "revoke application", "change application", "rotate application key",
                    "register application",
                ]
            )
        }
    }

    @Test("no column of the database holds a key as it is sent", arguments: TestEngine.allCases)
    func hashed(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let admin = try await city.administrator()
            let (_, key) = try await city.accounts.registerApplication(
                Self.form,
                by: admin,
                at: now
            )
            let secret = try #require([UInt8](hex: key.text))
            for table in ["application", "application_redirect", "audit"] {
                let rows = try await city.data.read { transaction in
                    switch table {
                    case "application": try transaction.rows("SELECT * FROM application")
                    case "audit": try transaction.rows("SELECT * FROM audit")
                    default: try transaction.rows("SELECT * FROM application_redirect")
                    }
                }
                #expect(!rows.isEmpty)
                for value in rows.flatMap(\.values) {
                    #expect(value != .bytes(secret))
                    if case .text(let text) = value { #expect(!text.contains(key.text)) }
                    if case .bytes(let bytes) = value {
                        #expect(!String(decoding: bytes, as: UTF8.self).contains(key.text))
                    }
                }
            }
        }
    }

    @Test(
        "people are sent back to plain https addresses only",
        arguments: [
            ("https://rides.example.org/back", true),
            ("https://rides.example.org:8443/back?x=1", true),
            ("http://rides.example.org/back", false),
            ("https://rides.example.org/back#part", false),
            ("https://user@rides.example.org/back", false),
            ("https://user:pw@rides.example.org/back", false),
            ("https://127.0.0.1/back", false),
            ("https://[::1]/back", false),
            ("https://2130706433/back", false),
            ("https://localhost/back", false),
            ("https://rides.example.org\\@evil.example/back", false),
            ("https://rides..example.org/", false),
            ("https://-rides.example.org/", false),
            ("https://rìdes.example.org/", false),
            ("https://rides.example.org/a b", false),
            ("javascript:alert(1)", false),
            ("https://", false),
            ("//rides.example.org", false),
        ]
    )
    func redirects(address: String, isSafe: Bool) {
        #expect(ApplicationForm.isSafe(address) == isSafe)
    }

    @Test("all that is wrong with a form is said at once, and nothing is entered (R108)")
    func problems() async throws {
        try await TestCity.with(.sqlite) { city in
            let admin = try await city.administrator()
            let bad = ApplicationForm(
                name: " ",
                contact: "nobody",
                redirects: ["https://a.example", "https://a.example"],
                scopes: [],
                requestsPerMinute: 0
            )
            await #expect(
                throws: ApplicationRefusal(problems: [
                    .nameMissing, .badContact, .repeatedRedirect("https://a.example"), .noScopes,
                    .badRate(least: 1, most: 6_000),
                ])
            ) {
                try await city.accounts.registerApplication(bad, by: admin, at: now)
            }
            var many = Self.form
            many.redirects = (0..<11).map { "https://a\($0).example" }
            many.name = String(repeating: "x", count: 81)
            await #expect(
                throws: ApplicationRefusal(problems: [
                    .badName(most: 80), .tooManyRedirects(most: 10),
                ])
            ) {
                try await city.accounts.registerApplication(many, by: admin, at: now)
            }
            #expect(try await city.accounts.applications().isEmpty)
        }
    }

    @Test("only administrators who gave the password lately register applications (R9)")
    func rights() async throws {
        try await TestCity.with(.sqlite) { city in
            let accounts = city.accounts
            let admin = try await city.administrator()
            try await city.person("ana")
            let ana = try await city.logIn("ana").session
            await #expect(throws: AccountFailure.notAllowed(needs: .administrator)) {
                try await accounts.registerApplication(Self.form, by: ana, at: now)
            }
            let late = now.adding(seconds: 601)
            await #expect(throws: AccountFailure.passwordNeeded) {
                try await accounts.registerApplication(Self.form, by: admin, at: late)
            }
            #expect(try await accounts.applications().isEmpty)
        }
    }
}
