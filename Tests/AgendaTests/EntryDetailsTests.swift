import Chronology
import Geo
import OpenData
import SeededRandom
import Testing

@testable import Agenda

/// V19, V23, V24, V29, V37: what the form asks is written as iCalendar and read again.
@Suite("Details of entries")
struct EntryDetailsTests {
    private static let words = [
        "Lunch", "caffè; tè, acqua", "back\\slash", "\"quoted\"", "日本語", "🚋 tram", "a:b", "^n",
        "a very long text that is longer than one line of a calendar may be, so that it is folded",
    ]

    /// Random details that the form can say.
    private static func details(_ random: inout SeededRandom) -> EntryDetails {
        // Whole minutes of the years from 2026 to 2030, with all changes of the clocks.
        let start = LocalTime(wallSeconds: 1_767_225_600 + Int64(random.below(2_600_000)) * 60)
        let length = Int64(1 + random.below(3_000)) * 60
        let end = LocalTime(wallSeconds: start.wallSeconds + length)
        var details = EntryDetails(
            title: random.pick(words),
            timing: .fixed(start: start, end: end)
        )
        switch random.below(5) {
        case 0:
            let minutes = 1 + Int64(random.below(Int(length / 60)))
            details.timing = .flexible(
                from: start,
                until: end,
                minutes: minutes,
                leastMinutes: 1 + Int64(random.below(Int(minutes)))
            )
            if random.happens(0.3) { details.pieceMinutes = 1 + Int64(random.below(90)) }
        case 1: details.timing = .someday
        default: break
        }
        if random.happens(0.5) {
            details.notes = "\(random.pick(words))\n\n\(random.pick(words))"
        }
        if random.happens(0.7) {
            let position = Coordinate(
                latitude: Int32(random.below(1_800_000_001)) - 900_000_000,
                longitude: Int32(truncatingIfNeeded: random.below(3_600_000_001) - 1_800_000_000)
            )
            let name = random.happens(0.8) ? random.pick(words) : ""
            let isKnown = name.isEmpty || random.happens(0.5)
            details.place = EntryPlace(name, at: isKnown ? position : nil)
        }
        if details.timing != .someday {
            let known = EntryRepetition.Frequency.allCases.filter { $0 != .other }
            details.repetition.frequency = random.pick(known)
            if details.repetition.frequency == .timesAWeek {
                let days = (0..<7 as Range<Int32>).filter { _ in random.happens(0.4) }
                details.repetition.weekdays = Set(days + [start.date.weekday])
                details.repetition.times = details.repetition.weekdays.count
            }
            if details.repetition.frequency == .weekly, random.happens(0.7) {
                let days = (0..<7 as Range<Int32>).filter { _ in random.happens(0.4) }
                details.repetition.weekdays = Set(days + [start.date.weekday])
                details.repetition.simplify(startingOn: start.date.weekday)
            }
            if details.repetition.frequency != .never, random.happens(0.5) {
                let days = Int32(random.below(800))
                details.repetition.until = start.date.adding(days: days)
            }
        }
        details.exclusivity = random.pick(EntryExclusivity.allCases)
        details.leadMinutes = random.pick([0, 1, 20, 90, 720])
        details.hasNotices = random.happens(0.7)
        details.category = random.pick(EntryCategory.allCases)
        details.isWork = random.pick([nil, true, false])
        if random.happens(0.5) {
            details.means = Set(TravelMeans.allCases.filter { _ in random.happens(0.5) })
        }
        return details
    }

    @Test("are read as they were written, for thousands of entries (V19)")
    func roundTrip() throws {
        for seed in UInt64(0)..<4_000 {
            var random = SeededRandom(seed: seed)
            let details = Self.details(&random)
            let uid = "\(seed)@viavai"
            let calendar = details.calendar(uid: uid, zone: Sample.rome, at: Sample.now)
            let entry = try Sample.stored(calendar)
            // Where the clocks skip an hour, a time in it is a later one.
            let table = Sample.rome.table
            let isShown = [details.timing.start, details.timing.end].allSatisfy { time in
                time.map { LocalTime($0.instant(in: table), in: table) == $0 } ?? true
            }
            if isShown {
                #expect(entry.details(of: nil, zone: Sample.rome) == details, "seed \(seed)")
            }
            #expect(entry.item?.uid == uid, "seed \(seed)")
            #expect(calendar.lines.allSatisfy { $0.utf8.count <= 75 }, "seed \(seed)")
            let read = try ICalendar(calendar.bytes)
            #expect(read.unreadable.isEmpty, "seed \(seed)")
            var zones = Sample.rome.zones(of: read)
            #expect(read.series(&zones).failures.isEmpty, "seed \(seed)")
        }
    }

    @Test("of one entry take the place of another's, whatever that said (V30)")
    func replacement() throws {
        for seed in UInt64(0)..<2_000 {
            var random = SeededRandom(seed: seed ^ 0xA6E2)
            let old = Self.details(&random)
            let new = Self.details(&random)
            let first = try Sample.stored(
                old.calendar(uid: "1", zone: Sample.rome, at: Sample.now)
            )
            let changed = try Sample.stored(
                first.changed(to: new, zone: Sample.rome, at: Sample.now)
            )
            var read = try #require(changed.details(of: nil, zone: Sample.rome), "seed \(seed)")
            #expect(changed.item?.kind == (new.timing.isFixed ? .event : .task), "seed \(seed)")
            read.timing = new.timing
            #expect(read == new, "seed \(seed)")
        }
    }

    @Test("do not change an entry when nothing is changed")
    func nothing() throws {
        for seed in UInt64(0)..<1_000 {
            var random = SeededRandom(seed: seed ^ 0x5A3E)
            let details = Self.details(&random)
            let entry = try Sample.stored(
                details.calendar(uid: "1", zone: Sample.rome, at: Sample.now)
            )
            let read = try #require(entry.details(of: nil, zone: Sample.rome), "seed \(seed)")
            let same = try Sample.stored(
                entry.changed(to: read, zone: Sample.rome, at: Sample.now)
            )
            let written = same.calendar.lines.filter { !$0.hasPrefix("SEQUENCE:") }
            #expect(written == entry.calendar.lines, "seed \(seed)")
        }
    }

    @Test("V19: notices are on unless the entry says otherwise, and alarms of others stay")
    func notices() throws {
        let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "END:VALARM"]
        let text =
            (["BEGIN:VEVENT", "UID:1", "DTSTART:20261201T060000", "SUMMARY:Choir"] + alarm
            + ["END:VEVENT"]).joined(separator: "\n")
        let entry = try Sample.entry(text: text)
        #expect(entry.details(of: nil, zone: Sample.rome)?.hasNotices == true)
        let quiet = try entry.changing { $0.hasNotices = false }
        #expect(quiet.calendar.lines.contains("X-VIAVAI-NOTICES:OFF"))
        #expect(quiet.calendar.lines.filter { alarm.contains($0) } == alarm)
        #expect(quiet.details(of: nil, zone: Sample.rome)?.hasNotices == false)
        let loud = try quiet.changing { $0.hasNotices = true }
        #expect(!loud.calendar.lines.contains { $0.hasPrefix("X-VIAVAI") })
    }

    @Test("V19: an entry's own aim and its wish to stay dry are written, read and taken back")
    func aims() throws {
        let entry = try Sample.entry(
            text: "BEGIN:VEVENT\nUID:1\nDTSTART:20261201T060000\nSUMMARY:Choir\nEND:VEVENT"
        )
        #expect(entry.details(of: nil, zone: Sample.rome)?.aim == nil)
        for aim in TravelAim.allCases {
            let aimed = try entry.changing { ($0.aim, $0.avoidsRain) = (aim, true) }
            let lines = aimed.calendar.lines
            #expect(lines.contains("X-VIAVAI-AIM:\(aim.rawValue.uppercased())"))
            #expect(lines.contains("X-VIAVAI-RAIN:AVOID"))
            let read = aimed.details(of: nil, zone: Sample.rome)
            #expect(read?.aim == aim && read?.avoidsRain == true)
            let plain = try aimed.changing { ($0.aim, $0.avoidsRain) = (nil, false) }
            #expect(!plain.calendar.lines.contains { $0.hasPrefix("X-VIAVAI") })
        }
        let odd = try Sample.entry(
            text: "BEGIN:VEVENT\nUID:1\nDTSTART:20261201T060000\nSUMMARY:Choir\n"
                + "X-VIAVAI-AIM:scenic\nX-VIAVAI-RAIN:often\nEND:VEVENT"
        )
        let read = odd.details(of: nil, zone: Sample.rome)
        #expect(read?.aim == nil && read?.avoidsRain == false)
    }

    /// The calendar files of RFC 5545 and of the programs that people use.
    @Test("show times of other zones, and lengths, on the city's clocks")
    func reading() throws {
        func timing(_ lines: String...) throws -> EntryTiming? {
            let text = lines.joined(separator: "\n")
            return try Sample.entry(text).details(of: nil, zone: Sample.rome)?.timing
        }
        let noon = Sample.fixed("2026-12-01T12:00", "2026-12-01T13:30")
        #expect(
            try timing("DTSTART;TZID=America/New_York:20261201T060000", "DURATION:PT1H30M") == noon
        )
        #expect(try timing("DTSTART:20261201T110000Z", "DTEND:20261201T123000Z") == noon)
        #expect(try timing("DTSTART:20261201T120000", "DTEND:20261201T133000") == noon)
        let day = Sample.fixed("2026-12-01T00:00", "2026-12-02T00:00")
        #expect(try timing("DTSTART;VALUE=DATE:20261201") == day)
        #expect(
            try timing("DTSTART;VALUE=DATE:20261201", "DTEND;VALUE=DATE:20261202") == day
        )
        let moment = Sample.fixed("2026-12-01T12:00", "2026-12-01T12:00")
        #expect(try timing("DTSTART;TZID=Europe/Rome:20261201T120000") == moment)
    }

    @Test("show exact hours and days of the calendar where the clocks change")
    func lengths() throws {
        func end(_ lines: String...) throws -> LocalTime? {
            let text = lines.joined(separator: "\n")
            return try Sample.entry(text).details(of: nil, zone: Sample.rome)?.timing.end
        }
        let spring = "DTSTART;TZID=Europe/Rome:20260329T010000"
        #expect(try end(spring, "DURATION:PT2H") == Sample.time("2026-03-29T04:00"))
        #expect(try end(spring, "DURATION:P1D") == Sample.time("2026-03-30T01:00"))
        let autumn = "DTSTART;TZID=Europe/Rome:20261025T010000"
        #expect(try end(autumn, "DURATION:PT4H") == Sample.time("2026-10-25T04:00"))
        #expect(try end(autumn, "DURATION:P1D") == Sample.time("2026-10-26T01:00"))
    }

    @Test("show times of a zone that only the calendar defines")
    func defined() throws {
        let entry = try Sample.entry(
            text: """
                \(Self.ownZone)
                BEGIN:VEVENT
                UID:1
                DTSTART;TZID=Own:20261201T060000
                DTEND;TZID=Own:20261201T073000
                END:VEVENT
                """
        )
        let noon = Sample.fixed("2026-12-01T12:00", "2026-12-01T13:30")
        #expect(entry.details(of: nil, zone: Sample.rome)?.timing == noon)
        #expect(entry.times == ["2026-12-01T12:00 "])
        // The same form for one occurrence and for all.
        let id = try entry.id(at: "2026-12-01T12:00")
        #expect(entry.details(of: id, zone: Sample.rome)?.timing == noon)
        #expect(try entry.retitled("Call").times == ["2026-12-01T12:00 Call"])
    }

    /// A zone that is five hours west of Greenwich.
    static let ownZone = """
        BEGIN:VTIMEZONE
        TZID:Own
        BEGIN:STANDARD
        DTSTART:16010101T000000
        TZOFFSETFROM:-0500
        TZOFFSETTO:-0500
        END:STANDARD
        END:VTIMEZONE
        """

    @Test("have one line where other programs write a place or a title in several")
    func lines() throws {
        let entry = try Sample.entry(
            "DTSTART:20261201T110000Z",
            "SUMMARY:Coffee\\nwith Ada",
            "LOCATION:Caffè\\nVia Roma 1\\nMilano"
        )
        let details = try #require(entry.details(of: nil, zone: Sample.rome))
        #expect(details.title == "Coffee with Ada")
        #expect(details.place == EntryPlace("Caffè, Via Roma 1, Milano", at: nil))
        #expect(details.flaws(at: nil, since: details) == [])
    }

    @Test(
        "name the rules that people use, and leave all others to the program that made them",
        arguments: [
            ("FREQ=DAILY", "daily"), ("FREQ=WEEKLY", "weekly"), ("FREQ=WEEKLY;WKST=SU", "weekly"),
            ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "workdays"), ("FREQ=WEEKLY;BYDAY=MO,WE", "other"),
            ("FREQ=WEEKLY;BYDAY=TU,TH", "weekly"), ("FREQ=WEEKLY;BYDAY=TU", "weekly"),
            ("FREQ=WEEKLY;BYDAY=FR,TH,WE,TU,MO", "workdays"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH", "other"),
            ("FREQ=WEEKLY;INTERVAL=2", "fortnightly"), ("FREQ=MONTHLY", "monthly"),
            ("FREQ=YEARLY", "yearly"), ("FREQ=WEEKLY;COUNT=4", "other"),
            ("FREQ=MONTHLY;BYDAY=-1FR", "other"), ("FREQ=HOURLY", "other"),
        ]
    )
    func rules(rule: String, name: String) throws {
        let entry = try Sample.entry("DTSTART;TZID=Europe/Rome:20261201T090000", "RRULE:\(rule)")
        let repetition = entry.details(of: nil, zone: Sample.rome)?.repetition
        #expect(repetition?.frequency.rawValue == name)
        #expect(repetition?.until == nil)
    }

    @Test("do not call it workdays where a day of another zone is the next one here")
    func workdays() throws {
        let entry = try Sample.entry(
            "DTSTART;TZID=America/New_York:20261130T200000",
            "DTEND;TZID=America/New_York:20261130T210000",
            "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
        )
        // Monday evening in New York is Tuesday in Rome.
        #expect(entry.details(of: nil, zone: Sample.rome)?.repetition.frequency == .other)
    }
}
