import Chronology
import OpenData
import Testing

@testable import Agenda

/// V30, V31: one of many occurrences changes or goes, and the others stay.
@Suite("Changing occurrences")
struct OccurrenceChangingTests {
    @Test("occurrences on days of 23 and 25 hours change and go like all others")
    func clocks() throws {
        for (first, days) in [("2026-03-27", 27...30), ("2026-10-23", 23...26)] {
            let start = Sample.time("\(first)T01:30")
            var details = EntryDetails(
                title: "Night",
                timing: .fixed(start: start, end: LocalTime(wallSeconds: start.wallSeconds + 5_400))
            )
            details.repetition.frequency = .daily
            details.repetition.until = Sample.day("\(first.prefix(8))\(days.upperBound)")
            let entry = try Sample.stored(
                details.calendar(uid: "1", zone: Sample.rome, at: Sample.now)
            )
            let all = days.map { "\(first.prefix(8))\($0)T01:30 Night" }
            #expect(entry.times == all)
            // An hour and a half, also where the clocks change meanwhile.
            let lengths = entry.occurrences().map {
                $0.span.upperBound.seconds - $0.span.lowerBound.seconds
            }
            #expect(lengths == [5_400, 5_400, 5_400, 5_400])
            for place in all.indices {
                let id = entry.occurrences()[place].id
                var expected = all
                expected.remove(at: place)
                #expect(try entry.without(id).times == expected)
                expected = all
                expected[place] = expected[place].replacing("Night", with: "Day")
                #expect(try entry.changing(id) { $0.title = "Day" }.times == expected)
            }
        }
    }

    @Test("days stay days: a birthday that is renamed or moved takes nobody's time")
    func wholeDays() throws {
        let entry = try Sample.entry(
            "SUMMARY:Birthday",
            "DTSTART;VALUE=DATE:20260310",
            "RRULE:FREQ=YEARLY"
        )
        let id = try entry.id(at: "2027-03-10T00:00")
        let one = try entry.changing(id) { $0.title = "Party" }
        #expect(one.times == ["2026-03-10T00:00 Birthday", "2027-03-10T00:00 Party"])
        #expect(one.occurrences().allSatisfy { $0.isWholeDay })
        let moved = try entry.changing {
            $0.timing = Sample.fixed("2026-03-12T00:00", "2026-03-13T00:00")
            $0.repetition.until = Sample.day("2027-03-12")
        }
        #expect(moved.times == ["2026-03-12T00:00 Birthday", "2027-03-12T00:00 Birthday"])
        #expect(moved.occurrences().allSatisfy { $0.isWholeDay })
        let timed = try entry.changing {
            $0.timing = Sample.fixed("2026-03-12T18:00", "2026-03-12T20:00")
        }
        #expect(timed.occurrences().allSatisfy { !$0.isWholeDay })
        let single = try entry.changing(id) {
            $0.timing = Sample.fixed("2027-03-12T00:00", "2027-03-13T00:00")
        }
        #expect(single.times == ["2026-03-10T00:00 Birthday", "2027-03-12T00:00 Birthday"])
        #expect(single.occurrences().allSatisfy { $0.isWholeDay })
    }

    @Test("an occurrence of floating times, or of UTC, is renamed and stays where it is")
    func forms() throws {
        for (start, end) in [
            ("DTSTART:20261001T090000", "DTEND:20261001T100000"),
            ("DTSTART:20261001T090000", "DURATION:PT1H"),
            ("DTSTART:20261001T090000Z", "DTEND:20261001T100000Z"),
            ("DTSTART;VALUE=DATE:20261001", "DTEND;VALUE=DATE:20261003"),
        ] {
            let entry = try Sample.entry(start, end, "SUMMARY:A", "RRULE:FREQ=WEEKLY;COUNT=6")
            let old = entry.occurrences()
            #expect(old.count == 6)
            let changed = try entry.changing(old[4].id) { $0.title = "B" }
            #expect(changed.occurrences().map(\.span) == old.map(\.span), "\(start)")
            #expect(changed.occurrences().map(\.id) == old.map(\.id), "\(start)")
            #expect(
                changed.occurrences().map { $0.item.summary } == ["A", "A", "A", "A", "B", "A"]
            )
            let form = start.prefix { $0 != ":" }
            let starts = changed.calendar.lines.filter { $0.hasPrefix("DTSTART") }
            #expect(
                starts.allSatisfy {
                    $0.hasPrefix(form) && $0.hasSuffix("Z") == start.hasSuffix("Z")
                }
            )
        }
    }

    @Test("all later occurrences that another program moved stay so when one of them is renamed")
    func future() throws {
        let entry = try Sample.entry(
            text: """
                BEGIN:VEVENT
                UID:1
                SUMMARY:Run
                DTSTART;TZID=Europe/Rome:20261001T090000
                DTEND;TZID=Europe/Rome:20261001T100000
                RRULE:FREQ=DAILY;COUNT=5
                END:VEVENT
                BEGIN:VEVENT
                UID:1
                RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Rome:20261003T090000
                SUMMARY:Late run
                DTSTART;TZID=Europe/Rome:20261003T120000
                DTEND;TZID=Europe/Rome:20261003T123000
                END:VEVENT
                """
        )
        #expect(entry.times[3] == "2026-10-04T12:00 Late run")
        let changed = try entry.changing(try entry.id(at: "2026-10-04T12:00")) { $0.title = "Walk" }
        var expected = entry.times
        expected[3] = "2026-10-04T12:00 Walk"
        #expect(changed.times == expected)
        #expect(changed.occurrences().map(\.span) == entry.occurrences().map(\.span))
        let without = try changed.without(try entry.id(at: "2026-10-04T12:00"))
        expected.remove(at: 3)
        #expect(without.times == expected)
    }

    @Test("an occurrence is found wherever it was moved to")
    func farAway() throws {
        var details = EntryDetails(
            title: "Visit",
            timing: Sample.fixed("2026-01-01T09:00", "2026-01-01T10:00")
        )
        details.repetition.frequency = .weekly
        let entry = try Sample.stored(
            details.calendar(uid: "1", zone: Sample.rome, at: Sample.now)
        )
        let id = try entry.id(at: "2026-01-08T09:00")
        let moved = try entry.changing(id) {
            $0.timing = Sample.fixed("2027-12-08T09:30", "2027-12-08T10:00")
        }
        #expect(try moved.id(at: "2027-12-08T09:30") == id)
        #expect(
            try moved.changing(id) { $0.title = "Moved" }.times.contains("2027-12-08T09:30 Moved")
        )
        #expect(try moved.without(id).times.count == entry.times.count - 1)
    }

    /// Invitations to single occurrences of a meeting that recurs (RFC 5546, 3.2.2).
    @Test("an invitation to single occurrences is renamed and its occurrences go one by one")
    func invitations() throws {
        func event(_ day: String) -> String {
            """
            BEGIN:VEVENT
            UID:1
            RECURRENCE-ID:\(day)T090000Z
            DTSTART:\(day)T090000Z
            DTEND:\(day)T100000Z
            SUMMARY:Board
            END:VEVENT
            """
        }
        let entry = try Sample.entry(text: event("20261201") + "\n" + event("20261208"))
        #expect(entry.times == ["2026-12-01T10:00 Board", "2026-12-08T10:00 Board"])
        #expect(entry.occurrences().allSatisfy { $0.isRepeated })
        let renamed = try entry.retitled("Meeting")
        #expect(renamed.times == ["2026-12-01T10:00 Meeting", "2026-12-08T10:00 Board"])
        #expect(renamed.details(of: nil, zone: Sample.rome)?.title == "Meeting")
        for (place, time) in ["2026-12-01T10:00", "2026-12-08T10:00"].enumerated() {
            var expected = entry.times
            expected.remove(at: place)
            #expect(try entry.without(try entry.id(at: time)).times == expected)
        }
        let done = try Sample.stored(entry.marked(isDone: true, zone: Sample.rome, at: Sample.now))
        #expect(done.times == entry.times)
    }
}
