import Chronology
import IdentityTestSupport
import OpenData
import StorageTestSupport
import Testing

@testable import Agenda

/// V89, R105: all entries as one file, which other programs read.
@Suite("Files of calendars")
struct AgendaFileTests {
    /// The starts of all events of a file in UTC, by identifier.
    private static func starts(_ calendar: ICalendar) throws -> [String: [String]] {
        let read = try ICalendar(calendar.bytes)
        var zones = Sample.rome.zones(of: read)
        let (series, failures) = read.series(&zones)
        #expect(failures == [] && read.unreadable == [])
        let span = Sample.span("2026-01-01T00:00", "2028-01-01T00:00")
        return Dictionary(
            uniqueKeysWithValues: series.map { one in
                let found = one.set?.occurrences(in: span, observer: Sample.rome.table)
                return (one.item.uid, found?.occurrences.map { $0.start.iso8601(in: .utc) } ?? [])
            }
        )
    }

    /// A zone whose name some programs give to every zone that they define.
    private static func zone(_ hours: String) -> String {
        """
        BEGIN:VTIMEZONE
        TZID:Customized Time Zone
        BEGIN:STANDARD
        DTSTART:16010101T000000
        TZOFFSETFROM:\(hours)
        TZOFFSETTO:\(hours)
        END:STANDARD
        END:VTIMEZONE
        """
    }

    private static func event(_ uid: String, _ zone: String) -> String {
        """
        \(zone)
        BEGIN:VEVENT
        UID:\(uid)
        DTSTART;TZID=Customized Time Zone:20261201T120000
        RRULE:FREQ=DAILY;COUNT=3
        EXDATE;TZID=Customized Time Zone;X-A="b,c":20261202T120000
        END:VEVENT
        """
    }

    @Test("has all entries, and is read as they are", arguments: TestEngine.allCases)
    func all(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            let empty = try await agenda.file(of: mario)
            #expect(empty.lines.first == "BEGIN:VCALENDAR" && empty.lines.count == 4)
            var details = EntryDetails(
                title: "Piano",
                timing: Sample.fixed("2026-12-01T09:00", "2026-12-01T10:00")
            )
            details.repetition.frequency = .weekly
            details.repetition.until = Sample.day("2026-12-15")
            let task = EntryDetails(title: "Read", timing: .someday)
            try await agenda.add(
                [
                    details.calendar(uid: "a", zone: Sample.rome, at: Sample.now),
                    task.calendar(uid: "b", zone: Sample.rome, at: Sample.now),
                    Sample.event("c"),
                ],
                of: mario
            )
            let file = try await agenda.file(of: mario)
            #expect(
                try Self.starts(file) == [
                    "a": [1, 8, 15].map { "2026-12-\($0 < 10 ? "0" : "")\($0)T08:00:00+00:00" },
                    "b": [], "c": ["2026-12-01T09:00:00+00:00"],
                ]
            )
            #expect(file.lines.filter { $0 == "BEGIN:VCALENDAR" }.count == 1)
            #expect(file.lines.contains("VERSION:2.0"))
            #expect(file.lines.contains("PRODID:\(Agenda.product)"))
            #expect(file.lines.allSatisfy { $0.utf8.count <= 75 })
        }
    }

    @Test("tells zones apart that share a name, and has one that entries share once")
    func zones() throws {
        let entries = try [
            ("a", "+0100"), ("b", "-0500"), ("c", "+0100"), ("d", "+0900"),
        ].map { uid, hours in
            try Sample.entry(text: Self.event(uid, Self.zone(hours)))
        }
        let file = Agenda.file(of: entries)
        let starts = try Self.starts(file)
        for (entry, uid) in zip(entries, ["a", "b", "c", "d"]) {
            #expect(try Self.starts(entry.calendar)[uid] == starts[uid], "\(uid)")
            #expect(starts[uid]?.count == 2)
        }
        #expect(starts["b"]?.first == "2026-12-01T17:00:00+00:00")
        #expect(file.lines.filter { $0 == "BEGIN:VTIMEZONE" }.count == 3)
        #expect(file.lines.filter { $0.contains("X-A=\"b,c\"") }.count == 4)
    }

    @Test("an event outside of all calendars, whose file has no last line end, is stored and kept")
    func bare() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            let text = """
                BEGIN:VEVENT\r
                UID:a\r
                SUMMARY:Bare\r
                DTSTART:20261201T090000Z\r
                BEGIN:VALARM\r
                TRIGGER:-PT5M\r
                END:VALARM\r
                END:VEVENT
                """
            let number = try await agenda.add([ICalendar(Array(text.utf8))], of: mario)[0]
            try await agenda.add([Sample.event("b")], of: mario)
            let file = try await agenda.file(of: mario)
            #expect(try Self.starts(file).keys.sorted() == ["a", "b"])
            let entry = try await agenda.entry(number, of: mario)
            try await agenda.change(entry, to: try entry.retitled("Clothed").calendar, of: mario)
            let changed = try await agenda.entry(number, of: mario)
            #expect(changed.item?.summary == "Clothed")
            #expect(changed.item?.alarms.count == 1)
        }
    }
}
