import Agenda
import Foundation
import TestClock
import Testing
import WebApp
import WebTestSupport

/// What becomes of an entry that is saved: the day with its journeys, or a warning before (V22,
/// V23, V28, V44 to V46, V50).
@Suite("Saving an entry", .serialized)
struct EntrySavingTests {
    @Test("V22, V44: an event is stored, and its day says when to leave for it")
    func event() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let base = try await visitor.submit(
                CalendarTown.base(at: 0),
                on: "/calendar/settings"
            )
            #expect(base.header("location") == "/calendar?notice=settings")
            let fields = CalendarTown.event("Design review", "10:00", "11:00", at: 1_900)
            // Before anything is stored the form says whether it is reachable.
            let checked = try await visitor.submit(fields + ["check": "yes"], on: "/calendar/new")
            let promised = try #require(
                checked.text.firstMatch(of: /Reachable: leave at (09:\d\d)\./)?.1
            )
            #expect(checked.status == 200)
            #expect(try await town.entries(of: visitor).isEmpty)
            try await visitor.add(fields)
            let page = try await visitor.day()
            #expect(page.contains("Saturday 16 January") && page.contains("Design review"))
            #expect(page.contains("<time>10:00</time>–<time>11:00</time>"))
            let leave = try #require(page.range(of: "Leave at \(promised)"))
            let title = try #require(page.range(of: ">Design review</a>"))
            let back = try #require(page.range(of: "Leave at 11:"))
            #expect(leave.lowerBound < title.lowerBound)
            #expect(title.lowerBound < back.lowerBound)
            // The journey leads to its steps, and the map shows it.
            let journey = try #require(page.firstMatch(of: /<a href="(\/plan\/[^"]+)"/)?.1)
            let steps = try await visitor.get(String(journey).replacing("&amp;", with: "&"))
            #expect(steps.status == 200 && steps.text.contains("Leave at \(promised)"))
            #expect(page.contains("data-line"))
            let map = try await visitor.get("\(CalendarTown.page)/map.svg")
            #expect(map.status == 200 && map.text.contains("<svg"))
        }
    }

    @Test("V41: on the day itself the page begins with when to leave next, then with the arrival")
    func nextStep() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            let today = "2027-01-15"
            try await visitor.add(
                CalendarTown.event("Lesson", "11:00", "12:00", at: 1_900, on: today)
            )
            // By foot it takes some 25 minutes, and ten are left to wait.
            let early = try await visitor.get("/calendar").text
            let leave = try #require(
                early.firstMatch(of: /class="next-step"[^>]*><b>Leave at (10:\d\d)</)?.1
            )
            #expect(early.contains("for Lesson"))
            town.site.clock.advance(seconds: 3_600)
            let soon = try await visitor.get("/calendar").text
            let minutes = try #require(Int(leave.suffix(2)))
            #expect(soon.contains("Leave in \(minutes) minutes"))
            #expect(soon.contains("\(leave) · for Lesson"))
            town.site.clock.advance(seconds: Int64(minutes) * 60 + 60)
            #expect(try await visitor.get("/calendar").text.contains("On the way: you arrive at"))
            town.site.clock.advance(seconds: 3_600)
            let during = try await visitor.get("/calendar").text
            #expect(during.contains("Leave in ") && during.contains("to Corso Lungo"))
            // Another day has no next step.
            #expect(!(try await visitor.day()).contains("next-step"))
        }
    }

    @Test("V23: a task is placed within its window, between what is fixed")
    func task() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Morning", "12:00", "13:00", at: 0))
            try await visitor.add(CalendarTown.event("Afternoon", "13:45", "15:00", at: 0))
            let lunch = CalendarTown.task("Lunch", "12:30", "14:30", minutes: 30, at: 100)
            let checked = try await visitor.submit(lunch + ["check": "yes"], on: "/calendar/new")
            let fits = try #require(
                checked.text.firstMatch(of: /It fits from (13:\d\d) to (13:\d\d)/)
            )
            try await visitor.add(lunch)
            let page = try await visitor.day()
            #expect(page.contains("<time>\(fits.1)</time>–<time>\(fits.2)</time>"))
            #expect(page.contains("30 min, any time from 12:30 to 14:30"))
            #expect(!page.contains("notice warn conflict"))
            let order = ["Morning", "Lunch", "Afternoon"].compactMap {
                page.range(of: ">\($0)</a>")?.lowerBound
            }
            #expect(order.count == 3 && order == order.sorted())
        }
    }

    @Test("V24: a task is shortened to its least time where the day needs it")
    func shortened() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Morning", "12:00", "13:00"))
            try await visitor.add(CalendarTown.event("Afternoon", "13:20", "15:00"))
            let lunch = CalendarTown.task("Lunch", "12:30", "14:00", minutes: 30)
            let warned = try await visitor.submit(lunch, on: "/calendar/new")
            #expect(warned.hasConflict && warned.text.contains("There is no time for “Lunch”"))
            try await visitor.add(lunch + ["least": "15"])
            #expect(try await visitor.day().contains("<time>13:00</time>–<time>13:20</time>"))
        }
    }

    @Test("V38: a task without a date is in the list, and on no day")
    func undated() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let sent = try await visitor.submit(
                ["title": "Passport", "timing": "someday"],
                on: "/calendar/new"
            )
            #expect(sent.header("location") == "/calendar/list?notice=added")
            #expect(try await visitor.follow(sent).text.contains("Passport"))
            #expect(try await visitor.get("/calendar").text.contains("Nothing planned"))
        }
    }

    @Test("V28: an event at a place is refused while another one is, which is named")
    func overlap() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Dentist", "10:00", "11:00", at: 100))
            let other = CalendarTown.event("Review", "10:30", "11:30", at: 1_900)
            for fields in [other, other + ["anyway": "yes"], other + ["check": "yes"]] {
                let refused = try await visitor.submit(fields, on: "/calendar/new")
                #expect(refused.status == 422)
                #expect(refused.text.contains("“Dentist” is at the same time:"))
                #expect(refused.text.contains("10:00 to 11:00. Choose another time."))
                #expect(!refused.text.contains("Save anyway"))
                #expect(refused.entryFields["title"] == "Review")
            }
            #expect(try await town.entries(of: visitor).count == 1)
            // What lasts and may overlap is stored beside one without a place.
            let lasting = CalendarTown.event("Fair", "09:00", "18:00")
            try await visitor.add(lasting + ["overlapping": "overlappable"])
            #expect(!(try await visitor.day()).contains("notice warn conflict"))
        }
    }

    @Test("V28: years ahead, and with the next occurrence of a series too")
    func overlapLater() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let far = CalendarTown.event("Congress", "10:00", "11:00", at: 100, on: "2028-05-05")
            try await visitor.add(far)
            let other = CalendarTown.event("Review", "10:30", "11:30", at: 900, on: "2028-05-05")
            let refused = try await visitor.submit(other, on: "/calendar/new")
            #expect(refused.text.contains("“Congress” is at the same time:"))
            try await visitor.add(
                CalendarTown.event("Lesson", "18:00", "19:00", at: 100, on: "2027-01-26")
            )
            let series = CalendarTown.event("Course", "18:30", "20:00", at: 900, on: "2027-01-19")
            let weekly = try await visitor.submit(
                series + ["repeat": "weekly"],
                on: "/calendar/new"
            )
            #expect(weekly.status == 422 && weekly.text.contains("“Lesson” is at the same time:"))
        }
    }

    @Test("V27: a trip of one's own takes its time, and no journey is planned to it")
    func transfer() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Review", "08:00", "09:00", at: 0))
            let train = CalendarTown.event("Train", "09:05", "11:00", at: 1_900)
            try await visitor.add(train + ["overlapping": "transfer"])
            #expect(!(try await visitor.day()).contains("Leave at"))
            let other = CalendarTown.event("Call", "10:00", "10:30")
            #expect(try await visitor.submit(other, on: "/calendar/new").status == 422)
        }
    }

    @Test("V37: who wants to be early leaves earlier by so much")
    func lead() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            let fields = CalendarTown.event("Exam", "15:00", "16:00", at: 500) + ["check": "yes"]
            func minute(_ fields: [String: String]) async throws -> Int {
                let page = try await visitor.submit(fields, on: "/calendar/new").text
                let time = try #require(page.firstMatch(of: /leave at (\d\d):(\d\d)/))
                return (Int(time.1) ?? 0) * 60 + (Int(time.2) ?? 0)
            }
            let usual = try await minute(fields)
            #expect(try await minute(fields + ["lead": "20"]) == usual - 20)
        }
    }

    @Test("V71: an entry's own means of travel take the place of those of the settings")
    func means() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("First", "10:00", "11:00", at: 100))
            let second = CalendarTown.event("Second", "11:15", "12:00", at: 1_900)
            let warned = try await visitor.submit(second + ["means": "walk"], on: "/calendar/new")
            #expect(warned.hasConflict)
            // The warning names the preference (V50).
            let named = "Only the means of transport that you chose for it are in the way."
            #expect(warned.text.contains(named), "\(warned.text)")
            let anyMeans = try #require(
                warned.repairs.first { $0.words.contains("Second: travel by any means") },
                "\(warned.repairs)"
            )
            let sent = try await visitor.change(
                "/calendar/new",
                ["repair": anyMeans.value],
                shown: warned
            )
            #expect(!(try await visitor.follow(sent)).hasConflict)
            let entries = try await town.entries(of: visitor)
            let details = entries.last?.details(of: nil, zone: town.site.installation.agenda.zone)
            #expect(details?.title == "Second" && details?.means == nil)
        }
    }
}
