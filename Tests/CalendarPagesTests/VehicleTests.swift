import TestClock
import Testing
import WebTestSupport

/// V65, V77, V79, ST10: people say where their car stands, and plans go by it.
@Suite("Own vehicles on pages", .serialized)
struct VehicleTests {
    private static let today = "2027-01-15"
    private static let page = "/calendar/vehicles/car"

    private static func person(_ town: RideTown) async throws -> Visitor {
        let visitor = try await town.passenger()
        let settings = CalendarTown.base(at: 0) + ["means": "car"]
        _ = try await visitor.submit(settings, on: "/calendar/settings")
        return visitor
    }

    @Test("ST10: on the way the car is switched off: a plan from there, and how short the wait is")
    func switchedOff() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            try await visitor.add(
                CalendarTown.event("Meeting", "09:40", "10:30", at: 1_900, on: Self.today)
            )
            #expect(try await visitor.day(Self.today).contains("Leave at 09:3"))
            // One journey on foot of 1,000 m takes thirteen minutes.
            _ = try await visitor.submit(
                CalendarTown.base(at: 0) + ["means": "walk"],
                on: "/calendar/settings"
            )
            town.site.clock.advance(seconds: 25 * 60)
            let sent = try await visitor.submit(
                ["place": RideTown.typed(900), "here": "yes"],
                on: Self.page
            )
            #expect(sent.header("location") == "/calendar/day/\(Self.today)?notice=here")
            let page = try await visitor.follow(sent).text
            #expect(page.contains("Planned from 09:25, from"))
            #expect(page.contains("before it begins, because nothing"), "\(page)")
            #expect(page.contains("nothing gets there sooner"))
            // In all later plans it stands there.
            #expect(try await visitor.get("/calendar/vehicles").text.contains("You don&#39;t"))
            let form = try await visitor.get(Self.page).text
            #expect(form.contains("name=\"place-at\""))
        }
    }

    @Test("a place that does not exist is refused, and nothing changes")
    func unknown() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let sent = try await visitor.submit(
                ["place": "Atlantis", "used": "yes"],
                on: Self.page
            )
            #expect(sent.status == 422 && sent.problem("place") != nil)
            #expect(try await visitor.get(Self.page).text.contains("name=\"used\""))
            #expect(!(try await visitor.get("/calendar/vehicles").text.contains("Atlantis")))
        }
    }

    @Test("who has no other means does not lose the last one")
    func last() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let sent = try await visitor.submit(["place": ""], on: Self.page)
            #expect(sent.status == 422 && sent.text.contains("Choose at least one"))
        }
    }

    @Test("the settings keep where a vehicle stands, and another means keeps its own place")
    func kept() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let sent = try await visitor.submit(
                ["place": "Corso Lungo 9", "used": "yes"],
                on: Self.page
            )
            #expect(sent.header("location") == "/calendar/vehicles?notice=vehicle", "\(sent.text)")
            let settings = CalendarTown.base(at: 0) + ["means": "car"]
            _ = try await visitor.submit(settings, on: "/calendar/settings")
            let page = try await visitor.get("/calendar/vehicles").text
            #expect(page.contains("At Corso Lungo 9"), "\(page)")
        }
    }

    @Test("nobody else sees where it stands")
    func privacy() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            _ = try await visitor.submit(
                ["place": "Corso Lungo 9", "used": "yes"],
                on: Self.page
            )
            let other = try await town.passenger("eve")
            #expect(!(try await other.get(Self.page).text.contains("Corso Lungo 9")))
            #expect(try await other.get("/calendar/vehicles/bus").status == 404)
        }
    }
}
