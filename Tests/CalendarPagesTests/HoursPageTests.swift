import Agenda
import Identity
import Testing
import WebApp
import WebTestSupport

/// V70, V72: the hours in which a person does not use some means.
@Suite("Hours and rain of the calendar", .serialized)
struct HoursPageTests {
    @Test("V72: an hour is kept, planned with, shown and removed; a malformed one is refused")
    func hours() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Breakfast", "10:00", "11:00", at: 100))
            try await visitor.add(CalendarTown.event("Design review", "11:20", "12:00", at: 1_900))
            let usual = try await visitor.get(CalendarTown.page).text
            #expect(usual.contains("Leave at"))
            let page = try await visitor.get("/calendar/settings").text
            #expect(page.contains("href=\"/calendar/hours\""))

            var settings = try await town.settings(of: visitor)
            settings.relaxed = "none"
            try await town.keep(settings, of: visitor)
            let wrong = ["avoid": "metro", "avoid-from": "11:00", "avoid-to": "11:00"]
            let refused = try await visitor.submit(wrong, on: "/calendar/hours")
            #expect(refused.status == 422 && refused.problem("avoid-from") != nil)
            let alone = ["avoid": "", "avoid-from": "11:00", "avoid-to": "12:00"]
            #expect(
                try await visitor.submit(alone, on: "/calendar/hours").problem("avoid") != nil
            )
            for mode in ["metro", "bus"] {
                let rule = ["avoid": mode, "avoid-from": "10:30", "avoid-to": "12:30"]
                let kept = try await visitor.submit(rule, on: "/calendar/hours")
                #expect(kept.header("location") == "/calendar/hours?notice=saved", "\(kept.text)")
            }
            let shown = try await visitor.get("/calendar/hours").text
            #expect(shown.contains("not between 10:30 and 12:30"), "\(shown)")
            let without = try await visitor.get(CalendarTown.page).text
            #expect(without.contains("in time after"), "\(without)")
            // V52: who gives up hours rides all the same, and the journey says what it exceeds.
            var relaxing = try await town.settings(of: visitor)
            relaxing.relaxed = "avoid"
            try await town.keep(relaxing, of: visitor)
            let ridden = try await visitor.get(CalendarTown.page).text
            #expect(!ridden.contains("in time after"), "\(ridden)")
            #expect(ridden.contains("it exceeds: the hours of means of transport."))
            #expect(ridden.contains("not between 10:30 and 12:30"), "\(ridden)")
            relaxing.relaxed = "none"
            try await town.keep(relaxing, of: visitor)

            let removed = try await visitor.submit(
                ["rule": "bus@10:30-12:30"],
                on: "/calendar/hours",
                to: "/calendar/hours/remove"
            )
            #expect(removed.status == 303)
            let again = try await visitor.get(CalendarTown.page).text
            #expect(again.contains("Leave at") && !again.contains("in time after"))
        }
    }
}
