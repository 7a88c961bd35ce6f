import Agenda
import Storage
import TestClock
import Testing
import WebApp
import WebTestSupport

/// Editing and deleting (V26, V30, V31, V43; scenario ST11).
@Suite("Changing an entry", .serialized)
struct EntryChangingTests {
    @Test("V26, V30, V43: everything may be edited, and the page says that it is saved")
    func edit() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let path = try await visitor.add(
                CalendarTown.event("Review", "10:00", "11:00", at: 500)
            )
            let renamed = try await visitor.change(path, ["title": "Design review"])
            #expect(renamed.header("location") == "\(CalendarTown.page)?notice=changed")
            #expect(try await visitor.follow(renamed).text.contains("Your changes are saved."))
            let moved = try await visitor.change(
                path,
                ["day": "2027-01-18", "start": "15:00", "end": "16:30"]
            )
            #expect(moved.header("location") == "/calendar/day/2027-01-18?notice=changed")
            #expect(try await visitor.day().contains("Nothing planned"))
            _ = try await visitor.change(
                path,
                [
                    "category": "meeting", "belongs": "work", "notes": "Bring the plans",
                    "place": RideTown.typed(900), "lead": "20", "overlapping": "overlappable",
                ]
            )
            let details = try await town.details(of: visitor)
            #expect(details.title == "Design review" && details.notes == "Bring the plans")
            #expect(details.category == .meeting && details.isWork == true)
            #expect(details.leadMinutes == 20 && details.exclusivity == .overlappable)
            #expect(details.place?.position == RideTown.place(900))
            let day = try await visitor.day("2027-01-18")
            #expect(day.contains("<time>15:00</time>–<time>16:30</time>"))
            // Retyped from work to personal, and back to an event at no place.
            _ = try await visitor.change(path, ["belongs": "personal", "place": ""])
            #expect(try await town.details(of: visitor).isWork == false)
            #expect(try await town.details(of: visitor).place == nil)
        }
    }

    @Test("an event becomes a task with a window, a task without a date, and an event again")
    func kinds() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let path = try await visitor.add(CalendarTown.event("Gym", "18:00", "21:00"))
            let window = try await visitor.change(path, ["timing": "flexible", "minutes": "60"])
            let page = try await visitor.follow(window).text
            #expect(page.contains("1 h, any time from 18:00 to 21:00"))
            let undated = try await visitor.change(path, ["timing": "someday"])
            #expect(undated.header("location") == "/calendar/list?notice=changed")
            let dated = CalendarTown.event("Gym", "19:00", "20:00")
            let fixed = try await visitor.change(path, dated)
            #expect(fixed.header("location") == "\(CalendarTown.page)?notice=changed")
            #expect(try await visitor.day().contains("<time>19:00</time>–<time>20:00</time>"))
        }
    }

    @Test("V20: what is over may be described, but nothing is moved into the past")
    func past() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let path = try await visitor.add(CalendarTown.event("Review", "10:00", "11:00"))
            let back = try await visitor.change(path, ["day": "2027-01-14"])
            #expect(back.status == 422 && back.problem("start")?.contains("has passed") == true)
            #expect(back.entryFields["day"] == "2027-01-14")
            town.site.clock.advance(seconds: 3 * 86_400)
            let again = try await town.site.signedIn("pia")
            let noted = try await again.change(path, ["notes": "It went well"])
            #expect(noted.status == 303)
            #expect(try await town.details(of: again).notes == "It went well")
            #expect(try await again.change(path, ["start": "09:00"]).status == 422)
        }
    }

    @Test("V28: an event is not moved to the time of another, nor is a change lost by it")
    func movedOntoAnother() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Dentist", "10:00", "11:00", at: 0))
            let path = try await visitor.add(
                CalendarTown.event("Review", "15:00", "16:00", at: 100)
            )
            let refused = try await visitor.change(
                path,
                ["start": "10:30", "end": "11:30", "notes": "typed"]
            )
            #expect(refused.status == 422 && refused.text.contains("“Dentist”"))
            #expect(refused.entryFields["notes"] == "typed")
            // It is not in its own way.
            #expect(try await visitor.change(path, ["start": "15:30"]).status == 303)
        }
    }

    @Test("V44: a change after which the day does not work out is warned of, and repaired")
    func warned() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Dentist", "10:00", "11:00", at: 0))
            let path = try await visitor.add(
                CalendarTown.event("Review", "15:00", "16:00", at: 1_900)
            )
            let moved = ["start": "11:02", "end": "12:00"]
            let warned = try await visitor.change(path, moved)
            #expect(warned.status == 200 && warned.hasConflict)
            #expect(try await visitor.get(path).entryFields["start"] == "15:00")
            let later = try #require(warned.repairs.first { $0.words.contains("Review: start") })
            let sent = try await visitor.change(path, ["repair": later.value], shown: warned)
            #expect(sent.header("location") == "\(CalendarTown.page)?notice=changed")
            #expect(!(try await visitor.follow(sent)).hasConflict)
            #expect(try await town.entries(of: visitor).count == 2)
        }
    }

    @Test("what was changed meanwhile is not overwritten, and nothing typed is lost")
    func stale() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let path = try await visitor.add(CalendarTown.event("Review", "10:00", "11:00"))
            let old = try await visitor.get(path)
            #expect(try await visitor.change(path, ["title": "Other"]).status == 303)
            let stale = try await visitor.change(
                path,
                ["title": "Mine", "notes": "typed"],
                shown: old
            )
            #expect(stale.status == 422)
            #expect(stale.text.contains("It was changed in the meantime."))
            #expect(stale.entryFields["title"] == "Mine" && stale.entryFields["notes"] == "typed")
            #expect(try await town.details(of: visitor).title == "Other")
            // Who saves again has seen it.
            var seen = stale
            seen.status = 200
            #expect(try await visitor.change(path, [:], shown: seen).status == 303)
            #expect(try await town.details(of: visitor).title == "Mine")
            let revision = try await visitor.post(
                path,
                old.entryFields + ["revision": "soon", "key": "another"]
            )
            #expect(revision.status == 400)
        }
    }

    @Test("V31, V43: an entry is deleted once its owner has confirmed it, once")
    func delete() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let path = try await visitor.add(CalendarTown.event("Review", "10:00", "11:00"))
            #expect(try await visitor.get(path).text.contains("href=\"\(path)/delete\""))
            let asked = try await visitor.get("\(path)/delete")
            #expect(asked.text.contains("“Review” is removed from your calendar."))
            #expect(try await town.entries(of: visitor).count == 1)
            let gone = try await visitor.submit([:], on: "\(path)/delete")
            #expect(gone.header("location") == "\(CalendarTown.page)?notice=deleted")
            #expect(try await visitor.follow(gone).text.contains("Deleted from your calendar."))
            #expect(try await town.entries(of: visitor).isEmpty)
            for page in [path, "\(path)/delete"] {
                #expect(try await visitor.get(page).status == 404)
            }
            let undated = try await visitor.submit(
                ["title": "Passport", "timing": "someday"],
                on: "/calendar/new"
            )
            let list = try await visitor.follow(undated).text
            let other = try #require(list.firstMatch(of: /\/calendar\/entry\/[0-9]+/)?.0)
            let removed = try await visitor.submit([:], on: "\(other)/delete")
            #expect(removed.header("location") == "/calendar/list?notice=deleted")
        }
    }

    @Test("V29: one occurrence is changed or deleted without the others, or all of them")
    func series() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let course = CalendarTown.event("Course", "18:00", "19:00")
            let path = try await visitor.add(course + ["repeat": "weekly"])
            func second() async throws -> String {
                let day = try await visitor.day("2027-01-23")
                let link = try #require(day.firstMatch(of: /\/calendar\/entry\/[0-9]+\?at=[0-9]+/))
                return String(link.0)
            }
            // One alone is renamed and moved.
            let link = try await second()
            let page = try await visitor.get(link)
            #expect(page.text.contains("You are editing only"))
            #expect(page.entryFields["day"] == "2027-01-23" && page.entryFields["repeat"] == nil)
            #expect(
                try await visitor.change(link, ["title": "Exam", "end": "20:00"]).status == 303
            )
            let changed = try await visitor.day("2027-01-23")
            #expect(changed.contains("Exam") && changed.contains("<time>20:00</time>"))
            for day in ["2027-01-16", "2027-01-30"] {
                let other = try await visitor.day(day)
                #expect(other.contains("Course") && !other.contains("Exam"), "\(day)")
            }
            // All together are renamed.
            let all = try await visitor.get(path)
            #expect(all.text.contains("This changes all of them."))
            #expect(try await visitor.change(path, ["title": "Lesson"]).status == 303)
            #expect(try await visitor.day("2027-01-30").contains("Lesson"))
            // One alone is deleted.
            let third = try #require(
                try await visitor.day("2027-01-30").firstMatch(of: /entry\/[0-9]+\?at=([0-9]+)/)?.1
            )
            let asked = try await visitor.get("\(path)/delete?at=\(third)")
            #expect(asked.text.contains("Delete only") && asked.text.contains("Delete all"))
            let gone = try await visitor.submit(["at": String(third)], on: "\(path)/delete")
            #expect(gone.header("location") == "/calendar/day/2027-01-30?notice=deleted")
            #expect(try await visitor.day("2027-01-30").contains("Nothing planned"))
            #expect(try await visitor.day("2027-02-06").contains("Lesson"))
            // It cannot be deleted again, and nothing else goes instead.
            let twice = try await visitor.submit(["at": String(third)], on: "\(path)/delete")
            #expect(twice.status == 404)
            #expect(try await visitor.get("\(path)?at=\(third)").status == 404)
            #expect(try await visitor.submit([:], on: "\(path)/delete").status == 303)
            #expect(try await town.entries(of: visitor).isEmpty)
        }
    }

    @Test("V29, V30, V31: from one day on all are changed or deleted, and those before stay")
    func later() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let course = CalendarTown.event("Course", "18:00", "19:00")
            let path = try await visitor.add(course + ["repeat": "weekly"])
            func link(_ day: String) async throws -> String {
                let page = try await visitor.day(day)
                let found = page.firstMatch(of: /\/calendar\/entry\/[0-9]+\?at=[0-9]+/)
                return String(try #require(found).0)
            }
            let third = try await link("2027-01-30")
            let page = try await visitor.get(third).text
            for words in ["Only this one", "This and later", "All of them"] {
                #expect(page.contains(words))
            }
            // One of them does not repeat: its row says when it ends instead.
            #expect(page.contains("<span>Last day</span> <b>The same day</b>"))
            // From the first one on is all.
            let first = try await link("2027-01-16")
            #expect(!(try await visitor.get(first).text.contains("This and later")))
            #expect(try await visitor.get("\(first)&range=later").status == 404)
            let form = try await visitor.get("\(third)&range=later")
            #expect(form.text.contains("and all later ones") && form.status == 200)
            #expect(form.entryFields["day"] == "2027-01-30")
            #expect(form.entryFields["repeat"] == "weekly")
            let sent = try await visitor.change(
                "\(third)&range=later",
                ["title": "Seminar", "start": "20:00", "end": "21:30"]
            )
            #expect(sent.header("location") == "/calendar/day/2027-01-30?notice=changed")
            for day in ["2027-01-16", "2027-01-23"] {
                let text = try await visitor.day(day)
                #expect(text.contains("Course") && text.contains("<time>18:00</time>"))
                #expect(!text.contains("Seminar"))
            }
            for day in ["2027-01-30", "2027-02-06"] {
                let text = try await visitor.day(day)
                #expect(text.contains("Seminar") && text.contains("<time>21:30</time>"))
                #expect(!text.contains("Course"))
            }
            // Deleting from a day on leaves those before.
            let late = try await link("2027-02-13")
            let number = try #require(late.firstMatch(of: /entry\/([0-9]+)\?at=([0-9]+)/))
            let asked = try await visitor.get("/calendar/entry/\(number.1)/delete?at=\(number.2)")
            #expect(asked.text.contains("and all later ones"))
            let gone = try await visitor.submit(
                ["from": String(number.2)],
                on: "/calendar/entry/\(number.1)/delete"
            )
            #expect(gone.header("location") == "/calendar/day/2027-02-13?notice=deleted")
            #expect(try await visitor.day("2027-02-13").contains("Nothing planned"))
            #expect(try await visitor.day("2027-02-20").contains("Nothing planned"))
            #expect(try await visitor.day("2027-02-06").contains("Seminar"))
            #expect(try await visitor.day("2027-01-16").contains("Course"))
            #expect(try await visitor.get(path).text.contains("This changes all of them."))
            // The page of what has changed meanwhile changes nothing.
            let stale = try await visitor.change("\(third)&range=later", [:], shown: form)
            #expect(stale.status == 404 || stale.status == 422)
            #expect(try await town.entries(of: visitor).count == 2)
        }
    }

    @Test("the hours of a series that has begun change, and its next day is shown")
    func begunSeries() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let course = CalendarTown.event("Course", "18:00", "19:00", at: 500)
            let path = try await visitor.add(course + ["repeat": "weekly"])
            town.site.clock.advance(seconds: 10 * 86_400)
            let again = try await town.site.signedIn("pia")
            let later = try await again.change(path, ["start": "18:30", "end": "19:30"])
            #expect(later.header("location") == "/calendar/day/2027-01-30?notice=changed")
            #expect(try await again.follow(later).text.contains("<time>18:30</time>"))
            let past = try await again.change(path, ["day": "2027-01-14"])
            #expect(past.status == 422 && past.problem("start") != nil)
        }
    }

    @Test("a calendar that is full says so, and nothing typed is lost")
    func full() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Review", "10:00", "11:00"))
            try await town.site.installation.database.write { transaction in
                try transaction.execute(
                    """
                    WITH RECURSIVE line(n) AS (
                        SELECT 1 UNION ALL SELECT n + 1 FROM line WHERE n < \(Agenda.entriesLimit)
                    )
                    INSERT INTO agenda_entry
                        (number, person, revision, uid_key, starts, ends, sealed)
                    SELECT number + n, person, revision + n, randomblob(32), 0, 1, sealed
                    FROM agenda_entry, line LIMIT \(Agenda.entriesLimit - 1)
                    """
                )
                try transaction.execute(
                    "UPDATE agenda SET version = version + \(Agenda.entriesLimit)"
                )
            }
            let refused = try await visitor.submit(
                CalendarTown.event("One more", "15:00", "16:00"),
                on: "/calendar/new"
            )
            #expect(refused.status == 422)
            #expect(refused.text.contains("Your calendar is full."))
            #expect(refused.entryFields["title"] == "One more")
        }
    }

    @Test("who deletes one occurrence of what is no series any more deletes nothing")
    func noSeriesAnyMore() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let course = CalendarTown.event("Course", "18:00", "19:00")
            let path = try await visitor.add(course + ["repeat": "weekly"])
            let day = try await visitor.day("2027-01-23")
            let second = try #require(day.firstMatch(of: /\?at=([0-9]+)/)?.1)
            #expect(try await visitor.change(path, ["repeat": "never"]).status == 303)
            let late = try await visitor.submit(["at": String(second)], on: "\(path)/delete")
            #expect(late.status == 404)
            #expect(try await town.entries(of: visitor).count == 1)
        }
    }

    @Test("a task that has begun is done with one press, and an event never is")
    func done() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let path = try await visitor.add(
                CalendarTown.task("Parcel", "09:00", "19:00", minutes: 15, on: "2027-01-15")
            )
            let later = try await visitor.add(
                CalendarTown.task("Letter", "09:00", "19:00", minutes: 15)
            )
            let event = try await visitor.add(CalendarTown.event("Review", "10:00", "11:00"))
            #expect(!(try await visitor.day()).contains("\(later)/done"))
            let page = try await visitor.get("/calendar")
            #expect(page.text.contains("action=\"\(path)/done\""))
            let sent = try await visitor.submit(
                ["day": "2027-01-15"],
                on: "/calendar",
                to: "\(path)/done"
            )
            #expect(sent.header("location") == "/calendar/day/2027-01-15?notice=done")
            let done = try await visitor.follow(sent).text
            #expect(done.contains("Marked as done.") && done.contains(" Done</span>"))
            #expect(!done.contains("action=\"\(path)/done\""))
            let before = try await town.entries(of: visitor)
            let refused = try await visitor.submit(
                ["day": CalendarTown.day],
                on: "/calendar",
                to: "\(event)/done"
            )
            #expect((400..<500).contains(refused.status))
            #expect(try await town.entries(of: visitor) == before)
        }
    }
}
