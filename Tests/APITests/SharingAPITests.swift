import Dispatching
import Identity
import OpenData
import StorageTestSupport
import Taxi
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// Shared rides by programs; taxi.md R83 to R92, R107.
@Suite("Shared rides for programs", .serialized)
struct SharingAPITests {
    private static func program(
        _ town: RideTown,
        _ name: String,
        _ scopes: Set<Scope> = [.callTaxis, .shareRides]
    ) async throws -> Program {
        let app = try await ForeignClient.registered(at: town.site, name: "App of \(name)")
        let token = try await app.tokens(of: try await town.passenger(name), scopes).access
        return Program(visitor: app.visitor, key: token, number: app.number)
    }

    private static func order(_ from: Double, _ to: Double, share: Bool? = nil) -> JSONValue {
        var members = [
            JSONObject.Member("from", .text(RideTown.typed(from))),
            .init("to", .text(RideTown.typed(to))),
        ]
        if let share { members.append(.init("share", .bool(share))) }
        return .object(JSONObject(members))
    }

    private static func path(_ from: Double, _ to: Double) -> String {
        func encoded(_ metres: Double) -> String {
            RideTown.typed(metres).replacing(" ", with: "").replacing(",", with: "%2C")
        }
        return "/api/shared-rides?from=\(encoded(from))&to=\(encoded(to))"
    }

    @Test(
        "one calls with sharing, another finds the ride, joins it once, and leaves (R84 to R88)",
        arguments: TestEngine.allCases
    )
    func share(engine: TestEngine) async throws {
        try await RideTown.open(.viavai, taxis: 1, on: engine) { town in
            let pia = try await Self.program(town, "pia")
            let lea = try await Self.program(town, "lea")
            let called = try await pia.post("/api/rides", Self.order(500, 1_500, share: true))
            #expect(called.status == 201, "\(called.text)")
            let own = try #require(called.header("location"))
            try await town.accept(town.taxis[0])
            let alone = try await pia.get(own + "/sharing")
            #expect(alone.json["shared"] == true && alone.json["parties"] == 1, "\(alone.text)")
            #expect(try await pia.get(Self.path(510, 1_700)).json["items"] == [])
            let found = try await lea.get(Self.path(510, 1_700))
            let item = try #require(found.json["items"]?.list?.first, "\(found.text)")
            #expect(item["pickup"] == "Corso Lungo 5" && item["people"] == 1, "\(found.text)")
            #expect(item["share"]?["currency"] == "EUR" && item["alone"]?["currency"] == "EUR")
            // R92, I27: nobody's destination, and not the price of the whole ride.
            #expect(!found.text.contains("Corso Lungo 15") && item["total"] == nil)
            let ride = try #require(item["ride"]?.json)
            var joined: Set<String> = []
            for _ in 0..<2 {
                let answer = try await lea.post(
                    "/api/shared-rides/\(ride)/join",
                    Self.order(510, 1_700),
                    once: "join-0000001"
                )
                #expect(answer.status == 201, "\(answer.text)")
                joined.insert(answer.header("location") ?? "")
                #expect(!answer.text.contains("Corso Lungo 15"))
            }
            let theirs = try #require(joined.first)
            #expect(joined.count == 1 && theirs != own)
            let both = try await lea.get(theirs + "/sharing")
            #expect(both.json["parties"] == 2 && both.json["joined"] == true, "\(both.text)")
            #expect(both.json["share"]?["currency"] == "EUR", "\(both.text)")
            #expect(try await lea.get(theirs).json["state"] == "coming")
            for (program, path) in [(pia, theirs), (lea, own), (pia, theirs + "/sharing")] {
                #expect(try await program.get(path).status == 404)
            }
            _ = try await lea.post(theirs + "/cancel")
            #expect(try await pia.get(own + "/sharing").json["parties"] == 1)
            #expect(try await pia.get(own).json["state"] == "coming")
        }
    }

    @Test("refusals are those of the page: no such ride, guests, no permission, no module (R109)")
    func refusals() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let pia = try await Self.program(town, "pia")
            let none = try await pia.post("/api/shared-rides/4711/join", Self.order(510, 1_700))
            #expect(none.status == 409 && none.problem == "not-shared", "\(none.text)")
            #expect(none.text.contains("can no longer be shared"), "\(none.text)")
            let hotel = try await Program.registered(at: town.site)
            let guest = try await hotel.post(
                "/api/rides",
                [
                    "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(900)),
                    "contact": "+39 333 1234567", "share": true,
                ]
            )
            #expect(guest.status == 422 && guest.blamed == ["share"], "\(guest.text)")
            #expect(try await hotel.get(Self.path(510, 1_700)).problem == "person-missing")
            let caller = try await Self.program(town, "ugo", [.callTaxis])
            let call = try await caller.post("/api/rides", Self.order(500, 900, share: true))
            #expect(call.status == 403 && call.problem == "scope-missing", "\(call.text)")
            let open = try await pia.post(
                "/api/rides",
                ["from": .text(RideTown.typed(500)), "share": true]
            )
            #expect(open.status == 422 && open.blamed == ["to"], "\(open.text)")
            #expect(try await town.taxi.dispatch.read { $0.requests.isEmpty })
        }
        try await RideTown.open(try Policy.viavai.with(.sharing, "false"), taxis: 1) { town in
            let pia = try await Self.program(town, "pia")
            let found = try await pia.get(Self.path(510, 1_700))
            #expect(found.status == 409 && found.problem == "sharing-disabled", "\(found.text)")
            let call = try await pia.post("/api/rides", Self.order(500, 900, share: true))
            #expect(call.status == 409 && call.problem == "sharing-disabled", "\(call.text)")
            let join = try await pia.post("/api/shared-rides/1/join", Self.order(510, 1_700))
            #expect(join.status == 409 && join.problem == "sharing-disabled", "\(join.text)")
        }
    }
}
