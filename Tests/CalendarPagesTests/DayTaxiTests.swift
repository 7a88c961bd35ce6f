import Dispatching
import Drivers
import Taxi
import Testing
import WebTestSupport

/// V82, ST15: the taxi of a journey is ordered with one press, and its state stands in the plan.
@Suite("Taxis of a day", .serialized)
struct DayTaxiTests {
    /// The taxis wait at 100 m: at a base near them one that accepts has also arrived, which the
    /// tracker of positions finds out a moment later.
    private static let settings = CalendarTown.base(at: 500) + ["means": "taxi"]

    /// Somebody who takes taxis, with an event at the other end of the street.
    private static func person(
        _ town: RideTown,
        _ start: String,
        _ end: String,
        on day: String = CalendarTown.day
    ) async throws -> (visitor: Visitor, entry: String) {
        let visitor = try await town.passenger()
        _ = try await visitor.submit(settings, on: "/calendar/settings")
        let event = CalendarTown.event("Review", start, end, at: 1_500, on: day)
        return (visitor, try await visitor.add(event))
    }

    /// Presses the button of the first taxi that a day offers.
    private static func press(
        _ visitor: Visitor,
        on day: String = CalendarTown.day
    ) async throws -> Visitor.Answer {
        let page = try await visitor.get("/calendar/day/\(day)")
        let match = page.text.firstMatch(of: /name="departure" value="([0-9]+)"/)
        let departure = String(try #require(match, "\(page.text)").1)
        return try await visitor.submit(
            ["departure": departure],
            on: "/calendar/day/\(day)",
            to: "/calendar/day/\(day)/taxi"
        )
    }

    @Test("one press reserves it; the plan keeps it, and says so")
    func reserved() async throws {
        try await RideTown.open(.viavai, taxis: 1, hasLines: true) { town in
            let (visitor, _) = try await Self.person(town, "15:00", "16:00")
            let before = try await visitor.day()
            #expect(before.contains("Reserve this taxi for 14:"))
            let sent = try await Self.press(visitor)
            #expect(sent.header("location") == "\(CalendarTown.page)?notice=taxi", "\(sent.text)")
            let after = try await visitor.follow(sent).text
            #expect(after.contains("Your taxi is ordered."))
            #expect(after.contains("Your taxi is reserved"))
            #expect(try await visitor.get("/reservations").text.contains("You have 1 reservation"))
            // The journey home is by another taxi, which is still to be reserved.
            #expect(after.matches(of: /Reserve this taxi for/).count == 1)
            // The plan keeps the taxi whatever else changes.
            try await visitor.add(CalendarTown.task("Call", "09:00", "12:00", minutes: 20))
            #expect(try await visitor.day().contains("Your taxi is reserved"))
        }
    }

    @Test("a second press orders no second taxi")
    func once() async throws {
        try await RideTown.open(.viavai, taxis: 1, hasLines: true) { town in
            let (visitor, _) = try await Self.person(town, "15:00", "16:00")
            let page = try await visitor.get(CalendarTown.page).text
            func value(_ pattern: Regex<(Substring, Substring)>) throws -> String {
                String(try #require(page.firstMatch(of: pattern)).1)
            }
            let fields = [
                "departure": try value(/name="departure" value="([0-9]+)"/),
                "token": try value(/name="token" value="([^"]*)"/),
                "key": try value(/name="key" value="([^"]*)"/),
            ]
            for _ in 0..<2 {
                let sent = try await visitor.post("\(CalendarTown.page)/taxi", fields)
                #expect(sent.header("location") == "\(CalendarTown.page)?notice=taxi")
            }
            #expect(try await town.taxi.dispatch.read { $0.requests.count } == 1)
        }
    }

    @Test("a journey that begins soon is a request, with code and plate once a driver accepts")
    func requested() async throws {
        try await RideTown.open(.viavai, taxis: 1, hasLines: true) { town in
            let today = "2027-01-15"
            let (visitor, _) = try await Self.person(town, "09:18", "10:00", on: today)
            let page = try await visitor.day(today)
            #expect(page.contains("Order this taxi"), "\(page)")
            let sent = try await Self.press(visitor, on: today)
            #expect(sent.status == 303, "\(sent.text)")
            try await town.untilAsked(town.taxis[0])
            #expect(try await visitor.day(today).contains("We are looking for a taxi"))
            try await town.accept(town.taxis[0])
            let signs = try await town.signs(town.taxis[0])
            let found = try await visitor.day(today)
            #expect(found.contains(signs.code) && found.contains("Your taxi is coming"))
            // R68: one live request a person, so nothing else can be requested now.
            #expect(!found.contains("Order this taxi"))
        }
    }

    @Test("deleting a task asks what becomes of its taxi, and cancels it if wanted")
    func deleted() async throws {
        try await RideTown.open(.viavai, taxis: 1, hasLines: true) { town in
            for cancels in [true, false] {
                let visitor = try await town.passenger(cancels ? "pia" : "ugo")
                _ = try await visitor.submit(Self.settings, on: "/calendar/settings")
                let entry = try await visitor.add(
                    CalendarTown.event("Review", "15:00", "16:00", at: 1_500)
                )
                _ = try await Self.press(visitor)
                let page = try await visitor.get("\(entry)/delete")
                #expect(page.text.contains("What about the taxi?"))
                let match = page.text.firstMatch(of: /name="taxi" value="([0-9]+)"/)
                let request = String(try #require(match, "\(page.text)").1)
                let fields = cancels ? ["taxi": request] : [:]
                let sent = try await visitor.submit(fields, on: "\(entry)/delete")
                #expect(sent.header("location") == "\(CalendarTown.page)?notice=deleted")
                let kept = try await visitor.get("/reservations").text
                #expect(kept.contains("You have 1 reservation") == !cancels, "\(kept)")
            }
        }
    }

    @Test("a taxi that the plan no longer needs is named, for its owner to decide")
    func unneeded() async throws {
        try await RideTown.open(.viavai, taxis: 1, hasLines: true) { town in
            let (visitor, entry) = try await Self.person(town, "15:00", "16:00")
            _ = try await Self.press(visitor)
            let moved = try await visitor.change(entry, ["start": "17:00", "end": "18:00"])
            #expect(moved.status == 303, "\(moved.text)")
            let page = try await visitor.day()
            #expect(page.contains("is no longer part of your day."), "\(page)")
            #expect(page.contains("View or cancel it"))
        }
    }

    @Test("before the taxis are in service the day works, and offers none")
    func closed() async throws {
        try await CalendarTown.open { town in
            let (visitor, _) = try await Self.person(town, "15:00", "16:00")
            let page = try await visitor.day()
            #expect(page.contains("Leave at 14:") && !page.contains("this taxi"))
            let sent = try await visitor.submit(
                ["departure": "1"],
                on: CalendarTown.page,
                to: "\(CalendarTown.page)/taxi"
            )
            #expect(sent.status == 503, "\(sent.text)")
        }
    }
}
