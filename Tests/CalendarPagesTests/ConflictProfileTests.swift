import Agenda
import Testing
import WebTestSupport

/// The setting `calendar.rules`: what each requirement document lets overlap, and what becomes of
/// an entry that may not (1.12, a and c; V25 to V28, V32, A8).
@Suite("Rules of calendars", .serialized)
struct ConflictProfileTests {
    private static let dentist = CalendarTown.event("Dentist", "10:00", "11:00", at: 100)
    private static let review = CalendarTown.event("Review", "10:30", "11:30", at: 1_900)
    private static let call = CalendarTown.event("Call", "10:00", "11:00")
    private static let chat = CalendarTown.event("Chat", "10:30", "11:30")
    private static let fair =
        CalendarTown.event("Fair", "09:00", "18:00", at: 100) + ["overlapping": "overlappable"]

    @Test(
        "who is refused is not offered to save anyway, and who is warned is",
        arguments: [
            ("usual", true), ("s2", false), ("s3", true), ("s4", true),
        ]
    )
    func policy(profile: String, isRefused: Bool) async throws {
        try await CalendarTown.open(["calendar.rules": profile]) { town in
            let visitor = try await town.passenger()
            try await visitor.add(Self.dentist)
            let answer = try await visitor.submit(Self.review, on: "/calendar/new")
            #expect(answer.status == (isRefused ? 422 : 200), "\(answer.text)")
            #expect(answer.text.contains("Save anyway") == !isRefused)
            #expect(answer.hasConflict == !isRefused)
            #expect(answer.text.contains("“Dentist” is at the same time:") == isRefused)
            let again = try await visitor.submit(
                Self.review + ["anyway": "yes"],
                on: "/calendar/new"
            )
            #expect(again.status == (isRefused ? 422 : 303), "\(again.text)")
            #expect(try await town.entries(of: visitor).count == (isRefused ? 1 : 2))
        }
    }

    @Test(
        "two events without a place are at the same time under S3 alone, and its plan works out",
        arguments: [("usual", false), ("s2", false), ("s3", true), ("s4", false)]
    )
    func unlocated(profile: String, mayOverlap: Bool) async throws {
        try await CalendarTown.open(["calendar.rules": profile]) { town in
            let visitor = try await town.passenger()
            try await visitor.add(Self.call)
            let answer = try await visitor.submit(Self.chat, on: "/calendar/new")
            #expect((answer.status == 303) == mayOverlap, "\(answer.text)")
            guard mayOverlap else { return }
            let page = try await visitor.follow(answer)
            #expect(!page.hasConflict && page.text.contains(">Chat</a>"), "\(page.text)")
        }
    }

    @Test(
        "what may overlap is not refused at the place of another event under S4, nor under S2",
        arguments: [("usual", true), ("s2", false), ("s3", true), ("s4", false)]
    )
    func overlappable(profile: String, isRefused: Bool) async throws {
        try await CalendarTown.open(["calendar.rules": profile]) { town in
            let visitor = try await town.passenger()
            try await visitor.add(Self.dentist)
            let answer = try await visitor.submit(
                Self.fair + ["anyway": "yes"],
                on: "/calendar/new"
            )
            #expect(answer.status == (isRefused ? 422 : 303), "\(answer.text)")
        }
    }

    @Test(
        "A8: under S2 nobody leaves for a task before its window opens",
        arguments: [("usual", true), ("s2", false)]
    )
    func window(profile: String, fits: Bool) async throws {
        try await CalendarTown.open(["calendar.rules": profile]) { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            // It takes 25 minutes on foot, so that half an hour there fits only if one leaves
            // before noon.
            let lunch = CalendarTown.task("Lunch", "12:00", "12:45", minutes: 30, at: 1_900)
            let answer = try await visitor.submit(lunch + ["check": "yes"], on: "/calendar/new")
            #expect(answer.hasConflict == !fits, "\(answer.text)")
            #expect(answer.text.contains("It fits from") == fits)
        }
    }
}
