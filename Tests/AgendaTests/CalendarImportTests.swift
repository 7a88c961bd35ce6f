import Chronology
import IdentityTestSupport
import OpenData
import StorageTestSupport
import Testing

@testable import Agenda

/// Issue 32, 5 and V91: what a file of another program has, by entry.
@Suite("Imported calendars")
struct CalendarImportTests {
    /// A zone of a program's own, hours east of UTC.
    static func zone(_ name: String, _ hours: String = "+0200") -> String {
        """
        BEGIN:VTIMEZONE
        TZID:\(name)
        BEGIN:STANDARD
        DTSTART:16010101T000000
        TZOFFSETFROM:\(hours)
        TZOFFSETTO:\(hours)
        END:STANDARD
        END:VTIMEZONE
        """
    }

    static func read(
        _ bytes: [UInt8]
    ) throws(CalendarImport.Failure) -> CalendarImport {
        try CalendarImport(bytes, zone: Sample.rome, leavingOut: "X-MARK")
    }

    /// Reads lines within a calendar.
    static func read(_ text: String) throws -> CalendarImport {
        try read(try Sample.calendar(text).bytes)
    }

    /// The lines that were left out, each with its number and whether the whole part is.
    private static func omissions(_ found: CalendarImport) -> [String] {
        found.omissions.map { omission in
            switch omission.reason {
            case .unreadable(let failure): "\(omission.line) \(failure.reason)"
            case .otherKind(let name): "\(omission.line) \(name)"
            case .tooLarge: "\(omission.line) too large"
            case .ambiguousZone(let name): "\(omission.line) ambiguous \(name)"
            }
        }
    }

    @Test("an entry is all that has its identifier, with the zones that it names and no others")
    func grouped() throws {
        let found = try Self.read(
            """
            \(Self.zone("Home"))
            \(Self.zone("Unused"))
            \(Self.zone("Alarm"))
            BEGIN:VEVENT
            UID:a
            DTSTART;TZID=Home:20261201T090000
            RRULE:FREQ=DAILY;COUNT=3
            X-ODD;A="b;c":d
            END:VEVENT
            BEGIN:VTODO
            UID:b
            SUMMARY:Read
            END:VTODO
            BEGIN:VEVENT
            UID:a
            RECURRENCE-ID;TZID=Home:20261202T090000
            DTSTART;TZID=Home:20261202T110000
            BEGIN:VALARM
            TRIGGER:-PT5M
            X-AT;TZID=Alarm:20261202T105500
            END:VALARM
            END:VEVENT
            """
        )
        #expect(found.omissions.isEmpty && found.journeyCount == 0)
        try #require(found.calendars.count == 2)
        let first = found.calendars[0]
        #expect(first.components("VEVENT").count == 2 && first.components("VTODO").isEmpty)
        let zones = try first.components("VTIMEZONE").map { try $0.property("TZID")?.text() }
        #expect(Set(zones) == ["Home", "Alarm"])
        #expect(first.lines.contains("X-ODD;A=\"b;c\":d"))
        #expect(
            Sample.entry(first).times == [
                "2026-12-01T08:00 ", "2026-12-02T10:00 ", "2026-12-03T08:00 ",
            ]
        )
        #expect(found.calendars[1].components.first?.components.map(\.name) == ["VTODO"])
    }

    @Test("journeys that a plan added are left out and counted, once imported again too")
    func journeys() throws {
        let found = try Self.read(
            """
            BEGIN:VEVENT
            UID:a
            DTSTART:20261201T090000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:viavai-20261201-x
            DTSTART:20261201T083000Z
            X-MARK:20261201
            END:VEVENT
            """
        )
        #expect(found.calendars.count == 1 && found.journeyCount == 1 && found.omissions.isEmpty)
    }

    @Test("what cannot be read is named by line, and the rest of the file is used")
    func omitted() throws {
        let found = try Self.read(
            """
            BEGIN:VJOURNAL
            UID:j
            END:VJOURNAL
            BEGIN:VEVENT
            SUMMARY:No identifier
            DTSTART:20261201T090000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:c
            DTSTART:tomorrow
            END:VEVENT
            BEGIN:VEVENT
            UID:d
            DTSTART;TZID=Mars/Olympus:20261201T090000
            END:VEVENT
            BEGIN:VEVENT
            UID:e
            DTSTART:20261201T090000Z
            this is no property
            END:VEVENT
            BEGIN:VEVENT
            UID:f
            SUMMARY:Old
            DTSTART:20261201T090000Z
            END:VEVENT
            BEGIN:VEVENT
            UID:f
            SEQUENCE:2
            SUMMARY:New
            DTSTART:20261202T090000Z
            END:VEVENT
            """
        )
        #expect(
            Self.omissions(found) == [
                "3 VJOURNAL", "6 UID is missing", "12 the value of DTSTART is wrong",
                "14 the time zone Mars/Olympus is unknown",
                "21 not a property: no name and colon", "23 occurs twice",
            ]
        )
        #expect(found.calendars.map { Sample.entry($0).item?.uid } == ["e", "f"])
        #expect(Sample.entry(found.calendars[1]).item?.summary == "New")
        // The line that is no property stays where it was.
        #expect(found.calendars[0].lines.contains("this is no property"))
    }

    @Test(
        "an occurrence that cannot be read is left out alone, and a series without its rule stays"
    )
    func partly() throws {
        let found = try Self.read(
            """
            BEGIN:VEVENT
            UID:a
            DTSTART:20261201T090000Z
            RRULE:FREQ=DAILY;COUNT=2
            END:VEVENT
            BEGIN:VEVENT
            UID:a
            RECURRENCE-ID:20261202T090000Z
            DTSTART:never
            END:VEVENT
            BEGIN:VEVENT
            UID:b
            DTSTART:20261201T090000Z
            RRULE:FREQ=SOMETIMES
            END:VEVENT
            BEGIN:VEVENT
            UID:b
            RECURRENCE-ID:20261203T090000Z
            SUMMARY:Moved
            DTSTART:20261203T100000Z
            END:VEVENT
            """
        )
        #expect(found.omissions.map(\.line) == [11, 16])
        #expect(found.calendars.map { Sample.entry($0).times.count } == [2, 1])
        #expect(Sample.entry(found.calendars[1]).times == ["2026-12-03T11:00 Moved"])
    }

    @Test("calendars in one file may each define a zone of the same name")
    func zones() throws {
        func calendar(_ uid: String, _ hours: String) -> String {
            """
            BEGIN:VCALENDAR
            \(Self.zone("Custom", hours))
            BEGIN:VEVENT
            UID:\(uid)
            DTSTART;TZID=Custom:20261201T120000
            END:VEVENT
            END:VCALENDAR
            """
        }
        let text = [("a", "+0100"), ("b", "-0500"), ("a", "+0300")].map(calendar)
        let found = try Self.read(Sample.file(text.joined(separator: "\n")))
        #expect(
            found.calendars.map { Sample.entry($0).times } == [
                ["2026-12-01T12:00 "], ["2026-12-01T18:00 "],
            ]
        )
        #expect(Self.omissions(found) == ["38 ambiguous Custom"])
    }

    @Test("a file without line ends, calendars or order is read as far as it goes")
    func bare() async throws {
        let text = """
            BEGIN:VEVENT
            UID:a
            DTSTART;TZID=Home:20261201T090000
            END:VEVENT
            \(Self.zone("Home"))
            BEGIN:VEVENT
            UID:b
            DTSTART:20261201T090000Z
            END:VEVENT
            """
        let found = try Self.read(Array(text.utf8))
        #expect(found.omissions.isEmpty && found.calendars.count == 2)
        try await TestCity.withAgendas(.sqlite) { city in
            let mario = try await city.person("mario")
            _ = try await city.agenda.merge(found.calendars, of: mario)
            let entries = try await city.agenda.entries(of: mario).entries
            #expect(entries.map(\.times) == [["2026-12-01T08:00 "], ["2026-12-01T10:00 "]])
        }
    }

    @Test(
        "importing stores all entries or none, and says how many are new",
        arguments: TestEngine.allCases
    )
    func stored(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            try await agenda.add([Sample.event("a"), Sample.event("z")], of: mario)
            let text = ["a", "b", "c"].map {
                "BEGIN:VEVENT\nUID:\($0)\nSUMMARY:New\nDTSTART:20261201T090000Z\nEND:VEVENT"
            }
            let found = try Self.read(text.joined(separator: "\n"))
            let merge = try await agenda.merge(found.calendars, of: mario)
            #expect(merge.addedCount == 2 && merge.replacedCount == 1 && merge.numbers.count == 3)
            #expect(
                try await agenda.entries(of: mario).titles == ["New", "Dentist", "New", "New"]
            )
            let version = try await agenda.version(of: mario)
            await #expect(throws: AgendaFailure.notOneEntry) {
                _ = try await agenda.merge(
                    [Sample.event("d"), Sample.calendar("X-NOTHING:1")],
                    of: mario
                )
            }
            #expect(try await agenda.version(of: mario) == version)
            #expect(try await agenda.entries(of: mario).entries.count == 4)
        }
    }
}
