import Agenda
import Chronology
import TestClock
import Testing
import WebApp
import WebTestSupport

/// V98: a pass is suggested where the journeys of the calendar would have cost less with it.
@Suite("Advice on passes", .serialized)
struct PassAdviceTests {
    private static let page = "/calendar/passes/advice"

    @Test("V98: planned days and days that are over show which pass is cheaper, and by how much")
    func suggested() async throws {
        let periods = ["passes.metro-single": "7 days", "passes.Bus-Month": "calendar month"]
        try await CalendarTown.open(periods, hasFares: true) { town in
            let visitor = try await town.passenger()
            #expect(try await visitor.get("/calendar/passes").text.contains(Self.page))
            #expect(try await visitor.get(Self.page).text.contains("No journeys yet"))
            let base = CalendarTown.base(at: 0) + ["means": "transit"]
            #expect(try await visitor.submit(base, on: "/calendar/settings").status == 303)
            let days = ["2027-01-16", "2027-01-17", "2027-01-26"]
            for day in days {
                try await visitor.add(
                    CalendarTown.event("Review", "12:00", "13:00", at: 1_900, on: day)
                )
            }
            for day in days { #expect(try await visitor.day(day).contains("€2.20")) }
            // To the review and home on three days; the pass that costs as much as a ticket pays
            // for the first two, and one more for the third.
            let page = try await visitor.get(Self.page).text
            #expect(page.contains("the tickets of 6 journeys in your calendar cost €13.20"))
            #expect(
                page.contains("With 2 × metro-single you would have paid €4.40 instead of €13.20")
            )
            #expect(!page.contains("Bus-Month"), "\(page)")
            // The first pass begins tomorrow, which no sentence says in the middle.
            #expect(page.contains("Saturday 16 January to ") && !page.contains("Tomorrow"))
            // Later one of the days is over. What it cost is kept.
            town.site.clock.advance(seconds: 2 * 86_400)
            let later = try await visitor.get(Self.page).text
            #expect(later.contains("instead of €13.20"), "\(later)")
            let owned = ["product": "metro-single", "until": ""]
            #expect(try await visitor.submit(owned, on: "/calendar/passes").status == 303)
            for day in days { _ = try await visitor.day(day) }
            // The day that is over stays as it was.
            let last = try await visitor.get(Self.page).text
            #expect(last.contains("With metro-single you would have paid €2.20 instead of €4.40"))
        }
    }

    @Test("V98: where no period of a pass is known, the page says so, and proposes nothing")
    func nothing() async throws {
        try await CalendarTown.open(hasFares: true) { town in
            let visitor = try await town.passenger()
            #expect(try await visitor.get(Self.page).text.contains("No passes to compare"))
        }
    }
}
