import Chronology
import SeededRandom
import TestSupport
import Testing

@testable import OpenData

/// Calendars from strangers: whatever they contain, the work is bounded.
@Suite("Hostile calendars")
struct ICalendarHostileTests {
    private static let week = Instant(seconds: 1_795_400_000)..<Instant(seconds: 1_796_000_000)

    private static func series(_ lines: [String]) throws -> [ICalendarSeries] {
        let text = (["BEGIN:VEVENT", "UID:1"] + lines + ["END:VEVENT"]).joined(separator: "\n")
        let calendar = try ICalendar(Array(text.utf8))
        var zones = ICalendarZones(calendar) { _ in nil }
        return calendar.series(&zones).series
    }

    @Test("components nested ten thousand deep are refused")
    func nesting() {
        let text = String(repeating: "BEGIN:A\n", count: 10_000)
        let failure = #expect(throws: ICalendarFailure.self) { try ICalendar(Array(text.utf8)) }
        #expect(failure == ICalendarFailure(line: 33, problem: .tooDeep(limit: 32)))
    }

    @Test("files of too many lines are refused")
    func lines() {
        let text = "BEGIN:A\n" + String(repeating: "B:\n", count: 1_000_001)
        let failure = #expect(throws: ICalendarFailure.self) { try ICalendar(Array(text.utf8)) }
        #expect(failure?.problem == .tooManyLines(limit: 1_000_000))
    }

    @Test("rules without an end or an occurrence end their expansion")
    func endless() throws {
        let text = [
            "RRULE:FREQ=SECONDLY", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
            "RRULE:FREQ=SECONDLY;INTERVAL=60;BYSECOND=7;COUNT=999999999",
        ]
        for rule in text {
            let one = try #require(try Self.series(["DTSTART:19000101T000000Z", rule]).first)
            let found = try #require(one.set).occurrences(
                in: Self.week,
                observer: .utc,
                limit: 1_000,
                steps: 100_000
            )
            #expect(found.occurrences.count <= 1_000)
            #expect(found.stepsLeft >= 0)
        }
    }

    @Test("a hundred thousand exceptions, additions and moved occurrences are looked up")
    func exceptions() throws {
        func times(_ name: String) -> [String] {
            (0..<100_000).map { number in
                let instant = Instant(seconds: Int64(number) * 86_400)
                let time = String(decoding: LocalTime(instant, in: .utc).basic, as: UTF8.self)
                return "\(name):\(time)Z"
            }
        }
        let lines = ["DTSTART:19700101T000000Z", "RRULE:FREQ=DAILY"]
        let without = try #require(try Self.series(lines + times("EXDATE")).first?.set)
        #expect(without.exceptions.count == 100_000)
        #expect(without.occurrences(in: Self.week, observer: .utc).occurrences.isEmpty)
        let more = try #require(try Self.series(lines + times("RDATE")).first?.set)
        #expect(more.occurrences(in: Self.week, observer: .utc).occurrences.count == 7)

        var moved = RecurrenceSet(
            start: LocalTime(wallSeconds: 0),
            clock: .zone(.utc),
            duration: CalendarDuration()
        )
        moved.rules = [RecurrenceRule(.daily)]
        moved.overrides = (0..<100_000).map { number in
            let second = Int64(number) * 86_400
            return .init(
                id: OccurrenceID(seconds: second),
                isFuture: number % 2 == 0,
                start: LocalTime(wallSeconds: second + 60),
                clock: .zone(.utc),
                duration: CalendarDuration()
            )
        }
        let found = moved.occurrences(in: Self.week, observer: .utc)
        #expect(found.occurrences.count == 7)
        #expect(RecurrenceIterator.stepsLimit - found.stepsLeft < 1_000)
    }

    @Test("many rules in one event are refused")
    func manyRules() throws {
        let rules = Array(repeating: "RRULE:FREQ=DAILY", count: 1_000)
        #expect(try Self.series(["DTSTART:19700101T000000Z"] + rules).isEmpty)
    }

    @Test("damaged calendars are read or refused, and written as they were")
    func damage() {
        let text = """
            BEGIN:VCALENDAR
            BEGIN:VTIMEZONE
            TZID:X
            BEGIN:STANDARD
            DTSTART:20200101T000000
            TZOFFSETFROM:-0300
            TZOFFSETTO:-0400
            RRULE:FREQ=YEARLY;BYMONTH=3
            END:STANDARD
            END:VTIMEZONE
            BEGIN:VEVENT
            UID:1
            DTSTART;TZID=X:20260701T090000
            RRULE:FREQ=MONTHLY;BYDAY=-1FR;BYSETPOS=1;COUNT=9
            EXDATE;TZID=X:20260801T090000,20260901T090000
            DURATION:PT1H30M
            GEO:45.5;9.25
            SUMMARY:però
             folded\\, text
            END:VEVENT
            END:VCALENDAR

            """
        var random = SeededRandom(seed: 32)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for _ in 0..<Effort.instances(3_000) {
            var bytes = Array(text.utf8)
            if random.happens(0.3) {
                bytes = Array(random.shuffled(Array(lines)).joined(separator: "\n").utf8)
            }
            for _ in 0..<random.below(4) {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            guard let calendar = try? ICalendar(bytes) else { continue }
            #expect(calendar.bytes == bytes)
            var zones = ICalendarZones(calendar) { _ in nil }
            for one in calendar.series(&zones).series {
                _ = one.set?.occurrences(in: Self.week, observer: .utc, limit: 10, steps: 5_000)
            }
        }
    }
}
