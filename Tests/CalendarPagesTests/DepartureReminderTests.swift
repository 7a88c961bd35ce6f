import Agenda
import CalendarPages
import Chronology
import Identity
import Notify
import OpenData
import Storage
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// V41, ST8: who has closed the page is told when to leave.
@Suite("Reminders to leave", .serialized)
struct DepartureReminderTests {
    /// The departures for which a reminder waits, in seconds since 1970, and the bytes that wait.
    private static func waiting(_ town: RideTown) async throws -> [(at: Int64, sealed: [UInt8])] {
        try await town.site.installation.database.read { transaction in
            try transaction.rows(
                """
                SELECT posting, sealed FROM notification WHERE kind = 'departure' AND channel = ''
                ORDER BY due
                """
            )
            .map { row in
                let posting: String = try row.value("posting")
                let seconds = posting.split(separator: ".").last.flatMap { Int64($0) }
                return (try #require(seconds), try row.value("sealed"))
            }
        }
    }

    private static func moment(_ seconds: Int64) -> Moment { Moment(milliseconds: seconds * 1_000) }

    @Test("the message comes a minute before the departure, once, and leads to the day")
    func told() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            let event = CalendarTown.event("Design review", "10:00", "11:00", at: 1_500)
            try await visitor.add(event)
            try await town.site.until("a reminder waits") {
                try await Self.waiting(town).count == 1
            }
            let waiting = try await Self.waiting(town)[0]
            let text = String(decoding: waiting.sealed, as: UTF8.self)
            #expect(!text.contains("Design") && !text.contains("2027"))
            let taken = TakenMail()
            let worker = try taken.worker(town)
            _ = try await worker.round(at: Self.moment(waiting.at - 61))
            #expect(taken.subjects.isEmpty)
            for _ in 0..<3 { _ = try await worker.round(at: Self.moment(waiting.at - 60)) }
            #expect(taken.subjects == ["Leave now for Design review"])
            let link = taken.all[0].letter.action?.link.text
            #expect(link == "https://taxi.example.org" + CalendarTown.page)
        }
    }

    @Test("a journey that is not planned any more for that time gives no message")
    func moved() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            let event = CalendarTown.event("Design review", "10:00", "11:00", at: 1_500)
            let path = try await visitor.add(event)
            try await town.site.until("a reminder waits") {
                try await Self.waiting(town).count == 1
            }
            let later = CalendarTown.event("Design review", "12:00", "13:00", at: 1_500)
            let changed = try await visitor.change(path, later)
            _ = try await visitor.follow(changed)
            try await town.site.until("the other reminder waits") {
                try await Self.waiting(town).count == 2
            }
            let departures = try await Self.waiting(town).map(\.at)
            let taken = TakenMail()
            let worker = try taken.worker(town)
            for _ in 0..<3 { _ = try await worker.round(at: Self.moment(departures[0])) }
            #expect(taken.subjects.isEmpty)
            for _ in 0..<3 { _ = try await worker.round(at: Self.moment(departures[1])) }
            #expect(taken.subjects == ["Leave now for Design review"])
        }
    }

    @Test("V19: an entry with notices off gives no message, and another one of the day does")
    func noticesOff() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            let quiet = CalendarTown.event("Choir", "10:00", "11:00", at: 1_500)
            let path = try await visitor.add(quiet + ["notices": "off"])
            try await visitor.add(CalendarTown.event("Dentist", "15:00", "16:00", at: 300))
            try await town.site.until("both reminders wait") {
                try await Self.waiting(town).count == 2
            }
            let page = try await visitor.get(path)
            #expect(page.entryFields["notices"] == "off" && page.text.contains("No reminder"))
            let departures = try await Self.waiting(town).map(\.at)
            let taken = TakenMail()
            let worker = try taken.worker(town)
            for departure in departures {
                for _ in 0..<3 { _ = try await worker.round(at: Self.moment(departure)) }
            }
            #expect(taken.subjects == ["Leave now for Dentist"])
        }
    }

    @Test("V19: notices that are switched off after the reminder was queued give none")
    func switchedOff() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            let event = CalendarTown.event("Choir", "10:00", "11:00", at: 1_500)
            let path = try await visitor.add(event + ["repeat": "daily"])
            try await town.site.until("a reminder waits") {
                try await Self.waiting(town).count == 1
            }
            let day = try await visitor.day()
            let one = try #require(day.firstMatch(of: /\/calendar\/entry\/[0-9]+\?at=[0-9]+/)?.0)
            // Of one occurrence alone; the others keep theirs.
            #expect(try await visitor.change(String(one), ["notices": "off"]).status == 303)
            #expect(try await visitor.get(path).entryFields["notices"] == "on")
            let departure = try await Self.waiting(town)[0].at
            let taken = TakenMail()
            let worker = try taken.worker(town)
            for _ in 0..<3 { _ = try await worker.round(at: Self.moment(departure)) }
            #expect(taken.subjects.isEmpty)
        }
    }

    @Test("who never looks at the day after entering it is told all the same (ST8)")
    func ahead() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            var event = CalendarTown.event("Speech", "18:00", "19:00", at: 1_500)
            event["repeat"] = "daily"
            try await visitor.add(event)
            try await town.site.until("the first day is planned") {
                try await Self.waiting(town).count == 1
            }
            let pages = Site(town.site.installation).features.calendar
            let nextDay = town.site.clock.now.adding(seconds: 2 * 86_400)
            _ = try await pages.planAhead(at: nextDay)
            try await town.site.until("the days after it are planned") {
                try await Self.waiting(town).count == 3
            }
            // What is planned is not planned again.
            let zone = town.site.installation.agenda.zone.table
            let date = zone.local(Instant(seconds: nextDay.milliseconds / 1_000)).date
            let span = zone.instant(date, second: 0)..<zone.instant(date.adding(days: 1), second: 0)
            let left = try await town.site.installation.agenda.peopleToPlan(
                on: date,
                span,
                limit: 9
            )
            #expect(left.isEmpty)
        }
    }

    @Test(
        "V54: as many days are planned ahead as their owner chooses",
        arguments: [(24, 2), (96, 5)]
    )
    func horizon(hours: Int, days: Int) async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let settings = CalendarTown.base(at: 0) + ["ahead": "\(hours)"]
            _ = try await visitor.submit(settings, on: "/calendar/settings")
            var event = CalendarTown.event("Speech", "18:00", "19:00", at: 1_500, on: "2027-01-15")
            event["repeat"] = "daily"
            try await visitor.add(event)
            let pages = Site(town.site.installation).features.calendar
            try await pages.planAhead(at: town.site.clock.now)
            try await town.site.until("the days are planned") {
                try await Self.waiting(town).count == days
            }
            try await pages.planAhead(at: town.site.clock.now)
            #expect(try await Self.waiting(town).count == days)
        }
    }
}
