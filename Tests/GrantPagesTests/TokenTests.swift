import Foundation
import HTTPTypes
import Identity
import NIOHTTP1
import OpenData
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// The endpoints of applications: RFC 6749, 7009, 7636, 7662, 8252; attacks of RFC 9700.
@Suite("Tokens of applications", .serialized)
struct TokenTests {
    private static let scopes: Set<Scope> = [.callTaxis, .followRides]

    @Test("a code that another browser brought is worth nothing without its secret (injection)")
    func injection() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let ana = try await site.person("ana")
            let code = try #require(try await app.ask(ana, Self.scopes)["code"])
            // The attacker's own run of the same application has another secret.
            var attacked = app
            attacked.verifier = String(repeating: "b", count: 64)
            let injected = try await attacked.redeem(code)
            #expect(injected.status == 400 && injected.json["error"] == "invalid_grant")
            let late = try await app.redeem(code)
            #expect(late.status == 400, "one attempt is all there is")
            for verifier in ["", "short", String(repeating: "é", count: 50)] {
                let fresh = try #require(try await app.ask(ana, Self.scopes)["code"])
                let refused = try await app.redeem(fresh, ["code_verifier": verifier])
                #expect(refused.status == 400 && refused.json["error"] == "invalid_request")
                #expect(try await app.redeem(fresh).status == 200, "nothing was tried")
            }
        }
    }

    @Test("another application's code, a used code and a code for another address are refused")
    func codes() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let other = try await ForeignClient.registered(at: site, name: "Other")
            let ana = try await site.person("ana")
            let code = try #require(try await app.ask(ana, Self.scopes)["code"])
            var thief = other
            thief.verifier = app.verifier
            #expect(try await thief.redeem(code).json["error"] == "invalid_grant")
            let tokens = try await app.redeem(code).json
            let access = try #require(tokens["access_token"]?.text)
            #expect(try await app.status(access) == 200)
            #expect(try await app.redeem(code).json["error"] == "invalid_grant")
            #expect(try await app.status(access) == 401, "a code that came twice takes all back")
            let refresh = try #require(tokens["refresh_token"]?.text)
            #expect(try await app.refresh(refresh).json["error"] == "invalid_grant")

            let moved = try #require(try await app.ask(ana, Self.scopes)["code"])
            let elsewhere = ["redirect_uri": "https://rides.example.org/other"]
            #expect(try await app.redeem(moved, elsewhere).json["error"] == "invalid_grant")
            let slow = try #require(try await app.ask(ana, Self.scopes)["code"])
            site.clock.advance(seconds: 60)
            #expect(try await app.redeem(slow).json["error"] == "invalid_grant")
        }
    }

    @Test("a refresh token that comes twice ends the whole grant, and only that one (replay)")
    func replay() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let ana = try await site.person("ana")
            let first = try await app.tokens(of: ana, Self.scopes)
            let laptop = try await app.tokens(of: ana, Self.scopes)
            let second = try await app.refresh(first.refresh)
            #expect(second.status == 200, "\(second.answer.text)")
            let access = try #require(second.json["access_token"]?.text)
            let newest = try #require(second.json["refresh_token"]?.text)
            #expect(newest != first.refresh && access != first.access)
            #expect(try await app.status(access) == 200)
            #expect(try await app.refresh(first.refresh).json["error"] == "invalid_grant")
            for token in [first.access, access] {
                #expect(try await app.status(token) == 401)
            }
            #expect(try await app.refresh(newest).json["error"] == "invalid_grant")
            #expect(try await app.status(laptop.access) == 200)
        }
    }

    @Test("access tokens last ten minutes, and none is good for anything else (confused tokens)")
    func expiry() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let ana = try await site.person("ana")
            let tokens = try await app.tokens(of: ana, Self.scopes)
            #expect(try await app.status(tokens.refresh) == 401)
            #expect(try await app.refresh(tokens.access).json["error"] == "invalid_grant")
            #expect(try await app.redeem(tokens.access).json["error"] == "invalid_grant")
            #expect(try await app.refresh(app.key).json["error"] == "invalid_grant")
            // A person's token opens no page.
            let page = try await app.visitor.get(
                "/account",
                headers: ["authorization": "Bearer \(tokens.access)"]
            )
            #expect(page.status == 303 && page.header("location")?.hasPrefix("/login") == true)
            site.clock.advance(seconds: 599)
            #expect(try await app.status(tokens.access) == 200)
            site.clock.advance(seconds: 1)
            let late = try await app.visitor.get(
                "/api/application",
                headers: ["authorization": "Bearer \(tokens.access)"]
            )
            #expect(late.status == 401)
            #expect(late.header("www-authenticate")?.contains("invalid_token") == true)
            #expect(try await app.refresh(tokens.refresh).status == 200)
        }
    }

    @Test("an app on a server proves its key; one on devices has a loopback address and no key")
    func clients() async throws {
        try await withSite(hasTaxis: false) { site in
            let ana = try await site.person("ana")
            let server = try await ForeignClient.registered(at: site)
            let code = try #require(try await server.ask(ana, Self.scopes)["code"])
            let bare = try await server.redeem(code, proof: .none)
            #expect(bare.status == 401 && bare.json["error"] == "invalid_client")
            #expect(try await server.redeem(code, proof: .body).status == 200)

            var native = try await ForeignClient.registered(
                at: site,
                name: "Desktop",
                redirects: ["http://127.0.0.1/done"],
                isNative: true
            )
            native.redirect = "http://127.0.0.1:51234/done"
            let path = native.question(Self.scopes)
            let shown = try await ana.get(path)
            #expect(shown.text.contains("you return to the app on this device"))
            let policy = shown.header("content-security-policy") ?? ""
            #expect(policy.contains("form-action 'self' http://127.0.0.1:51234;"))
            let tokens = try await native.tokens(of: ana, Self.scopes, proof: .none)
            #expect(try await native.status(tokens.access) == 200)
            #expect(try await native.refresh(tokens.refresh, proof: .none).status == 200)
            let own = try await native.post(
                "/oauth/token",
                ["grant_type": "client_credentials"],
                proof: .none
            )
            #expect(own.status == 401, "without its key it is anybody")
        }
    }

    @Test("failures are those of RFC 6749, and cookies count for nothing")
    func failures() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site)
            let cases: [([String: String], Int, String)] = [
                ([:], 400, "invalid_request"),
                (["grant_type": "password"], 400, "unsupported_grant_type"),
                (["grant_type": "authorization_code"], 400, "invalid_request"),
                (["grant_type": "refresh_token"], 400, "invalid_request"),
                (["grant_type": "refresh_token", "refresh_token": "x"], 400, "invalid_grant"),
                (["grant_type": "client_credentials", "scope": "all"], 400, "invalid_scope"),
                (
                    ["grant_type": "client_credentials", "client_secret": app.key], 400,
                    "invalid_request"
                ),
                (["grant_type": "client_credentials", "client_id": "1"], 401, "invalid_client"),
            ]
            for (fields, status, code) in cases {
                let answer = try await app.post("/oauth/token", fields)
                #expect(answer.status == status && answer.json["error"]?.text == code, "\(fields)")
                #expect(answer.json["error_description"]?.text?.isEmpty == false)
                #expect(answer.answer.header("content-type") == "application/json")
                #expect(answer.answer.header("cache-control") == "no-store")
            }
            var wrong = app
            wrong.key = String(repeating: "0", count: 64)
            let refused = try await wrong.post("/oauth/token", ["grant_type": "refresh_token"])
            #expect(refused.status == 401)
            #expect(refused.answer.header("www-authenticate")?.hasPrefix("Basic") == true)
            let headers = ["content-type": "application/x-www-form-urlencoded"]
            let body = Array("grant_type=client_credentials&grant_type=x".utf8)
            let twice = try await app.visitor.send(
                .POST,
                "/oauth/token",
                headers: headers,
                body: body
            )
            #expect(twice.status == 400 && twice.text.contains("invalid_request"))
            let json = try await app.visitor.send(
                .POST,
                "/oauth/token",
                headers: ["content-type": "application/json"],
                body: Array("{}".utf8)
            )
            #expect(json.status == 400 && json.text.contains("invalid_request"))
            let (admin, _) = try await site.administrator("chief")
            let session = try await admin.post("/oauth/token", ["grant_type": "refresh_token"])
            #expect(session.status == 401)
        }
    }

    @Test("an application acts for itself with a token too, and learns what its tokens permit")
    func introspection() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site, [.callTaxis, .readCity])
            let other = try await ForeignClient.registered(at: site, name: "Other")
            let ana = try await site.person("ana")
            let own = try await app.post(
                "/oauth/token",
                ["grant_type": "client_credentials", "scope": "city.read"]
            )
            let token = try #require(own.json["access_token"]?.text, "\(own.answer.text)")
            #expect(own.json["scope"] == "city.read" && own.json["refresh_token"] == nil)
            #expect(try await app.status(token) == 200)
            #expect(try await app.status(token, "/api/rides") == 403)

            let tokens = try await app.tokens(of: ana, [.callTaxis])
            let seen = try await app.post("/oauth/introspect", ["token": tokens.access]).json
            #expect(seen["active"] == true && seen["scope"] == "rides.call")
            #expect(seen["client_id"]?.text == "\(app.number)" && seen["sub"]?.text?.count == 32)
            let foreign = try await other.post("/oauth/introspect", ["token": tokens.access])
            #expect(foreign.answer.text == #"{"active":false}"#)
            let bare = try await app.post(
                "/oauth/introspect",
                ["token": tokens.access],
                proof: .none
            )
            #expect(bare.status == 401)

            #expect(try await other.post("/oauth/revoke", ["token": tokens.refresh]).status == 200)
            #expect(try await app.status(tokens.access) == 200)
            #expect(try await app.post("/oauth/revoke", ["token": "nothing"]).status == 200)
            #expect(try await app.post("/oauth/revoke", ["token": tokens.refresh]).status == 200)
            #expect(try await app.status(tokens.access) == 401)
            let gone = try await app.post("/oauth/introspect", ["token": tokens.access])
            #expect(gone.answer.text == #"{"active":false}"#)
            #expect(try await ana.get("/account/apps").text.contains("No app is connected"))
        }
    }
}
