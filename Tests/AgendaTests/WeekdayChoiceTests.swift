import Chronology
import OpenData
import Testing

@testable import Agenda

/// Issue 32, Scope: a task that is to be done so many times a week, on days with room for it.
@Suite("Days of the week that are chosen")
struct WeekdayChoiceTests {
    /// An hour of sport between six and nine in the evening, from Tuesday 1 December 2026 on.
    private static func sport(_ times: Int = 3) -> EntryDetails {
        var details = EntryDetails(
            title: "Sport",
            timing: .flexible(
                from: Sample.time("2026-12-01T18:00"),
                until: Sample.time("2026-12-01T21:00"),
                minutes: 60,
                leastMinutes: 60
            )
        )
        details.repetition.frequency = .timesAWeek
        details.repetition.times = times
        return details
    }

    @Test(
        "of an empty week days that lie far apart are taken, the earliest first",
        arguments: [
            (1, [0]), (2, [0, 3]), (3, [0, 2, 4]), (4, [0, 1, 2, 4]), (7, [0, 1, 2, 3, 4, 5, 6]),
        ] as [(Int, Set<Int32>)]
    )
    func empty(times: Int, days: Set<Int32>) {
        let found = WeekdayChoice().days(times)
        #expect(found.count == times)
        // Of four days two always follow each other.
        if times != 4 { #expect(found == days) }
    }

    @Test("days without room come last, then those on which their owner is busy")
    func loads() {
        var choice = WeekdayChoice()
        choice.loads[0].fullWeeks = 1
        #expect(choice.days(3) == [1, 3, 5])
        choice.loads[5].busySeconds = 60
        #expect(choice.days(3) == [1, 3, 6])
        // Where too few have room, those come first that are full in fewer weeks.
        for day in 1..<7 { choice.loads[day].fullWeeks = 2 }
        #expect(choice.days(1) == [0])
    }

    @Test("days that were chosen stay: more are added, or some are left out")
    func kept() {
        var choice = WeekdayChoice()
        for day in [1, 3, 5] { choice.loads[day].fullWeeks = 4 }
        #expect(choice.days(3, keeping: [1, 3, 5]) == [1, 3, 5])
        #expect(choice.days(4, keeping: [1, 3, 5]).isSuperset(of: [1, 3, 5]))
        #expect(choice.days(2, keeping: [0, 2, 4]) == [0, 4])
    }

    @Test("a day has no room where the calendar leaves too little of the window free")
    func room() throws {
        func days(_ lines: String...) throws -> Set<Int32> {
            let entry = try Sample.entry(
                text: "BEGIN:VEVENT\nUID:1\n\(lines.joined(separator: "\n"))\nEND:VEVENT"
            )
            let span = Sample.span("2026-12-01T00:00", "2026-12-30T00:00")
            let others = AgendaExcerpt(version: 0, entries: [entry])
                .occurrences(in: span, zone: Sample.rome)
            return WeekdayChoice(Self.sport(), among: others, in: Sample.rome.table).days(3)
        }
        let monday = "DTSTART;TZID=Europe/Rome:20261207T183000"
        #expect(
            try days(monday, "DTEND;TZID=Europe/Rome:20261207T203000", "RRULE:FREQ=WEEKLY")
                == [1, 3, 5]
        )
        // Until seven there is an hour before it and one after; it only counts as a busy day.
        #expect(
            try days(
                "DTSTART;TZID=Europe/Rome:20261207T190000",
                "DTEND;TZID=Europe/Rome:20261207T200000",
                "RRULE:FREQ=WEEKLY"
            ) == [1, 3, 5]
        )
        var choice = WeekdayChoice(Self.sport(), among: [], in: Sample.rome.table)
        #expect(choice.loads.allSatisfy { $0.fullWeeks == 0 && $0.busySeconds == 0 })
        // A window that is shorter than the task, as another program may write it, has no room.
        var short = Self.sport()
        short.timing = .flexible(
            from: Sample.time("2026-12-01T18:00"),
            until: Sample.time("2026-12-01T18:30"),
            minutes: 60,
            leastMinutes: 60
        )
        choice = WeekdayChoice(short, among: [], in: Sample.rome.table)
        #expect(choice.loads.allSatisfy { $0.fullWeeks == 4 })
    }

    @Test("they are written as a rule that every program reads, and read again")
    func rule() throws {
        var details = Self.sport()
        details.repetition.weekdays = [1, 3, 5]
        let calendar = details.calendar(uid: "1", zone: Sample.rome, at: Sample.now)
        let text = String(decoding: calendar.bytes, as: UTF8.self)
        #expect(text.contains("RRULE:FREQ=WEEKLY;BYDAY=TU,TH,SA\r\n"))
        #expect(text.contains("X-VIAVAI-TIMES-A-WEEK:3\r\n"))
        let entry = try Sample.stored(calendar)
        #expect(entry.details(of: nil, zone: Sample.rome) == details)
        // Who wants it each week instead has no chosen days any more.
        var weekly = details
        weekly.repetition = EntryRepetition()
        weekly.repetition.frequency = .weekly
        let changed = try Sample.stored(
            entry.changed(to: weekly, zone: Sample.rome, at: Sample.now)
        )
        #expect(changed.details(of: nil, zone: Sample.rome) == weekly)
        #expect(!String(decoding: changed.calendar.bytes, as: UTF8.self).contains("TIMES-A-WEEK"))
    }

    @Test("an entry that is each week may be on several days, which its owner chooses (V29)")
    func several() throws {
        var details = EntryDetails(
            title: "Course",
            timing: Sample.fixed("2026-12-01T18:00", "2026-12-01T19:00")
        )
        details.repetition.frequency = .weekly
        details.repetition.weekdays = [1, 3]
        let calendar = details.calendar(uid: "1", zone: Sample.rome, at: Sample.now)
        let text = String(decoding: calendar.bytes, as: UTF8.self)
        #expect(text.contains("RRULE:FREQ=WEEKLY;BYDAY=TU,TH\r\n"))
        #expect(!text.contains("X-VIAVAI-TIMES-A-WEEK"))
        let entry = try Sample.stored(calendar)
        #expect(entry.details(of: nil, zone: Sample.rome) == details)
        #expect(details.flaws(at: nil) == [])
        // Tuesday and Thursday are two days apart, and the days of the work week one.
        details.timing = Sample.fixed("2026-12-01T18:00", "2026-12-03T18:01")
        #expect(details.flaws(at: nil) == [.overlapsItself])
        var named = details.repetition
        named.weekdays = [0, 1, 2, 3, 4]
        named.simplify(startingOn: 1)
        #expect(named.frequency == .workdays && named.weekdays.isEmpty)
        named = details.repetition
        named.weekdays = [1]
        named.simplify(startingOn: 1)
        #expect(named.frequency == .weekly && named.weekdays.isEmpty)
        named.weekdays = [1]
        named.simplify(startingOn: 2)
        #expect(named.weekdays == [1])
    }

    @Test("it needs a window, a number of times that a week has, and a day at a time")
    func flaws() {
        #expect(Self.sport().flaws(at: nil) == [])
        for times in [0, -1, 8] {
            #expect(Self.sport(times).flaws(at: nil) == [.timesOutOfRange])
        }
        var fixed = Self.sport()
        fixed.timing = Sample.fixed("2026-12-01T18:00", "2026-12-01T19:00")
        #expect(fixed.flaws(at: nil) == [.timesNeedWindow])
        var long = Self.sport()
        long.timing = .flexible(
            from: Sample.time("2026-12-01T18:00"),
            until: Sample.time("2026-12-02T18:01"),
            minutes: 60,
            leastMinutes: 60
        )
        #expect(long.flaws(at: nil) == [.overlapsItself])
    }

    @Test("a piece is at least a minute and no longer than the task may become (V24)")
    func pieces() throws {
        func flaws(_ minutes: Int64?, _ least: Int64 = 60) -> [EntryFlaw] {
            var details = EntryDetails(
                title: "Report",
                timing: .flexible(
                    from: Sample.time("2026-12-01T09:00"),
                    until: Sample.time("2026-12-01T18:00"),
                    minutes: 120,
                    leastMinutes: least
                )
            )
            details.pieceMinutes = minutes
            return details.flaws(at: nil)
        }
        #expect(flaws(nil) == [] && flaws(1) == [] && flaws(60) == [] && flaws(120, 120) == [])
        #expect(flaws(0) == [.pieceTooLong] && flaws(-30) == [.pieceTooLong])
        #expect(flaws(61) == [.pieceTooLong])
        var details = Self.sport()
        details.repetition = EntryRepetition()
        details.pieceMinutes = 25
        let calendar = details.calendar(uid: "1", zone: Sample.rome, at: Sample.now)
        #expect(String(decoding: calendar.bytes, as: UTF8.self).contains("MIN-PIECE:PT25M\r\n"))
        let entry = try Sample.stored(calendar)
        #expect(entry.details(of: nil, zone: Sample.rome) == details)
    }
}
