import Agenda
import Testing
import WebTestSupport

/// The place of an entry is chosen on a map, without scripts (travlendar.md V33).
@Suite("The place of an entry on a map", .serialized)
struct EntryPointTests {
    private static let typed =
        CalendarTown.event("Review", "10:00", "11:00")
        + ["notes": "Two\nlines \"quoted\"", "lead": "15", "place": "Bar"]

    @Test("V33: the map is moved and pressed, and nothing that was typed is lost or stored")
    func chosen() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let opened = try await visitor.submit(
                Self.typed + ["point": "open"],
                on: "/calendar/new"
            )
            #expect(opened.status == 200 && opened.text.contains("Where is it?"))
            // The picture is a button, and shows the same section.
            #expect(opened.text.contains("/calendar/point/from/map.svg"))
            let picture = try await visitor.get("/calendar/point/from/map.svg")
            #expect(picture.status == 200 && picture.text.contains("<svg"))
            let carried = opened.carried
            #expect(carried["title"] == "Review" && carried["lead"] == "15")
            let closer = try await visitor.post("/calendar/new", carried + ["move": "in"])
            #expect(closer.status == 200)
            let pressed = try await visitor.post(
                "/calendar/new",
                closer.carried + ["point.x": "200", "point.y": "200"]
            )
            #expect(pressed.status == 200 && pressed.text.contains("It is here"))
            let form = try await visitor.post(
                "/calendar/new",
                pressed.carried + ["latitude": "", "longitude": ""]
            )
            #expect(form.status == 200)
            let shown = form.entryFields
            for (name, value) in Self.typed where name != "place" {
                #expect(shown[name] == value, "\(name)")
            }
            let place = try #require(shown["place"])
            #expect(place != "Bar" && !place.isEmpty && shown["place-name"] == place)
            #expect(try await town.entries(of: visitor).isEmpty)
            // What the map gave is stored as it is, and not looked for again.
            let saved = try await visitor.post("/calendar/new", shown)
            #expect(saved.status == 303)
            let entry = try await town.details(of: visitor)
            #expect(entry.place?.name == place && entry.place?.position != nil)
            #expect(entry.notes == Self.typed["notes"])
        }
    }

    @Test("V33: who goes back from the map finds the form as it was")
    func back() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let opened = try await visitor.submit(
                Self.typed + ["point": "open"],
                on: "/calendar/new"
            )
            let form = try await visitor.post("/calendar/new", opened.carried + ["point": "back"])
            #expect(form.status == 200)
            for (name, value) in Self.typed { #expect(form.entryFields[name] == value, "\(name)") }
        }
    }

    @Test("V33: the script's pin gives the place; what is not on earth is refused")
    func pin() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let opened = try await visitor.submit(
                Self.typed + ["point": "open"],
                on: "/calendar/new"
            )
            let carried = opened.carried
            let far = try await visitor.post(
                "/calendar/new",
                carried + ["latitude": "145.0", "longitude": "9.0"]
            )
            #expect(far.status == 400 || far.text.contains("Where is it?"))
            #expect(try await town.entries(of: visitor).isEmpty)
        }
    }
}

extension Visitor.Answer {
    /// The hidden fields of a page, among them what a form carries.
    fileprivate var carried: [String: String] {
        var fields: [String: String] = [:]
        for match in text.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/) {
            fields[String(match.1)] = fields[String(match.1)] ?? Self.plain(match.2)
        }
        return fields
    }
}
