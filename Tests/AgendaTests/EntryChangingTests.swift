import Chronology
import OpenData
import Testing

@testable import Agenda

/// V30, V31: an entry changes where its owner changes it, and nowhere else.
@Suite("Changing entries")
struct EntryChangingTests {
    /// A weekly meeting as other programs export it, with much that this one does not know.
    private static let imported = """
        BEGIN:VTIMEZONE
        TZID:America/New_York
        X-LIC-LOCATION:America/New_York
        BEGIN:STANDARD
        TZNAME:EST
        DTSTART:20261101T020000
        TZOFFSETFROM:-0400
        TZOFFSETTO:-0500
        END:STANDARD
        END:VTIMEZONE
        BEGIN:VEVENT
        UID:weekly@example.com
        DTSTAMP:20260101T000000Z
        SEQUENCE:7
        CLASS:PRIVATE
        SUMMARY;LANGUAGE=en:Stand-up
        DTSTART;TZID=America/New_York:20261001T200000
        DTEND;TZID=America/New_York:20261001T203000
        RRULE:FREQ=WEEKLY;WKST=SU;UNTIL=20261231T000000Z
        EXDATE;TZID=America/New_York:20261015T200000
        LOCATION;ALTREP="https://example.com/room":Room\\, 4th floor
        GEO:40.7128;-74.006
        CATEGORIES:PROJECT,MEETING
        CATEGORIES:BOARD
        DESCRIPTION;ALTREP="CID:part1@example.com":See\\nthe
          agenda
        ATTENDEE;PARTSTAT=ACCEPTED;CN="Ada, Countess":mailto:ada@example.com
        X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC
        X-BYTES:\u{1}tab\tend
        NOT A PROPERTY
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER:-PT15M
        DESCRIPTION:Reminder
        X-WR-ALARMUID:42
        END:VALARM
        BEGIN:VLOCATION
        UID:v1
        NAME:Room
        X-FLOOR:4
        END:VLOCATION
        END:VEVENT
        BEGIN:VEVENT
        UID:weekly@example.com
        RECURRENCE-ID;TZID=America/New_York:20261022T200000
        DTSTART;TZID=America/New_York:20261022T210000
        DTEND;TZID=America/New_York:20261022T213000
        SUMMARY:Later stand-up
        X-OWN:1
        END:VEVENT
        """

    private static let dates = ["2026-10-02T02:00", "2026-10-09T02:00", "2026-10-23T03:00"]

    @Test("another title leaves every other line of an imported entry as it is, byte for byte")
    func title() throws {
        let entry = try Sample.entry(text: Self.imported)
        let changed = try entry.retitled("Daily")
        #expect(changed.calendar.unreadable.count == 1)
        let old = entry.calendar.lines.filter {
            !["DTSTAMP:20260101T000000Z", "SUMMARY;LANGUAGE=en:Stand-up", "SEQUENCE:7"]
                .contains($0)
        }
        let new = changed.calendar.lines.filter { line in
            !["PRODID:", "SUMMARY:Daily", "LAST-MODIFIED:"].contains { line.hasPrefix($0) }
                && line != "SEQUENCE:8" && line != "DTSTAMP:20260528T202640Z"
        }
        #expect(new == old)
        #expect(changed.details(of: nil, zone: Sample.rome)?.title == "Daily")
    }

    @Test("another title leaves times, rule, exceptions and changes of single occurrences")
    func times() throws {
        let entry = try Sample.entry(text: Self.imported)
        let changed = try entry.retitled("Daily")
        #expect(entry.times.count == 12)
        #expect(changed.times == entry.times.map { $0.replacing("Stand-up", with: "Daily") })
        #expect(changed.times[2] == "2026-10-23T03:00 Later stand-up")
        // New York changes its clocks a week after Rome.
        #expect(changed.times[3...4] == ["2026-10-30T01:00 Daily", "2026-11-06T02:00 Daily"])
    }

    @Test("another time or rule forgets exceptions and changes of single occurrences")
    func moved() throws {
        let entry = try Sample.entry(text: Self.imported)
        let timing = Sample.fixed("2026-10-02T09:00", "2026-10-02T09:30")
        let later = try entry.changing { $0.timing = timing }
        #expect(later.times.count == 13)
        #expect(later.times[2...4].allSatisfy { $0.hasSuffix("T09:00 Stand-up") })
        #expect(later.calendar.lines.filter { $0.hasPrefix("X-APPLE") }.count == 1)
        #expect(later.calendar.lines.contains("BEGIN:VALARM"))
        let daily = try entry.changing {
            $0.repetition.frequency = .daily
            $0.repetition.until = Sample.day("2026-10-05")
        }
        #expect(
            daily.times == [2, 3, 4, 5].map { "2026-10-0\($0)T02:00 Stand-up" }
        )
        let once = try entry.changing { $0.repetition.frequency = .never }
        #expect(once.times == ["2026-10-02T02:00 Stand-up"])
    }

    @Test("one occurrence changes and leaves the others, and again takes its own place")
    func single() throws {
        let entry = try Sample.entry(text: Self.imported)
        let id = try entry.id(at: Self.dates[1])
        let first = try entry.changing(id) { $0.title = "Planning" }
        var expected = entry.times
        expected[1] = "2026-10-09T02:00 Planning"
        #expect(first.times == expected)
        let line = "RECURRENCE-ID;TZID=America/New_York:20261008T200000"
        #expect(first.calendar.lines.filter { $0.hasPrefix("RECURRENCE-ID") }.contains(line))
        let second = try first.changing(id) {
            $0.title = "Retrospective"
            $0.timing = Sample.fixed("2026-10-10T18:00", "2026-10-10T19:00")
        }
        expected[1] = "2026-10-10T18:00 Retrospective"
        #expect(second.times == expected)
        #expect(second.calendar.lines.filter { $0 == line }.count == 1)
        #expect(second.calendar.lines.filter { $0.hasPrefix("RECURRENCE-ID") }.count == 2)
        // It keeps what the form does not know, and is no rule of its own.
        #expect(second.calendar.lines.filter { $0 == "CLASS:PRIVATE" }.count == 2)
        #expect(second.calendar.lines.filter { $0.hasPrefix("RRULE") }.count == 1)
        let third = try second.changing(id) { $0.notes = "bring coffee" }
        #expect(third.times == expected)
        #expect(third.details(of: id, zone: Sample.rome)?.notes == "bring coffee")
    }

    @Test("an occurrence that another program changed keeps what is not changed")
    func override() throws {
        let entry = try Sample.entry(text: Self.imported)
        let id = try entry.id(at: Self.dates[2])
        let changed = try entry.changing(id) { $0.notes = "now" }
        #expect(changed.times == entry.times)
        #expect(changed.calendar.lines.filter { $0 == "X-OWN:1" }.count == 1)
        #expect(changed.calendar.lines.contains("DTSTART;TZID=America/New_York:20261022T210000"))
    }

    @Test("an occurrence is removed, changed or not (V31)")
    func removed() throws {
        let entry = try Sample.entry(text: Self.imported)
        for place in [0, 1, 2, 11] {
            var expected = entry.times
            let time = expected.remove(at: place).prefix(16)
            let without = try entry.without(try entry.id(at: String(time)))
            #expect(without.times == expected, "\(time)")
            #expect(without.calendar.lines.contains("BEGIN:VALARM"))
        }
        let none = OccurrenceID(seconds: 1_700_000_000)
        #expect(entry.removing(none, zone: Sample.rome, at: Sample.now) == nil)
        #expect(entry.details(of: none, zone: Sample.rome) == nil)
        for seconds in [Int64.min, Int64.max] {
            let id = OccurrenceID(seconds: seconds)
            #expect(entry.removing(id, zone: Sample.rome, at: Sample.now) == nil)
        }
    }

    @Test("a time that the clocks skip is as much later, and can be stored")
    func skipped() throws {
        var details = EntryDetails(
            title: "Ghost",
            timing: Sample.fixed("2026-03-29T02:30", "2026-03-29T03:00")
        )
        #expect(details.flaws(at: Sample.time("2026-01-01T00:00")) == [])
        let calendar = details.calendar(uid: "1", zone: Sample.rome, at: Sample.now)
        let entry = try Sample.stored(calendar)
        #expect(entry.times == ["2026-03-29T03:30 Ghost"])
        details.timing = Sample.fixed("2026-03-29T01:00", "2026-03-29T02:30")
        let other = details.calendar(uid: "1", zone: Sample.rome, at: Sample.now)
        let span = try #require(try Sample.stored(other).occurrences().first).span
        #expect(span.upperBound.seconds - span.lowerBound.seconds == 5_400)
    }

    @Test("a task of another program, from a time until another, stays one")
    func task() throws {
        let entry = try Sample.entry(
            text: """
                BEGIN:VTODO
                UID:1
                SUMMARY:Tax return
                DTSTART;TZID=Europe/Rome:20261201T090000
                DUE;TZID=Europe/Rome:20261201T100000
                PERCENT-COMPLETE:40
                END:VTODO
                """
        )
        let renamed = try entry.retitled("Taxes")
        #expect(renamed.item?.kind == .task)
        #expect(renamed.occurrences().map(\.span) == entry.occurrences().map(\.span))
        #expect(renamed.calendar.lines.contains("PERCENT-COMPLETE:40"))
        let timing = Sample.fixed("2026-12-02T09:00", "2026-12-02T10:00")
        let moved = try entry.changing { $0.timing = timing }
        #expect(moved.item?.kind == .task)
        #expect(moved.details(of: nil, zone: Sample.rome)?.timing == timing)
        let span = Sample.span("2026-12-02T09:00", "2026-12-02T10:00")
        #expect(moved.occurrences().map(\.span) == [span])
    }

    @Test("a task that is done and gets a fixed time is an event, which is not done")
    func becomesEvent() throws {
        var details = EntryDetails(
            title: "Run",
            timing: .flexible(
                from: Sample.time("2026-12-01T09:00"),
                until: Sample.time("2026-12-01T12:00"),
                minutes: 60,
                leastMinutes: 60
            )
        )
        var entry = try Sample.stored(
            details.calendar(uid: "1", zone: Sample.rome, at: Sample.now)
        )
        entry = try Sample.stored(entry.marked(isDone: true, zone: Sample.rome, at: Sample.now))
        #expect(entry.occurrences().map(\.isClosed) == [true])
        details.timing = Sample.fixed("2026-12-02T09:00", "2026-12-02T10:00")
        let event = try Sample.stored(
            entry.changed(to: details, zone: Sample.rome, at: Sample.now)
        )
        #expect(event.item?.kind == .event)
        #expect(event.occurrences().map(\.isClosed) == [false])
        let names = event.item?.component.properties.map(\.name) ?? []
        #expect(!names.contains("COMPLETED") && !names.contains("STATUS"))
    }

    @Test("a task is done, and to be done again")
    func done() throws {
        let entry = try Sample.entry(
            text: "BEGIN:VTODO\nUID:1\nSUMMARY:Tax\nX-OWN:1\nPERCENT-COMPLETE:100\nEND:VTODO"
        )
        let excerpt = { AgendaExcerpt(version: 1, entries: [$0]) }
        #expect(excerpt(entry).undated(zone: Sample.rome) == [entry])
        let done = try Sample.stored(entry.marked(isDone: true, zone: Sample.rome, at: Sample.now))
        #expect(done.item?.status == "COMPLETED")
        #expect(done.calendar.lines.contains("COMPLETED:20260528T202640Z"))
        #expect(excerpt(done).undated(zone: Sample.rome) == [])
        let again = try Sample.stored(done.marked(isDone: false, zone: Sample.rome, at: Sample.now))
        #expect(excerpt(again).undated(zone: Sample.rome) == [again])
        #expect(again.calendar.lines.contains("X-OWN:1"))
        #expect(!again.calendar.lines.contains { $0.contains("COMPLETE") })
    }

    @Test("a rule that the form cannot say goes with the time, on the clocks that it is about")
    func otherRule() throws {
        // Monday evening in New York is Tuesday in Rome.
        let entry = try Sample.entry(
            "SUMMARY:Call",
            "DTSTART;TZID=America/New_York:20261130T200000",
            "DTEND;TZID=America/New_York:20261130T210000",
            "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3"
        )
        #expect(entry.times.first == "2026-12-01T02:00 Call")
        let later = try entry.changing {
            $0.timing = Sample.fixed("2026-12-01T03:00", "2026-12-01T04:00")
        }
        #expect(later.times == ["01", "08", "15"].map { "2026-12-\($0)T03:00 Call" })
    }

    @Test("an identifier with characters that no text may have stays the same")
    func identifier() throws {
        let entry = try Sample.entry(
            text: "BEGIN:VEVENT\nUID:a\u{1}b\nDTSTART:20261201T090000Z\nEND:VEVENT"
        )
        #expect(try entry.retitled("B").item?.uid == entry.item?.uid)
        let id = try entry.id(at: "2026-12-01T10:00")
        let one = try entry.changing(id) { $0.title = "B" }
        #expect(one.times == ["2026-12-01T10:00 B"])
        var zones = ICalendarZones(one.calendar)
        #expect(one.calendar.series(&zones).series.count == 1)
    }
}
