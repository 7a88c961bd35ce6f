import Agenda
import Testing
import WebTestSupport

/// V36, ST6: templates keep how one travels to a kind of appointment.
@Suite("Templates", .serialized)
struct TemplateTests {
    private static func person(_ town: RideTown) async throws -> Visitor {
        let visitor = try await town.passenger()
        let settings = CalendarTown.base(at: 0) + ["means": "transit"]
        _ = try await visitor.submit(settings, on: "/calendar/settings")
        return visitor
    }

    private static func save(
        _ visitor: Visitor,
        _ fields: [String: String],
        on page: String = "/calendar/template"
    ) async throws -> Visitor.Answer {
        try await visitor.submit(fields + ["belongs": "unsaid"], on: page)
    }

    @Test("ST6: an activity made with a template travels as it says")
    func obeyed() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let sent = try await Self.save(
                visitor,
                ["name": "sport", "means": "walk", "lead": "20", "category": "sport"]
            )
            #expect(
                sent.header("location") == "/calendar/templates?notice=template",
                "\(sent.text)"
            )
            let list = try await visitor.follow(sent).text
            #expect(list.contains("<b>sport</b>") && list.contains("On foot"))
            let form = try await visitor.get("/calendar/new").text
            #expect(form.contains("<option value=\"sport\">sport</option>"))
            try await visitor.add(
                CalendarTown.event("Gym", "15:00", "16:00", at: 1_900) + ["template": "sport"]
            )
            let details = try await town.details(of: visitor)
            #expect(details.template == "sport" && details.means == [.walk])
            #expect(details.leadMinutes == 20 && details.category == .sport)
            // 1.9 km on foot take 24 minutes; one is there 25 minutes early.
            #expect(try await visitor.day().contains("Leave at 14:1"))
        }
    }

    @Test("ST6: editing one asks whether what was made with it follows, and obeys the answer")
    func follows() async throws {
        try await CalendarTown.open { town in
            for follows in [true, false] {
                let visitor = try await town.passenger(follows ? "pia" : "ugo")
                _ = try await Self.save(visitor, ["name": "work", "means": "walk"])
                try await visitor.add(
                    CalendarTown.event("Desk", "09:00", "17:00") + ["template": "work"]
                )
                let change = ["name": "office", "means": "transit"]
                let asked = try await Self.save(
                    visitor,
                    change,
                    on: "/calendar/template?name=work"
                )
                #expect(asked.status == 422)
                #expect(asked.text.contains("One event was made with it. What about that one?"))
                let sent = try await visitor.submit(
                    change + ["belongs": "unsaid", "follow": follows ? "yes" : "no"],
                    on: "/calendar/template?name=work"
                )
                #expect(sent.status == 303, "\(sent.text)")
                let details = try await town.details(of: visitor)
                #expect(details.means == (follows ? [.transit] : [.walk]))
                #expect(details.template == (follows ? "office" : "work"))
            }
        }
    }

    @Test("names are unique and not empty; a deleted template leaves its events as they are")
    func edges() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            #expect(try await Self.save(visitor, ["name": " "]).status == 422)
            _ = try await Self.save(visitor, ["name": "work", "means": "walk"])
            let twice = try await Self.save(visitor, ["name": "work"])
            #expect(
                twice.status == 422 && twice.problem("name") == "Another template has this name."
            )
            try await visitor.add(
                CalendarTown.event("Desk", "09:00", "17:00") + ["template": "work"]
            )
            let deleted = try await visitor.submit(
                ["former": "work"],
                on: "/calendar/template?name=work",
                to: "/calendar/template/delete"
            )
            #expect(deleted.status == 303)
            #expect(try await town.details(of: visitor).means == [.walk])
            #expect(try await visitor.get("/calendar/template?name=work").status == 404)
        }
    }
}
