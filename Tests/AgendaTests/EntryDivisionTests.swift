import Chronology
import OpenData
import SeededRandom
import Testing

@testable import Agenda

/// V30, V31: this and all later occurrences change or go (decision 0049).
@Suite("Dividing a series")
struct EntryDivisionTests {
    /// The occurrences of an entry of the years that are compared.
    ///
    /// They are asked for by quarters, since an answer has a limited number of them.
    private static func occurrences(_ entry: AgendaEntry) -> [AgendaOccurrence] {
        var found: [AgendaOccurrence] = []
        let first = Sample.time("2026-01-01T00:00").instant(in: Sample.rome.table)
        for quarter in Int64(0)..<14 {
            let start = first.adding(seconds: quarter * 91 * 86_400)
            let span = start..<start.adding(seconds: 91 * 86_400)
            found += entry.occurrences(in: span).filter { span.contains($0.span.lowerBound) }
        }
        return found
    }

    /// The spans, in seconds, and the titles of the occurrences of entries.
    private static func occasions(_ entries: [AgendaEntry]) -> [String] {
        entries.flatMap(occurrences).map {
            "\($0.span.lowerBound.seconds) \($0.span.upperBound.seconds) \($0.item.summary ?? "")"
        }
        .sorted()
    }

    private static func divided(
        _ entry: AgendaEntry,
        at id: OccurrenceID
    ) throws -> (before: AgendaEntry?, after: AgendaEntry)? {
        let parts = entry.divided(at: id, uid: "second", zone: Sample.rome, at: Sample.now)
        guard let parts else { return nil }
        return (try parts.before.map(Sample.stored), try Sample.stored(parts.after))
    }

    /// Rules as people and other programs write them; each recurs at most daily.
    private static let rules = [
        "FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY", "FREQ=WEEKLY;INTERVAL=2",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,SU;WKST=SU", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        "FREQ=MONTHLY", "FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU", "FREQ=MONTHLY;BYMONTHDAY=-1",
        "FREQ=MONTHLY;BYDAY=MO,WE,FR;BYSETPOS=1,-1", "FREQ=DAILY;BYMONTH=3,10",
        "FREQ=YEARLY;BYMONTH=1,3,10;BYDAY=-1SU", "FREQ=DAILY;BYHOUR=1,2,3,14",
    ]

    /// A random series: each form of times, ends of all kinds, days on which the clocks change,
    /// further and excluded dates, and changes of single occurrences.
    private static func series(_ random: inout SeededRandom) throws -> AgendaEntry {
        let hour = random.pick(["01", "02", "09", "23"])
        let start = random.pick(["20260301", "20260327", "20261024", "20260131", "20260105"])
        let form = random.below(4)
        let (head, tail) =
            switch form {
            case 0: (";TZID=Europe/Rome:", "T\(hour)3000")
            case 1: (":", "T\(hour)3000")
            case 2: (":", "T\(hour)3000Z")
            default: (";VALUE=DATE:", "")
            }
        var rule = random.pick(rules)
        if form == 3 { rule = rule.replacing(";BYHOUR=1,2,3,14", with: "") }
        switch random.below(3) {
        case 0: rule += ";COUNT=\(2 + random.below(60))"
        case 1:
            let last = random.pick(["20260901", "20270328", "20280101"])
            // Beside a start in a zone the end is in UTC (RFC 5545, 3.3.10).
            let time = form == 3 ? "" : form == 1 ? "T\(hour)3000" : "T003000Z"
            rule += ";UNTIL=\(last)\(time)"
        default: break
        }
        var lines = ["DTSTART\(head)\(start)\(tail)", "SUMMARY:A", "RRULE:\(rule)"]
        lines.append(form == 3 ? "DURATION:P1D" : random.pick(["DURATION:PT45M", "DURATION:PT2H"]))
        for day in ["20260412", "20261111", "20270707"] where random.happens(0.3) {
            lines.append("RDATE\(head)\(day)\(tail)")
        }
        for day in ["20260306", "20260330", "20261026"] where random.happens(0.3) {
            lines.append("EXDATE\(head)\(day)\(tail)")
        }
        let text = lines.joined(separator: "\n")
        var entry = try Sample.entry(text: "BEGIN:VEVENT\nUID:1\n\(text)\nEND:VEVENT")
        for _ in 0..<random.below(4) {
            let all = entry.occurrences()
            guard !all.isEmpty else { break }
            entry = try entry.changing(random.pick(all).id) { details in
                details.title = "B"
                guard form != 3, case .fixed(let start, let end) = details.timing else { return }
                let (one, other) = (start.wallSeconds + 3_600, end.wallSeconds + 7_200)
                details.timing = .fixed(
                    start: LocalTime(wallSeconds: one),
                    end: LocalTime(wallSeconds: other)
                )
            }
        }
        return entry
    }

    @Test("V30: both parts have what the whole had; a change is of the second part alone")
    func parts() throws {
        var dividedCount = 0
        for seed in UInt64(0)..<600 {
            var random = SeededRandom(seed: seed ^ 0xD171)
            let entry = try Self.series(&random)
            let all = entry.occurrences()
            guard !all.isEmpty else { continue }
            let id = random.pick(all).id
            let whole = Self.occasions([entry])
            let message = "seed \(seed): \(entry.calendar.lines)"
            let parts = try #require(try Self.divided(entry, at: id), "\(message)")
            #expect(
                Self.occasions([parts.before, parts.after].compactMap(\.self)) == whole,
                "\(message)"
            )
            let earlier = Self.occurrences(entry).filter { $0.id < id }
            #expect((parts.before == nil) == earlier.isEmpty, "\(message)")
            guard let before = parts.before else { continue }
            dividedCount += 1
            // What is before stays as it was, second by second.
            #expect(
                Set(Self.occurrences(before).map(\.span)) == Set(earlier.map(\.span)),
                "\(message)"
            )
            // From then on each occurrence that is no exception of its own is renamed.
            let renamed = try parts.after.retitled("C")
            let titles = Set(renamed.occurrences().map { $0.item.summary ?? "" })
            #expect(titles.isSubset(of: ["B", "C"]), "\(message)")
            #expect(renamed.occurrences().map(\.span) == parts.after.occurrences().map(\.span))
            #expect(renamed.item?.uid == "second" && before.item?.uid == "1")
            #expect(renamed.calendar.lines.contains("RELATED-TO;RELTYPE=FIRST:1"))
        }
        #expect(dividedCount > 300)
    }

    @Test("another time from a day on: a course is later, also after the clocks change")
    func moved() throws {
        var details = EntryDetails(
            title: "Course",
            timing: Sample.fixed("2026-03-15T18:00", "2026-03-15T19:00")
        )
        details.repetition.frequency = .weekly
        let entry = try Sample.stored(
            details.calendar(uid: "1", zone: Sample.rome, at: Sample.now)
        )
        let id = try entry.id(at: "2026-03-29T18:00")
        let parts = try #require(try Self.divided(entry, at: id))
        let before = try #require(parts.before)
        #expect(before.times == ["2026-03-15T18:00 Course", "2026-03-22T18:00 Course"])
        // The form says until when the first part goes on.
        let first = try #require(before.details(of: nil, zone: Sample.rome))
        #expect(first.repetition.until == Sample.day("2026-03-22"))
        let later = try parts.after.changing {
            $0.timing = Sample.fixed("2026-03-29T20:00", "2026-03-29T21:00")
            $0.repetition.frequency = .fortnightly
            $0.repetition.until = Sample.day("2026-04-30")
        }
        #expect(
            later.times == [
                "2026-03-29T20:00 Course", "2026-04-12T20:00 Course", "2026-04-26T20:00 Course",
            ]
        )
    }

    @Test("an hour that the clocks skip on the day of the division does not move all later ones")
    func skippedHour() throws {
        let entry = try Sample.entry(
            "DTSTART;TZID=Europe/Rome:20260327T023000",
            "DTEND;TZID=Europe/Rome:20260327T033000",
            "SUMMARY:Night",
            "RRULE:FREQ=DAILY;COUNT=6"
        )
        // On 29 March 02:30 is 03:30.
        let parts = try #require(
            try Self.divided(entry, at: try entry.id(at: "2026-03-29T03:30"))
        )
        #expect(
            parts.after.times == [
                "2026-03-29T03:30 Night", "2026-03-30T02:30 Night", "2026-03-31T02:30 Night",
                "2026-04-01T02:30 Night",
            ]
        )
    }

    @Test("what another program says of all later ones, or by two rules, is not divided wrongly")
    func indivisible() throws {
        let ranged = try Sample.entry(
            text: """
                BEGIN:VEVENT
                UID:1
                SUMMARY:Run
                DTSTART:20261001T090000
                DURATION:PT1H
                RRULE:FREQ=DAILY;COUNT=9
                END:VEVENT
                BEGIN:VEVENT
                UID:1
                RECURRENCE-ID;RANGE=THISANDFUTURE:20261003T090000
                SUMMARY:Late run
                DTSTART:20261003T120000
                DURATION:PT30M
                END:VEVENT
                """
        )
        #expect(try Self.divided(ranged, at: try ranged.id(at: "2026-10-06T12:00")) == nil)
        let double = try Sample.entry(
            "DTSTART:20261001T090000",
            "DURATION:PT1H",
            "RRULE:FREQ=DAILY;INTERVAL=2;COUNT=9",
            "RRULE:FREQ=DAILY;INTERVAL=3;COUNT=9"
        )
        #expect(try Self.divided(double, at: try double.id(at: "2026-10-10T09:00")) == nil)
        // Neither is what is no occurrence, or no series.
        #expect(try Self.divided(double, at: OccurrenceID(seconds: .max)) == nil)
        #expect(try Self.divided(ranged, at: OccurrenceID(seconds: .min)) == nil)
    }
}
