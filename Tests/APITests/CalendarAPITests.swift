import Dispatching
import HTTPTypes
import Identity
import OpenData
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import API
@testable import WebApp
@testable import WebCore

/// The calendar of a person who lets a program read it, or write to it; V88, R107, R110.
@Suite("The calendar in the API", .serialized)
struct CalendarAPITests {
    private static let review: JSONValue = [
        "title": "Review", "date": "2027-01-16", "time": "10:00", "minutes": 45,
        "place": "Corso Lungo 5", "latitude": .number(45.464), "longitude": .number(9.195),
        "notes": "Bring it.",
    ]

    private static func program(
        _ site: ServedSite,
        _ person: Visitor,
        _ scopes: Set<Scope>
    ) async throws -> Program {
        let app = try await ForeignClient.registered(at: site)
        let token = try await app.tokens(of: person, scopes).access
        return Program(visitor: app.visitor, key: token, number: app.number)
    }

    @Test(
        "an event that a program adds is in the person's calendar, and one removed is gone (R107)"
    )
    func addsAndRemoves() async throws {
        try await RideTown.open(.viavai) { town in
            let site = town.site
            let ana = try await site.person("ana")
            let program = try await Self.program(site, ana, [.readCalendar, .writeCalendar])
            let added = try await program.post(
                "/api/calendar/events",
                Self.review,
                once: "key-0001"
            )
            #expect(added.status == 201, "\(added.text)")
            #expect(Schema.event.problem(in: added.json) == nil)
            #expect(added.json["starts"] == "2027-01-16T09:00:00Z", "the city's time is UTC+1")
            #expect(added.json["ends"] == "2027-01-16T09:45:00Z")
            let page = try await ana.get("/calendar/day/2027-01-16").text
            #expect(page.contains("Review"), "\(page)")
            let again = try await program.post(
                "/api/calendar/events",
                Self.review,
                once: "key-0001"
            )
            #expect(again.json == added.json, "the same request adds no second event")
            let list = "/api/calendar/events?first=2027-01-16&last=2027-01-16"
            let items = try await program.get(list).json["items"]?.list ?? []
            #expect(items.count == 1 && items.first?["title"] == "Review")
            #expect(items.allSatisfy { Schema.occurrence.problem(in: $0) == nil })
            let path = try #require(added.header("location"))
            let read = try await program.get(path)
            #expect(read.json["place"]?["name"] == "Corso Lungo 5", "\(read.text)")
            #expect(read.json["place"]?["lat"] == .number(45.464))
            #expect(try await program.post(path + "/remove").status == 200)
            #expect(try await program.get(path).status == 404)
            #expect(try await program.post(path + "/remove").status == 404)
            #expect(!(try await ana.get("/calendar/day/2027-01-16").text.contains("Review")))
        }
    }

    @Test("V28: an event in the way of another is refused by the city's rules, which is not named")
    func overlaps() async throws {
        for (profile, status) in [("usual", 409), ("s2", 201)] {
            try await RideTown.open(.viavai, ["calendar.rules": profile]) { town in
                let ana = try await town.site.person("ana")
                let program = try await Self.program(town.site, ana, [.writeCalendar])
                let first = try await program.post("/api/calendar/events", Self.review)
                #expect(first.status == 201, "\(first.text)")
                var members = Self.review.object?.members ?? []
                members.removeAll { $0.name == "title" || $0.name == "time" }
                members += [.init("title", "Other"), .init("time", "10:30")]
                let other = JSONValue.object(JSONObject(members))
                let second = try await program.post("/api/calendar/events", other)
                #expect(second.status == status, "\(second.text)")
                guard status == 409 else { return }
                #expect(second.problem == "overlap" && !second.text.contains("Review"))
            }
        }
    }

    @Test("a recurring event is listed at each of its times")
    func recurring() async throws {
        try await RideTown.open(.viavai) { town in
            let site = town.site
            let ana = try await site.person("ana")
            let fields = [
                "title": "Gym", "timing": "fixed", "day": "2027-01-18", "start": "18:00",
                "end": "19:00", "repeat": "daily",
            ]
            #expect(try await ana.submit(fields, on: "/calendar/new").status == 303)
            let program = try await Self.program(site, ana, [.readCalendar])
            let list = "/api/calendar/events?first=2027-01-18&last=2027-01-20"
            let items = try await program.get(list).json["items"]?.list ?? []
            #expect(items.count == 3 && items.allSatisfy { $0["is_recurring"] == true })
        }
    }

    @Test("to read is not to write, and nobody reaches another person's calendar (R110)")
    func apart() async throws {
        try await RideTown.open(.viavai) { town in
            let site = town.site
            let ana = try await site.person("ana")
            let bob = try await site.person("bob")
            let writer = try await Self.program(site, ana, [.writeCalendar])
            let reader = try await Self.program(site, ana, [.readCalendar])
            let stranger = try await Self.program(site, bob, [.readCalendar, .writeCalendar])
            let added = try await writer.post("/api/calendar/events", Self.review)
            let path = try #require(added.header("location"), "\(added.text)")
            #expect(try await writer.get(path).status == 403)
            #expect(try await reader.get(path).status == 200)
            #expect(try await reader.post(path + "/remove").status == 403)
            #expect(try await stranger.get(path).status == 404)
            #expect(try await stranger.post(path + "/remove").status == 404)
            #expect(try await reader.get(path).status == 200)
            let key = try await Program.registered(at: site)
            #expect(try await key.get(path).problem == "person-missing")
        }
    }

    @Test("what the calendar's own form refuses is refused, with the field that is wrong")
    func refusals() async throws {
        try await RideTown.open(.viavai) { town in
            let site = town.site
            let ana = try await site.person("ana")
            let program = try await Self.program(site, ana, [.readCalendar, .writeCalendar])
            for (field, value) in [
                ("title", "  "), ("title", "two\nlines"), ("time", "25:00"), ("minutes", "0"),
                ("latitude", "95"), ("place", "two\nlines"),
            ] {
                var members = Self.review.object?.members ?? []
                members.removeAll { $0.name == field }
                members.append(.init(field, .text(value)))
                let answer = try await program.post(
                    "/api/calendar/events",
                    .object(JSONObject(members))
                )
                #expect(answer.status == 422 && answer.blamed == [field], "\(answer.text)")
            }
            let past: JSONValue = [
                "title": "Past", "date": "2027-01-14", "time": "10:00", "minutes": 45,
            ]
            #expect(try await program.post("/api/calendar/events", past).blamed == ["time"])
            for days in ["first=2027-01-20&last=2027-01-19", "first=2027-01-01&last=2027-03-31"] {
                let answer = try await program.get("/api/calendar/events?\(days)")
                #expect(answer.status == 422 && answer.blamed == ["last"], "\(answer.text)")
            }
        }
    }
}
