import Chronology
import Foundation
import TestSupport
import Testing

/// RFC 5545, 3.3.10: what a rule may be and when it recurs.
@Suite("Recurrence rules")
struct RecurrenceRuleTests {
    private static func rule(_ text: String) throws -> RecurrenceRule {
        try RecurrenceRule(text: Array(text.utf8)[...])
    }

    private static func time(_ text: some StringProtocol) throws -> (LocalTime, isDate: Bool) {
        let bytes = Array(text.utf8.filter { $0 != UInt8(ascii: "Z") })[...]
        if let date = CivilDate(basic: bytes) { return (LocalTime(date: date, second: 0), true) }
        return (try #require(LocalTime(basic: bytes)), false)
    }

    private static func readings(_ text: String, _ start: String, _ count: Int) throws -> [String] {
        let (time, isDate) = try time(start)
        return RecurrenceIterator(try rule(text), start: time, isDate: isDate).prefix(count).map {
            String(decoding: isDate ? $0.date.basic : $0.basic, as: UTF8.self)
        }
    }

    @Test(
        "invalid rules are refused with the reason",
        arguments: [
            ("", RecurrenceFailure.notParts), ("COUNT=3", .noFrequency),
            ("FREQ=DAILY;;COUNT=2", .notParts),
            ("FREQ=FORTNIGHTLY", .badValue(.frequency)),
            ("FREQ=DAILY;INTERVAL=0", .badValue(.interval)),
            ("FREQ=DAILY;COUNT=0", .badValue(.count)), ("FREQ=DAILY;COUNT=-1", .badValue(.count)),
            ("FREQ=DAILY;COUNT=2;UNTIL=20300101", .countAndUntil),
            ("FREQ=DAILY;UNTIL=20300230", .badValue(.until)),
            ("FREQ=DAILY;FREQ=DAILY", .repeated(.frequency)),
            ("FREQ=DAILY;BYHOUR=24", .badValue(.hours)),
            ("FREQ=DAILY;BYMINUTE=60", .badValue(.minutes)),
            ("FREQ=DAILY;BYSECOND=61", .badValue(.seconds)),
            ("FREQ=DAILY;BYMONTH=13", .badValue(.months)),
            ("FREQ=DAILY;BYMONTHDAY=0", .badValue(.monthDays)),
            ("FREQ=DAILY;BYDAY=", .badValue(.weekdays)),
            ("FREQ=YEARLY;BYYEARDAY=367", .badValue(.yearDays)),
            ("FREQ=YEARLY;BYWEEKNO=-54", .badValue(.weeks)),
            ("FREQ=MONTHLY;BYDAY=0MO", .badValue(.weekdays)),
            ("FREQ=MONTHLY;BYDAY=54MO", .badValue(.weekdays)),
            ("FREQ=WEEKLY;BYDAY=1MO", .numberedWeekday),
            ("FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO", .numberedWeekday),
            ("FREQ=MONTHLY;BYWEEKNO=3", .notWithFrequency(.weeks)),
            ("FREQ=WEEKLY;BYMONTHDAY=3", .notWithFrequency(.monthDays)),
            ("FREQ=DAILY;BYYEARDAY=3", .notWithFrequency(.yearDays)),
            ("FREQ=DAILY;BYSETPOS=1", .positionsAlone), ("FREQ=DAILY;X-NAME=1", .unknownPart),
            ("FREQ=YEARLY;RSCALE=CHINESE", .badValue(.calendar)),
            ("FREQ=WEEKLY;WKST=XX", .badValue(.weekStart)),
        ]
    )
    func refusals(text: String, failure: RecurrenceFailure) {
        #expect(throws: failure) { try Self.rule(text) }
        #expect(!failure.reason.isEmpty)
    }

    @Test("case, order and a semicolon at the end do not matter")
    func leniency() throws {
        let rule = try Self.rule("byday=-1fr;freq=monthly;wkst=mo;skip=omit;rscale=gregorian;")
        #expect(rule == (try Self.rule("FREQ=MONTHLY;BYDAY=-1FR")))
        #expect(String(decoding: rule.text, as: UTF8.self) == "FREQ=MONTHLY;BYDAY=-1FR")
    }

    @Test("each case of libical", .enabled(if: RealData.has(Self.expectations), RealData.advice))
    func libical() throws {
        let text = try String(contentsOf: RealData.url(Self.expectations), encoding: .utf8)
        var checked = 0
        for block in text.components(separatedBy: "\n\n") {
            var fields: [Substring: Substring] = [:]
            for line in block.split(separator: "\n") where !line.hasPrefix("#") {
                let parts = line.split(separator: ":", maxSplits: 1)
                fields[parts[0]] = parts[1]
            }
            guard let text = fields["RRULE"], let expected = fields["INSTANCES"] else { continue }
            let rule = try Self.rule(String(text))
            let (start, isDate) = try Self.time(try #require(fields["DTSTART"]))
            let all = try expected.split(separator: ",").map { try Self.time($0).0 }
            let found = Array(RecurrenceIterator(rule, start: start, isDate: isDate).prefix(200))
            #expect(found == all, "\(block)")
            if let from = try fields["START-AT"].map(Self.time)?.0 {
                var ahead = RecurrenceIterator(rule, start: start, isDate: isDate)
                ahead.skip(to: from)
                #expect(Array(ahead.prefix(200)) == all.filter { $0 >= from }, "\(block)")
            }
            checked += 1
        }
        #expect(checked == 73)
    }

    private static let expectations = "ics/rrule-expectations/libical_icalrecur_half.txt"

    @Test("days that do not exist are passed over, 29 February too")
    func missingDays() throws {
        #expect(
            try Self.readings("FREQ=MONTHLY", "20250131", 4)
                == ["20250131", "20250331", "20250531", "20250731"]
        )
        #expect(
            try Self.readings("FREQ=YEARLY", "18960229", 3) == ["18960229", "19040229", "19080229"]
        )
    }

    @Test("the week's beginning changes which weeks count (3.8.5.3)")
    func weekStarts() throws {
        let rule = "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST="
        #expect(
            try Self.readings(rule + "MO", "19970805", 9)
                == ["19970805", "19970810", "19970819", "19970824"]
        )
        #expect(
            try Self.readings(rule + "SU", "19970805", 9)
                == ["19970805", "19970817", "19970819", "19970831"]
        )
    }

    @Test(
        "a rule that never matches ends within its steps",
        arguments: [
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4,6",
            "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=MINUTELY;INTERVAL=60;BYMINUTE=5", "FREQ=SECONDLY;INTERVAL=60;BYSECOND=5",
            "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6", "FREQ=HOURLY;INTERVAL=24;BYHOUR=3;COUNT=5",
            "FREQ=DAILY;INTERVAL=7;BYDAY=MO", "FREQ=DAILY;BYHOUR=3;BYSETPOS=2",
        ]
    )
    func barren(text: String) throws {
        let start = LocalTime(date: try #require(CivilDate(iso8601: "2026-11-27")), second: 0)
        var readings = RecurrenceIterator(try Self.rule(text), start: start)
        #expect(readings.next() == nil)
        #expect(readings.next() == nil)
        #expect(readings.stepsLeft >= 0)
    }

    @Test("rules end with the year 9999")
    func lastYear() throws {
        #expect(try Self.readings("FREQ=DAILY", "99991230", 9) == ["99991230", "99991231"])
        #expect(try Self.readings("FREQ=YEARLY;INTERVAL=999999999", "20200101", 9) == ["20200101"])
    }

    @Test("a rule of a century is not counted from its beginning")
    func ahead() throws {
        let start = LocalTime(date: try #require(CivilDate(iso8601: "1930-01-01")), second: 32_400)
        let week = LocalTime(date: try #require(CivilDate(iso8601: "2026-11-23")), second: 0)
        for text in [
            "FREQ=DAILY", "FREQ=DAILY;COUNT=100000", "FREQ=WEEKLY;BYDAY=MO,FR", "FREQ=MONTHLY",
            "FREQ=YEARLY;BYMONTH=11", "FREQ=HOURLY;INTERVAL=5", "FREQ=SECONDLY;COUNT=999999999",
            "FREQ=MINUTELY;BYHOUR=9",
        ] {
            var readings = RecurrenceIterator(try Self.rule(text), start: start)
            readings.skip(to: week)
            let first = readings.next()
            #expect(first.map { $0 >= week } ?? text.contains("COUNT=999"), "\(text)")
            #expect(readings.stepsLeft > RecurrenceIterator.stepsLimit - 100, "\(text)")
        }
    }
}
