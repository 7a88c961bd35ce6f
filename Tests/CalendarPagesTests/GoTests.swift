import TestClock
import Testing
import WebTestSupport

/// V42: *Go* says whether a journey that begins now is in time, late, or of no use.
@Suite("Go", .serialized)
struct GoTests {
    private static let today = "2027-01-15"

    /// Somebody who is at the west end of the street, with an event a kilometre and a half away.
    private static func person(_ town: RideTown) async throws -> Visitor {
        let visitor = try await town.passenger()
        _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
        try await visitor.add(
            CalendarTown.event("Design review", "09:40", "10:30", at: 1_500, on: today)
        )
        return visitor
    }

    /// The path of *Go*, as the page of the day names it.
    private static func path(_ page: String) throws -> String {
        let match = page.firstMatch(of: /href="(\/calendar\/entry\/[0-9]+\/go[^"]*)"/)
        return String(try #require(match, "\(page)").1).replacing("&amp;", with: "&")
    }

    @Test("before the start it leads to the way; late it warns and leads there; over, it ends")
    func verdicts() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let path = try Self.path(try await visitor.day(Self.today))
            let early = try await visitor.get(path)
            #expect(early.status == 200)
            #expect(early.text.contains("Leave now and you arrive at 09:"))
            #expect(early.text.contains("Show the way"))
            let way = try #require(early.text.firstMatch(of: /href="(\/plan\/[^"]*)"/)).1
            let trip = try await visitor.get(String(way).replacing("&amp;", with: "&"))
            #expect(trip.status == 200 && trip.text.contains("1.5 km"))

            town.site.clock.advance(seconds: 30 * 60)
            let late = try await visitor.get(path)
            #expect(late.text.contains("Even if you leave now, you arrive at 09:"))
            #expect(late.text.contains(" late.") && late.text.contains("Show the way"))

            town.site.clock.advance(seconds: 50 * 60)
            let over = try await visitor.get(path)
            #expect(over.text.contains("You can&#39;t get there before it ends at 10:30."))
            #expect(!over.text.contains("Show the way"))
        }
    }

    @Test("V51: who says where they are is led from there")
    func elsewhere() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let path = try Self.path(try await visitor.day(Self.today))
            let near = try await visitor.submit(["place": RideTown.typed(1_450)], on: path)
            #expect(near.status == 200)
            #expect(near.text.contains("Leave now and you arrive at 09:0"))
            let there = try await visitor.submit(["place": RideTown.typed(1_500)], on: path)
            #expect(there.text.contains("You&#39;re already there."))
            let unknown = try await visitor.submit(["place": "Atlantis"], on: path)
            #expect(unknown.status == 422 && unknown.problem("place") != nil)
            #expect(!unknown.text.contains("Show the way"))
        }
    }

    @Test("nobody goes to the event of another")
    func privacy() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let path = try Self.path(try await visitor.day(Self.today))
            let other = try await town.passenger("eve")
            #expect(try await other.get(path).status == 404)
        }
    }
}
