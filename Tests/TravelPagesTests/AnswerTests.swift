import Testing
import WebTestSupport

/// Issue 31, 1; ui.md 4.7: trips to choose from.
@Suite("The trips that answer a question", .serialized)
struct AnswerTests {
    @Test("each trip is one link that begins with its answer; other means stand beside it")
    func answer() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let path = try await TravelTown.ask(visitor)
            let page = try await visitor.get(path)
            #expect(page.status == 200)
            #expect(page.text.contains("<h1>Arrive at "))
            let trips = TravelTown.trips(on: page.text, of: path)
            #expect(!trips.isEmpty)
            #expect(page.text.contains(/<b>Leave at \d\d:\d\d, arrive \d\d:\d\d<\/b>/))
            #expect(page.text.contains("on foot"))
            // The bar is for the eye; the sentence is for screen readers.
            #expect(page.text.contains("class=\"bar\" aria-hidden=\"true\""))
            #expect(page.text.contains("bus 57") || page.text.contains("metro M1"))
            for means in ["On foot", "Own bicycle", "Own car", "Taxi"] {
                #expect(page.text.contains("<small>\(means)</small>"), "\(means)")
            }
            #expect(page.text.contains("data-kind=\"walking\""))
            #expect(try await visitor.get("\(path)/map.svg").status == 200)
        }
    }

    @Test("R130: no address contains a place, and whoever has the link sees the same trips")
    func sharing() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let path = try await TravelTown.ask(visitor)
            #expect(!path.contains("45.4") && !path.contains("Lungo"))
            let page = try await visitor.get(path)
            #expect(page.header("x-robots-tag") == "noindex, nofollow")
            let other = town.site.visitor()
            other.language = "it"
            let italian = try await other.get(path)
            #expect(italian.status == 200)
            #expect(italian.text.contains("Arrivi alle "))
            let trips = TravelTown.trips(on: page.text, of: path)
            #expect(TravelTown.trips(on: italian.text, of: path) == trips)
            #expect(try await other.get(String(path.dropLast(2))).status == 404)
        }
    }

    @Test("to arrive by a time, the answer is when to leave; earlier and later trips are links")
    func times() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let path = try await TravelTown.ask(
                visitor,
                ["when": "arrive", "date": "2027-01-15", "time": "12:00"]
            )
            let page = try await visitor.get(path).text
            #expect(page.contains("<h1>Leave at 11:"))
            #expect(page.contains("Arrive by Friday 15 January, 12:00"))
            for match in page.matches(of: /href="(\/plan\/[A-Za-z0-9_-]{60,})"/) {
                #expect(try await visitor.get(String(match.1)).status == 200)
            }
        }
    }

    @Test("the taxi leads to its order, filled in")
    func taxi() async throws {
        try await TravelTown.open { town in
            let visitor = try await town.passenger()
            let path = try await TravelTown.ask(visitor)
            let page = try await visitor.get(path).text
            #expect(page.contains("action=\"\(path)/order\""))
            // It is the first of the other ways; what the badges compare has a heading then.
            let ways = try #require(page.split(separator: "<ul class=\"ways\">").last)
            #expect(ways.split(separator: "</li>").first?.contains("<small>Taxi</small>") == true)
            #expect(page.contains("<h2 class=\"hint\">Public transport</h2>"))
            #expect(page.contains("about €"))
            let sent = try await visitor.submit([:], on: path, to: "\(path)/order")
            #expect(sent.header("location") == "/taxi")
            let form = try await visitor.get("/taxi").text
            let filled = form.matches(of: /id="field-(from|to)"[^>]*value="[^"]+"/).count
            #expect(filled == 2)
        }
    }

    @Test("what has no answer is explained, with the form to ask something else")
    func failures() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            for (fields, words) in [
                (["to": "46.5, 11.3"], "is outside the area of our map"),
                (
                    [
                        "when": "leave", "date": "2031-01-15", "time": "10:00", "options": "yes",
                        "means": "transit",
                    ], "The timetables run from"
                ),
            ] {
                let path = try await TravelTown.ask(visitor, fields)
                let page = try await visitor.get(path)
                #expect(page.status == 200)
                #expect(page.text.contains(words), "\(page.text)")
                #expect(page.text.contains("name=\"to\""))
            }
        }
    }

    @Test("one address may ask only so often, and the same question twice is one (V16, V95)")
    func limits() async throws {
        let limits = ["limits.requests_per_second": "5", "limits.requests_at_once": "300"]
        try await TravelTown.open(limits) { town in
            let visitor = town.site.visitor()
            let path = try await TravelTown.ask(visitor)
            for _ in 0..<40 { #expect(try await visitor.get(path).status == 200) }
            var statuses: Set<Int> = []
            for minute in 0..<70 where !statuses.contains(429) {
                let (hour, rest) = (10 + minute / 60, minute % 60)
                let time = "\(hour):\(rest < 10 ? "0" : "")\(rest)"
                let other = try await TravelTown.ask(
                    visitor,
                    ["when": "leave", "date": "2027-01-15", "time": time]
                )
                statuses.insert(try await visitor.get(other).status)
            }
            #expect(statuses == [200, 429])
        }
    }
}
