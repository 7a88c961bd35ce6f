import Agenda
import Testing
import WebTestSupport

/// What is typed in the form of an entry, and what is said of it (V19 to V21, V30, V33).
@Suite("The form of an entry", .serialized)
struct EntryFormTests {
    @Test("it asks for title, time, place, repetition, category, travel and notes (V19)")
    func fields() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let page = try await visitor.get("/calendar/new?day=\(CalendarTown.day)")
            #expect(page.status == 200)
            for field in [
                "title", "timing", "day", "start", "end", "minutes", "least", "place", "repeat",
                "piece", "days", "times", "until", "last", "category", "belongs", "lead", "means",
                "overlapping", "notes",
            ] {
                #expect(page.text.contains("name=\"\(field)\""), "\(field)")
            }
            #expect(page.entryFields["day"] == CalendarTown.day)
            #expect(page.entryFields["start"] == "09:00")
            // Today it begins with the next hour.
            #expect(try await visitor.get("/calendar/new").entryFields["start"] == "10:00")
            #expect(page.text.contains("calendar.css"))
        }
    }

    @Test("V20, V30: what is wrong is said beside its field, and what was typed stays")
    func errors() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let right = CalendarTown.event("Review", "10:00", "11:00") + ["notes": "Two\nlines"]
            let task = CalendarTown.task("Errand", "10:00", "11:00", minutes: 20)
            for (fields, field, words) in [
                (right + ["title": " "], "title", "Enter a title."),
                (right + ["title": "a\u{2028}b"], "title", "one line of 200"),
                (right + ["title": String(repeating: "x", count: 201)], "title", "200 characters"),
                (right + ["day": "soon"], "day", "Enter a date."),
                (right + ["day": ""], "day", "Enter a date."),
                (right + ["day": "2027-02-30"], "day", "Enter a date."),
                (right + ["start": "late"], "start", "Enter a time such as 08:30."),
                (right + ["end": "24:61"], "end", "Enter a time such as 08:30."),
                (right + ["end": "10:00"], "end", "It ends before it begins."),
                (right + ["day": "2027-01-15", "start": "08:59"], "start", "has passed"),
                (right + ["last": "2027-01-15"], "end", "It ends before it begins."),
                (right + ["last": "never"], "last", "Enter a date."),
                (right + ["last": "2027-01-24"], "end", "at most seven days"),
                (right + ["place": "Zzyzx 1"], "place", "We don't know this place."),
                (right + ["place": String(repeating: "x", count: 201)], "place", "200 characters"),
                (right + ["lead": "721"], "lead", "Enter up to 720 minutes."),
                (right + ["lead": "soon"], "lead", "Enter a whole number of minutes."),
                (right + ["notes": String(repeating: "x", count: 4_001)], "notes", "4,000"),
                (right + ["repeat": "daily", "until": "2027-01-15"], "until", "before the first"),
                (right + ["repeat": "daily", "until": "x"], "until", "Enter a date."),
                (
                    right + ["repeat": "daily", "last": "2027-01-18"], "repeat",
                    "begin again before it has ended"
                ),
                (task + ["minutes": "61"], "minutes", "longer than the interval"),
                (task + ["minutes": ""], "minutes", "Enter a whole number of minutes."),
                (task + ["minutes": "-5"], "minutes", "longer than the interval"),
                (task + ["least": "21"], "least", "The shortest duration must be between"),
                (task + ["least": "0"], "least", "The shortest duration must be between"),
                (task + ["overlapping": "overlappable"], "overlapping", "Only events at a set"),
                (task + ["piece": "21"], "piece", "no longer than the whole"),
                (task + ["piece": "0"], "piece", "at least a minute"),
                (task + ["piece": "half"], "piece", "Enter a whole number of minutes."),
                (right + ["repeat": "times_a_week", "times": "3"], "repeat", "enter a window"),
                (task + ["repeat": "times_a_week", "times": ""], "times", "from 1 to 7"),
                (task + ["repeat": "times_a_week", "times": "8"], "times", "from 1 to 7"),
                (
                    task + ["repeat": "times_a_week", "times": "1", "until": "2027-01-17"], "until",
                    "before the first"
                ),
            ] {
                let answer = try await visitor.submit(fields, on: "/calendar/new")
                #expect(answer.status == 422, "\(field): \(words)")
                let problem = answer.problem(field)
                #expect(problem?.contains(words) == true, "\(field): \(problem ?? "nothing")")
                // The list of what is wrong leads to the field.
                #expect(answer.text.contains("href=\"#field-\(field)\""), "\(field)")
                let shown = answer.entryFields
                for (name, value) in fields where name != "place-choice" {
                    let typed = value.trimmingPrefix(" ")
                    #expect(shown[name] ?? "" == String(typed), "\(field): \(name)")
                }
            }
            #expect(try await town.entries(of: visitor).isEmpty)
        }
    }

    @Test("V33: of several places one is chosen, and its position is not asked for again")
    func places() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let typed = CalendarTown.event("Review", "10:00", "11:00") + ["place": "Bar Centrale"]
            let several = try await visitor.submit(typed, on: "/calendar/new")
            #expect(several.status == 422)
            #expect(several.problem("place-choice") == "Choose one of these places.")
            let choice = try #require(
                several.text.firstMatch(of: /name="place-choice"\s+value="([^"]+)"/)
            )
            let sent = try await visitor.change(
                "/calendar/new",
                ["place-choice": String(choice.1)],
                shown: several.confirmed
            )
            #expect(sent.header("location") == "\(CalendarTown.page)?notice=added")
            let details = try await town.details(of: visitor)
            #expect(details.place?.position != nil)
            #expect(details.place?.name.hasPrefix("Bar Centrale") == true)
        }
    }

    @Test("a date far away is refused beside its field, as no page shows that day")
    func years() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            for year in ["0001", "1899", "2200", "9999"] {
                #expect(try await visitor.get("/calendar/day/\(year)-12-31").status == 404)
                for path in ["/calendar/new?day=", "/calendar/list?from="] {
                    #expect(try await visitor.get("\(path)\(year)-12-31").status == 200)
                }
                let fields = CalendarTown.event("Far", "10:00", "11:00", on: "\(year)-12-31")
                let answer = try await visitor.submit(fields, on: "/calendar/new")
                #expect(answer.status == 422, "\(year)")
                #expect(answer.problem("day") == "Enter a date.", "\(year)")
            }
            let first = CalendarTown.event("Far", "10:00", "11:00")
            for name in ["last", "until"] {
                let fields = first + [name: "9999-12-31", "repeat": "weekly"]
                let answer = try await visitor.submit(fields, on: "/calendar/new")
                #expect(answer.status == 422 && answer.problem(name) != nil, "\(name)")
            }
            #expect(try await town.entries(of: visitor).isEmpty)
            for day in ["2026-02-30", "soon", "1", "2026-1-1", "%00"] {
                let status = try await visitor.get("/calendar/day/\(day)").status
                #expect((400...404).contains(status), "\(day): \(status)")
            }
        }
    }

    @Test("markup in a title, a place or notes is text on every page")
    func markup() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let title = "<script>alert(\"1\")</script> & 'so on'"
            let fields = CalendarTown.event(title, "10:00", "11:00")
            let path = try await visitor.add(fields + ["notes": "</textarea><b>bold</b>"])
            _ = try await visitor.submit(
                CalendarTown.event("<i>x</i>", "10:30", "11:30") + ["place": "<b>nowhere</b>"],
                on: "/calendar/new"
            )
            for page in [path, "\(path)/delete", "/calendar/list", CalendarTown.page] {
                let answer = try await visitor.get(page)
                #expect(answer.status == 200, "\(page)")
                #expect(!answer.text.contains("<script>alert"), "\(page)")
                #expect(!answer.text.contains("<b>bold"), "\(page)")
                #expect(answer.text.contains("&lt;script&gt;alert"), "\(page)")
            }
            #expect(try await visitor.get(path).entryFields["title"] == title)
            #expect(try await visitor.get(path).entryFields["notes"] == "</textarea><b>bold</b>")
            // In a warning and a refusal too.
            let refused = try await visitor.submit(fields, on: "/calendar/new")
            #expect(refused.status == 422 && !refused.text.contains("<script>alert"))
        }
    }
}

extension Visitor.Answer {
    /// The same page as if it had been answered with 200.
    fileprivate var confirmed: Visitor.Answer {
        var answer = self
        answer.status = 200
        return answer
    }
}
