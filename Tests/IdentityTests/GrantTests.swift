import Chronology
import Crypto
import Encoding
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// What people let applications do: taxi.md R5, R108; issue 34, "Grants".
@Suite("Grants")
struct GrantTests {
    private let now = TestCity.start

    @Test(
        "a person lets an application act, sees it, and takes it back at once (R5)",
        arguments: TestEngine.allCases
    )
    func life(engine: TestEngine) async throws {
        try await GrantScene.with(engine) { scene in
            let tokens = try await scene.tokens()
            #expect(tokens.scopes == [.callTaxis, .followRides] && tokens.seconds == 600)
            let found = try #require(try await scene.accounts.access(with: tokens.access, at: now))
            #expect(found.person == scene.person)
            #expect(found.application.number == scene.app.number)
            #expect(found.application.form.scopes == [.callTaxis, .followRides])
            let list = try await scene.accounts.connectedApplications(of: scene.person, at: now)
            #expect(list.map(\.name) == ["Rides Plus"] && list[0].used == now)
            #expect(list[0].scopes == [.callTaxis, .followRides] && list[0].made == now)
            let mails = try await scene.city.mails().filter { $0.kind == .applicationConnected }
            #expect(mails.map(\.contents.to) == ["ana@example.org"])
            #expect(mails[0].contents.facts["application"] == "Rides Plus")

            let number = scene.app.number
            #expect(try await scene.accounts.disconnect(number, by: scene.ana, at: now))
            #expect(try await !scene.works(tokens.access))
            let refresh = try #require(tokens.refresh)
            #expect(
                try await scene.isRefused {
                    try await scene.accounts.refresh(refresh, for: scene.app, at: now)
                }
            )
            let left = try await scene.accounts.connectedApplications(of: scene.person, at: now)
            #expect(left.isEmpty)
            #expect(try await !scene.accounts.disconnect(number, by: scene.ana, at: now))
            let acts = try await scene.accounts.audit(concerning: scene.person).map(\.note.act)
            #expect(acts.prefix(2) == ["disconnect application", "connect application"])
        }
    }

    @Test(
        "a code works once, for its application, verifier and address, within a minute",
        arguments: TestEngine.allCases
    )
    func codes(engine: TestEngine) async throws {
        try await GrantScene.with(engine) { scene in
            let ofOther = try await scene.code()
            #expect(try await scene.isRefused { try await scene.redeem(ofOther, for: scene.other) })
            // Another application's attempt takes nothing from the right one.
            let tokens = try await scene.redeem(ofOther)
            #expect(try await scene.works(tokens.access))

            let guessed = try await scene.code()
            let wrong = String(repeating: "x", count: 43)
            #expect(try await scene.isRefused { try await scene.redeem(guessed, verifier: wrong) })
            #expect(try await scene.isRefused { try await scene.redeem(guessed) })

            let moved = try await scene.code()
            let elsewhere = GrantScene.back + "/x"
            #expect(
                try await scene.isRefused { try await scene.redeem(moved, redirect: elsewhere) }
            )
            let late = try await scene.code()
            let then = now.adding(seconds: 60)
            #expect(try await scene.isRefused { try await scene.redeem(late, at: then) })
            #expect(try await scene.isRefused { try await scene.redeem(.random(.code)) })
            #expect(try await scene.isRefused { try await scene.redeem(tokens.access) })
        }
    }

    @Test(
        "a code that comes twice takes back what it gave, and nothing else",
        arguments: TestEngine.allCases
    )
    func codeTwice(engine: TestEngine) async throws {
        try await GrantScene.with(engine) { scene in
            let kept = try await scene.tokens()
            let code = try await scene.code()
            let tokens = try await scene.redeem(code)
            let refresh = try #require(tokens.refresh)
            let next = try await scene.accounts.refresh(refresh, for: scene.app, at: now)
            let later = now.adding(seconds: 500)
            #expect(try await scene.isRefused { try await scene.redeem(code, at: later) })
            for token in [tokens.access, next.access] {
                #expect(try await !scene.works(token))
            }
            #expect(try await scene.works(kept.access))
            let acts = try await scene.accounts.audit(of: "end reused grant")
            #expect(acts.count == 1)
        }
    }

    @Test(
        "a refresh token works once; a second time ends the grant (RFC 9700)",
        arguments: TestEngine.allCases
    )
    func refresh(engine: TestEngine) async throws {
        try await GrantScene.with(engine) { scene in
            let accounts = scene.accounts
            let first = try await scene.tokens()
            let old = try #require(first.refresh)
            #expect(
                try await scene.isRefused {
                    try await accounts.refresh(old, for: scene.other, at: now)
                }
            )
            let second = try await accounts.refresh(old, for: scene.app, at: now)
            #expect(second.scopes == first.scopes)
            #expect(try await scene.works(first.access))
            #expect(try await scene.works(second.access))
            let newest = try #require(second.refresh)
            let fewer = try await accounts.refresh(newest, for: scene.app, [.callTaxis], at: now)
            #expect(fewer.scopes == [.callTaxis])
            let access = try await accounts.access(with: fewer.access, at: now)
            #expect(access?.application.form.scopes == [.callTaxis])
            let narrow = try #require(fewer.refresh)
            await #expect(throws: GrantRefusal.invalidScope) {
                try await accounts.refresh(narrow, for: scene.app, [.followRides], at: now)
            }
            #expect(
                try await scene.isRefused {
                    try await accounts.refresh(old, for: scene.app, at: now)
                }
            )
            #expect(
                try await scene.isRefused {
                    try await accounts.refresh(narrow, for: scene.app, at: now)
                }
            )
            for token in [first.access, second.access, fewer.access] {
                #expect(try await !scene.works(token))
            }
        }
    }

    @Test("of two that redeem a code or refresh at the same time, one succeeds at most")
    func races() async throws {
        for engine in TestEngine.allCases {
            try await GrantScene.with(engine) { scene in
                let code = try await scene.code()
                let count = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<4 {
                        group.addTask { (try? await scene.redeem(code)) != nil }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(count == 1)
                let list = try await scene.accounts.connectedApplications(
                    of: scene.person,
                    at: now
                )
                #expect(list.isEmpty)
            }
        }
    }

    @Test("tokens end in time, and the sweep leaves no trace", arguments: TestEngine.allCases)
    func expiry(engine: TestEngine) async throws {
        try await GrantScene.with(engine) { scene in
            let accounts = scene.accounts
            let tokens = try await scene.tokens()
            #expect(try await scene.works(tokens.access, at: now.adding(seconds: 599)))
            #expect(try await !scene.works(tokens.access, at: now.adding(seconds: 600)))
            let refresh = try #require(tokens.refresh)
            let month = now.adding(seconds: Accounts.refreshSeconds)
            #expect(
                try await scene.isRefused {
                    try await accounts.refresh(refresh, for: scene.app, at: month)
                }
            )
            #expect(try await accounts.connectedApplications(of: scene.person, at: month).isEmpty)
            #expect(try await accounts.sweep(at: month).grants > 0)
            for count in try await Self.counts(scene.city) { #expect(count == 0) }
        }
    }

    @Test("the erasure of a person leaves no code, grant or token", arguments: TestEngine.allCases)
    func erasure(engine: TestEngine) async throws {
        try await GrantScene.with(engine) { scene in
            let accounts = scene.accounts
            let tokens = try await scene.tokens()
            _ = try await scene.code()
            let section = try await accounts.connectedSection(of: scene.person, at: now)
            #expect(section.json.contains("Rides Plus") && section.json.contains("rides.call"))
            try await accounts.eraseAccount(by: scene.ana, hasProceeded: true, at: now)
            #expect(try await !scene.works(tokens.access))
            for count in try await Self.counts(scene.city) { #expect(count == 0) }
        }
    }

    private static func counts(_ city: TestCity) async throws -> [Int] {
        [
            try await city.count("SELECT count(*) AS count FROM grant_code"),
            try await city.count("SELECT count(*) AS count FROM access_grant"),
            try await city.count("SELECT count(*) AS count FROM grant_token"),
        ]
    }

    @Test("a suspended person's tokens fail, and so do those of a revoked application (R5)")
    func suspended() async throws {
        try await GrantScene.with(.sqlite) { scene in
            let accounts = scene.accounts
            let admin = try await scene.city.logIn("admin").session
            let tokens = try await scene.tokens()
            let refresh = try #require(tokens.refresh)
            try await accounts.setSuspension("test", of: scene.person, by: admin, at: now)
            #expect(try await !scene.works(tokens.access))
            #expect(
                try await scene.isRefused {
                    try await accounts.refresh(refresh, for: scene.app, at: now)
                }
            )
            try await accounts.setSuspension(nil, of: scene.person, by: admin, at: now)
            #expect(try await scene.works(tokens.access))
            try await accounts.revokeApplication(scene.app.number, by: admin, at: now)
            #expect(try await !scene.works(tokens.access))
            #expect(try await accounts.connectedApplications(of: scene.person, at: now).isEmpty)
        }
    }

    @Test("what the city takes from an application, its tokens lose at once (R5)")
    func narrowed() async throws {
        try await GrantScene.with(.sqlite) { scene in
            let accounts = scene.accounts
            let admin = try await scene.city.logIn("admin").session
            let tokens = try await scene.tokens()
            var form = scene.app.form
            form.scopes = [.followRides, .reserve]
            try await accounts.changeApplication(scene.app.number, to: form, by: admin, at: now)
            let access = try await accounts.access(with: tokens.access, at: now)
            #expect(access?.application.form.scopes == [.followRides])
            let list = try await accounts.connectedApplications(of: scene.person, at: now)
            #expect(list.map(\.scopes) == [[.followRides]])
        }
    }

    @Test("an application asks for nothing that is not its own, nor what is the city's to give")
    func asked() async throws {
        try await GrantScene.with(.sqlite) { scene in
            for scopes: Set<Scope> in [[.reserve], [.readFleet], [.callTaxis, .readFleet], []] {
                await #expect(throws: GrantRefusal.invalidScope) { try await scene.code(scopes) }
            }
            let request = GrantRequest(
                application: scene.app.number,
                scopes: [.callTaxis],
                redirect: GrantScene.back + "?x=1",
                challenge: [UInt8](repeating: 0, count: 32)
            )
            await #expect(throws: GrantRefusal.unknownClient) {
                try await scene.accounts.consent(to: request, by: scene.ana, at: now)
            }
        }
    }

    @Test("an application acts for itself with its own permissions only, and introspects its own")
    func own() async throws {
        try await GrantScene.with(.sqlite) { scene in
            let accounts = scene.accounts
            let own = try await accounts.issueOwn(to: scene.app, nil, at: now)
            #expect(own.refresh == nil && own.scopes == scene.app.form.scopes)
            let access = try #require(try await accounts.access(with: own.access, at: now))
            #expect(access.person == nil && access.grant == nil)
            await #expect(throws: GrantRefusal.invalidScope) {
                try await accounts.issueOwn(to: scene.app, [.reserve], at: now)
            }
            let tokens = try await scene.tokens()
            for token in [tokens.access, try #require(tokens.refresh)] {
                let seen = try await accounts.introspect(token, for: scene.app, at: now)
                #expect(seen?.person == scene.person)
                #expect(try await accounts.introspect(token, for: scene.other, at: now) == nil)
                try await accounts.revoke(token, for: scene.other)
                #expect(try await accounts.introspect(token, for: scene.app, at: now) != nil)
            }
            try await accounts.revoke(tokens.access, for: scene.app)
            #expect(try await !scene.works(tokens.access))
            let next = try #require(tokens.refresh)
            let fresh = try await accounts.refresh(next, for: scene.app, at: now)
            try await accounts.revoke(try #require(fresh.refresh), for: scene.app)
            #expect(try await !scene.works(fresh.access))
            #expect(try await scene.works(own.access))
            let admin = try await scene.city.logIn("admin").session
            _ = try await accounts.rotateKey(of: scene.app.number, by: admin, at: now)
            #expect(try await !scene.works(own.access))
        }
    }

    @Test("no column holds a code or a token as it is sent", arguments: TestEngine.allCases)
    func hashed(engine: TestEngine) async throws {
        try await GrantScene.with(engine) { scene in
            let code = try await scene.code()
            let tokens = try await scene.redeem(code)
            let secrets = [code, tokens.access, try #require(tokens.refresh)]
            let rows = try await scene.city.data.read { transaction in
                try transaction.rows([
                    "SELECT * FROM grant_code", "SELECT * FROM grant_token",
                    "SELECT * FROM access_grant", "SELECT * FROM audit",
                ])
            }
            #expect(rows.allSatisfy { !$0.isEmpty })
            for secret in secrets {
                let hex = String(secret.text.dropFirst(4))
                let bare = [UInt8](SHA256.hash(data: try #require([UInt8](hex: hex))))
                for value in rows.joined().flatMap(\.values) {
                    #expect(value != .bytes(Array(secret.text.utf8)) && value != .bytes(bare))
                    if case .text(let text) = value { #expect(!text.contains(hex)) }
                    if case .bytes(let bytes) = value { #expect(bytes.hex != hex) }
                }
            }
        }
    }
}
