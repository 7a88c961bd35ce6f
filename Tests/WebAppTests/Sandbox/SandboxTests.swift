import Dispatching
import Identity
import LivingCity
import OpenData
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

/// Issue 34, part one, 1: a key in two minutes, a city with simulated taxis and a clock of its own;
/// decision 0055.
@Suite("The sandbox", .serialized)
struct SandboxTests {
    private static let order: JSONValue = [
        "from": "45.4630, 9.1480", "to": "45.4570, 9.1560", "contact": "+39 333 1234567",
    ]

    @Test("one press gives a key, with which a ride ends in seconds, and the city sees none of it")
    func ride() async throws {
        try await SandboxTown.open { town in
            let visitor = town.site.visitor()
            let keys = try await town.keys(of: visitor)
            let program = KeyedProgram(visitor: town.site.visitor(), key: keys.key)
            let began = ContinuousClock.now
            var ride = try await program.post("/api/rides", Self.order)
            #expect(ride.status == 201, "\(ride.text)")
            let number = try #require(ride.json["request"]).json
            var states: [String] = []
            while let state = ride.json["state"]?.text, state != "ended",
                ContinuousClock.now - began < .seconds(240)
            {
                if states.last != state { states.append(state) }
                ride = try await program.get("/api/rides/\(number)/wait?state=\(state)")
            }
            #expect(ride.json["outcome"] == "completed", "\(states) \(ride.text)")
            #expect(states.contains("aboard"), "\(states)")
            let installation = town.site.installation
            #expect(try await installation.taxi.dispatch.read { $0.lastRequest } == 0)
            #expect(try await installation.accounts.applications().isEmpty)
        }
    }

    @Test("no key of the sandbox opens the city, and no key of the city the sandbox (R110)")
    func apart() async throws {
        try await SandboxTown.open { town in
            let keys = try await town.keys(of: town.site.visitor())
            let app = try await ForeignClient.registered(at: town.site)
            let ana = try await town.site.person("ana")
            let token = try await app.tokens(of: ana, Scope.personal).access
            func name(_ key: String) async throws -> (Int, JSONValue?) {
                let program = KeyedProgram(visitor: town.site.visitor(), key: key)
                let answer = try await program.get("/api/application")
                return (answer.status, answer.json["name"])
            }
            let prefix = SandboxKeys.prefix
            for key in [keys.key, keys.token] {
                #expect(try await name(key) == (200, "Sandbox 1"))
                // Without the prefix it is a key of the city, which never issued it.
                #expect(try await name(String(key.dropFirst(prefix.count))).0 == 401)
            }
            for key in [app.key, token] {
                #expect(try await name(key) == (200, "Rides Plus"))
                #expect(try await name(prefix + key).0 == 401)
            }
            for key in [prefix, prefix + "x", prefix + String(repeating: "0", count: 64)] {
                #expect(try await name(key).0 == 401, "\(key)")
            }
            // Nor is it anything at the endpoints for tokens, or on pages.
            var client = app
            client.key = keys.key
            #expect(try await client.post("/oauth/introspect", ["token": keys.token]).status == 401)
            let page = try await town.site.visitor().get(
                "/account",
                headers: ["authorization": "Bearer \(keys.token)"]
            )
            #expect(page.status == 303)
        }
    }

    @Test("the token is that of a person of the visitor's own, and outlives those of the city")
    func person() async throws {
        try await SandboxTown.open(speed: 200) { town in
            let first = try await town.keys(of: town.site.visitor())
            let second = try await town.keys(of: town.site.visitor())
            let program = KeyedProgram(visitor: town.site.visitor(), key: first.token)
            let other = KeyedProgram(visitor: town.site.visitor(), key: second.token)
            let added = try await program.post(
                "/api/calendar/events",
                ["title": "Lunch", "date": "2027-03-01", "time": "12:30", "minutes": 60]
            )
            #expect(added.status == 201, "\(added.text)")
            let number = try #require(added.json["event"]).json
            #expect(try await other.get("/api/calendar/events/\(number)").status == 404)
            // More than ten minutes of the sandbox.
            for _ in 0..<80 {
                #expect(try await program.get("/api/calendar/events/\(number)").status == 200)
                try await ContinuousClock().sleep(for: .milliseconds(50))
            }
        }
    }

    @Test("one address gets five keys in an hour, and a key sends so many requests")
    func limits() async throws {
        try await SandboxTown.open { town in
            let visitor = town.site.visitor()
            let keys = try await town.keys(of: visitor)
            // Who has keys keeps them.
            let again = try await visitor.submit(
                [:],
                on: "/developers/try/rides.call",
                to: "/developers/sandbox"
            )
            #expect(again.status == 303)
            #expect(visitor.cookie("sandbox") == keys.cookie)
            for _ in 0..<4 { _ = try await town.keys(of: town.site.visitor()) }
            let sixth = try await town.site.visitor().submit(
                [:],
                on: "/developers",
                to: "/developers/sandbox"
            )
            #expect(sixth.status == 429 && sixth.header("retry-after") == "3600", "\(sixth.status)")
            town.site.clock.advance(seconds: 3_601)
            let program = KeyedProgram(visitor: town.site.visitor(), key: keys.key)
            var statuses: Set<Int> = []
            for _ in 0..<400 { statuses.insert(try await program.get("/api/application").status) }
            #expect(statuses == [200, 429])
        }
    }

    @Test("a sandbox ends with its keys, and the next press opens another")
    func ends() async throws {
        try await SandboxTown.open(lifetimeSeconds: 6) { town in
            let visitor = town.site.visitor()
            let keys = try await town.keys(of: visitor)
            let program = KeyedProgram(visitor: town.site.visitor(), key: keys.key)
            let began = ContinuousClock.now
            var status = 200
            while status == 200, ContinuousClock.now - began < .seconds(60) {
                status = try await program.get("/api/application").status
                try await ContinuousClock().sleep(for: .milliseconds(100))
            }
            #expect(status == 401)
            let next = try await town.keys(of: town.site.visitor())
            let again = KeyedProgram(visitor: town.site.visitor(), key: next.key)
            #expect(try await again.get("/api/application").status == 200)
            #expect(try await program.get("/api/application").status == 401)
        }
    }

    @Test("a server without a sandbox offers none, and knows none of its keys")
    func none() async throws {
        try await withSite { site in
            try await site.started()
            let page = try await site.visitor().get("/developers").text
            #expect(!page.contains("/developers/sandbox"))
            let group = try await site.visitor().get("/developers/rides").text
            #expect(!group.contains("/developers/try/"))
            #expect(try await site.visitor().get("/developers/try/rides.call").status == 404)
            let key = SandboxKeys.prefix + String(repeating: "0", count: 64)
            let program = KeyedProgram(visitor: site.visitor(), key: key)
            #expect(try await program.get("/api/application").status == 401)
        }
    }

    @Test(
        "a cookie that is malformed is none",
        arguments: [
            "", "1_2", "1_sandbox-a", "x_sandbox-a_sandbox-b", "1_a_sandbox-b", "1_sandbox-a_b",
            "-1_sandbox-a_sandbox-b", "99999999999999999999_sandbox-a_sandbox-b",
        ]
    )
    func cookies(text: String) {
        #expect(SandboxKeys(cookie: text) == nil)
        #expect(SandboxKeys(cookie: "1_sandbox-a_sandbox-vva_b")?.token == "sandbox-vva_b")
    }
}
