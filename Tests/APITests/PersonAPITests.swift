import Dispatching
import HTTPTypes
import Identity
import OpenData
import Taxi
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import API
@testable import WebApp
@testable import WebCore

/// What applications do on behalf of people; taxi.md R5, R107, R108, R110; issue 34, "Grants".
@Suite("Applications that act for people", .serialized)
struct PersonAPITests {
    private static let order: JSONValue = [
        "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
    ]

    /// Operations that no person can let an application do, written by hand.
    private static let ofApplications = [
        "application.calls", "webhooks.", "fleet.", "statistics.", "people.",
        "mds.",
    ]
    /// Operations that need a person, written by hand.
    private static let ofPeople = ["profile.", "calendar.", "driver.", "sharing."]

    /// A program with the token of a person.
    private static func program(
        _ app: ForeignClient,
        _ person: Visitor,
        _ scopes: Set<Scope>
    ) async throws -> Program {
        let token = try await app.tokens(of: person, scopes).access
        return Program(visitor: app.visitor, key: token, number: app.number)
    }

    @Test("an app calls a taxi for the person who allowed it, and for nobody else (R107)")
    func call() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let app = try await ForeignClient.registered(at: town.site)
            let ana = try await town.site.person("ana")
            let program = try await Self.program(app, ana, [.callTaxis, .readProfile])
            let guest = Self.order.adding("contact", "+39 333 1234567")
            let refused = try await program.post("/api/rides", guest)
            #expect(refused.status == 422 && refused.blamed == ["contact"], "\(refused.text)")
            let called = try await program.post("/api/rides", Self.order, once: "key-00001")
            #expect(called.status == 201, "\(called.text)")
            let number = try #require(try await town.site.accounts.findPerson("ana"))
            let request = try #require(try await town.taxi.dispatch.read { $0.requests.first })
            #expect(request.form.passenger == number.passenger && !request.form.isGuest)
            // The next token of the same grant finds the answer to the same request.
            let again = try await program.post("/api/rides", Self.order, once: "key-00001")
            #expect(again.header("location") == called.header("location"))
            let path = try #require(called.header("location"))
            #expect(try await ana.get("/ride/\(request.number.rawValue)").status == 200)
            #expect(try await program.get(path).json["state"] == "searching")
            let profile = try await program.get("/api/profile")
            #expect(profile.json["email"] == "ana@example.org", "\(profile.text)")
            #expect(profile.json["id"]?.text?.count == 32)
            #expect(!profile.text.contains("\(number.rawValue)"))
            let cancelled = try await program.post(path + "/cancel")
            #expect(cancelled.json["state"] == "ended", "\(cancelled.text)")
        }
    }

    @Test("nobody reaches across a person: not another one's token, not another app, not the key")
    func apart() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let app = try await ForeignClient.registered(at: town.site)
            let other = try await ForeignClient.registered(at: town.site, name: "Other")
            let ana = try await town.site.person("ana")
            let bob = try await town.site.person("bob")
            let all = Scope.personal
            let ofAna = try await Self.program(app, ana, all)
            let called = try await ofAna.post("/api/rides", Self.order, once: "key-00001")
            let path = try #require(called.header("location"), "\(called.text)")
            let strangers = [
                try await Self.program(app, bob, all),
                try await Self.program(other, bob, all),
                // Without rides.follow, an app sees what it ordered itself.
                try await Self.program(other, ana, [.callTaxis]),
                Program(visitor: app.visitor, key: app.key, number: app.number),
            ]
            for stranger in strangers {
                #expect(try await stranger.get(path).status == 404)
                #expect(try await stranger.get(path + "/arrival").status == 404)
                #expect(try await stranger.post(path + "/cancel").status == 404)
                #expect(try await stranger.get("/api/rides").json["items"]?.list?.isEmpty == true)
            }
            // With it, another app of hers sees the ride, and still does not cancel it.
            let follower = try await Self.program(other, ana, [.followRides, .callTaxis])
            #expect(try await follower.get(path).json["state"] == "searching")
            #expect(try await follower.get("/api/rides").json["items"]?.list?.count == 1)
            #expect(try await follower.post(path + "/cancel").status == 404)
            // Neither do keys of idempotency meet.
            let ofBob = strangers[0]
            let second = try await ofBob.post("/api/rides", Self.order, once: "key-00001")
            #expect(second.status == 201 && second.header("location") != path)
            // What the key ordered for a guest is no person's.
            let hotel = strangers[3]
            let guest = Self.order.adding("contact", "+39 333 7654321")
            let third = try await hotel.post("/api/rides", guest)
            let guests = try #require(third.header("location"), "\(third.text)")
            #expect(try await ofAna.get(guests).status == 404)
            _ = try await ana.submit(["application": "\(app.number)"], on: "/account/apps")
            #expect(try await ofAna.get(path).status == 401)
            #expect(try await hotel.get(path).status == 404, "the key keeps nothing of hers")
        }
    }

    @Test("every operation with every kind of token does what a list by hand says (R108)")
    func table() async throws {
        try await RideTown.open(.viavai) { town in
            let app = try await ForeignClient.registered(at: town.site)
            let ana = try await town.site.person("ana")
            let operations = Site(town.site.installation).operations
            let calls = ExampleCalls()
            let own = try await app.post("/oauth/token", ["grant_type": "client_credentials"])
            let ownToken = try #require(own.json["access_token"]?.text)
            var programs: [(Scope?, Program)] = [
                (nil, Program(visitor: app.visitor, key: app.key, number: app.number)),
                (nil, Program(visitor: app.visitor, key: ownToken, number: app.number)),
            ]
            for scope in Scope.personal.sorted() {
                programs.append((scope, try await Self.program(app, ana, [scope])))
            }
            var opened: Set<Scope> = []
            for operation in operations {
                let name = operation.name
                let isOfApplication = Self.ofApplications.contains { name.hasPrefix($0) }
                let isOfPerson = Self.ofPeople.contains { name.hasPrefix($0) }
                for (scope, program) in programs {
                    let changes: [String: String?] = scope == nil ? [:] : ["contact": nil]
                    let answer = try await calls.call(operation, by: program, changes)
                    let isOpen =
                        scope.map { !isOfApplication && operation.route.scopes.contains($0) }
                        ?? !isOfPerson
                    // Who drives no taxi is told so in any case.
                    let isClosed = answer.status == 403 && answer.problem != "may-not-drive"
                    #expect(isClosed != isOpen, "\(name): \(answer.text)")
                    #expect(![401, 500].contains(answer.status), "\(name): \(answer.text)")
                    if isOpen, let scope { opened.insert(scope) }
                }
            }
            #expect(opened == Scope.personal, "each permission that people give opens something")
            let gone = try await Self.program(app, ana, Scope.personal)
            town.site.clock.advance(seconds: 600)
            for operation in operations {
                let answer = try await calls.call(operation, by: gone)
                #expect(answer.status == 401 && answer.problem == "token-invalid", "\(operation)")
            }
        }
    }
}

extension JSONValue {
    /// The object with another member.
    fileprivate func adding(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var object) = self else { return self }
        object.members.append(.init(name, value))
        return .object(object)
    }
}
