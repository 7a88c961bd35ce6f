import Agenda
import Testing
import WebTestSupport

/// ST3: a bought ticket shows in the plan, which keeps its journey and says before it loses it.
@Suite("Tickets on the page of a day", .serialized)
struct DayTicketPageTests {
    /// Somebody who travels by metro to an appointment at noon.
    private static func person(_ town: RideTown) async throws -> (visitor: Visitor, entry: String) {
        let visitor = try await town.passenger()
        let fields = CalendarTown.base(at: 0) + ["means": "transit"]
        #expect(try await visitor.submit(fields, on: "/calendar/settings").status == 303)
        let event = CalendarTown.event("Review", "12:00", "13:00", at: 1_900)
        return (visitor, try await visitor.add(event))
    }

    /// The departure of the first journey of which a page asks for the ticket.
    private static func departure(_ page: String) throws -> String {
        let form = try #require(
            page.firstMatch(of: /(?s)\/ticket"?>.*?name="departure" value="([0-9]+)"/),
            "\(page)"
        )
        return String(form.1)
    }

    private static func press(
        _ visitor: Visitor,
        _ fields: [String: String]
    ) async throws -> Visitor.Answer {
        try await visitor.submit(fields, on: CalendarTown.page, to: "\(CalendarTown.page)/ticket")
    }

    @Test("ST3: who has the ticket keeps the journey; a change that loses it warns with its price")
    func kept() async throws {
        try await CalendarTown.open(hasFares: true) { town in
            let (visitor, entry) = try await Self.person(town)
            let before = try await visitor.day()
            let leave = try #require(before.firstMatch(of: /Leave at (11:\d\d)/)?.1)
            #expect(before.contains("I have the ticket") && !before.contains("You have the ticket"))
            // The metro runs every quarter of an hour, and one waits for longer than wanted (V50).
            #expect(before.contains(/You wait 1\d min there, longer than you want/), "\(before)")
            let departure = try Self.departure(before)
            let sent = try await Self.press(visitor, ["departure": departure])
            #expect(sent.header("location") == "\(CalendarTown.page)?notice=ticket", "\(sent.text)")
            let shown = try await visitor.follow(sent).text
            #expect(shown.contains("Your plan keeps this journey."))
            #expect(shown.contains("You have the ticket"))
            // The appointment begins later, and the journey stays.
            let later = try await visitor.change(entry, ["start": "12:30", "end": "13:30"])
            #expect(later.status == 303, "\(later.text)")
            let kept = try await visitor.day()
            #expect(kept.contains("Leave at \(leave)") && kept.contains("You have the ticket"))
            // It begins too early: nothing is stored before its owner has read what that costs.
            let early = ["start": "11:00", "end": "11:30"]
            let warned = try await visitor.change(entry, early)
            #expect(warned.status == 200, "\(warned.text)")
            #expect(warned.text.contains("You would lose a ticket"))
            #expect(warned.text.contains("€2.20") && warned.text.contains("Save anyway"))
            #expect(try await visitor.get(entry).entryFields["start"] == "12:30")
            let saved = try await visitor.change(entry, [:], shown: warned)
            #expect(saved.status == 303, "\(saved.text)")
            let lost = try await visitor.day()
            #expect(lost.contains("€2.20, is lost") && lost.contains("Leave at 10:"), "\(lost)")
            // It is released, and the day says nothing of it any more.
            let released = try await Self.press(
                visitor,
                ["departure": departure, "release": "yes"]
            )
            #expect(
                released.header("location") == "\(CalendarTown.page)?notice=ticket-released",
                "\(released.text)"
            )
            let free = try await visitor.follow(released).text
            #expect(free.contains("The journey can change again.") && !free.contains("is lost"))
        }
    }

    @Test("without a ticket the journey follows the appointment; who owns the pass is not asked")
    func without() async throws {
        try await CalendarTown.open(hasFares: true) { town in
            let (visitor, entry) = try await Self.person(town)
            let leave = try #require(
                try await visitor.day().firstMatch(of: /Leave at (11:\d\d)/)?.1
            )
            let moved = try await visitor.change(entry, ["start": "12:30", "end": "13:30"])
            #expect(moved.status == 303, "\(moved.text)")
            #expect(!(try await visitor.day()).contains("Leave at \(leave)"))
            for product in ["Bus-Month", "metro-single"] {
                let fields = ["product": product, "until": ""]
                #expect(try await visitor.submit(fields, on: "/calendar/passes").status == 303)
            }
            #expect(!(try await visitor.day()).contains("I have the ticket"))
        }
    }

    @Test("who deletes an appointment is told of the ticket for it")
    func deleted() async throws {
        try await CalendarTown.open(hasFares: true) { town in
            let (visitor, entry) = try await Self.person(town)
            #expect(!(try await visitor.get("\(entry)/delete").text.contains("lose a ticket")))
            let departure = try Self.departure(try await visitor.day())
            #expect(try await Self.press(visitor, ["departure": departure]).status == 303)
            let page = try await visitor.get("\(entry)/delete").text
            #expect(page.contains("You would lose a ticket") && page.contains("€2.20"), "\(page)")
        }
    }

    @Test("nobody keeps a journey that a day does not have, nor one of another person's day")
    func refused() async throws {
        try await CalendarTown.open(hasFares: true) { town in
            let (visitor, _) = try await Self.person(town)
            for departure in ["1", "9223372036854775807"] {
                let sent = try await Self.press(visitor, ["departure": departure])
                #expect(sent.status == 409, "\(departure): \(sent.status)")
            }
            let departure = try Self.departure(try await visitor.day())
            let other = try await town.passenger("eve")
            #expect(try await Self.press(other, ["departure": departure]).status == 409)
            #expect(!(try await visitor.day()).contains("You have the ticket"))
        }
    }
}
