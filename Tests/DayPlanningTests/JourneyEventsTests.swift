import Chronology
import DayPlanning
import OpenData
import Testing
import TripPlanning

/// Issue 32, point 2: the calendar is written back with the journeys; all else stays.
@Suite("Journeys in a calendar")
struct JourneyEventsTests {
    private static let text = """
        \u{FEFF}
        BEGIN:VCALENDAR\r
        X-ODD;A="b:c":kept as\r
         it is\r

        nonsense
        BEGIN:VEVENT
        UID:a
        DTSTART:20141020T090000
        BEGIN:VALARM
        X-SOUND:loud
        END:VALARM
        END:VEVENT
        END:VCALENDAR
        """

    private static func plan(_ tasks: [CalendarTask]? = nil) throws -> PlannedDay {
        try DayTown().plan(
            tasks ?? [
                DayTown.task("a", DayTown.time(9), DayTown.time(10), at: 0),
                DayTown.task("b", DayTown.time(12), DayTown.time(13), at: 1_800),
            ],
            base: 600
        )
    }

    private static func added(_ plan: PlannedDay, to calendar: ICalendar) -> ICalendar {
        JourneyEvents(plan, written: DayTown.time(7)).added(
            to: calendar,
            summary: { _ in "Tram 14 to Duomo" },
            description: { _ in "09:00  Tram 14\nfrom A; to B" },
            location: { $0.from == .base ? "Home" : nil }
        )
    }

    private static func journeys(_ calendar: ICalendar) -> [ICalendarComponent] {
        calendar.components("VEVENT").filter { $0.property(JourneyEvents.mark) != nil }
    }

    @Test("journeys are events of their own, busy, and related to what they lead to")
    func events() throws {
        let plan = try Self.plan()
        let calendar = try ICalendar(Self.added(plan, to: ICalendar(Array(Self.text.utf8))).bytes)
        let found = Self.journeys(calendar)
        #expect(found.count == 3)
        let items = try found.map { try ICalendarItem($0) }
        #expect(Set(items.map(\.uid)).count == 3)
        #expect(items.map { $0.relations.map(\.target) } == [["a"], ["b"], ["b"]])
        #expect(items.allSatisfy { !$0.isTransparent && $0.summary == "Tram 14 to Duomo" })
        #expect(items.first?.location == "Home" && items.last?.location == nil)
        #expect(items.first?.description == "09:00  Tram 14\nfrom A; to B")
        let starts = items.map { $0.start?.local.instant(in: .utc) }
        #expect(starts == plan.journeys.map { $0.trip.departure })
        #expect(found.allSatisfy { $0.property("TRANSP")?.value == Array("OPAQUE".utf8)[...] })
    }

    @Test("everything else of the file stays byte for byte")
    func bytes() throws {
        let before = Array(Self.text.utf8)
        let after = try Self.added(Self.plan(), to: ICalendar(before)).bytes
        let end = Array("END:VCALENDAR".utf8)
        #expect(after.starts(with: before.dropLast(end.count)))
        #expect(after.suffix(end.count) == end[...])
        let middle = after.dropFirst(before.count - end.count).dropLast(end.count)
        let added = String(decoding: middle, as: UTF8.self)
        #expect(added.hasPrefix("BEGIN:VEVENT\r\n") && added.hasSuffix("END:VEVENT\r\n"))
    }

    @Test("planning the day again replaces its journeys, and no other day's")
    func again() throws {
        let calendar = try ICalendar(Array(Self.text.utf8))
        let once = Self.added(try Self.plan(), to: calendar)
        #expect(Self.added(try Self.plan(), to: try ICalendar(once.bytes)).bytes == once.bytes)
        var other = try Self.plan()
        other.input.date = other.input.date.adding(days: 1)
        #expect(Self.journeys(Self.added(other, to: once)).count == 6)
        let none = Self.added(try DayTown().plan([]), to: try ICalendar(once.bytes))
        #expect(none.bytes == Array(Self.text.utf8))
    }

    @Test("a file without VCALENDAR, whose last line has no end, stays readable")
    func bare() throws {
        let text = "BEGIN:VEVENT\nUID:a\nDTSTART:20141020T090000\nEND:VEVENT"
        let calendar = Self.added(try Self.plan(), to: try ICalendar(Array(text.utf8)))
        #expect(String(decoding: calendar.bytes, as: UTF8.self).hasSuffix(text))
        #expect(try ICalendar(calendar.bytes).components("VEVENT").count == 4)
    }
}
