import CalendarPages
import Identity
import LiveUpdates
import Notify
import Testing
import WebTestSupport

/// Weeks and months (V38), and plans that stay (A17).
@Suite("Views of the calendar", .serialized)
struct CalendarViewTests {
    @Test("V38: a month counts the entries of each day, and leads to the months around")
    func month() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("A", "10:00", "11:00"))
            try await visitor.add(CalendarTown.event("B", "12:00", "13:00"))
            let page = try await visitor.get("/calendar/month/2027-01-03")
            #expect(page.status == 200)
            let text = page.text
            #expect(text.contains("<h1>January 2027</h1>"))
            #expect(text.contains("<th scope=\"col\" abbr=\"Monday\">Mon</th>"))
            #expect(text.matches(of: /<tr>/).count == 6)
            #expect(text.contains(/<b>16<\/b><span class="hidden">, 2 entries/))
            #expect(text.contains(/<b>17<\/b><span class="hidden">, nothing planned/))
            #expect(text.contains("aria-current=\"date\"><b>15</b>"))
            #expect(text.contains("href=\"/calendar/month/2026-12-31\""))
            #expect(text.contains("href=\"/calendar/month/2027-02-01\""))
            // A month of four weeks that begins on a Monday.
            let short = try await visitor.get("/calendar/month/2027-02-14").text
            #expect(short.matches(of: /<tr>/).count == 5)
        }
    }

    @Test("V38: a week shows each entry on its days, from its hour on and as long as it is")
    func week() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Morning", "09:00", "10:30"))
            try await visitor.add(CalendarTown.task("Lunch", "12:00", "14:00", minutes: 30))
            let night = CalendarTown.event("Night train", "22:00", "06:00") + ["last": "2027-01-17"]
            try await visitor.add(night)
            let page = try await visitor.get("/calendar/week/2027-01-13")
            #expect(page.status == 200 && page.text.contains("<h1>Week of 11 January</h1>"))
            let before = try await visitor.get("/calendar/week/2026-12-30").text
            #expect(before.contains("<h1>Week of 28 December 2026</h1>"))
            let text = page.text
            // The hours begin at midnight because of the train: nine is the nineteenth half hour.
            #expect(text.contains("<li>00:00</li><li>01:00</li>"))
            #expect(text.contains(/class="s18 d3"><a class="block other"[^>]*><b>Morning</))
            #expect(text.contains(/class="s44 d4"><a [^>]*><b>Night train</))
            #expect(text.contains(/class="s0 d12"><a [^>]*><b>Night train</))
            #expect(text.contains("href=\"/calendar/week/2027-01-04\""))
            #expect(text.contains("href=\"/calendar/week/2027-01-18\""))
        }
    }

    @Test("V38: a week shows a task where the plan put it, and its window while there is no plan")
    func weekTasks() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            // Nobody has looked at that Tuesday yet, so it has no plan.
            let tuesday = CalendarTown.task("Gym", "18:00", "21:00", minutes: 60, on: "2027-02-02")
            let sent = try await visitor.submit(tuesday, on: "/calendar/new")
            #expect(sent.status == 303)
            let later = try await visitor.get("/calendar/week/2027-02-02").text
            #expect(later.contains(/class="s20 d6"><a class="block other loose"[^>]*><b>Gym</))
            #expect(later.contains("<small>1 h, any time from 18:00 to 21:00</small>"))
            try await visitor.add(CalendarTown.event("Morning", "09:00", "12:00"))
            try await visitor.add(CalendarTown.task("Lunch", "12:00", "14:00", minutes: 30))
            func week() async throws -> String {
                try await visitor.get("/calendar/week/2027-01-13").text
            }
            try await town.site.until("the plan of the day is in the week") {
                try await week().contains(
                    /class="s(8|9|10|11) d1"><a class="block other" [^>]*><b>Lunch<\/b>/
                )
            }
            #expect(!(try await week().contains("loose")))
        }
    }

    @Test("V38: only what overlaps something in a week shares the width of its day")
    func weekWidths() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            // The grid has half hours: the first two meet in that of half past nine.
            try await visitor.add(CalendarTown.event("Review", "09:00", "09:45"))
            try await visitor.add(CalendarTown.event("Call", "09:45", "10:30"))
            try await visitor.add(CalendarTown.event("Coffee", "11:00", "11:30"))
            let text = try await visitor.get("/calendar/week/2027-01-13").text
            #expect(text.contains(/class="s2 d2 of2"><a [^>]*><b>Review</))
            #expect(text.contains(/class="s3 d2 of2"><a [^>]*><b>Call</))
            #expect(text.contains(/class="s6 d1"><a [^>]*><b>Coffee</))
        }
    }

    @Test("V38, V40: a week has the journeys of its planned days, and none to what is gone")
    func weekJourneys() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            let path = try await visitor.add(
                CalendarTown.event("Review", "10:00", "11:00", at: 1_500)
            )
            func week() async throws -> String {
                try await visitor.get("/calendar/week/2027-01-13").text
            }
            // 1.5 km take nineteen minutes, and one is there five minutes early.
            try await town.site.until("the journeys are in the week") {
                try await week().contains(
                    /"s3 d1"><a class="block trip"[^>]*><small data-brief="09:3\d" data-length=/
                )
            }
            #expect(try await week().contains(/class="s6 d1"><a class="block trip"/))
            let sent = try await visitor.submit([:], on: "\(path)/delete")
            #expect(sent.status == 303)
            #expect(!(try await week().contains("for Review")))
        }
    }

    @Test("V38: the list of a full calendar ends with a whole day, and goes on with the next one")
    func list() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            for hour in 10...12 {
                let daily = ["repeat": "daily"]
                try await visitor.add(CalendarTown.event("E", "\(hour):00", "\(hour):30") + daily)
            }
            let page = try await visitor.get("/calendar/list?from=\(CalendarTown.day)").text
            // Of three entries a day, 17 days have more than fifty; these end on 1 February.
            #expect(page.matches(of: /<section class="agenda">/).count == 17)
            // The button that adds an event is above them.
            #expect(page.contains(/<\/h1>\s*<p class="actions"><a class="button primary"/))
            #expect(page.matches(of: /class="row" href="\/calendar\/entry\//).count == 51)
            #expect(page.contains("href=\"/calendar/list?from=2027-02-02\""))
            let next = try await visitor.get("/calendar/list?from=2027-02-02").text
            #expect(next.contains("href=\"/calendar/day/2027-02-02\""))
            #expect(!next.contains("href=\"/calendar/day/2027-02-01\""))
        }
    }

    @Test("A17: a task stays at a time that its owner keeps, and is free again afterwards")
    func pins() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("A", "09:00", "10:00", at: 0))
            try await visitor.add(CalendarTown.task("Shop", "10:00", "16:00", minutes: 30, at: 500))
            func shop() async throws -> String {
                let day = try await visitor.day()
                let card = day.split(separator: "<article").first { $0.contains(">Shop</a>") }
                let time = try #require(card).firstMatch(of: /<time>(\d\d:\d\d)<\/time>/)?.1
                return String(try #require(time))
            }
            let first = try await shop()
            let form = try #require(
                FoundForm.all(in: try await visitor.day(), on: CalendarTown.page)
                    .first { $0.action.hasSuffix("/pin") }
            )
            #expect(form.fields["start"] != nil)
            let kept = try await visitor.post(form.action, form.fields)
            #expect(try await visitor.follow(kept).text.contains("It stays at that time."))
            #expect(try await shop() == first)
            #expect(try await visitor.day().contains("Let it move"))
            // A call before it would move it; kept, it stays.
            try await visitor.add(CalendarTown.event("Call", "15:00", "15:30"))
            #expect(try await shop() == first)
            // Times that no page offered are refused.
            for (name, value) in [
                ("from", "9999999999999"), ("start", "1"), ("entry", "99"), ("start", "x"),
            ] {
                let answer = try await visitor.post(form.action, form.fields + [name: value])
                #expect((400..<500).contains(answer.status), "\(name) \(value)")
            }
        }
    }

    @Test("A17: an entry in the way moves a task, and the page says from when to when")
    func moved() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("A", "09:00", "10:00", at: 0))
            try await visitor.add(CalendarTown.task("Read", "10:00", "16:00", minutes: 60))
            let before = try await visitor.day()
            #expect(!before.contains("had to change"))
            let time = try #require(
                before.split(separator: "<article").first { $0.contains(">Read</a>") }?
                    .firstMatch(of: /<time>(\d\d:\d\d)<\/time>/)?.1
            )
            let hour = try #require(Int(time.prefix(2)))
            let call = CalendarTown.event("Call", "\(hour):10", "\(hour):40")
            try await visitor.add(call)
            let page = try await visitor.day()
            #expect(page.contains("Your calendar or the way you travel changed"))
            #expect(page.contains(/Read: \d\d:\d\d instead of \d\d:\d\d/))
        }
    }

    @Test("V91: what changes on one device refreshes the day on the others, and nobody else's")
    func devices() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let empty = try await visitor.day()
            #expect(empty.contains("id=\"day-plan\" data-live=\"ride calendar\""))
            #expect(empty.contains("id=\"day-state\" data-live=\"calendar\""))
            try await town.site.withEvents(of: visitor) { line in
                _ = try await line.read(to: "event: hello\ndata:\n\n")
                let event = CalendarTown.event("Design review", "10:00", "11:00", at: 1_900)
                _ = try await visitor.submit(event, on: "/calendar/new")
                _ = try await line.read(to: "event: calendar\n")
                #expect(try await visitor.day().contains(">Design review</a>"))
            }
        }
        let product = CalendarLiveProduct()
        #expect(product.topics(for: .visitor).isEmpty)
        #expect(product.topics(for: .guest(PersonNumber(rawValue: 7))).isEmpty)
        let standing = SessionStanding(
            person: PersonNumber(rawValue: 7),
            roles: [],
            mustChangePassword: false
        )
        #expect(product.topics(for: .session(standing)).map(\.name) == ["person/7"])
    }

    @Test("the owner chooses when a task begins; outside its window it is refused with the reason")
    func chosenTime() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.task("Read", "10:00", "16:00", minutes: 60))
            let page = try await visitor.day()
            #expect(page.contains("Choose another time") && page.contains("Keep this time"))
            func choose(_ time: String) async throws -> Visitor.Answer {
                try await visitor.submit(
                    ["time": time],
                    on: CalendarTown.page,
                    to: "\(CalendarTown.page)/pin"
                )
            }
            for wrong in ["09:59", "15:01", "16:00"] {
                let refused = try await choose(wrong)
                #expect(refused.status == 422, "\(wrong): \(refused.text)")
                #expect(refused.text.contains("“Read” can begin from 10:00 to 15:00."))
            }
            for wrong in ["noon", "25:00"] {
                let refused = try await choose(wrong)
                #expect(refused.status == 422, "\(wrong)")
                #expect(refused.text.contains("Enter a time such as 13:15."))
            }
            #expect(try await visitor.day().contains("Keep this time"), "nothing is kept yet")
            for time in ["13:17", "10:00", "15:00"] {
                let sent = try await choose(time)
                #expect(sent.header("location") == "\(CalendarTown.page)?notice=pinned")
                let moved = try await visitor.day()
                #expect(moved.contains("<time>\(time)</time>"), "\(moved)")
                #expect(moved.contains("Let it move"))
            }
            // What comes in the way moves it, and its owner sees that.
            let call = CalendarTown.event("Call", "15:10", "15:40")
            try await visitor.add(call)
            let elsewhere = try await visitor.day()
            #expect(!elsewhere.contains("notice warn conflict"))
            #expect(elsewhere.contains("You chose 15:00, which does not fit"), "\(elsewhere)")
        }
    }
}
