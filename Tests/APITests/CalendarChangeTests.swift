import Dispatching
import Geo
import HTTPTypes
import Identity
import OpenData
import StorageTestSupport
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import API
@testable import WebApp
@testable import WebCore

/// What programs change in a calendar, and what they read of its plans; V19, V23, V88, R107.
@Suite("Changing the calendar in the API", .serialized)
struct CalendarChangeTests {
    private static let events = "/api/calendar/events"

    private static let review: JSONValue = [
        "title": "Review", "date": "2027-01-16", "time": "10:00", "minutes": 45,
        "place": "Corso Lungo 5", "latitude": .number(45.464), "longitude": .number(9.195),
        "notes": "Bring it.",
    ]

    private static func program(
        _ site: ServedSite,
        _ person: Visitor,
        _ scopes: Set<Scope> = [.readCalendar, .writeCalendar]
    ) async throws -> Program {
        let app = try await ForeignClient.registered(at: site)
        let token = try await app.tokens(of: person, scopes).access
        return Program(visitor: app.visitor, key: token, number: app.number)
    }

    /// A program of a person with an event; the event's path.
    private static func withEvent(
        _ event: JSONValue = review,
        on engine: TestEngine = .sqlite,
        _ body: @escaping @Sendable (RideTown, Visitor, Program, String) async throws -> Void
    ) async throws {
        try await RideTown.open(.viavai, on: engine) { town in
            let ana = try await town.site.person("ana")
            let program = try await program(town.site, ana)
            let added = try await program.post(events, event)
            #expect(added.status == 201, "\(added.text)")
            #expect(Schema.event.problem(in: added.json) == nil, "\(added.text)")
            let path = try #require(added.header("location"))
            try await body(town, ana, program, path)
        }
    }

    @Test(
        "what is sent changes, the rest stays, and the page shows it (R107)",
        arguments: TestEngine.allCases
    )
    func change(engine: TestEngine) async throws {
        try await Self.withEvent(on: engine) { _, ana, program, path in
            let moved = try await program.post(path + "/change", ["time": "11:30"])
            #expect(moved.status == 200, "\(moved.text)")
            #expect(Schema.event.problem(in: moved.json) == nil)
            #expect(moved.json["starts"] == "2027-01-16T10:30:00Z", "the city's time is UTC+1")
            #expect(moved.json["ends"] == "2027-01-16T11:15:00Z", "it keeps its length")
            #expect(moved.json["title"] == "Review" && moved.json["notes"] == "Bring it.")
            #expect(moved.json["place"]?["lat"] == .number(45.464))
            let said: JSONValue = [
                "title": "Second review", "notes": "", "category": "meeting", "is_work": true,
                "lead_minutes": 10, "means": ["walk", "transit"], "aim": "green", "no_wet": true,
                "has_notices": false, "exclusivity": "overlappable",
            ]
            let changed = try await program.post(path + "/change", said)
            #expect(changed.status == 200, "\(changed.text)")
            for member in said.object?.members ?? [] {
                #expect(changed.json[member.name] == member.value, "\(member.name)")
            }
            #expect(try await program.get(path).json == changed.json)
            let emptied: JSONValue = ["means": [], "aim": "", "is_work": "", "place": ""]
            let without = try await program.post(path + "/change", emptied)
            #expect(without.status == 200, "\(without.text)")
            for name in ["means", "aim", "is_work", "place"] {
                #expect(without.json[name] == .null, "\(name): \(without.text)")
            }
            #expect(without.json["category"] == "meeting")
            let page = try await ana.get("/calendar/day/2027-01-16").text
            #expect(page.contains("Second review") && page.contains("11:30"), "\(page)")
        }
    }

    @Test("a new place does not keep the position of the old one")
    func place() async throws {
        try await Self.withEvent { _, _, program, path in
            let moved = try await program.post(path + "/change", ["place": "Room 5"])
            #expect(moved.json["place"] == ["name": "Room 5", "lat": .null, "lon": .null])
            let placed = try await program.post(
                path + "/change",
                ["latitude": .number(45.465), "longitude": .number(9.196)]
            )
            #expect(placed.json["place"]?["name"] == "Room 5")
            #expect(placed.json["place"]?["lat"] == .number(45.465), "\(placed.text)")
            let half = try await program.post(path + "/change", ["latitude": .number(45.465)])
            #expect(half.status == 422 && half.blamed == ["longitude"], "\(half.text)")
        }
    }

    @Test("a flexible task has its window, and keeps its length when it is moved (V23, V24)")
    func flexible() async throws {
        let task: JSONValue = [
            "title": "Shopping", "timing": "flexible", "date": "2027-01-16", "time": "09:00",
            "end_time": "12:00", "minutes": 40, "least_minutes": 25,
        ]
        try await Self.withEvent(task) { _, _, program, path in
            let read = try await program.get(path).json
            #expect(read["timing"] == "flexible" && read["minutes"] == 40)
            #expect(read["least_minutes"] == 25)
            #expect(read["starts"] == "2027-01-16T08:00:00Z")
            #expect(read["ends"] == "2027-01-16T11:00:00Z")
            let moved = try await program.post(path + "/change", ["date": "2027-01-18"])
            #expect(moved.json["starts"] == "2027-01-18T08:00:00Z", "\(moved.text)")
            #expect(moved.json["ends"] == "2027-01-18T11:00:00Z", "\(moved.text)")
            #expect(moved.json["least_minutes"] == 25)
            for (name, value) in [("minutes", JSONValue.integer(200)), ("least_minutes", 41)] {
                let refused = try await program.post(
                    path + "/change",
                    .object(JSONObject([.init(name, value)]))
                )
                #expect(refused.status == 422 && refused.blamed == [name], "\(refused.text)")
            }
            let someday = try await program.post(path + "/change", ["timing": "someday"])
            #expect(someday.status == 200, "\(someday.text)")
            #expect(someday.json["starts"] == .null && someday.json["minutes"] == .null)
            let list = Self.events + "?first=2027-01-16&last=2027-01-18"
            #expect(try await program.get(list).json["items"] == [])
            let all = try await program.get(list + "&undated=true").json["items"]?.list ?? []
            #expect(all.count == 1 && all.first?["title"] == "Shopping")
            #expect(all.allSatisfy { Schema.occurrence.problem(in: $0) == nil })
        }
    }

    @Test("a recurring event is added and changed, and its end is heeded")
    func recurring() async throws {
        let gym: JSONValue = [
            "title": "Gym", "date": "2027-01-18", "time": "18:00", "minutes": 60,
            "repeat": "daily", "repeat_until": "2027-01-20",
        ]
        try await Self.withEvent(gym) { _, _, program, path in
            let list = Self.events + "?first=2027-01-18&last=2027-01-24"
            #expect(try await program.get(list).json["items"]?.list?.count == 3)
            let weekly: JSONValue = ["repeat": "weekly", "repeat_until": ""]
            let changed = try await program.post(path + "/change", weekly)
            #expect(changed.json["repeat"] == "weekly" && changed.json["repeat_until"] == .null)
            #expect(try await program.get(list).json["items"]?.list?.count == 1)
            let days: JSONValue = ["repeat": "weekly", "weekdays": ["mo", "we"]]
            let twice = try await program.post(path + "/change", days)
            #expect(twice.json["weekdays"] == ["mo", "we"], "\(twice.text)")
            #expect(try await program.get(list).json["items"]?.list?.count == 2)
            let daily: JSONValue = ["repeat": "daily", "weekdays": ["mo"]]
            let refused = try await program.post(path + "/change", daily)
            #expect(refused.status == 422 && refused.blamed == ["weekdays"], "\(refused.text)")
            let once = try await program.post(path + "/change", ["repeat": "never"])
            #expect(once.json["is_recurring"] == false, "\(once.text)")
        }
    }

    @Test("a flexible task may be done in pieces, and so many times a week on days that are chosen")
    func piecesAndWeeks() async throws {
        let task: JSONValue = [
            "title": "Gym", "timing": "flexible", "date": "2027-01-16", "time": "18:00",
            "end_time": "21:00", "minutes": 60, "piece_minutes": 20, "repeat": "times_a_week",
            "times": 3,
        ]
        try await Self.withEvent(task) { _, _, program, path in
            let read = try await program.get(path).json
            #expect(Schema.event.problem(in: read) == nil)
            #expect(read["piece_minutes"] == 20 && read["times"] == 3)
            #expect(read["repeat"] == "times_a_week")
            let list = Self.events + "?first=2027-01-18&last=2027-01-24"
            let week = try await program.get(list).json["items"]?.list ?? []
            let days = week.compactMap { $0["starts"]?.text?.prefix(10) }
            #expect(days == ["2027-01-18", "2027-01-20", "2027-01-22"])
            let whole = try await program.post(path + "/change", ["piece_minutes": ""])
            #expect(whole.json["piece_minutes"] == .null, "\(whole.text)")
            for (name, value) in [("times", JSONValue.integer(8)), ("piece_minutes", 61)] {
                let refused = try await program.post(
                    path + "/change",
                    .object(JSONObject([.init(name, value)]))
                )
                #expect(refused.status == 422 && refused.blamed == [name], "\(refused.text)")
            }
            let daily = try await program.post(path + "/change", ["repeat": "daily", "times": 3])
            #expect(daily.status == 422 && daily.blamed == ["times"], "\(daily.text)")
            let fixed: JSONValue = ["timing": "fixed", "minutes": 60]
            let refused = try await program.post(path + "/change", fixed)
            #expect(refused.status == 422 && refused.blamed == ["repeat"], "\(refused.text)")
        }
    }

    @Test("what the form of the calendar refuses is refused by name, and changes nothing")
    func refusals() async throws {
        try await Self.withEvent { _, _, program, path in
            let before = try await program.get(path).json
            let wrong: [(String, JSONValue)] = [
                ("title", ["title": "  "]), ("time", ["date": "2027-01-14"]),
                ("repeat_until", ["repeat": "daily", "repeat_until": "2027-01-10"]),
                ("repeat_until", ["repeat_until": "2027-02-10"]),
                ("repeat", ["repeat": "daily", "minutes": 3_000]),
                ("end_time", ["timing": "flexible"]), ("end_time", ["end_time": "12:00"]),
                (
                    "exclusivity",
                    [
                        "timing": "flexible", "end_time": "12:00", "exclusivity": "transfer",
                    ]
                ),
                ("template", ["template": "none"]), ("means", ["means": ["rocket"]]),
            ]
            for (name, change) in wrong {
                let answer = try await program.post(path + "/change", change)
                #expect(answer.status == 422, "\(name): \(answer.text)")
                #expect(answer.blamed == [name], "\(name): \(answer.text)")
            }
            #expect(try await program.get(path).json == before)
            let bare = try await program.post(Self.events, ["title": "Without a time"])
            #expect(bare.status == 422 && bare.blamed == ["date", "time", "minutes"])
        }
    }

    @Test("a change needs the permission to write, and nobody reaches another's event (R110)")
    func apart() async throws {
        try await Self.withEvent { town, ana, program, path in
            let bob = try await town.site.person("bob")
            let reader = try await Self.program(town.site, ana, [.readCalendar])
            let stranger = try await Self.program(town.site, bob)
            let change: JSONValue = ["title": "Taken"]
            #expect(try await reader.post(path + "/change", change).status == 403)
            #expect(try await stranger.post(path + "/change", change).status == 404)
            #expect(try await program.get(path).json["title"] == "Review")
            let day = "/api/calendar/days/2027-01-16"
            let writer = try await Self.program(town.site, ana, [.writeCalendar])
            #expect(try await writer.get(day).status == 403)
            let other = try await stranger.get(day)
            #expect(other.status == 200 && other.json["tasks"] == [], "\(other.text)")
        }
    }

    @Test("the plan of a day has its journeys, and one that does not work out says why (V88)")
    func day() async throws {
        @Sendable func event(_ title: String, _ time: String, at metres: Double) -> JSONValue {
            let place = RideTown.place(metres)
            return [
                "title": .text(title), "date": "2027-01-16", "time": .text(time), "minutes": 30,
                "place": .text(title), "latitude": .number(place.latitudeDegrees),
                "longitude": .number(place.longitudeDegrees),
            ]
        }
        try await Self.withEvent(event("First", "10:00", at: 100)) { town, _, program, path in
            let second = try await program.post(Self.events, event("Second", "12:00", at: 1_900))
            let later = try #require(second.header("location"), "\(second.text)")
            let day = "/api/calendar/days/2027-01-16"
            let plan = try await program.get(day)
            #expect(plan.status == 200, "\(plan.text)")
            let operation = try #require(
                Site(town.site.installation).operations.first { $0.name == "calendar.day" }
            )
            #expect(operation.output.problem(in: plan.json) == nil, "\(plan.text)")
            #expect(plan.json["feasible"] == true && plan.json["day"] == "2027-01-16")
            let first = try #require(try await program.get(path).json["uid"])
            let next = try #require(second.json["uid"])
            #expect(plan.json["tasks"]?.list?.compactMap { $0["uid"] } == [first, next])
            let journeys = plan.json["journeys"]?.list ?? []
            #expect(journeys.first?["from"] == first, "\(plan.text)")
            #expect(journeys.first?["to"] == next)
            // A minute does not suffice for 1,800 metres on foot.
            let moved = try await program.post(later + "/change", ["time": "10:31"])
            #expect(moved.status == 200, "\(moved.text)")
            let broken = try await program.get(day).json
            #expect(operation.output.problem(in: broken) == nil)
            #expect(broken["feasible"] == false, "\(broken.json)")
            #expect(broken["conflicts"]?.list?.first?["kind"] == "unreachable", "\(broken.json)")
            #expect(broken["repairs"]?.list?.isEmpty == false, "\(broken.json)")
            #expect(try await program.get("/api/calendar/days/1066-01-01").status == 404)
        }
    }

    @Test("a change of what was changed meanwhile is refused with 412")
    func conditional() async throws {
        try await Self.withEvent { town, ana, program, path in
            let tag = try #require(try await program.get(path).header("etag"))
            let part = try await program.get(path + "?fields=title")
            #expect(part.header("etag") == tag, "a part has the tag of the whole")
            let first = try await program.post(
                path + "/change",
                ["title": "One"],
                headers: ["if-match": tag]
            )
            #expect(first.status == 200 && first.json["title"] == "One", "\(first.text)")
            let second = try await program.post(
                path + "/change",
                ["title": "Two"],
                headers: ["if-match": tag]
            )
            #expect(second.status == 412 && second.problem == "precondition-failed")
            #expect(second.blamed == ["If-Match"])
            #expect(try await program.get(path).json["title"] == "One")
            let weak = try await program.post(
                path + "/change",
                ["title": "Two"],
                headers: ["if-match": "W/\(tag)"]
            )
            #expect(weak.status == 412, "a weak tag names nothing: \(weak.text)")
            let current = try #require(try await program.get(path).header("etag"))
            let several = try await program.post(
                path + "/change",
                ["title": "Three"],
                headers: ["if-match": "\(tag), \(current)"]
            )
            #expect(several.status == 200, "\(several.text)")
            let writer = try await Self.program(town.site, ana, [.writeCalendar])
            let blind = try await writer.post(
                path + "/change",
                ["title": "Four"],
                headers: ["if-match": current]
            )
            #expect(blind.problem == "scope-missing", "a condition tells what is there")
        }
    }
}
