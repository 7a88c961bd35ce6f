import Testing
import WebTestSupport

/// Issue 33, 1 and 3: hours of modes, and why a mode has no trip (V72).
@Suite("Modes without a trip", .serialized)
struct MissingModesTests {
    /// Cycling at a time, but not at night.
    private static func night(_ time: String) -> [String: String] {
        [
            "options": "yes", "means": "bicycle", "avoid": "bike", "avoid-from": "20:00",
            "avoid-to": "07:00", "relax": "none",
            "when": "leave", "date": "2027-01-15", "time": time,
        ]
    }

    @Test("a mode is left out in its hours and no others, and both languages say why (V72)")
    func hours() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let day = try await TravelTown.ask(visitor, Self.night("12:00"))
            let open = try await visitor.get(day).text
            #expect(open.contains("<small>Own bicycle</small>"))
            #expect(!open.contains("Not offered"))
            let path = try await TravelTown.ask(visitor, Self.night("06:30"))
            let closed = try await visitor.get(path).text
            #expect(closed.contains("<h2>Not offered</h2>"))
            #expect(closed.contains("<li>Own bicycle: not between 20:00 and 07:00</li>"))
            let other = town.site.visitor()
            other.language = "it"
            let italian = try await other.get(path).text
            #expect(italian.contains("<li>Bici propria: non tra le 20:00 e le 07:00</li>"))
            // The form keeps the rule.
            #expect(closed.contains("value=\"20:00\"") && closed.contains("value=\"07:00\""))
        }
    }

    @Test("hours that are none are refused beside their field")
    func badHours() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            var fields = TravelTown.form.merging(Self.night("12:00")) { $1 }
            fields["avoid-to"] = "20:00"
            let answer = try await visitor.submit(fields, on: "/plan")
            #expect(answer.status == 422)
            #expect(answer.text.contains("Enter two different times"))
        }
    }

    @Test("without feeds, the form offers neither shared vehicles nor rules about rain")
    func noFeeds() async throws {
        try await TravelTown.open { town in
            let page = try await town.site.visitor().get("/plan").text
            #expect(!page.contains("name=\"wet\"") && !page.contains("name=\"rain\""))
            #expect(!page.contains(/name="means"[^>]*value="bikeshare"/))
            #expect(page.contains(/name="means"[^>]*value="bicycle"/))
        }
    }
}
