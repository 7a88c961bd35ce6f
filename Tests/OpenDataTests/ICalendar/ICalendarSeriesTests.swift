import Chronology
import Foundation
import Geo
import Testing

@testable import OpenData

/// RFC 5545, 7986, 9073, 9074 and 9253: events and tasks with their times and places.
@Suite("Events and tasks of calendars")
struct ICalendarSeriesTests {
    private static let rome = ZoneTable(
        starts: [0, 1_774_746_000, 1_792_890_000],
        offsets: [3_600, 7_200, 3_600]
    )

    /// The series of a calendar with these lines, and the reasons for what was left out.
    private static func series(
        _ text: String
    ) throws -> (series: [ICalendarSeries], failures: [ICalendarFailure]) {
        let calendar = try ICalendar(Array("BEGIN:VCALENDAR\n\(text)\nEND:VCALENDAR\n".utf8))
        var zones = ICalendarZones(calendar) { $0 == "Europe/Rome" ? rome : nil }
        return calendar.series(&zones)
    }

    private static func event(_ lines: String...) throws -> ICalendarSeries {
        let text = lines.joined(separator: "\n")
        let (series, failures) = try series("BEGIN:VEVENT\nUID:1\n\(text)\nEND:VEVENT")
        #expect(failures.isEmpty, "\(failures)")
        return try #require(series.first)
    }

    private static func starts(_ series: ICalendarSeries) -> [String] {
        let all = Instant(seconds: 1_700_000_000)..<Instant(seconds: 1_900_000_000)
        return series.set?.occurrences(in: all, observer: rome).occurrences.map {
            $0.start.iso8601(in: rome)
        } ?? []
    }

    @Test("a TZID without VTIMEZONE is an IANA name; one with it, which is not, is defined there")
    func zones() throws {
        let iana = try Self.event("DTSTART;TZID=Europe/Rome:20260701T090000", "DURATION:PT1H")
        #expect(Self.starts(iana) == ["2026-07-01T09:00:00+02:00"])
        let path = try Self.event("DTSTART;TZID=/mozilla.org/2005/Europe/Rome:20260701T090000")
        #expect(Self.starts(path) == ["2026-07-01T09:00:00+02:00"])
        let text = """
            BEGIN:VTIMEZONE
            TZID:W. Europe Standard Time
            BEGIN:STANDARD
            DTSTART:16010101T030000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:16010101T020000
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0200
            RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
            END:DAYLIGHT
            END:VTIMEZONE
            BEGIN:VEVENT
            UID:a
            DTSTART;TZID=W. Europe Standard Time:20260701T090000
            RRULE:FREQ=MONTHLY;INTERVAL=5;COUNT=2
            END:VEVENT
            BEGIN:VEVENT
            UID:b
            DTSTART;TZID=Nowhere:20260701T090000
            END:VEVENT
            """
        let (series, failures) = try Self.series(text)
        #expect(
            series.map(Self.starts) == [["2026-07-01T09:00:00+02:00", "2026-12-01T09:00:00+01:00"]]
        )
        #expect(failures.map(\.problem) == [.unknownZone("Nowhere")])
        #expect(failures.first?.line == 22)
    }

    @Test("changes of a VTIMEZONE may be listed (RDATE), and end (UNTIL)")
    func definitions() throws {
        let text = """
            BEGIN:VTIMEZONE
            TZID:Makebelieve
            BEGIN:STANDARD
            DTSTART:20200101T000000
            RDATE:20210601T000000
            TZOFFSETFROM:-0300
            TZOFFSETTO:-0400
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:20200601T000000
            RRULE:FREQ=YEARLY;UNTIL=20220601T040000Z
            TZOFFSETFROM:-0400
            TZOFFSETTO:-0300
            END:DAYLIGHT
            END:VTIMEZONE
            """
        let calendar = try ICalendar(Array(text.utf8))
        var zones = ICalendarZones(calendar) { _ in nil }
        let table = zones.table("Makebelieve")
        let zone = try #require(table)
        #expect(zone.offset(at: Instant(seconds: 0)) == -10_800)
        #expect(zone.offset(at: Instant(seconds: 1_580_000_000)) == -14_400)
        #expect(zone.offset(at: Instant(seconds: 1_600_000_000)) == -10_800)
        #expect(zone.offset(at: Instant(seconds: 1_900_000_000)) == -10_800)
    }

    @Test("rules, added, left out and moved occurrences make one series")
    func recurring() throws {
        let text = """
            BEGIN:VEVENT
            UID:1
            DTSTART;TZID=Europe/Rome:20261102T090000
            DTEND;TZID=Europe/Rome:20261102T100000
            RRULE:FREQ=DAILY;COUNT=5
            EXDATE;TZID=Europe/Rome:20261103T090000
            EXDATE:20261104T080000Z
            RDATE;VALUE=PERIOD;TZID=Europe/Rome:20261110T120000/PT30M
            END:VEVENT
            BEGIN:VEVENT
            UID:1
            RECURRENCE-ID;TZID=Europe/Rome:20261105T090000
            DTSTART;TZID=Europe/Rome:20261105T170000
            DURATION:PT2H
            SUMMARY:moved
            END:VEVENT
            """
        let (series, failures) = try Self.series(text)
        #expect(failures.isEmpty)
        let one = try #require(series.first)
        #expect(series.count == 1)
        let span = Instant(seconds: 1_790_000_000)..<Instant(seconds: 1_800_000_000)
        let set = try #require(one.set)
        let found = set.occurrences(in: span, observer: .utc).occurrences
        #expect(
            found.map { $0.start.iso8601(in: Self.rome).prefix(16) } == [
                "2026-11-02T09:00", "2026-11-05T17:00", "2026-11-06T09:00", "2026-11-10T12:00",
            ]
        )
        #expect(found.map { $0.end.seconds - $0.start.seconds } == [3_600, 7_200, 3_600, 1_800])
        #expect(found.map { one.item(of: $0).summary } == [nil, "moved", nil, nil])
    }

    @Test("a flexible task has its window, its length and its least length (V23, V24)")
    func tasks() throws {
        let text = """
            BEGIN:VTODO
            UID:lunch
            DTSTART;TZID=Europe/Rome:20261127T123000
            DUE;TZID=Europe/Rome:20261127T143000
            ESTIMATED-DURATION:PT30M
            X-TRAVLENDAR-MIN-DURATION:PT20M
            GEO:45.4642;9.19
            END:VTODO
            """
        let (series, failures) = try Self.series(text)
        #expect(failures.isEmpty)
        let item = try #require(series.first?.item)
        #expect(item.kind == .task)
        #expect(item.estimatedDuration == CalendarDuration(seconds: 1_800))
        #expect(item.minimumDuration == CalendarDuration(seconds: 1_200))
        #expect(item.position == Coordinate(latitude: 454_642_000, longitude: 91_900_000))
        let span = Instant(seconds: 1_790_000_000)..<Instant(seconds: 1_800_000_000)
        let window = series.first?.set?.occurrences(in: span, observer: .utc).occurrences.first
        #expect(window?.start.iso8601(in: Self.rome) == "2026-11-27T12:30:00+01:00")
        #expect(window?.end.iso8601(in: Self.rome) == "2026-11-27T14:30:00+01:00")
    }

    @Test("whole days end at the end of the day, several days at the end of the last")
    func wholeDays() throws {
        let one = try Self.event("DTSTART;VALUE=DATE:20260328")
        let two = try Self.event("DTSTART:20260328", "DTEND;VALUE=DATE:20260330")
        let span = Instant(seconds: 1_700_000_000)..<Instant(seconds: 1_900_000_000)
        for (event, hours) in [(one, 24), (two, 47)] {
            let found = event.set?.occurrences(in: span, observer: Self.rome).occurrences ?? []
            #expect(found.map { ($0.end.seconds - $0.start.seconds) / 3_600 } == [Int64(hours)])
        }
    }

    @Test("colours, links, relations, places and alarms (RFC 7986, 9073, 9074, 9253)")
    func extensions() throws {
        let event = try Self.event(
            "DTSTART:20260701T090000Z",
            "COLOR:turquoise",
            "CATEGORIES:work",
            "CATEGORIES:a,b",
            "CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL=Room 1:https://meet.example/1",
            "IMAGE;VALUE=URI;DISPLAY=BADGE:https://example.org/p.png",
            "LINK;LINKREL=SOURCE;LABEL=Plan;VALUE=URI:https://example.org/plan",
            "RELATED-TO;RELTYPE=FINISHTOSTART;GAP=PT10M:task-1",
            "RELATED-TO:parent",
            "CONCEPT:https://example.org/leg",
            "REFID:day-7",
            "TRANSP:TRANSPARENT",
            "BEGIN:VLOCATION",
            "UID:p",
            "NAME:Garage",
            "LOCATION-TYPE:parking",
            "URL:geo:45.5,9.25",
            "END:VLOCATION",
            "BEGIN:VALARM",
            "ACKNOWLEDGED:20260701T080000Z",
            "PROXIMITY:DEPART",
            "END:VALARM"
        )
        let item = event.item
        #expect(item.color == "turquoise")
        #expect(item.categories == ["work", "a", "b"])
        #expect(item.conferences == [.init(address: "https://meet.example/1", label: "Room 1")])
        #expect(item.images.map(\.address) == ["https://example.org/p.png"])
        #expect(item.links == [.init(address: "https://example.org/plan", label: "Plan")])
        let gap = CalendarDuration(seconds: 600)
        #expect(
            item.relations == [
                .init(target: "task-1", kind: "FINISHTOSTART", gap: gap),
                .init(target: "parent", kind: "PARENT", gap: nil),
            ]
        )
        #expect(item.concepts == ["https://example.org/leg"])
        #expect(item.groups == ["day-7"])
        #expect(item.isTransparent)
        let place = Coordinate(latitude: 455_000_000, longitude: 92_500_000)
        #expect(item.places == [.init(name: "Garage", kinds: ["parking"], position: place)])
        #expect(item.alarms.first?.property("PROXIMITY")?.line == 24)
    }

    @Test(
        "an event that cannot be used is refused by line, and alone",
        arguments: [
            ("DTSTART:2026", ICalendarFailure.Problem.badValue("DTSTART")),
            ("DTSTART:20260101T000000Z\nDTEND:20251231T000000Z", .endsBeforeStart),
            ("DTSTART:20260101\nDTSTART:20260101", .repeated("DTSTART")),
            ("DTSTART:20260101\nRRULE:FREQ=X", .badRule(.badValue(.frequency))),
            ("DTSTART:20260101\nGEO:91;0", .badValue("GEO")), ("SUMMARY:x", .missing("DTSTART")),
            ("DTSTART:20260101\nDURATION:-P1D", .badValue("DURATION")),
            ("DTSTART:20260101\nRRULE:FREQ=HOURLY", .badValue("RRULE")),
            ("DTSTART:20260101\nEXDATE:x", .badValue("EXDATE")),
            ("DTSTART:20260101\nEXRULE:FREQ=DAILY", .unsupported("EXRULE")),
        ]
    )
    func refusals(lines: String, problem: ICalendarFailure.Problem) throws {
        let (series, failures) = try Self.series(
            "BEGIN:VEVENT\nUID:1\n\(lines)\nEND:VEVENT\n"
                + "BEGIN:VEVENT\nUID:2\nDTSTART:20260101\nEND:VEVENT"
        )
        #expect(series.map(\.item.uid) == ["2"])
        #expect(failures.map(\.problem) == [problem])
    }

    @Test("times are written as they are read")
    func writing() throws {
        for line in [
            "DTSTART;VALUE=DATE:20260101", "DTSTART:20260101T090000", "DTSTART:20260101T090000Z",
            "DTSTART;TZID=Europe/Rome:20260101T090000", "DTSTART;TZID=\"a:b\":20260101T090000",
        ] {
            let calendar = try ICalendar(Array("BEGIN:VEVENT\r\n\(line)\r\nEND:VEVENT\r\n".utf8))
            let time = try #require(try calendar.components.first?.property("DTSTART")?.time())
            let written = ICalendar([ICalendarComponent("VEVENT", [time.property("DTSTART")])])
            #expect(written.bytes == calendar.bytes)
        }
    }
}
