import Chronology
import Foundation
import Identity
import OpenData
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// taxi.md R5, R107; issue 34, devices; RFC 8628 (devices without a browser).
@Suite("Devices without a browser", .serialized)
struct DeviceFlowTests {
    private static let scopes: Set<Scope> = [.callTaxis, .followRides]

    /// A display in somebody's hall, with the codes that it was given.
    private struct Display {
        let site: ServedSite
        let app: ForeignClient
        let device: String
        let code: String
        let answer: JSONValue

        init(at site: ServedSite, isNative: Bool = true) async throws {
            self.site = site
            app = try await ForeignClient.registered(
                at: site,
                isNative: isNative,
                hasDevices: true
            )
            let begun = try await app.post(
                "/oauth/device_authorization",
                ["scope": Scope.text(of: DeviceFlowTests.scopes)],
                proof: isNative ? .none : .header
            )
            #expect(begun.status == 200, "\(begun.answer.text)")
            answer = begun.json
            device = try #require(begun.json["device_code"]?.text)
            code = try #require(begun.json["user_code"]?.text)
        }

        /// Asks for the tokens.
        func poll(
            after seconds: Int64 = 5,
            as other: ForeignClient? = nil,
            proof: ForeignClient.Proof = .none
        ) async throws -> (status: Int, json: JSONValue, answer: Visitor.Answer) {
            site.clock.advance(seconds: seconds)
            let fields = [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                "device_code": device,
            ]
            return try await (other ?? app).post("/oauth/token", fields, proof: proof)
        }

        func error(after seconds: Int64 = 5) async throws -> String? {
            try await poll(after: seconds).json["error"]?.text
        }

        /// Enters the code and decides.
        func decide(_ person: Visitor, _ decision: String = "allow") async throws -> Visitor.Answer
        {
            let question = try await person.submit(["code": code], on: "/device")
            #expect(question.status == 200, "\(question.text)")
            return try await person.sendForm(
                "/device/decide",
                of: question.text,
                ["decision": decision]
            )
        }
    }

    @Test("a person enters the code elsewhere, sees what asks, and the device goes on (R5)")
    func allowed() async throws {
        try await withSite(hasTaxis: false) { site in
            let display = try await Display(at: site)
            let ana = try await site.person("ana")
            #expect(display.answer["verification_uri"]?.text == site.base + "/device")
            #expect(display.answer["interval"]?.double == 5)
            #expect(display.answer["expires_in"]?.double == 900)
            #expect(
                display.code.wholeMatch(of: /[BCDFGHJ-NP-TV-XZ]{4}-[BCDFGHJ-NP-TV-XZ]{4}/) != nil
            )
            #expect(try await display.error(after: 0) == "authorization_pending")

            let typed = " " + display.code.lowercased().replacing("-", with: " ")
            let question = try await ana.submit(["code": typed], on: "/device")
            for words in [
                "Allow Rides Plus?", "Call taxis for you, and cancel them", display.code,
                "If you did not start this on a device in front of you",
            ] {
                #expect(question.text.contains(words), "\(words)")
            }
            #expect(try await display.error() == "authorization_pending", "a look is no consent")
            let done = try await display.decide(ana)
            #expect(done.header("location") == "/device?notice=connected", "\(done.text)")
            #expect(try await ana.follow(done).text.contains("Your device is connected"))

            let tokens = try await display.poll()
            #expect(tokens.status == 200, "\(tokens.answer.text)")
            #expect(tokens.json["scope"] == "rides.call rides.follow")
            let access = try #require(tokens.json["access_token"]?.text)
            #expect(try await display.app.status(access) == 200)
            #expect(tokens.json["refresh_token"] != nil)
            #expect(site.count(.applicationConnected) == 1)
            #expect(try await ana.get("/account/apps").text.contains("Rides Plus"))
            ana.language = "it"
            #expect(try await ana.get("/device").text.contains("Collega un dispositivo"))
        }
    }

    @Test("whoever does not allow it gives nothing, and the device learns that")
    func denied() async throws {
        try await withSite(hasTaxis: false) { site in
            let display = try await Display(at: site)
            let ana = try await site.person("ana")
            let done = try await display.decide(ana, "deny")
            #expect(try await ana.follow(done).text.contains("Nothing was allowed"))
            #expect(try await display.error() == "access_denied")
            #expect(try await ana.get("/account/apps").text.contains("No app is connected"))
            let again = try await ana.submit(["code": display.code], on: "/device")
            #expect(again.status == 422, "a decision counts once")
        }
    }

    @Test("a device that asks too often is told to slow down, and waits longer from then on")
    func slow() async throws {
        try await withSite(hasTaxis: false) { site in
            let display = try await Display(at: site)
            #expect(try await display.error(after: 0) == "authorization_pending")
            #expect(try await display.error(after: 4) == "slow_down")
            #expect(try await display.error(after: 9) == "slow_down")
            #expect(try await display.error(after: 15) == "authorization_pending")
            let ana = try await site.person("ana")
            _ = try await display.decide(ana)
            #expect(try await display.error(after: 1) == "slow_down")
            #expect(try await display.poll(after: 20).status == 200)
        }
    }

    @Test("a code ends after a quarter of an hour, at the device and on the page")
    func expired() async throws {
        try await withSite(hasTaxis: false) { site in
            let display = try await Display(at: site)
            let ana = try await site.person("ana")
            let question = try await ana.submit(["code": display.code], on: "/device")
            site.clock.advance(seconds: 901)
            let late = try await ana.sendForm(
                "/device/decide",
                of: question.text,
                ["decision": "allow"]
            )
            #expect(late.status == 422 && late.text.contains("has expired"))
            #expect(try await display.error() == "expired_token")
            #expect(try await ana.submit(["code": display.code], on: "/device").status == 422)
            _ = try await site.accounts.sweep(at: site.clock.now.adding(seconds: 90_000))
            #expect(try await display.error() == "invalid_grant")
        }
    }

    @Test("codes cannot be guessed: after ten wrong ones the right one is refused too")
    func guessing() async throws {
        try await withSite(CityStaff.limits, hasTaxis: false) { site in
            let display = try await Display(at: site)
            let ana = try await site.person("ana")
            for number in 0..<10 {
                let code =
                    number == 0 ? "no code" : "BBBB-BBB" + "BCDFGHJKLM".suffix(number).prefix(1)
                let answer = try await ana.submit(["code": code], on: "/device")
                #expect(answer.status == 422 && answer.problem("code") != nil, "\(code)")
            }
            let right = try await ana.submit(["code": display.code], on: "/device")
            #expect(right.status == 429 && right.header("retry-after") != nil)
            let ben = try await site.person("ben")
            #expect(try await ben.submit(["code": display.code], on: "/device").status == 200)
            site.clock.advance(seconds: 800)
            let still = try await ana.submit(["code": display.code], on: "/device")
            #expect(still.status == 429)
        }
    }

    @Test("a link with the code fills it in, asks who is there first, and allows nothing by itself")
    func complete() async throws {
        try await withSite(hasTaxis: false) { site in
            let display = try await Display(at: site)
            let link = try #require(display.answer["verification_uri_complete"]?.text)
            let path = String(link.dropFirst(site.base.count))
            let stranger = try await site.visitor().get(path)
            #expect(stranger.header("location")?.hasPrefix("/login?") == true)
            let ana = try await site.person("ana")
            let page = try await ana.get(path).text
            #expect(page.contains("value=\"\(display.code)\"") && !page.contains("Rides Plus"))
            #expect(page.contains("Never enter one that someone has sent you"))
            #expect(try await display.error() == "authorization_pending")
        }
    }

    @Test("only applications for which the city ticks it get codes, and prove themselves (R107)")
    func permission() async throws {
        try await withSite(hasTaxis: false) { site in
            let app = try await ForeignClient.registered(at: site, isNative: true)
            let begun = try await app.post(
                "/oauth/device_authorization",
                ["scope": "rides.call"],
                proof: .none
            )
            #expect(begun.json["error"] == "unauthorized_client", "\(begun.answer.text)")
            let display = try await Display(at: site, isNative: false)
            let (path, scope) = ("/oauth/device_authorization", ["scope": "rides.call"])
            #expect(try await display.app.post(path, scope, proof: .none).status == 401)
            #expect(try await display.poll().status == 401)
            #expect(try await display.poll(proof: .header).json["error"] == "authorization_pending")
            for wrong in [[:], ["scope": "everything"], ["scope": "fleet.read"]] {
                let answer = try await display.app.post(path, wrong)
                #expect(answer.json["error"] == "invalid_scope", "\(wrong)")
            }
            let other = try await ForeignClient.registered(at: site, name: "Other")
            let stolen = try await display.poll(as: other, proof: .header)
            #expect(stolen.json["error"] == "invalid_grant")
        }
    }

    @Test("a device code that comes again after its tokens was stolen: the grant ends")
    func reused() async throws {
        try await withSite(hasTaxis: false) { site in
            let display = try await Display(at: site)
            let ana = try await site.person("ana")
            _ = try await display.decide(ana)
            let tokens = try await display.poll()
            let access = try #require(tokens.json["access_token"]?.text)
            #expect(try await display.error() == "invalid_grant")
            #expect(try await display.app.status(access) == 401)
            #expect(try await ana.get("/account/apps").text.contains("No app is connected"))
        }
    }

    @Test("a network address has at most twenty devices waiting")
    func flood() async throws {
        try await withSite(CityStaff.limits, hasTaxis: false) { site in
            let display = try await Display(at: site)
            let path = "/oauth/device_authorization"
            for _ in 1..<20 {
                let more = try await display.app.post(path, ["scope": "rides.call"], proof: .none)
                #expect(more.status == 200)
            }
            let last = try await display.app.post(path, ["scope": "rides.call"], proof: .none)
            #expect(last.status == 429 && last.json["error"] == "temporarily_unavailable")
            site.clock.advance(seconds: 901)
            let later = try await display.app.post(path, ["scope": "rides.call"], proof: .none)
            #expect(later.status == 200)
        }
    }

    @Test("programs find the endpoint in the metadata (RFC 8414)")
    func metadata() async throws {
        try await withSite(hasTaxis: false) { site in
            let path = "/.well-known/oauth-authorization-server"
            let text = try await site.visitor().get(path).text
            #expect(text.contains("\(site.base)/oauth/device_authorization"))
            #expect(text.contains("urn:ietf:params:oauth:grant-type:device_code"))
        }
    }
}
