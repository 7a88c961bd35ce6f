import Testing
import WebTestSupport

/// V99: the best time for an appointment, and days that are too full for it.
@Suite("Times that suit an appointment", .serialized)
struct SlotTests {
    private static let review = CalendarTown.event("Review", "10:00", "11:00", at: 1_500)

    /// The times that a page offers: what they send.
    private static func slots(_ answer: Visitor.Answer) -> [String] {
        answer.text.matches(of: /name="slot" value="([^"]*)"/).map { String($0.1) }
    }

    @Test("the first times need no detour; one is taken over with a press, and the day works out")
    func found() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            try await visitor.add(CalendarTown.event("Dentist", "14:00", "15:00", at: 1_500))
            let found = try await visitor.submit(Self.review + ["find": "yes"], on: "/calendar/new")
            #expect(found.status == 200, "\(found.text)")
            let slots = Self.slots(found)
            // Beside the dentist there is nowhere to go.
            let best = try #require(slots.first)
            #expect(best.hasPrefix(CalendarTown.day), "\(slots)")
            #expect(found.text.contains("no detour"))
            #expect(try await town.entries(of: visitor).count == 1)
            let taken = try await visitor.change("/calendar/new", ["slot": best], shown: found)
            #expect(taken.status == 200 && !taken.hasConflict)
            let times = best.split(separator: " ")
            #expect(taken.entryFields["start"] == String(times[1]))
            #expect(taken.entryFields["end"] == String(times[2]))
            let saved = try await visitor.change("/calendar/new", [:], shown: taken)
            #expect(!(try await visitor.follow(saved).hasConflict))
        }
    }

    @Test("a day that is too full is left out")
    func full() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            try await visitor.add(CalendarTown.event("Fair", "08:00", "19:30", at: 500))
            let found = try await visitor.submit(Self.review + ["find": "yes"], on: "/calendar/new")
            let slots = Self.slots(found)
            #expect(!slots.isEmpty && !slots.contains { $0.hasPrefix(CalendarTown.day) })
            let wrong = try await visitor.submit(
                Self.review + ["slot": "soon"],
                on: "/calendar/new"
            )
            #expect(wrong.status == 422 || wrong.status == 400)
        }
    }
}
