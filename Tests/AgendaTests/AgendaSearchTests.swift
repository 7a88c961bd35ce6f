import Chronology
import IdentityTestSupport
import OpenData
import SeededRandom
import Storage
import StorageTestSupport
import Testing

@testable import Agenda

/// V29, V38: the entries of a day are found without reading all others.
@Suite("Entries of a span of time")
struct AgendaSearchTests {
    /// Entries by name, with a day on which each is and one on which none of it is near.
    private static let kinds: [(name: String, lines: String, on: String, off: String?)] = [
        ("once", "DTSTART:20261201T090000Z\nDTEND:20261201T100000Z", "2026-12-01", "2026-12-10"),
        (
            "until", "DTSTART:20261201T090000Z\nRRULE:FREQ=DAILY;UNTIL=20270115T090000Z",
            "2027-01-15", "2027-01-25"
        ),
        (
            "until a day", "DTSTART;VALUE=DATE:20261201\nRRULE:FREQ=DAILY;UNTIL=20270115",
            "2027-01-15", "2027-01-25"
        ),
        (
            "count", "DTSTART:20261201T090000Z\nRRULE:FREQ=WEEKLY;COUNT=10", "2027-02-02",
            "2027-02-20"
        ),
        ("never ending", "DTSTART:20261201T090000Z\nRRULE:FREQ=DAILY", "2099-07-01", "2026-11-20"),
        (
            "dates", "DTSTART:20261201T090000Z\nRDATE:20280301T090000Z,20270101T090000Z",
            "2028-03-01", "2028-03-10"
        ),
        ("floating", "DTSTART:20261201T000500\nDURATION:PT5M", "2026-12-01", "2026-12-10"),
        (
            "far east", "DTSTART;TZID=Pacific/Kiritimati:20261202T080000\nDURATION:PT1H",
            "2026-12-01", "2026-12-10"
        ),
        (
            "far west", "DTSTART;TZID=Pacific/Pago_Pago:20261130T200000\nDURATION:PT1H",
            "2026-12-01", "2026-12-10"
        ),
        ("long", "DTSTART:20260101T000000Z\nDURATION:P400D", "2027-02-04", "2027-02-20"),
        (
            "moved beyond", moved("20261202T090000Z", to: "20290501T090000Z", "COUNT=3"),
            "2029-05-01", "2029-05-10"
        ),
        (
            "moved before", moved("20261202T090000Z", to: "20240501T090000Z", "COUNT=3"),
            "2024-05-01", "2024-04-10"
        ),
        (
            "longer", moved("20261203T090000Z", to: "20261203T090000Z\nDURATION:P90D", "COUNT=3"),
            "2027-03-01", "2027-03-20"
        ),
        (
            "later ones moved",
            moved("20261203T090000Z", to: "20270303T090000Z", "COUNT=20", ";RANGE=THISANDFUTURE"),
            "2027-03-20", "2027-04-10"
        ),
    ]

    private static func moved(
        _ id: String,
        to start: String,
        _ end: String,
        _ range: String = ""
    ) -> String {
        """
        DTSTART:20261201T090000Z
        RRULE:FREQ=DAILY;\(end)
        END:VEVENT
        BEGIN:VEVENT
        UID:NAME
        RECURRENCE-ID\(range):\(id)
        DTSTART:\(start)
        """
    }

    @Test("are found by rules, dates and changes of all kinds", arguments: TestEngine.allCases)
    func kinds(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            for (name, lines, _, _) in Self.kinds {
                let own = lines.replacing("UID:NAME", with: "UID:\(name)")
                try await agenda.add([Sample.event(name, name, own)], of: mario)
            }
            for (name, _, on, off) in Self.kinds {
                let day = Sample.span("\(on)T00:00", "\(on)T23:59")
                let found = try await agenda.entries(of: mario, in: day)
                #expect(found.entry(name) != nil, "\(name)")
                let numbers = found.occurrences(in: day, zone: Sample.rome).map(\.entry)
                #expect(numbers.contains { $0 == found.entry(name)?.number }, "\(name)")
                guard let off else { continue }
                let other = Sample.span("\(off)T00:00", "\(off)T23:59")
                let none = try await agenda.entries(of: mario, in: other)
                #expect(none.entry(name) == nil, "\(name)")
                #expect(none.version == Int64(Self.kinds.count))
            }
        }
    }

    @Test("are all that have an occurrence in the span, for random entries and spans")
    func complete() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            var random = SeededRandom(seed: 0x5EA2)
            let calendars = try (0..<200).map { number in
                try Sample.calendar(AgendaOccurrenceTests.text(&random, uid: "\(number)"))
            }
            try await agenda.add(calendars, of: mario)
            let all = try await agenda.entries(of: mario)
            for seed in UInt64(0)..<100 {
                var random = SeededRandom(seed: seed)
                let start = Instant(seconds: 1_760_000_000 + Int64(random.below(90_000_000)))
                let span = start..<start.adding(seconds: random.pick([1, 86_400, 2_600_000]))
                let expected = all.occurrences(in: span, zone: Sample.rome)
                let found = try await agenda.entries(of: mario, in: span)
                #expect(found.occurrences(in: span, zone: Sample.rome) == expected, "seed \(seed)")
            }
        }
    }

    @Test("tasks without a date are found if they are asked for", arguments: TestEngine.allCases)
    func undated(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            let task = EntryDetails(title: "Read", timing: .someday)
            try await agenda.add(
                [task.calendar(uid: "a", zone: Sample.rome, at: Sample.now), Sample.event("b")],
                of: mario
            )
            let day = Sample.span("2026-12-01T00:00", "2026-12-02T00:00")
            #expect(try await agenda.entries(of: mario, in: day).titles == ["Dentist"])
            let both = try await agenda.entries(of: mario, in: day, hasUndated: true)
            #expect(both.titles == ["Read", "Dentist"])
            #expect(both.undated(zone: Sample.rome).map(\.number) == [both.entries[0].number])
        }
    }
}
