import Agenda
import Testing
import WebTestSupport

/// Days are linked, with bases by weekday (issue 32, "DayPlan").
@Suite("Where days end by weekday", .serialized)
struct BasePageTests {
    @Test("the day ends there, the next one begins there, and the other days are as usual")
    func weekdays() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let friday = ["place": RideTown.typed(1_900), "weekday": "4"]
            let early = try await visitor.submit(friday, on: "/calendar/bases")
            #expect(early.status == 422 && early.text.contains("First choose where your days"))
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            let empty = try await visitor.submit(["weekday": "4"], on: "/calendar/bases")
            #expect(empty.status == 422, "\(empty.text)")
            let saved = try await visitor.submit(friday, on: "/calendar/bases")
            #expect(saved.header("location") == "/calendar/bases?notice=saved", "\(saved.text)")
            let page = try await visitor.follow(saved).text
            #expect(page.contains("Friday: ") && page.contains("Days that end elsewhere"))
            #expect(try await town.settings(of: visitor).weekdayBases.keys.sorted() == [4])
            // A morning event where Friday ends needs no way there on Saturday, but one home.
            for day in ["2027-01-16", "2027-01-17"] {
                let event = CalendarTown.event("Brunch", "10:00", "11:00", at: 1_900, on: day)
                try await visitor.add(event)
            }
            func leaving(_ page: String) -> [String] {
                page.matches(of: /Leave at (\d\d):\d\d/).map { String($0.1) }
            }
            #expect(leaving(try await visitor.day()) == ["11"])
            #expect(leaving(try await visitor.day("2027-01-17")).count == 2)
            let path = "/calendar/bases/remove"
            let gone = try await visitor.submit(["weekday": "4"], on: "/calendar/bases", to: path)
            #expect(gone.status == 303)
            #expect(try await town.settings(of: visitor).weekdayBases.isEmpty)
            #expect(leaving(try await visitor.day()).count == 2)
        }
    }
}
