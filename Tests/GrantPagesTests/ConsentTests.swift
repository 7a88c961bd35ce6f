import Foundation
import HTTPTypes
import Identity
import OpenData
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// taxi.md R5, R108; issue 34, "Grants"; RFC 9700 (attacks on OAuth), RFC 9207 (mix-up).
@Suite("Consent of people to applications", .serialized)
struct ConsentTests {
    private static let scopes: Set<Scope> = [.callTaxis, .followRides]

    @Test("a person is asked in plain words, and the app gets exactly what was shown (R5)")
    func allowed() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let ana = try await site.person("ana")
            let shown = try await ana.get(app.question(Self.scopes))
            #expect(shown.status == 200)
            let words = [
                "Allow Rides Plus?", "Call taxis for you, and cancel them",
                "See all your rides, where your taxi is, and your receipts",
                "Afterwards you return to rides.example.org",
            ]
            for text in words { #expect(shown.text.contains(text), "\(text)") }
            #expect(!shown.text.contains("Reserve taxis for you"))
            ana.language = "it"
            let italian = try await ana.get(app.question(Self.scopes)).text
            #expect(italian.contains("Chiamare taxi per te, e annullarli"))

            let back = try await app.ask(ana, Self.scopes)
            #expect(back["state"] == app.state)
            let issuer = try #require(back["iss"])
            let redeemed = try await app.redeem(try #require(back["code"]))
            #expect(redeemed.status == 200, "\(redeemed.answer.text)")
            #expect(redeemed.answer.header("cache-control") == "no-store")
            #expect(redeemed.json["token_type"] == "Bearer")
            #expect(redeemed.json["expires_in"]?.double == 600)
            #expect(redeemed.json["scope"] == "rides.call rides.follow")
            let access = try #require(redeemed.json["access_token"]?.text)
            #expect(try await app.status(access) == 200)
            for path in ["/api/profile", "/api/reservations", "/api/fleet"] {
                #expect(try await app.status(access, path) == 403, "\(path)")
            }
            let metadata = try await app.visitor.get("/.well-known/oauth-authorization-server")
            #expect(metadata.text.contains("\"issuer\":\"\(issuer)\""), "a mix-up shows (RFC 9207)")
            #expect(metadata.text.contains("\"code_challenge_methods_supported\":[\"S256\"]"))
            #expect(site.count(.applicationConnected) == 1)
        }
    }

    @Test("whoever does not allow it gives nothing, and the app learns that")
    func denied() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let ana = try await site.person("ana")
            let back = try await app.ask(ana, Self.scopes, decision: "deny")
            #expect(back["error"] == "access_denied" && back["state"] == app.state)
            #expect(back["iss"] != nil && back["code"] == nil)
            #expect(try await ana.get("/account/apps").text.contains("No app is connected"))
        }
    }

    @Test("whoever is not signed in signs in first, and then sees the question")
    func signedOut() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            _ = try await site.person("ana")
            let stranger = site.visitor()
            let path = app.question(Self.scopes)
            let first = try await stranger.get(path)
            let login = try #require(first.header("location"))
            #expect(first.status == 303 && login.hasPrefix("/login?"))
            let kept = URLComponents(string: login)?.queryItems?.first { $0.name == "next" }
            let target = try #require(kept?.value)
            let answer = try await stranger.submit(
                ["name": "ana", "password": ServedSite.password, "next": target],
                on: login,
                to: "/login"
            )
            let next = try #require(answer.header("location"), "\(answer.text)")
            #expect(next.hasPrefix("/oauth/authorize?"))
            #expect(try await stranger.get(next).text.contains("Allow Rides Plus?"))
        }
    }

    @Test("no page frames the question, no cache keeps it, and no other site learns its address")
    func headers() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let ana = try await site.person("ana")
            let path = app.question(Self.scopes)
            let shown = try await ana.get(path)
            let policy = try #require(shown.header("content-security-policy"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(policy.contains("form-action 'self' https://rides.example.org;"))
            #expect(shown.header("cache-control") == "no-store")
            #expect(shown.header("referrer-policy") == "strict-origin")
            let answer = try await ana.submit(["decision": "allow"], on: path, to: path)
            #expect(answer.status == 303)
            #expect(answer.header("referrer-policy") == "no-referrer")
            #expect(answer.header("cache-control") == "no-store")
            let other = try await ana.get("/account")
            let usual = try #require(other.header("content-security-policy"))
            #expect(usual.contains("form-action 'self';"))
        }
    }

    @Test(
        "a wrong app or address is shown to the person, who is sent nowhere (open redirect)",
        arguments: [
            ["client_id": "12"], ["client_id": nil], ["client_id": "x"],
            ["redirect_uri": "https://evil.example/"], ["redirect_uri": nil],
            ["redirect_uri": "https://rides.example.org/back/"],
            ["redirect_uri": "https://rides.example.org/back?next=https://evil.example"],
            ["redirect_uri": "https://rides.example.org/back#x"],
            ["redirect_uri": "https://rides.example.org.evil.example/back"],
            ["redirect_uri": "https://rides.example.org@evil.example/back"],
            ["redirect_uri": "http://127.0.0.1:4000/back"],
            ["redirect_uri": "javascript:alert(1)"],
        ] as [[String: String?]]
    )
    func wrong(changes: [String: String?]) async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let ana = try await site.person("ana")
            let good = app.question(Self.scopes)
            let path = app.question(Self.scopes, changes)
            let shown = try await ana.get(path)
            #expect(shown.status == 400 && shown.header("location") == nil)
            #expect(shown.text.contains("This app cannot be connected"))
            let decided = try await ana.submit(["decision": "allow"], on: good, to: path)
            #expect(decided.status == 400 && decided.header("location") == nil)
            let stranger = try await site.visitor().get(path)
            #expect(stranger.status == 400 && stranger.header("location") == nil)
        }
    }

    @Test(
        "a question without PKCE, with plain PKCE or for too much goes back (downgrade)",
        arguments: [
            (["code_challenge": nil], "invalid_request"),
            (["code_challenge_method": nil], "invalid_request"),
            (["code_challenge_method": "plain"], "invalid_request"),
            (["code_challenge": "short"], "invalid_request"),
            (["response_type": "token"], "unsupported_response_type"),
            (["response_type": nil], "invalid_request"),
            (["scope": nil], "invalid_scope"),
            (["scope": "everything"], "invalid_scope"),
            (["scope": "rides.call fleet.read"], "invalid_scope"),
            (["scope": "accounts.create"], "invalid_scope"),
        ] as [([String: String?], String)]
    )
    func problems(changes: [String: String?], code: String) async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let ana = try await site.person("ana")
            let path = app.question(Self.scopes, changes)
            for answer in [
                try await ana.get(path),
                try await ana.submit(
                    ["decision": "allow"],
                    on: app.question(Self.scopes),
                    to: path
                ),
            ] {
                let back = app.returned(answer)
                #expect(back["error"] == code && back["state"] == app.state, "\(answer.text)")
                #expect(back["iss"] != nil && back["code"] == nil)
            }
        }
    }

    @Test("a field that comes twice is refused, and a second app or address sends nobody anywhere")
    func twice() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let ana = try await site.person("ana")
            let scope = app.question(Self.scopes, adding: "&scope=rides.reserve")
            #expect(app.returned(try await ana.get(scope))["error"] == "invalid_request")
            for further in ["&redirect_uri=https%3A%2F%2Fevil.example", "&client_id=1"] {
                let path = app.question(Self.scopes, adding: further)
                let shown = try await ana.get(path)
                #expect(shown.status == 400 && shown.header("location") == nil)
            }
        }
    }

    @Test("no other site and no other person decides for somebody (CSRF)")
    func forged() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let ana = try await site.person("ana")
            let eve = try await site.person("eve")
            let path = app.question(Self.scopes)
            let bare = try await ana.post(path, ["decision": "allow"])
            #expect(bare.status == 403 && bare.header("location") == nil)
            let ofEve = try #require(
                try await eve.get(path).text.firstMatch(of: /name="token" value="([0-9a-f]+)"/)
            )
            let stolen = try await ana.post(
                path,
                ["decision": "allow", "token": String(ofEve.1)]
            )
            #expect(stolen.status == 403)
            let elsewhere = try await ana.submit(
                ["decision": "allow"],
                on: path,
                to: path,
                headers: ["origin": "https://evil.example"]
            )
            #expect(elsewhere.status == 403)
            #expect(try await ana.get("/account/apps").text.contains("No app is connected"))
        }
    }

    @Test("one press on Connected apps takes everything away at the next request (R5)")
    func disconnected() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let other = try await ForeignClient.registered(at: site, name: "Second")
            let ana = try await site.person("ana")
            let bob = try await site.person("bob")
            let tokens = try await app.tokens(of: ana, Self.scopes)
            let ofOther = try await other.tokens(of: ana, [.readProfile])
            let ofBob = try await app.tokens(of: bob, Self.scopes)
            let pending = try #require(try await app.ask(ana, Self.scopes)["code"])
            let page = try await ana.get("/account/apps")
            for text in ["Rides Plus", "Second", "See your name, e-mail address"] {
                #expect(page.text.contains(text), "\(text)")
            }
            #expect(page.text.contains("Not used yet"))
            // Somebody else's press does not reach her.
            let fields = ["application": "\(other.number)"]
            _ = try await bob.submit(fields, on: "/account/apps")
            #expect(try await other.status(ofOther.access) == 200)
            let pressed = try await ana.submit(
                ["application": "\(app.number)"],
                on: "/account/apps"
            )
            #expect(pressed.header("location") == "/account/apps?notice=disconnected")
            #expect(try await app.status(tokens.access) == 401)
            #expect(try await app.refresh(tokens.refresh).status == 400)
            #expect(try await app.redeem(pending).status == 400)
            #expect(try await app.status(ofBob.access) == 200)
            #expect(try await other.status(ofOther.access) == 200)
            let after = try await ana.get("/account/apps").text
            #expect(!after.contains("Rides Plus") && after.contains("Second"))
            let trail = try await site.accounts.audit(of: "disconnect application")
            #expect(trail.map(\.note.object) == ["application \(app.number)"])
        }
    }
}
