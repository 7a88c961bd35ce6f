import Dispatching
import Drivers
import Identity
import OpenData
import Storage
import StorageTestSupport
import Taxi
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// Calling taxis through the API; taxi.md R107, R110; issue 34, part one.
@Suite("Rides of applications", .serialized)
struct RideAPITests {
    private static let order: JSONValue = [
        "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
        "contact": "+39 333 1234567", "seats": 2,
    ]

    private static func path(_ reply: Program.Reply) throws -> String {
        try #require(reply.header("location"), "\(reply.text)")
    }

    @Test(
        "a hotel calls a taxi for a guest and follows it to the end (R107)",
        arguments: TestEngine.allCases
    )
    func call(engine: TestEngine) async throws {
        try await RideTown.open(.viavai, taxis: 1, on: engine) { town in
            let hotel = try await Program.registered(at: town.site, [.callTaxis, .followRides])
            let called = try await hotel.post("/api/rides", Self.order)
            #expect(called.status == 201, "\(called.text)")
            #expect(called.json["state"] == "searching" && called.json["taxi"] == .null)
            let path = try Self.path(called)
            let request = try #require(try await town.taxi.dispatch.read { $0.requests.first })
            #expect(request.form.isGuest && request.needs.seats == 2)
            let guest = PersonNumber(passenger: request.form.passenger)
            let contact = try await town.site.accounts.contact(ofGuest: guest)
            #expect(contact?.text == "+393331234567", "the guest gets the messages")
            let taxi = town.taxis[0]
            try await town.accept(taxi)
            let coming = try await hotel.get(path + "/wait?state=searching")
            #expect(coming.json["state"] == "coming", "\(coming.text)")
            let signs = try await town.signs(taxi)
            #expect(coming.json["taxi"]?["code"]?.text == signs.code)
            #expect(coming.json["taxi"]?["plate"]?.text == signs.plate)
            #expect(coming.json["taxi"]?["make"] == .null)
            try await town.describe(taxi, make: "Toyota Corolla", colour: "white")
            let described = try await hotel.get(path).json["taxi"]
            #expect(described?["make"] == "Toyota Corolla" && described?["colour"] == "white")
            let code = try #require(try await town.taxi.ride(of: taxi)?.code)
            #expect(!coming.text.contains("\"\(code)\""), "the code is the guest's alone (I15)")
            try await town.reach(taxi)
            #expect(try await hotel.get(path).json["state"] == "here")
            try await town.board(taxi)
            #expect(try await hotel.get(path).json["state"] == "aboard")
            let late = try await hotel.post(path + "/cancel")
            #expect(late.status == 409, "\(late.text)")
            try await town.end(taxi)
            let ended = try await hotel.get(path)
            #expect(ended.json["state"] == "ended" && ended.json["outcome"] == "completed")
            #expect(ended.json["fare"]?["currency"] == "EUR", "\(ended.text)")
            #expect(ended.json["taxi"]?["colour"] == "white", "\(ended.text)")
        }
    }

    @Test("a call repeated with its key is done once; another body with it is refused (R107)")
    func once() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let hotel = try await Program.registered(at: town.site)
            let first = try await hotel.post("/api/rides", Self.order, once: "key-00001")
            let again = try await hotel.post("/api/rides", Self.order, once: "key-00001")
            #expect(first.status == 201 && again.status == 201, "\(again.text)")
            #expect(first.json["request"] == again.json["request"])
            #expect(first.header("location") == again.header("location"))
            #expect(try await town.taxi.dispatch.read { $0.requestCount } == 1)
            let other = try await hotel.post(
                "/api/rides",
                ["from": .text(RideTown.typed(600)), "contact": "+39 333 1234567"],
                once: "key-00001"
            )
            #expect(other.status == 409 && other.problem == "idempotency-key-used")
            // Another application's key of the same text is another key.
            let clinic = try await Program.registered(at: town.site, name: "Clinic")
            let own = try await clinic.post(
                "/api/rides",
                [
                    "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
                    "contact": "+39 333 7654321",
                ],
                once: "key-00001"
            )
            #expect(own.status == 201 && own.json["request"] != first.json["request"])
        }
    }

    @Test("a lost answer does not lose the ride: the dispatcher's log knows the key")
    func lostAnswer() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let hotel = try await Program.registered(at: town.site)
            let first = try await hotel.post("/api/rides", Self.order, once: "key-00002")
            // As after a crash between the log and the stored answer.
            try await town.site.installation.database.write { transaction in
                try transaction.execute(
                    """
                    UPDATE command_answer SET answer = \([UInt8]())
                    WHERE caller LIKE 'application %'
                    """
                )
            }
            let again = try await hotel.post("/api/rides", Self.order, once: "key-00002")
            #expect(again.status == 201, "\(again.text)")
            #expect(again.json["request"] == first.json["request"])
            #expect(try await town.taxi.dispatch.read { $0.requestCount } == 1)
        }
    }

    @Test("the city's refusals are the program's: outside the city, a second request, no guests")
    func refusals() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let hotel = try await Program.registered(at: town.site)
            let far = try await hotel.post(
                "/api/rides",
                ["from": "45.9, 9.9", "to": .text(RideTown.typed(500)), "contact": "+393331234567"]
            )
            #expect(far.status == 409 && far.problem == "origin-outside-city", "\(far.text)")
            let contact = try await hotel.post(
                "/api/rides",
                [
                    "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(900)),
                    "contact": "nobody",
                ]
            )
            #expect(contact.status == 422 && contact.blamed == ["contact"], "\(contact.text)")
            let place = try await hotel.post(
                "/api/rides",
                [
                    "from": "Bar Centrale", "to": .text(RideTown.typed(900)),
                    "contact": "+393331234567",
                ]
            )
            #expect(place.status == 422 && place.blamed == ["from"], "\(place.text)")
            _ = try await hotel.post("/api/rides", Self.order)
            let second = try await hotel.post("/api/rides", Self.order)
            #expect(second.status == 409 && second.problem == "live-request", "\(second.text)")
        }
    }

    @Test(
        "a clinic reserves for a patient without an account, changes it and deletes it (R72, R80)",
        arguments: TestEngine.allCases
    )
    func reservations(engine: TestEngine) async throws {
        try await RideTown.open(.viavai, taxis: 1, on: engine) { town in
            let clinic = try await Program.registered(at: town.site, [.reserve])
            func order(_ time: String) -> JSONValue {
                [
                    "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
                    "contact": "+39 333 1234567", "date": "2027-01-17", "time": .text(time),
                ]
            }
            let made = try await clinic.post("/api/reservations", order("12:00"))
            #expect(made.status == 201, "\(made.text)")
            #expect(made.json["state"] == "reserved")
            #expect(made.json["due"] == "2027-01-17T11:00:00Z", "the city is an hour ahead")
            let number = try #require(made.json["request"]?.json)
            var changed = try #require(order("13:00").object)
            changed.members.removeAll { $0.name == "contact" }
            let new = try await clinic.post(
                "/api/reservations/\(number)/change",
                .object(changed)
            )
            #expect(new.status == 201, "\(new.text)")
            #expect(new.json["due"] == "2027-01-17T12:00:00Z")
            let list = try await clinic.get("/api/reservations").json["items"]?.list ?? []
            #expect(list.map { $0["request"] } == [new.json["request"]])
            let path = "/api/reservations/\(try #require(new.json["request"]?.json))"
            #expect(try await clinic.post(path + "/cancel").json["outcome"] == "cancelled")
            #expect(try await clinic.get("/api/reservations").json["items"] == [])
            var past = try #require(order("12:00").object)
            past.members.removeAll { $0.name == "date" }
            past.members.append(.init("date", "2027-01-10"))
            let refused = try await clinic.post("/api/reservations", .object(past))
            #expect(refused.status == 422 && refused.blamed == ["time"], "\(refused.text)")
            let call = try await clinic.post("/api/rides", Self.order)
            #expect(call.status == 403, "a scope for reservations calls no taxi now")
        }
    }

    @Test("lists go on from their cursor, and unchanged answers are not sent again")
    func lists() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let hotel = try await Program.registered(at: town.site)
            for number in 1...3 {
                let called = try await hotel.post(
                    "/api/rides",
                    [
                        "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
                        "contact": .text("+39 333 000000\(number)"),
                    ]
                )
                #expect(called.status == 201, "\(called.text)")
            }
            var seen: [JSONValue] = []
            var path = "/api/rides?limit=2"
            for _ in 0..<3 {
                let page = try await hotel.get(path)
                seen += page.json["items"]?.list?.compactMap { $0["request"] } ?? []
                guard let next = page.json["next"]?.text else { break }
                path = "/api/rides?limit=2&after=\(next)"
            }
            #expect(seen.count == 3 && Set(seen).count == 3)
            let zones = try await hotel.get("/api/zones")
            let tag = try #require(zones.header("etag"))
            let same = try await hotel.get("/api/zones", headers: ["if-none-match": tag])
            #expect(same.status == 304 && same.text.isEmpty)
        }
    }

    @Test("an application sends no more than its limit, and is told when to go on (R110)")
    func limits() async throws {
        try await RideTown.open(.viavai) { town in
            let hotel = try await Program.registered(at: town.site, perMinute: 3)
            let other = try await Program.registered(at: town.site, perMinute: 3, name: "Clinic")
            for _ in 0..<3 { #expect(try await hotel.get("/api/city").status == 200) }
            let refused = try await hotel.get("/api/city")
            #expect(refused.status == 429)
            #expect(refused.header("retry-after") == "20")
            #expect(try await other.get("/api/city").status == 200)
            town.site.clock.advance(seconds: 20)
            #expect(try await hotel.get("/api/city").status == 200)
            #expect(try await hotel.get("/api/city").status == 429)
        }
    }

    @Test("calls and errors are counted for each application", arguments: TestEngine.allCases)
    func counts(engine: TestEngine) async throws {
        try await RideTown.open(.viavai, on: engine) { town in
            let hotel = try await Program.registered(at: town.site)
            for _ in 0..<2 { _ = try await hotel.get("/api/city") }
            _ = try await hotel.get("/api/rides/1")
            town.site.clock.advance(seconds: 61)
            _ = try await hotel.get("/api/zones")
            let counts = try await hotel.get("/api/application/calls").json["items"]?.list ?? []
            func count(_ name: String) -> [JSONValue?] {
                let found = counts.first { $0["operation"]?.text == name }
                return [found?["calls"], found?["errors"]]
            }
            #expect(count("city.read") == [2, 0], "\(counts)")
            #expect(count("rides.read") == [1, 1])
            #expect(count("zones.list") == [1, 0])
        }
    }
}
