import Chronology
import SeededRandom
import TestSupport
import Testing

@Suite("Recurrence rules against a reference")
struct RecurrencePropertyTests {
    private static func name(_ rule: RecurrenceRule, _ start: LocalTime) -> Comment {
        "\(String(decoding: rule.text, as: UTF8.self)) from \(start.iso8601)"
    }

    /// The number of days that are walked through: fewer for rules that count every second.
    private static func days(_ rule: RecurrenceRule) -> Int32 {
        switch rule.frequency {
        case .secondly: 2
        case .minutely: 30
        case .hourly: 60
        case .daily, .weekly: 1_500
        case .monthly, .yearly: 4_000
        }
    }

    @Test("random rules recur as the reference says", arguments: 1...8)
    func rules(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<Effort.instances(150) {
            let (open, start) = RandomRule.make(&random)
            let days = Self.days(open)
            let rule = RandomRule.ended(open, start, days: Int(days), &random)
            // With weeks and an interval, the year of the start is a matter of definition.
            if !rule.weeks.isEmpty, rule.interval > 1 { continue }
            let expected = ReferenceRecurrence(rule: rule, start: start).readings(days: days)
            let end = LocalTime(date: start.date.adding(days: days), second: 0)
            var found: [LocalTime] = []
            for reading in RecurrenceIterator(rule, start: start) {
                if reading >= end { break }
                found.append(reading)
            }
            #expect(found == expected, Self.name(rule, start))
            // Skipping ahead gives the same result as walking.
            for _ in 0..<4 {
                var ahead = RecurrenceIterator(rule, start: start)
                for _ in 0..<random.below(3) { _ = ahead.next() }
                let from = ahead
                let target = LocalTime(
                    wallSeconds: start.wallSeconds
                        + Int64(random.below(Int(days) * 86_400))
                )
                ahead.skip(to: target)
                var walked = from
                var next = walked.next()
                while let reading = next, reading < target { next = walked.next() }
                #expect(ahead.next() == next, Self.name(rule, start))
                #expect(ahead.next() == walked.next(), Self.name(rule, start))
            }
        }
    }

    @Test("a rule survives being written and read")
    func texts() throws {
        var random = SeededRandom(seed: 37)
        for _ in 0..<Effort.instances(2_000) {
            let (open, start) = RandomRule.make(&random)
            let rule = RandomRule.ended(open, start, days: 1_000, &random)
            #expect(try RecurrenceRule(text: rule.text[...]) == rule)
        }
    }

    @Test("random bytes are refused with a reason and never trap")
    func noise() {
        var random = SeededRandom(seed: 38)
        let pieces = [
            "FREQ=", "DAILY", "YEARLY", ";", "=", ",", "BYDAY=", "-1MO", "COUNT=", "99999999999",
            "BYSETPOS=", "UNTIL=", "19970714T250000Z", "0", "-", "BYMONTHDAY=", "32", "é",
        ]
        for _ in 0..<Effort.instances(5_000) {
            let text = (0...random.below(8)).map { _ in random.pick(pieces) }.joined()
            guard let rule = try? RecurrenceRule(text: Array(text.utf8)[...]) else { continue }
            #expect(rule.flaw == nil)
        }
    }

    @Test("rules with flaws never trap")
    func flaws() {
        var random = SeededRandom(seed: 39)
        let wild: [Int32] = [.min, -400, -1, 0, 1, 60, 367, .max]
        for _ in 0..<Effort.instances(2_000) {
            var (rule, start) = RandomRule.make(&random)
            func some() -> [Int32] { random.happens(0.3) ? [random.pick(wild)] : [] }
            rule.interval = random.pick(wild)
            rule.weeks += some()
            rule.months += some()
            rule.monthDays += some()
            rule.yearDays += some()
            rule.positions += some()
            rule.hours += some()
            rule.weekdays += some().map { RecurrenceRule.Weekday(0, ordinal: $0) }
            start.date.daysSince1970 = Int32(random.below(3_000_000)) - 700_000
            var readings = RecurrenceIterator(rule, start: start, steps: 500)
            for _ in 0..<20 { _ = readings.next() }
            readings.skip(to: LocalTime(date: start.date.adding(days: 40_000), second: 0))
            _ = readings.next()
        }
    }
}
