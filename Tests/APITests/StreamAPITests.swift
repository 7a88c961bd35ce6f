import Chronology
import Dispatching
import Identity
import OpenData
import Storage
import StorageTestSupport
import Taxi
import TaxiPages
import TestClock
import Testing
import WebTestSupport
import Webhooks

@testable import API
@testable import WebApp

/// Issue 34, "Protocol": event streams with replay.
@Suite("Event streams of programs", .serialized)
struct StreamAPITests {
    private static let kinds: JSONValue = ["ride.found", "ride.arrived", "ride.ended"]

    /// Adds a webhook that is read as a stream; returns its path.
    private static func stream(_ program: Program) async throws -> String {
        let added = try await program.post("/api/streams", ["events": kinds])
        #expect(added.status == 201 && added.json["address"] == "", "\(added.text)")
        return try #require(added.header("location"))
    }

    private static func call(_ program: Program, _ contact: String) async throws -> String {
        let called = try await program.post(
            "/api/rides",
            [
                "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
                "contact": .text(contact),
            ]
        )
        return try #require(called.json["request"]?.json, "\(called.text)")
    }

    /// Waits until a message of a type is kept.
    private static func until(
        _ kind: String,
        at path: String,
        _ program: Program,
        _ town: RideTown
    ) async throws {
        try await town.site.until("\(kind) is kept") {
            try await program.get(path + "/events?after=start").text.contains("event: \(kind)\n")
        }
    }

    /// Waits until the open stream has sent what is kept: it then sleeps until the clock advances.
    private static func untilStreamPauses(_ town: RideTown) async throws {
        let clock = town.site.clock
        try await town.site.until("the stream pauses") {
            clock.isAwaited(at: clock.now.adding(milliseconds: CityAPI.streamPause))
        }
    }

    /// The ids and types of events in a text, in their order.
    private static func events(_ text: String) -> [(id: String, kind: String)] {
        text.matches(of: /id: (msg_[0-9a-f]+)\nevent: ([a-z.]+)\n/).map {
            (String($0.1), String($0.2))
        }
    }

    private static func listen(
        _ town: RideTown,
        _ program: Program,
        _ path: String,
        query: String = "",
        last: String? = nil,
        _ body: (inout EventLine) async throws -> Void
    ) async throws {
        try await withEvents(
            town.site.base,
            session: nil,
            path: path + "/events",
            query: query,
            key: program.key,
            last: last,
            body
        )
    }

    @Test(
        "what was missed in a break comes once and in its order, with the ids of webhooks (R107)",
        arguments: TestEngine.allCases
    )
    func replay(engine: TestEngine) async throws {
        try await RideTown.open(.viavai, taxis: 1, on: engine) { town in
            let hotel = try await Program.registered(at: town.site, [.callTaxis])
            let clinic = try await Program.registered(at: town.site, [.callTaxis], name: "Clinic")
            let (path, theirs) = (try await Self.stream(hotel), try await Self.stream(clinic))
            let ride = try await Self.call(hotel, "+39 333 0000001")
            let taxi = town.taxis[0]
            try await town.accept(taxi)
            try await Self.until("ride.found", at: path, hotel, town)
            var last = ""
            try await Self.listen(town, hotel, path, query: "?after=start") { line in
                #expect(line.status == 200)
                #expect(line.headers["content-type"] == "text/event-stream")
                let text = try await line.read(to: "\"state\":\"coming\"}}\n\n")
                #expect(text.contains("\"ride\":\(ride)"), "\(text)")
                last = try #require(Self.events(text).last?.id)
            }
            // The connection is broken while the ride goes on.
            try await town.reach(taxi)
            try await town.board(taxi)
            try await town.end(taxi)
            try await Self.until("ride.ended", at: path, hotel, town)
            try await Self.listen(town, hotel, path, last: last) { line in
                let text = try await line.read(to: "\"outcome\":\"completed\"}}\n\n")
                let found = Self.events(text)
                #expect(found.map(\.kind) == ["ride.arrived", "ride.ended"], "\(text)")
                last = try #require(found.last?.id)
                #expect(!text.contains("333") && !text.contains("Corso"), "\(text)")
            }
            let after = try await hotel.get(path + "/events?after=\(last)")
            #expect(after.status == 200 && after.text.isEmpty, "\(after.text)")
            // They are the messages of the webhook, which nothing was sent.
            let kept = try await hotel.get(path + "/messages").json["items"]?.list ?? []
            let all = Self.events(try await hotel.get(path + "/events?after=start").text)
            #expect(kept.reversed().map { $0["id"]?.text ?? "" } == all.map(\.id))
            #expect(kept.allSatisfy { $0["state"] == "delivered" && $0["attempts"] == [] })
            let own = try await clinic.get(theirs + "/events?after=start")
            #expect(own.status == 200 && own.text.isEmpty, "\(own.text)")
            #expect(try await clinic.get(path + "/events?after=start").status == 404)
        }
    }

    @Test("an open stream tells what happens, and a break of any length is noticed")
    func live() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let hotel = try await Program.registered(at: town.site, [.callTaxis])
            let path = try await Self.stream(hotel)
            try await Self.listen(town, hotel, path) { line in
                #expect(try await line.read(to: "retry: 3000\n") == "retry: 3000\n")
                try await Self.untilStreamPauses(town)
                _ = try await Self.call(hotel, "+39 333 0000001")
                try await town.accept(town.taxis[0])
                try await Self.until("ride.found", at: path, hotel, town)
                town.site.clock.advance(seconds: 1)
                let text = try await line.read(to: "\"state\":\"coming\"}}\n\n")
                #expect(Self.events(text).map(\.kind) == ["ride.found"], "\(text)")
            }
            let gone = "msg_00000000000000000000000000000000"
            try await Self.listen(town, hotel, path, last: gone) { line in
                let text = try await line.read(to: "\"state\":\"coming\"}}\n\n")
                #expect(text.contains("event: reset\n"), "\(text)")
                #expect(Self.events(text).map(\.kind) == ["ride.found"], "\(text)")
            }
        }
    }

    @Test("nothing is read that the application may no longer be told, and a removed webhook ends")
    func rights() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let app = try await ForeignClient.registered(at: town.site)
            let own = Program(visitor: app.visitor, key: app.key, number: app.number)
            let path = try await Self.stream(own)
            let ana = try await town.site.person("ana")
            let token = try await app.tokens(of: ana, [.callTaxis]).access
            let ofAna = Program(visitor: app.visitor, key: token, number: app.number)
            let called = try await ofAna.post(
                "/api/rides",
                ["from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500))]
            )
            #expect(called.status == 201, "\(called.text)")
            try await town.accept(town.taxis[0])
            try await Self.until("ride.found", at: path, own, town)
            #expect(
                try await ofAna.get(path + "/events").status == 403,
                "a key reads it, no person"
            )
            _ = try await ana.submit(["application": "\(app.number)"], on: "/account/apps")
            let text = try await own.get(path + "/events?after=start").text
            #expect(text.isEmpty, "\(text)")
            try await Self.listen(town, own, path) { line in
                _ = try await line.read(to: "retry: 3000\n")
                try await Self.untilStreamPauses(town)
                #expect(try await own.post(path + "/remove").status == 200)
                town.site.clock.advance(seconds: 1)
                _ = try await line.readToEnd()
            }
        }
    }

    @Test("an application has four streams: a fifth one ends the first, and no other's")
    func limits() async throws {
        try await RideTown.open(.viavai) { town in
            let hotel = try await Program.registered(at: town.site, [.callTaxis])
            let clinic = try await Program.registered(at: town.site, [.callTaxis], name: "Clinic")
            let (path, theirs) = (try await Self.stream(hotel), try await Self.stream(clinic))
            try await Self.listen(town, clinic, theirs) { other in
                _ = try await other.read(to: "retry: 3000\n")
                try await Self.listen(town, hotel, path) { first in
                    _ = try await first.read(to: "retry: 3000\n")
                    try await Self.nested(4, town, hotel, path)
                    _ = try await first.read(to: "event: replaced\n")
                    _ = try await first.readToEnd()
                }
                town.site.clock.advance(seconds: 16)
                _ = try await other.read(to: "event: beat\n")
            }
            let few = try await hotel.post("/api/streams", ["events": []])
            #expect(few.status == 422 && few.blamed == ["events"], "\(few.text)")
            #expect(
                try await hotel.post(
                    path + "/change",
                    [
                        "address": "https://hotel.example/x", "events": Self.kinds,
                    ]
                ).status == 404
            )
        }
    }

    /// Opens some streams at the same time.
    private static func nested(
        _ count: Int,
        _ town: RideTown,
        _ program: Program,
        _ path: String
    ) async throws {
        guard count > 0 else { return }
        try await listen(town, program, path) { line in
            _ = try await line.read(to: "retry: 3000\n")
            try await nested(count - 1, town, program, path)
        }
    }
}
