import Chronology
import TestSupport
import Testing

/// RFC 5545, 3.8.4.4 and 3.8.5: rules, added and excluded dates, and moved occurrences in a zone.
@Suite("Recurrence sets")
struct RecurrenceSetTests {
    /// Italy's clocks since 1996.
    private static let rome = ZoneTable(
        starts: [0],
        offsets: [3_600],
        rule: ZoneRule(
            standard: 3_600,
            summer: 7_200,
            begins: .init(day: .ofMonth(month: 3, week: 5, weekday: 6), second: 7_200),
            ends: .init(day: .ofMonth(month: 10, week: 5, weekday: 6), second: 10_800)
        )
    )

    private static func local(_ text: String) throws -> LocalTime {
        try #require(LocalTime(iso8601: text))
    }

    private static func make(
        _ start: String,
        _ rules: String...,
        clock: RecurrenceSet.Clock = .zone(rome),
        length: CalendarDuration = CalendarDuration(seconds: 3_600)
    ) throws -> RecurrenceSet {
        var set = RecurrenceSet(start: try local(start), clock: clock, duration: length)
        set.rules = try rules.map { try RecurrenceRule(text: Array($0.utf8)[...]) }
        return set
    }

    private static func span(_ from: String, _ to: String) throws -> Range<Instant> {
        try local(from).instant(in: rome)..<local(to).instant(in: rome)
    }

    private static func texts(
        _ set: RecurrenceSet,
        _ from: String,
        _ to: String,
        observer: ZoneTable = rome
    ) throws -> [String] {
        let found = set.occurrences(in: try span(from, to), observer: observer)
        #expect(found.isComplete)
        return found.occurrences.map { $0.start.iso8601(in: rome) }
    }

    @Test("nine o'clock stays nine o'clock when the clocks change")
    func wallTime() throws {
        let set = try Self.make("2026-10-23T09:00", "FREQ=DAILY")
        #expect(
            try Self.texts(set, "2026-10-24T00:00", "2026-10-27T00:00") == [
                "2026-10-24T09:00:00+02:00", "2026-10-25T09:00:00+01:00",
                "2026-10-26T09:00:00+01:00",
            ]
        )
    }

    @Test("a skipped time is an hour later, one shown twice is the first (3.3.5)")
    func gaps() throws {
        let set = try Self.make("2026-01-01T02:30", "FREQ=DAILY")
        #expect(
            try Self.texts(set, "2026-03-28T12:00", "2026-03-30T12:00")
                == ["2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"]
        )
        #expect(
            try Self.texts(set, "2026-10-24T12:00", "2026-10-26T12:00")
                == ["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"]
        )
    }

    @Test("hours that the clocks skip are counted once")
    func hourly() throws {
        let set = try Self.make("2026-03-29T00:00", "FREQ=HOURLY", length: CalendarDuration())
        #expect(try Self.texts(set, "2026-03-29T00:00", "2026-03-30T00:00").count == 23)
    }

    @Test("a length in days ends at the same reading, a length in hours after those hours")
    func lengths() throws {
        for (length, end) in [
            (CalendarDuration(days: 1), "2026-10-25T12:00:00+01:00"),
            (CalendarDuration(seconds: 86_400), "2026-10-25T11:00:00+01:00"),
        ] {
            let set = try Self.make("2026-10-24T12:00", length: length)
            let found = set.occurrences(
                in: try Self.span("2026-10-25T10:00", "2026-10-25T10:30"),
                observer: Self.rome
            )
            #expect(found.occurrences.map { $0.end.iso8601(in: Self.rome) } == [end])
        }
    }

    @Test("whole days and floating times are read from the observer's clocks")
    func observers() throws {
        let days = try Self.make(
            "2026-11-27T00:00",
            "FREQ=WEEKLY",
            clock: .days,
            length: CalendarDuration(days: 1)
        )
        let floating = try Self.make("2026-11-27T09:00", clock: .floating)
        let tokyo = ZoneTable(starts: [0], offsets: [32_400])
        let (from, to) = ("2026-11-26T00:00", "2026-11-28T00:00")
        #expect(try Self.texts(days, from, to) == ["2026-11-27T00:00:00+01:00"])
        #expect(try Self.texts(days, from, to, observer: tokyo) == ["2026-11-26T16:00:00+01:00"])
        #expect(
            try Self.texts(floating, from, to, observer: tokyo) == ["2026-11-27T01:00:00+01:00"]
        )
    }

    @Test("UNTIL is an instant, and the occurrence at it counts")
    func until() throws {
        let set = try Self.make("2026-10-20T09:00", "FREQ=DAILY;UNTIL=20261026T080000Z")
        let last = try Self.texts(set, "2026-10-24T00:00", "2026-11-27T00:00").last
        #expect(last == "2026-10-26T09:00:00+01:00")
        let twice = try Self.make("2026-10-24T02:30", "FREQ=DAILY;UNTIL=20261025T010000Z")
        #expect(
            try Self.texts(twice, "2026-10-24T00:00", "2026-11-27T00:00").last
                == "2026-10-25T02:30:00+02:00"
        )
    }

    @Test("dates are added and left out, and nothing counts twice (3.8.5)")
    func dates() throws {
        var set = try Self.make("2026-11-02T09:00", "FREQ=DAILY;COUNT=5", "FREQ=WEEKLY;COUNT=2")
        set.additions = [
            .init(start: try Self.local("2026-11-05T18:00")),
            .init(start: try Self.local("2026-11-04T09:00")),
        ]
        set.exceptions = [
            set.id(at: try Self.local("2026-11-05T18:00")),
            set.id(at: try Self.local("2026-11-03T09:00")),
        ]
        set.exceptionDays = [try Self.local("2026-11-06T00:00").date]
        #expect(
            try Self.texts(set, "2026-11-01T00:00", "2026-12-01T00:00").map { $0.prefix(10) }
                == ["2026-11-02", "2026-11-04", "2026-11-05", "2026-11-09"]
        )
    }

    @Test("an occurrence that was moved is where it was moved to, and nowhere else")
    func moved() throws {
        var set = try Self.make("2026-11-02T09:00", "FREQ=DAILY;COUNT=3")
        set.overrides = [
            .init(
                id: set.id(at: try Self.local("2026-11-03T09:00")),
                start: try Self.local("2026-12-24T20:00"),
                clock: .zone(Self.rome),
                duration: CalendarDuration(seconds: 60)
            )
        ]
        #expect(
            try Self.texts(set, "2026-11-01T00:00", "2026-11-30T00:00").map { $0.prefix(10) }
                == ["2026-11-02", "2026-11-04"]
        )
        let found = set.occurrences(
            in: try Self.span("2026-12-24T00:00", "2026-12-25T00:00"),
            observer: Self.rome
        )
        #expect(found.occurrences.map(\.override) == [0])
        #expect(found.occurrences.map(\.id) == [set.overrides[0].id])
    }

    @Test("a change from one occurrence on moves all later ones by the same difference (3.2.13)")
    func thisAndFuture() throws {
        var set = try Self.make("2026-10-05T09:00", "FREQ=WEEKLY")
        func override(_ id: String, _ start: String, isFuture: Bool) throws {
            set.overrides.append(
                .init(
                    id: set.id(at: try Self.local(id)),
                    isFuture: isFuture,
                    start: try Self.local(start),
                    clock: .zone(Self.rome),
                    duration: CalendarDuration(seconds: 1_800)
                )
            )
        }
        try override("2026-10-19T09:00", "2026-10-20T11:00", isFuture: true)
        try override("2026-11-02T09:00", "2026-11-02T07:00", isFuture: false)
        try override("2026-11-16T09:00", "2026-11-16T10:00", isFuture: true)
        let expected = [
            "2026-10-05T09:00:00+02:00", "2026-10-12T09:00:00+02:00", "2026-10-20T11:00:00+02:00",
            "2026-10-27T11:00:00+01:00", "2026-11-02T07:00:00+01:00", "2026-11-10T11:00:00+01:00",
            "2026-11-16T10:00:00+01:00", "2026-11-23T10:00:00+01:00",
        ]
        #expect(try Self.texts(set, "2026-10-01T00:00", "2026-11-24T00:00") == expected)
        // Any part of the span gives the same occurrences.
        for start in 0..<54 {
            let from = try Self.local("2026-10-01T00:00").wallSeconds + Int64(start) * 86_400
            let span = Instant(seconds: from)..<Instant(seconds: from + 86_400)
            let found = set.occurrences(in: span, observer: Self.rome).occurrences
            let whole = try expected.filter {
                let time = try Self.local(String($0.prefix(19)))
                let begin = time.instant(in: Self.rome)
                return begin < span.upperBound && begin.adding(seconds: 1_800) > span.lowerBound
            }
            #expect(found.map { $0.start.iso8601(in: Self.rome) } == whole)
        }
        let found = set.occurrences(
            in: try Self.span("2026-10-01T00:00", "2026-11-24T00:00"),
            observer: Self.rome
        )
        #expect(found.occurrences.map(\.override) == [nil, nil, 0, 0, 1, 0, 2, 2])
        #expect(found.occurrences[3].end == found.occurrences[3].start.adding(seconds: 1_800))
    }

    @Test("limits end the work and say so")
    func limits() throws {
        let set = try Self.make("1930-01-01T09:00", "FREQ=SECONDLY")
        let span = try Self.span("2026-11-01T00:00", "2026-12-01T00:00")
        let few = set.occurrences(in: span, observer: .utc, limit: 10)
        #expect(few.occurrences.count == 10)
        #expect(!few.isComplete)
        let short = set.occurrences(in: span, observer: .utc, steps: 100)
        #expect(!short.isComplete)
        #expect(short.stepsLeft == 0)
        // Extreme times neither trap nor take long.
        let all = Instant(seconds: .min)..<Instant(seconds: .max)
        #expect(set.occurrences(in: all, observer: Self.rome, limit: 5).occurrences.count == 5)
    }

    @Test("a daily event of 1930 takes a few steps for this week, not a century of them")
    func century() throws {
        let set = try Self.make("1930-01-01T09:00", "FREQ=DAILY")
        let span = try Self.span("2026-11-23T00:00", "2026-11-30T00:00")
        let found = set.occurrences(in: span, observer: Self.rome)
        #expect(found.occurrences.count == 7)
        #expect(RecurrenceIterator.stepsLimit - found.stepsLeft < 40)
        // The fastest of many runs, since other programs run too.
        let fastest = (0..<200).map { _ in
            ContinuousClock().measure { _ = set.occurrences(in: span, observer: Self.rome) }
        }.min()
        #expect(try #require(fastest) < .microseconds(Effort.isRelease ? 200 : 20_000))
    }
}
