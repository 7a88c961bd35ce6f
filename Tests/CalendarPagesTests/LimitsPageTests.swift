import Agenda
import Identity
import Testing
import WebApp
import WebTestSupport

/// V75: limits of single means are preferences that trips and days keep to.
@Suite("Limits of single means on pages", .serialized)
struct LimitsPageTests {
    private static func limits(of visitor: Visitor, _ town: RideTown) async throws -> [String] {
        let person = try #require(try await town.site.session(of: visitor).person)
        return try await town.site.installation.agenda.settings(of: person).modeLimits
    }

    @Test("V75: a limit is kept, shown, planned with and removed; what is wrong is said")
    func kept() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let settings = try await visitor.get("/calendar/settings").text
            #expect(settings.contains("href=\"/calendar/limits\""))
            let empty = try await visitor.get("/calendar/limits").text
            #expect(empty.contains("selected>Choose one<") && !empty.contains("No further limit"))
            for (fields, field) in [
                (["limit-mode": "", "limit-most": "5"], "limit-mode"),
                (["limit-mode": "", "limit-most": ""], "limit-mode"),
                (["limit-mode": "bike", "limit-most": "far"], "limit-most"),
                (["limit-mode": "bike", "limit-most": "-1"], "limit-most"),
                (["limit-mode": "car", "limit-most": "5", "limit-unit": "money"], "limit-unit"),
            ] {
                let refused = try await visitor.submit(
                    ["limit-unit": "km"] + fields,
                    on: "/calendar/limits"
                )
                #expect(refused.status == 422 && refused.problem(field) != nil, "\(fields)")
            }
            for fields in [
                ["limit-mode": "bike", "limit-most": "0,9", "limit-unit": "km"],
                ["limit-mode": "taxi", "limit-most": "10", "limit-unit": "money"],
            ] {
                let kept = try await visitor.submit(fields, on: "/calendar/limits")
                #expect(kept.header("location") == "/calendar/limits?notice=saved", "\(kept.text)")
            }
            #expect(try await Self.limits(of: visitor, town) == ["bike@900m", "taxi@10.00EUR"])
            let shown = try await visitor.get("/calendar/limits").text
            #expect(shown.contains("at most 900 m") && shown.contains("at most €10.00"), "\(shown)")
            #expect(shown.contains("<a href=\"/calendar/settings\">How you travel</a>"))
            #expect(try await visitor.get("/plan").text.contains("at most 900 m"))

            let base = CalendarTown.base(at: 0) + ["means": "bicycle"]
            #expect(try await visitor.submit(base, on: "/calendar/settings").status == 303)
            try await visitor.add(CalendarTown.event("Review", "12:00", "13:00", at: 1_500))
            let over = try await visitor.day()
            #expect(over.contains("more than 900 m"), "\(over)")
            let removed = try await visitor.submit(
                ["limit": "bike@900m"],
                on: "/calendar/limits",
                to: "/calendar/limits/remove"
            )
            #expect(removed.status == 303)
            #expect(try await Self.limits(of: visitor, town) == ["taxi@10.00EUR"])
            #expect(try await !visitor.day().contains("more than 900 m"))
        }
    }
}
