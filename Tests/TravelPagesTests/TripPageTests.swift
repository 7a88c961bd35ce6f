import Testing
import WebTestSupport

/// Issue 31, 1; ui.md 4.7: a trip step by step.
@Suite("The page of a trip", .serialized)
struct TripPageTests {
    /// The answer, and its trip by metro or bus.
    private static func transit(_ visitor: Visitor) async throws -> (answer: String, trip: String) {
        let answer = try await TravelTown.ask(visitor)
        let page = try await visitor.get(answer).text
        let trip = try #require(TravelTown.trips(on: page, of: answer).first)
        return (answer, trip)
    }

    @Test("the steps have times, stops, lines and the way between, and the map draws them")
    func steps() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let (answer, trip) = try await Self.transit(visitor)
            let page = try await visitor.get(trip)
            #expect(page.status == 200)
            #expect(page.text.contains(/<h1>Leave at \d\d:\d\d, arrive \d\d:\d\d<\/h1>/))
            #expect(page.text.contains("<ol class=\"steps\">"))
            #expect(page.text.contains("Lungo Ovest") && page.text.contains("Lungo Est"))
            #expect(page.text.contains("Walk "))
            #expect(page.text.contains("to Est"))
            #expect(page.text.contains(" stop"))
            #expect(page.text.contains("href=\"\(answer)\""))
            #expect(page.text.contains("data-line="))
            // What the link reveals is said where it is shared.
            #expect(page.text.contains("data-share=") && page.text.contains("not who you are"))
            let map = try await visitor.get("\(trip)/map.svg")
            #expect(map.status == 200 && map.text.contains("<svg"))
        }
    }

    @Test("RFC 5545: the trip can be put into a calendar, in the reader's language")
    func calendar() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let (_, trip) = try await Self.transit(visitor)
            let file = try await visitor.get("\(trip)/calendar.ics")
            #expect(file.status == 200)
            #expect(file.header("content-type") == "text/calendar; charset=utf-8")
            let lines = file.text.split(separator: "\r\n").map(String.init)
            #expect(lines.first == "BEGIN:VCALENDAR" && lines.last == "END:VCALENDAR")
            #expect(lines.contains { $0.hasPrefix("DTSTART:20270115T") && $0.hasSuffix("Z") })
            #expect(lines.contains { $0.hasPrefix("SUMMARY:To ") })
            // The same trip, added again, replaces itself.
            let again = try await visitor.get("\(trip)/calendar.ics").text
            let identifiers = [file.text, again].map { text in
                text.split(separator: "\r\n").first { $0.hasPrefix("UID:") }
            }
            #expect(identifiers[0] == identifiers[1])
        }
    }

    @Test("a ride is changed for another one between its stops; the rest follows")
    func changes() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let (answer, trip) = try await Self.transit(visitor)
            let page = try await visitor.get(trip).text
            let found = page.firstMatch(of: /href="([^"]*\/legs\/\d+)"/)
            let legs = String(try #require(found).1)
            let choice = try await visitor.get(legs)
            #expect(choice.status == 200)
            #expect(choice.text.contains("Instead of "))
            let back = try #require(choice.text.firstRange(of: "class=\"button plain\""))
            let title = try #require(choice.text.firstRange(of: "<h1>"))
            #expect(back.lowerBound < title.lowerBound)
            let others = TravelTown.trips(on: choice.text, of: answer)
            #expect(others.count > 1)
            var titles: Set<String> = []
            for other in others {
                #expect(other.contains("?change="))
                let changed = try await visitor.get(other)
                #expect(changed.status == 200)
                titles.insert(
                    String(try #require(changed.text.firstMatch(of: /<h1>([^<]*)<\/h1>/)).1)
                )
                // Its map and its calendar file have the same change.
                let file = other.replacing("?", with: "/calendar.ics?")
                #expect(changed.text.contains("href=\"\(file)\""))
                #expect(try await visitor.get(file).status == 200)
            }
            #expect(titles.count > 1)
        }
    }

    @Test("a trip that does not exist leads back to those that do")
    func gone() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let (answer, trip) = try await Self.transit(visitor)
            let gone = try await visitor.get("\(answer)/nothing-like-it")
            #expect(gone.status == 404)
            #expect(gone.text.contains("no longer in the timetable"))
            #expect(gone.text.contains(/href="\/plan\/[A-Za-z0-9_-]+"/))
            for part in ["map.svg", "calendar.ics", "legs/0"] {
                #expect(try await visitor.get("\(answer)/nothing-like-it/\(part)").status == 404)
            }
            #expect(try await visitor.get("\(trip)?change=0.nothing").status == 404)
            #expect(try await visitor.get("\(trip)/legs/99").status == 404)
        }
    }

    @Test("the trips of other means have a page too; the taxi's orders it")
    func otherMeans() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let answer = try await TravelTown.ask(visitor)
            let page = try await visitor.get(answer).text
            let tiles = page.matches(of: /<li><a href="(\/plan\/[^"]*)">/).map { String($0.1) }
            #expect(tiles.count == 4)
            var orders = 0
            for tile in tiles {
                let trip = try await visitor.get(tile)
                #expect(trip.status == 200)
                let isTaxi = trip.text.contains("action=\"\(answer)/order\"")
                orders += isTaxi ? 1 : 0
                #expect(trip.text.contains("calendar.ics") != isTaxi)
            }
            #expect(orders == 1)
        }
    }
}
