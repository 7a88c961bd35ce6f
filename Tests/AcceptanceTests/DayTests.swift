import Foundation
import TestSupport
import Testing

/// Issue 32, point 2: `viavai day` with events at fixed times; ST14 for its repairs.
@Suite("The day of a calendar file")
struct DayTests {
    private let folder: TemporaryFolder
    private let town: String

    init() throws {
        folder = try TemporaryFolder()
        town = try SmallTown.city(in: folder)
    }

    private static let calendar = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        X-KEPT;ODD="a:b":as\r
          it was\r
        BEGIN:VEVENT\r
        UID:meeting\r
        SUMMARY:Meeting\r
        DTSTART;TZID=Europe/Rome:20141013T070000\r
        DTEND;TZID=Europe/Rome:20141013T075000\r
        RRULE:FREQ=WEEKLY\r
        LOCATION:Alba\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        UID:review\r
        SUMMARY:Review\r
        DTSTART:20141020T093000\r
        DURATION:PT1H\r
        LOCATION:Corte\r
        BEGIN:VALARM\r
        TRIGGER:-PT15M\r
        END:VALARM\r
        END:VEVENT\r
        END:VCALENDAR\r

        """

    /// Plans 20 October 2014 of a calendar.
    private func plan(_ text: String, _ arguments: String...) throws -> Program.Run {
        let path = try folder.write(text, to: "day.ics")
        return try Program.run(
            ["day", "--city", town, path, "--day", "2014-10-20"] + arguments
        )
    }

    @Test("the journey between two events is told with local times, means and walk")
    func json() throws {
        let run = try plan(Self.calendar, "--json")
        #expect(run.code == 0, "\(run.errors)")
        let day = try DayDocument(run)
        #expect(day.feasible && day.repairs.isEmpty)
        #expect(day.tasks.map(\.uid) == ["meeting", "review"])
        #expect(day.tasks.map(\.start).first == "2014-10-20T07:00:00+02:00")
        #expect(day.tasks.map(\.end).last == "2014-10-20T10:30:00+02:00")
        #expect(day.tasks.first?.lat == 45 && day.tasks.first?.lon == 9)
        let journey = try #require(day.journeys.first)
        #expect(day.journeys.count == 1 && journey.from == "meeting" && journey.to == "review")
        // The bus alone would take 25 minutes longer.
        #expect(journey.departure == "2014-10-20T08:00:00+02:00")
        #expect(journey.arrival == "2014-10-20T08:30:00+02:00")
        #expect(journey.modes == ["bus", "metro"] && journey.walk_m == 0)
    }

    @Test("the calendar is printed with the journey as an event, and all else as it was")
    func calendar() throws {
        let run = try plan(Self.calendar)
        #expect(run.code == 0, "\(run.errors)")
        let end = "END:VCALENDAR\r\n"
        let before = Self.calendar.utf8.dropLast(end.utf8.count)
        #expect(run.output.utf8.starts(with: before))
        #expect(run.output.hasSuffix(end))
        let added = String(decoding: run.output.utf8.dropFirst(before.count), as: UTF8.self)
        for line in [
            "SUMMARY:Bus 1\\, Metro M1 to Corte",
            "DTSTART:20141020T060000Z", "DTEND:20141020T063000Z",
            "TRANSP:OPAQUE", "RELATED-TO:review", "LOCATION:Alba", "X-VIAVAI-JOURNEY:20141020",
        ] { #expect(added.contains("\r\n\(line)\r\n"), "\(added)") }
        // Planning what was printed plans the same.
        let again = try plan(run.output)
        func undated(_ text: String) -> [String] {
            text.split(separator: "\r\n").filter { !$0.hasPrefix("DTSTAMP") }.map(String.init)
        }
        #expect(undated(again.output) == undated(run.output))
    }

    @Test("the day ends at the base: without a way back it cannot be kept")
    func base() throws {
        let run = try plan(Self.calendar, "--json", "--base", "Alba")
        #expect(run.code == 1)
        let day = try DayDocument(run)
        #expect(day.journeys.map(\.from) == ["meeting"])
        #expect(
            day.repairs.map(\.changes) == [
                [DayDocument.Change(uid: "review", kind: "drop", minutes: nil)]
            ]
        )
        #expect(run.errors.contains("no way from \"Review\" back to the base"))
    }

    @Test("ST14: an event that is not reached in time: exit code 1, and repairs that work")
    func repairs() throws {
        let late = Self.calendar.replacingOccurrences(of: "T093000", with: "T082000")
            .replacingOccurrences(of: "DURATION:PT1H", with: "DURATION:PT40M")
        let run = try plan(late, "--json")
        #expect(run.code == 1)
        let day = try DayDocument(run)
        #expect(!day.feasible && day.journeys.isEmpty)
        #expect(
            day.repairs.map(\.changes) == [
                [DayDocument.Change(uid: "review", kind: "postpone", minutes: 10)],
                [DayDocument.Change(uid: "review", kind: "drop", minutes: nil)],
                [DayDocument.Change(uid: "meeting", kind: "drop", minutes: nil)],
            ]
        )
        #expect(run.errors.contains("day.ics: line 13: \"Review\" at 08:20 cannot be reached"))
        #expect(run.errors.contains("postpone \"Review\" by 10 min, or drop \"Review\""))
        #expect(try plan(late).output.isEmpty)
        let postponed = late.replacingOccurrences(of: "T082000", with: "T083000")
        #expect(try plan(postponed).code == 0)
    }

    @Test("what is wrong with a calendar is said with file, line and what to do")
    func failures() throws {
        func errors(_ old: String, _ new: String) throws -> String {
            let run = try plan(Self.calendar.replacingOccurrences(of: old, with: new), "--json")
            #expect(run.code == 2 && run.output.isEmpty)
            #expect(run.errorLines.count == 1, "\(run.errors)")
            #expect(run.errors.hasPrefix("viavai: "))
            return run.errors
        }
        let place = try errors("LOCATION:Corte", "LOCATION:Xyzzy")
        #expect(place.contains("day.ics: line 18: LOCATION: nothing is called \"Xyzzy\""))
        let time = try errors("DTSTART:20141020T093000", "DTSTART:20141020T993000")
        #expect(time.contains("day.ics: line 16: the value of DTSTART is wrong; correct"))
        let rule = try errors("FREQ=WEEKLY", "FREQ=NEVER")
        #expect(rule.contains("day.ics: line 10: the rule "))
        let cut = try errors("END:VCALENDAR\r\n", "")
        #expect(cut.contains("line 1: VCALENDAR begins and never ends"))
        let run = try Program.run("day", "--city", town, folder.path("no.ics"))
        #expect(run.code == 2 && run.errors.contains("no.ics: cannot be read"))
    }

    private static func task(_ minutes: Int, place: String = "") -> String {
        let task = """
            BEGIN:VTODO\r
            UID:lunch\r
            SUMMARY:Lunch\r
            DTSTART:20141020T100000\r
            DUE:20141020T123000\r
            ESTIMATED-DURATION:PT\(minutes)M\r
            \(place)END:VTODO\r
            END:VCALENDAR\r

            """
        return calendar.replacingOccurrences(of: "END:VCALENDAR\r\n", with: task)
    }

    @Test("a task within a window is placed, and added to the calendar at its time")
    func window() throws {
        let run = try plan(Self.task(30), "--json")
        #expect(run.code == 0, "\(run.errors)")
        let day = try DayDocument(run)
        let lunch = try #require(day.tasks.first { $0.uid == "lunch" })
        #expect(lunch.start == "2014-10-20T10:30:00+02:00")
        #expect(lunch.end == "2014-10-20T11:00:00+02:00" && lunch.lat == nil)
        let printed = try plan(Self.task(30))
        #expect(printed.output.contains("SUMMARY:Lunch\r\n"))
        #expect(printed.output.contains("DTSTART:20141020T083000Z\r\nDTEND:20141020T090000Z\r\n"))
        #expect(printed.output.contains("RELATED-TO:lunch\r\n"))
        // What was added is not planned once more.
        #expect(try DayDocument(plan(printed.output, "--json")).tasks.count == 3)
    }

    @Test("a task for which there is no time is named with its window; repairs say what helps")
    func noRoom() throws {
        let run = try plan(Self.task(140), "--json")
        #expect(run.code == 1)
        let day = try DayDocument(run)
        #expect(!day.feasible && day.repairs.contains { $0.changes.map(\.uid) == ["lunch"] })
        #expect(
            run.errors.contains(
                "day.ics: line 23: there is no time for \"Lunch\" from 10:00 to 12:30 besides all"
            )
        )
    }

    @Test("an own car needs a base")
    func car() throws {
        let run = try plan(Self.calendar, "--modes", "car,transit")
        #expect(run.code == 2 && run.errors.contains("say where with --base"))
    }

    @Test(
        "a day in Milan: every event is reached in time, between positions and addresses",
        .enabled(if: MilanCity.isPresent, RealData.advice)
    )
    func milan() throws {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VEVENT
            UID:a
            DTSTART;TZID=Europe/Rome:20141020T090000
            DTEND;TZID=Europe/Rome:20141020T100000
            GEO:45.4641;9.1919
            END:VEVENT
            BEGIN:VEVENT
            UID:b
            DTSTART;TZID=Europe/Rome:20141020T120000
            DTEND;TZID=Europe/Rome:20141020T130000
            LOCATION:Studio\\nVia Padova 100\\, Milano
            END:VEVENT
            END:VCALENDAR

            """
        let path = try folder.write(text, to: "milan.ics")
        let run = try Program.run(
            ["day", "--city", MilanCity.path(), path, "--json", "--base", "45.4520,9.1770"]
        )
        #expect(run.code == 0, "\(run.errors)")
        let day = try DayDocument(run)
        #expect(day.journeys.map(\.from) == ["base", "a", "b"])
        #expect(day.journeys.map(\.to) == ["a", "b", "base"])
        #expect(day.journeys[0].arrival <= day.tasks[0].start)
        #expect(day.journeys[1].departure >= day.tasks[0].end)
        #expect(day.journeys[1].arrival <= day.tasks[1].start)
        #expect(day.journeys[2].departure >= day.tasks[1].end)
    }
}
