import Foundation
import TestClock
import Testing
import WebTestSupport

/// What the pages of days and the list show (V38, V39).
@Suite("The pages of the calendar", .serialized)
struct CalendarPageTests {
    @Test("the tab leads to today, from there to the days around, to the list and back")
    func ways() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let page = try await visitor.get("/calendar")
            #expect(page.status == 200 && page.text.contains("Today, Friday 15 January"))
            #expect(page.text.contains("href=\"/calendar\" aria-current=\"true\""))
            for day in ["2027-01-14", "2027-01-16"] {
                #expect(page.text.contains("href=\"/calendar/day/\(day)\""), "\(day)")
            }
            #expect(page.text.contains("href=\"/calendar/list\""))
            #expect(page.text.contains("href=\"/calendar/new?day=2027-01-15\""))
            #expect(page.text.contains("Nothing planned"))
            #expect(try await visitor.day().contains("Tomorrow, Saturday 16 January"))
            #expect(try await visitor.day("2028-03-01").contains("Wednesday 1 March 2028"))
        }
    }

    @Test("V38: the list has the entries of four weeks by day, and leads to the next four")
    func list() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let empty = try await visitor.get("/calendar/list").text
            #expect(empty.contains("Nothing planned"))
            try await visitor.add(CalendarTown.event("Late", "15:00", "16:00", at: 500))
            try await visitor.add(CalendarTown.event("Early", "09:00", "10:00"))
            let course = CalendarTown.event("Course", "18:00", "19:00", on: "2027-01-18")
            try await visitor.add(course + ["repeat": "weekly"])
            try await visitor.add(CalendarTown.event("Beyond", "9:00", "10:00", on: "2027-02-12"))
            let page = try await visitor.get("/calendar/list").text
            let order = ["Tomorrow, Saturday 16 January", "Early", "Late", "Monday 18 January"]
                .compactMap { page.range(of: $0)?.lowerBound }
            #expect(order.count == 4 && order == order.sorted())
            #expect(page.matches(of: /\/calendar\/entry\/[0-9]+\?at=/).count == 4)
            #expect(!page.contains("Beyond"))
            let later = try #require(page.firstMatch(of: /\/calendar\/list\?from=[0-9-]+/)?.0)
            #expect(try await visitor.get(String(later)).text.contains("Beyond"))
        }
    }

    @Test("V39: what is now, over, done or in the way wears a badge, and colour says what it is")
    func badges() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let today = "2027-01-15"
            try await visitor.add(
                CalendarTown.event("Review", "10:00", "11:00", on: today) + ["category": "meeting"]
            )
            #expect(try await visitor.get("/calendar").text.contains("class=\"event meeting\""))
            town.site.clock.advance(seconds: 90 * 60)
            #expect(try await visitor.get("/calendar").text.contains(" Now</span>"))
            town.site.clock.advance(seconds: 60 * 60)
            #expect(try await visitor.get("/calendar").text.contains(" Over</span>"))
        }
    }

    @Test("A4, A5: an appointment is in progress once one has set out, and so is its journey")
    func travelling() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            try await visitor.add(
                CalendarTown.event("Review", "10:00", "11:00", at: 1_500, on: "2027-01-15")
            )
            func chips(_ words: String) async throws -> Int {
                try await visitor.get("/calendar").text.split(separator: " \(words)</span>").count
                    - 1
            }
            #expect(try await chips("On the way") == 0)
            // At 09:45, on the way since about 09:36.
            town.site.clock.advance(seconds: 45 * 60)
            #expect(try await chips("On the way") == 2)
            // V63: what is left, at an even pace.
            let page = try await visitor.get("/calendar").text
            let left = try #require(page.firstMatch(of: /<span>([0-9.,]+) (k?m) and .* left</))
            let metres = try #require(Double(left.1)) * (left.2 == "km" ? 1_000 : 1)
            #expect((500...1_300).contains(metres), "\(metres)")
            let map = try await visitor.get("/calendar/day/2027-01-15/map.svg").text
            #expect(map.contains("Review"), "the map names the tasks")
            town.site.clock.advance(seconds: 20 * 60)
            #expect(try await chips("On the way") == 0)
            #expect(try await chips("Over") == 1)
            #expect(try await chips("Now") == 1)
        }
    }

    @Test("the texts are in Italian for who reads Italian, and nothing stays in English")
    func italian() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            try await visitor.add(CalendarTown.event("Uno", "10:00", "11:00", at: 0))
            let path = try await visitor.add(
                CalendarTown.event("Due", "11:02", "12:00", at: 1_900) + ["anyway": "yes"]
            )
            try await visitor.add(CalendarTown.task("Tre", "15:00", "19:00", minutes: 40))
            for (page, words) in [
                (CalendarTown.page, ["Domani, sabato 16 gennaio", "Arriveresti in ritardo"]),
                ("/calendar", ["Oggi, venerdì 15 gennaio", "Nessun impegno"]),
                ("/calendar/list", ["Elenco", "in qualunque momento tra 15:00 e 19:00"]),
                ("/calendar/new", ["Nuovo evento", "Salva"]),
                (path, ["Modifica evento", "Elimina"]),
                ("\(path)/delete", ["Non si può annullare"]),
                ("/calendar/settings", ["Dove iniziano e finiscono le tue giornate"]),
            ] {
                visitor.language = "en"
                let english = try await visitor.get(page).sentences
                visitor.language = "it"
                let answer = try await visitor.get(page)
                for word in words { #expect(answer.text.contains(word), "\(page): \(word)") }
                let same = english.intersection(answer.sentences)
                #expect(same.isEmpty, "\(page): \(same)")
            }
            let wrong = try await visitor.submit(["title": ""], on: "/calendar/new")
            #expect(wrong.problem("title") == "Scrivi un titolo.")
        }
    }

    @Test("a server without a city file keeps the calendar, and shows days without journeys")
    func noCity() async throws {
        try await withSite(RideTown.options) { site in
            let visitor = try await site.person("pia")
            try await visitor.add(
                CalendarTown.event("Review", "10:00", "11:00") + ["place": "Via Dante 7"]
            )
            let page = try await visitor.day()
            #expect(page.contains("Review") && page.contains("Via Dante 7"))
            #expect(page.contains("we show your day without journeys"))
            #expect(!page.contains("Leave at"))
            let map = try await visitor.get("\(CalendarTown.page)/map.svg")
            #expect([200, 404].contains(map.status))
            let settings = try await visitor.submit(
                ["place": "Via Dante 7", "means": "walk", "least": "5", "most": "10"],
                on: "/calendar/settings"
            )
            #expect(settings.status == 422)
            #expect(settings.problem("place")?.contains("We don't know this place.") == true)
        }
    }

    @Test("a day beyond the timetable is planned without public transport, and says so")
    func noTimetable() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(
                CalendarTown.event("A", "10:00", "11:00", at: 0, on: "2028-03-01")
            )
            try await visitor.add(
                CalendarTown.event("B", "13:00", "14:00", at: 1_900, on: "2028-03-01")
            )
            let page = try await visitor.day("2028-03-01")
            #expect(page.contains("journeys do not use public transport"))
            #expect(page.contains("Leave at "))
        }
    }

    @Test("V32: a day with more than is planned says so, and shows everything")
    func tooMany() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            for number in 0..<70 {
                let hour = 5 + number / 5
                let minute = number % 5 * 10 + 10
                let start = "\(hour < 10 ? "0" : "")\(hour):\(minute)"
                let end = "\(hour < 10 ? "0" : "")\(hour):\(minute + 9)"
                let sent = try await visitor.submit(
                    CalendarTown.event("Call \(number)", start, end) + ["anyway": "yes"],
                    on: "/calendar/new"
                )
                #expect(sent.status == 303)
            }
            let page = try await visitor.day()
            #expect(page.contains("too many entries to be planned"))
            #expect(page.contains(">Call 0</a>") && page.contains(">Call 69</a>"))
        }
    }
}
