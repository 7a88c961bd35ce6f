import Chronology
import OpenData
import SeededRandom
import Testing

@testable import Agenda

/// V29, V38: which entries a day has.
@Suite("Occurrences of a calendar")
struct AgendaOccurrenceTests {
    private static let rules = [
        "", "RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY;COUNT=30",
        "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20270401T000000Z",
        "RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=20", "RRULE:FREQ=YEARLY",
        "RRULE:FREQ=WEEKLY;INTERVAL=2", "RDATE:20270101T090000,20261112T100000",
    ]

    /// The clocks from which an entry is read, and the zone's name as a parameter.
    private static let clocks = [
        "", ";TZID=Europe/Rome", ";TZID=America/New_York", ";TZID=Pacific/Kiritimati",
        ";TZID=Pacific/Pago_Pago",
    ]

    /// A random entry of one or more components.
    static func text(_ random: inout SeededRandom, uid: String) -> String {
        let clock = random.pick(clocks)
        func stamp() -> String {
            let seconds = Int64(1_772_000_000 + random.below(40_000_000) / 900 * 900)
            let time = LocalTime(wallSeconds: seconds)
            return String(decoding: time.basic, as: UTF8.self)
        }
        let start = stamp()
        let hours = 1 + random.below(60)
        let rule = random.pick(rules)
        var text = """
            BEGIN:VEVENT
            UID:\(uid)
            DTSTART\(clock):\(start)
            DURATION:PT\(hours)H
            \(rule.isEmpty ? "X-NONE:1" : rule.replacing("RDATE:", with: "RDATE\(clock):"))
            END:VEVENT
            """
        if random.happens(0.4) {
            let range = random.happens(0.2) ? ";RANGE=THISANDFUTURE" : ""
            text += """

                BEGIN:VEVENT
                UID:\(uid)
                RECURRENCE-ID\(range)\(clock):\(start)
                DTSTART\(random.pick(clocks)):\(stamp())
                DURATION:PT\(1 + random.below(30))H
                END:VEVENT
                """
        }
        return text
    }

    /// The occurrences of entries by expanding each over centuries, the slow way.
    private static func reference(
        _ entries: [AgendaEntry],
        in span: Range<Instant>
    ) -> [String] {
        let wide = Instant(seconds: 1_700_000_000)..<Instant(seconds: 2_000_000_000)
        var all: [(Range<Instant>, EntryNumber, OccurrenceID)] = []
        for entry in entries {
            var zones = Sample.rome.zones(of: entry.calendar)
            for series in entry.calendar.series(&zones).series {
                let found = series.set?.occurrences(in: wide, observer: Sample.rome.table)
                for one in found?.occurrences ?? [] {
                    let overlaps = one.start < span.upperBound && one.end > span.lowerBound
                    let isWithin = one.start == one.end && span.contains(one.start)
                    if overlaps || isWithin {
                        all.append((one.start..<one.end, entry.number, one.id))
                    }
                }
            }
        }
        return all.sorted {
            ($0.0.lowerBound, $0.0.upperBound, $0.1, $0.2)
                < ($1.0.lowerBound, $1.0.upperBound, $1.1, $1.2)
        }.map { "\($0.0.lowerBound.seconds) \($0.0.upperBound.seconds) \($0.1.rawValue)" }
    }

    @Test("are those that expanding everything and then choosing finds, in order")
    func oracle() throws {
        for seed in UInt64(0)..<300 {
            var random = SeededRandom(seed: seed ^ 0x0CC5)
            let entries = try (1...6).map { number in
                let text = Self.text(&random, uid: "\(number)")
                return AgendaEntry(
                    number: EntryNumber(rawValue: Int64(number)),
                    revision: Int64(number),
                    calendar: try Sample.calendar(text)
                )
            }
            let excerpt = AgendaExcerpt(version: 6, entries: entries)
            for _ in 0..<5 {
                let start = Instant(seconds: 1_775_000_000 + Int64(random.below(35_000_000)))
                let length = Int64(random.pick([1, 3_600, 86_400, 7 * 86_400, 42 * 86_400]))
                let span = start..<start.adding(seconds: length)
                let found = excerpt.occurrences(in: span, zone: Sample.rome)
                let spans = found.map { one in
                    let (start, end) = (one.span.lowerBound.seconds, one.span.upperBound.seconds)
                    return "\(start) \(end) \(one.entry.rawValue)"
                }
                #expect(spans == Self.reference(entries, in: span), "seed \(seed)")
            }
        }
    }

    @Test("floating times and whole days are those of the city")
    func observer() throws {
        let day = try Sample.entry("DTSTART;VALUE=DATE:20261201")
        #expect(
            day.occurrences().map(\.span) == [Sample.span("2026-12-01T00:00", "2026-12-02T00:00")]
        )
        let long = try Sample.entry("DTSTART;VALUE=DATE:20261025")
        #expect(
            long.occurrences().map { $0.span.upperBound.seconds - $0.span.lowerBound.seconds }
                == [25 * 3_600]
        )
        let floating = try Sample.entry("DTSTART:20261201T090000", "DURATION:PT1H")
        #expect(
            floating.occurrences().map(\.span)
                == [Sample.span("2026-12-01T09:00", "2026-12-01T10:00")]
        )
    }

    /// A second-by-second rule that never has an occurrence, and others that cost as much.
    private static let hostile = [
        "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "RRULE:FREQ=SECONDLY;COUNT=2000000000;BYHOUR=3",
        "RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30;BYSETPOS=1",
        "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "RRULE:FREQ=SECONDLY",
    ]

    @Test(
        "rules that never end an answer are bounded, and hide no other entry",
        .timeLimit(.minutes(1))
    )
    func bounded() throws {
        var entries = try (0..<60).map { number in
            AgendaEntry(
                number: EntryNumber(rawValue: Int64(number + 1)),
                revision: 1,
                calendar: try Sample.calendar(
                    """
                    BEGIN:VEVENT
                    UID:\(number)
                    DTSTART:19700101T000000Z
                    \(Self.hostile[number % Self.hostile.count])
                    END:VEVENT
                    """
                )
            )
        }
        entries.append(try Sample.entry("SUMMARY:Dentist", "DTSTART:20261201T090000Z"))
        let found = AgendaExcerpt(version: 1, entries: entries).occurrences(
            in: Sample.span("2026-12-01T00:00", "2026-12-02T00:00"),
            zone: Sample.rome
        )
        #expect(found.contains { $0.item.summary == "Dentist" })
        #expect(found.count <= 60 * 500 + 1)
        // One such rule leaves the rules of the others their steps.
        let daily = try Sample.entry(
            "SUMMARY:Walk",
            "DTSTART:20260101T090000Z",
            "RRULE:FREQ=DAILY"
        )
        let few = AgendaExcerpt(version: 1, entries: entries.prefix(1) + [daily])
        let day = few.occurrences(
            in: Sample.span("2026-12-01T00:00", "2026-12-02T00:00"),
            zone: Sample.rome
        )
        #expect(day.map { $0.item.summary } == ["Walk"])
    }

    @Test("an entry is found by its identifier")
    func identifiers() throws {
        let entry = try Sample.entry("DTSTART:20261201T090000Z")
        let excerpt = AgendaExcerpt(version: 1, entries: [entry])
        #expect(excerpt.entry("1") == entry)
        #expect(excerpt.entry("2") == nil)
    }
}
