import Chronology
import CityData
import DayPlanning
import Geo
import OpenData
import Testing

/// Issue 32, point 2: what a calendar file says of a day; `travlendar.md`, section 3.
@Suite("A day of a calendar")
struct CalendarDayTests {
    /// The clocks of Italy from October to March and from March to October.
    private static let rome = ZoneTable(
        starts: [0, 1_396_141_200, 1_414_285_200, 1_427_590_800],
        offsets: [3_600, 7_200, 3_600, 7_200]
    )
    private static let newYork = ZoneTable(
        starts: [0, 1_394_348_400, 1_414_908_000],
        offsets: [-18_000, -14_400, -18_000]
    )

    private static func calendar(_ lines: String) throws -> ICalendar {
        try ICalendar(Array("BEGIN:VCALENDAR\n\(lines)\nEND:VCALENDAR\n".utf8))
    }

    private static func event(_ lines: String...) -> String {
        "BEGIN:VEVENT\n\(lines.joined(separator: "\n"))\nEND:VEVENT"
    }

    private static func task(_ lines: String...) -> String {
        "BEGIN:VTODO\n\(lines.joined(separator: "\n"))\nEND:VTODO"
    }

    private static func day(
        _ text: String,
        on date: String? = nil
    ) throws -> CalendarDay {
        let calendar = try calendar(text)
        let zones = ICalendarZones(calendar) { name in
            switch name {
            case "Europe/Rome": rome
            case "America/New_York": newYork
            default: nil
            }
        }
        return try CalendarDay(
            calendar,
            on: date.flatMap { CivilDate(iso8601: $0) },
            zone: rome,
            zones: zones
        )
    }

    private static func failure(_ text: String, on date: String? = nil) -> CalendarDay.Failure? {
        #expect(throws: CalendarDay.Failure.self) { try day(text, on: date) }
    }

    /// The entries, each as its identifier and its time.
    private static func told(_ day: CalendarDay) -> [String] {
        day.entries.map { entry in
            let span = entry.timing.window
            return "\(entry.uid) \(span.lowerBound.iso8601(in: rome).dropFirst(11)) "
                + "\((span.upperBound.seconds - span.lowerBound.seconds) / 60)"
        }
    }

    @Test("times are floating, of a zone without VTIMEZONE, or UTC; all on the city's clocks")
    func times() throws {
        let text = [
            Self.event("UID:utc", "DTSTART:20141020T060000Z", "DURATION:PT30M"),
            Self.event(
                "UID:call",
                "DTSTART;TZID=America/New_York:20141020T100000",
                "DTEND;TZID=America/New_York:20141020T104500"
            ),
            Self.event("UID:float", "DTSTART:20141020T090000", "DTEND:20141020T100000"),
            Self.event("UID:other", "DTSTART:20141021T090000", "DTEND:20141021T100000"),
        ].joined(separator: "\n")
        let day = try Self.day(text)
        #expect(day.date.iso8601 == "2014-10-20")
        #expect(
            Self.told(day) == [
                "utc 08:00:00+02:00 30", "float 09:00:00+02:00 60", "call 16:00:00+02:00 45",
            ]
        )
        #expect(Self.told(try Self.day(text, on: "2014-10-21")) == ["other 09:00:00+02:00 60"])
        #expect(try Self.day(text, on: "2014-10-22").entries.isEmpty)
    }

    @Test("V46: guests are the people who are invited, each once, but for those who declined")
    func guests() throws {
        let text = Self.event(
            "UID:board",
            "DTSTART:20141020T090000",
            "DTEND:20141020T100000",
            "ORGANIZER:mailto:ann@example.org",
            "ATTENDEE;CN=Bob:mailto:bob@example.org",
            "ATTENDEE;PARTSTAT=ACCEPTED:MAILTO:Bob@example.org",
            "ATTENDEE:mailto:cleo@example.org",
            "ATTENDEE;PARTSTAT=DECLINED:mailto:dan@example.org",
            "ATTENDEE;CUTYPE=ROOM:mailto:room5@example.org"
        )
        #expect(try Self.day(text).entries.map(\.demands.guests) == [2])
        let alone = Self.event("UID:a", "DTSTART:20141020T090000", "DTEND:20141020T100000")
        #expect(try Self.day(alone).entries.map(\.demands.guests) == [0])
    }

    @Test("a day of 25 hours ends after all of them")
    func longDay() throws {
        let text = Self.event("UID:late", "DTSTART:20141026T233000", "DURATION:PT1H")
        let day = try Self.day(text)
        #expect(day.span.upperBound.seconds - day.span.lowerBound.seconds == 25 * 3_600)
        #expect(Self.told(day) == ["late 23:30:00+01:00 60"])
        #expect(Self.told(try Self.day(text, on: "2014-10-27")) == ["late 23:30:00+01:00 60"])
    }

    @Test("occurrences of a series are those of the day: moved, left out, cancelled")
    func recurrence() throws {
        let text = [
            Self.event(
                "UID:work",
                "DTSTART;TZID=Europe/Rome:20141006T090000",
                "DURATION:PT1H",
                "RRULE:FREQ=WEEKLY",
                "EXDATE;TZID=Europe/Rome:20141027T090000"
            ),
            Self.event(
                "UID:work",
                "RECURRENCE-ID;TZID=Europe/Rome:20141020T090000",
                "DTSTART;TZID=Europe/Rome:20141021T110000",
                "DURATION:PT2H"
            ),
            Self.event(
                "UID:work",
                "RECURRENCE-ID;TZID=Europe/Rome:20141103T090000",
                "DTSTART;TZID=Europe/Rome:20141103T090000",
                "STATUS:CANCELLED"
            ),
        ].joined(separator: "\n")
        func told(_ date: String) throws -> [String] { Self.told(try Self.day(text, on: date)) }
        #expect(try told("2014-10-13") == ["work 09:00:00+02:00 60"])
        #expect(try told("2014-10-20").isEmpty && told("2014-10-27").isEmpty)
        #expect(try told("2014-10-21") == ["work 11:00:00+02:00 120"])
        #expect(try told("2014-11-03").isEmpty)
        #expect(try Self.day(text).date.iso8601 == "2014-10-06")
    }

    @Test("the first day is the first on which something takes time")
    func firstDay() throws {
        let text = [
            Self.event("UID:birthday", "DTSTART;VALUE=DATE:19300301", "RRULE:FREQ=YEARLY"),
            Self.event("UID:daily", "DTSTART;VALUE=DATE:20000101", "RRULE:FREQ=DAILY"),
            Self.event("UID:off", "DTSTART:20141001T090000", "STATUS:CANCELLED"),
            Self.event("UID:free", "DTSTART:20141002T090000", "TRANSP:TRANSPARENT"),
            Self.event("UID:old", "DTSTART:20141003T090000", "X-VIAVAI-JOURNEY:20141003"),
            Self.event("UID:much", "DTSTART:20141020T090000", "RRULE:FREQ=MINUTELY;COUNT=3"),
        ].joined(separator: "\n")
        let day = try Self.day(text)
        #expect(day.date.iso8601 == "2014-10-20" && day.entries.count == 3)
        #expect(Self.failure(Self.event("UID:1", "DTSTART;VALUE=DATE:20141001")) == .empty)
    }

    @Test("a place is a position, a text, or neither where it is only on the web")
    func places() throws {
        let text = [
            Self.event("UID:a", "DTSTART:20141020T080000", "GEO:45.5;9.25", "LOCATION:Room 3"),
            Self.event(
                "UID:b",
                "DTSTART:20141020T090000",
                "LOCATION:Bar\\nVia Padova 100\\, Milano"
            ),
            Self.event("UID:c", "DTSTART:20141020T100000", "LOCATION:https://meet.example/x"),
            Self.event("UID:d", "DTSTART:20141020T110000", "LOCATION: "),
        ].joined(separator: "\n")
        let entries = try Self.day(text).entries
        let position = Coordinate(latitudeDegrees: 45.5, longitudeDegrees: 9.25)
        #expect(entries.map(\.position) == [position, nil, nil, nil])
        #expect(entries.map { $0.location == nil } == [false, false, true, true])
        #expect(
            entries[1].placeTexts == [
                "Bar, Via Padova 100, Milano", "Via Padova 100, Milano", "Milano",
            ]
        )
        #expect(entries.map(\.line) == [2, 8, 13, 18] && entries[1].placeLine == 11)
        var asked: [String] = []
        let input = try Self.day(text).input { entry in
            asked.append(entry.uid)
            return ResolvedPlace(name: entry.uid, kind: .feature, coordinate: entry.position)
        } branches: { _ in
            []
        }
        #expect(asked == ["a", "b"])
        #expect(input.tasks.map { $0.place?.name } == ["a", "b", nil, nil])
    }

    @Test("a task has a window, a length and perhaps a least one; one that fills it is fixed")
    func tasks() throws {
        let window = ["DTSTART:20141020T123000", "DUE:20141020T143000"].joined(separator: "\n")
        let text = [
            Self.task("UID:lunch", window, "ESTIMATED-DURATION:PT30M"),
            Self.task(
                "UID:gym",
                window,
                "ESTIMATED-DURATION:PT1H",
                "X-TRAVLENDAR-MIN-DURATION:PT40M"
            ),
            Self.task("UID:all", window, "ESTIMATED-DURATION:PT2H"),
            Self.task("UID:done", window, "ESTIMATED-DURATION:PT2H", "STATUS:COMPLETED"),
            Self.task("UID:vague", "SUMMARY:Think"),
        ].joined(separator: "\n")
        let day = try Self.day(text)
        let span = try #require(day.entries.first).timing.window
        #expect(span.upperBound.seconds - span.lowerBound.seconds == 7_200)
        #expect(
            day.entries.map(\.timing) == [
                .flexible(window: span, seconds: 1_800, minimumSeconds: 1_800),
                .flexible(window: span, seconds: 3_600, minimumSeconds: 2_400), .fixed(span),
            ]
        )
        #expect(day.remarks == [.noWindow(line: 28)])
        let long = Self.task("UID:long", window, "ESTIMATED-DURATION:PT3H")
        #expect(Self.failure(long) == .tooLong(line: 2))
    }

    @Test("what cannot be read refuses the days on which it may be, and no other")
    func unreadable() throws {
        let good = Self.event("UID:good", "DTSTART:20141020T090000", "DURATION:PT1H")
        func lines(_ broken: String, _ date: String = "2014-10-20") -> [Int]? {
            do {
                _ = try Self.day(broken + "\n" + good, on: date)
                return nil
            } catch CalendarDay.Failure.unreadable(let failures) {
                return failures.map(\.line)
            } catch {
                return []
            }
        }
        #expect(lines(Self.event("UID:x", "DTSTART:20141020T250000")) == [4])
        #expect(lines(Self.event("UID:x", "DTSTART:20140101T090000", "RRULE:FREQ=NEVER")) == [5])
        let other = Self.event("UID:x", "DTSTART:20140101T090000", "GEO:north")
        #expect(lines(other) == nil && lines(other, "2014-01-01") == [5])
        #expect(lines(Self.event("UID:x", "DTSTART:20150101T090000", "GEO:north")) == nil)
        #expect(lines(Self.event("UID:x", "DTSTART;TZID=Nowhere:20141020T090000")) == [2])
        let remarks = try Self.day(other + "\nnonsense\n" + good, on: "2014-10-20").remarks
        #expect(
            remarks == [
                .leftOut(ICalendarFailure(line: 5, problem: .badValue("GEO"))),
                .ignored(ICalendarFailure(line: 7, problem: .notProperty)),
            ]
        )
    }

    @Test("whatever a calendar holds, its day is found or refused in bounded time")
    func hostile() {
        let secondly = Self.event("UID:1", "DTSTART:19300101T000000", "RRULE:FREQ=SECONDLY")
        #expect(
            Self.failure(secondly, on: "2014-10-20").map { "\($0)".hasPrefix("tooMany") } == true
        )
        let never = Self.event(
            "UID:1",
            "DTSTART:20140101T000000",
            "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"
        )
        #expect(Self.failure(never) != nil)
        let many = (0..<20_000).map {
            Self.event("UID:\($0)", "DTSTART:20141020T090000", "RRULE:FREQ=DAILY")
        }.joined(separator: "\n")
        #expect(Self.failure(many) == .tooMany(CivilDate(daysSince1970: 16_363)))
        let broken = (0..<20_000).map {
            Self.event("UID:\($0)", "DTSTART:20141020T090000", "GEO:north")
        }.joined(separator: "\n")
        guard case .unreadable(let failures)? = Self.failure(broken) else {
            Issue.record("not refused")
            return
        }
        #expect(failures.count == 20_000)
    }
}
