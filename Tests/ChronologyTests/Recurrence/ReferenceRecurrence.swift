import Chronology
import SeededRandom

/// Recurrence as RFC 5545 describes it: walks through every day (or hour, minute or second) and
/// asks each part of the rule whether it agrees.
///
/// It is slow and obvious.
struct ReferenceRecurrence {
    let rule: RecurrenceRule
    let start: LocalTime

    /// The readings of some days from the start on.
    func readings(days: Int32) -> [LocalTime] {
        let end = LocalTime(date: start.date.adding(days: days), second: 0)
        var readings: [LocalTime] = []
        if let unit {
            var isAllowed = Array(repeating: false, count: 86_400)
            for second in times { isAllowed[Int(second)] = true }
            var wall = start.wallSeconds / unit * unit
            while wall < end.wallSeconds {
                readings += chosen(within(wall, unit, isAllowed))
                wall += unit * Int64(rule.interval)
            }
        } else {
            var periods: [Int32: [LocalTime]] = [:]
            // Whole periods at both ends, since BYSETPOS counts within them.
            for day in -800...(days + 800) {
                let date = start.date.adding(days: day)
                guard accepts(date), isCounted(date) else { continue }
                periods[period(of: date), default: []] += times.map {
                    LocalTime(date: date, second: $0)
                }
            }
            readings = periods.keys.sorted().flatMap { chosen(periods[$0] ?? []) }
        }
        readings = readings.filter { $0 >= start && $0 < end }
        switch rule.end {
        case .count(let count): readings = Array(readings.prefix(Int(count)))
        case .date(let date): readings.removeAll { $0.date > date }
        case .local(let time): readings.removeAll { $0 > time }
        case .instant(let instant): readings.removeAll { $0.wallSeconds > instant.seconds }
        case .never: break
        }
        return readings
    }

    private var unit: Int64? {
        [.secondly: 1, .minutely: 60, .hourly: 3_600][rule.frequency]
    }

    private func chosen(_ readings: [LocalTime]) -> [LocalTime] {
        if rule.positions.isEmpty { return readings }
        return readings.enumerated().filter { index, _ in
            rule.positions.contains(Int32(index + 1))
                || rule.positions.contains(Int32(index - readings.count))
        }.map(\.element)
    }

    /// The readings of one hour, minute or second.
    private func within(_ wall: Int64, _ unit: Int64, _ isAllowed: [Bool]) -> [LocalTime] {
        let first = LocalTime(wallSeconds: wall)
        guard accepts(first.date) else { return [] }
        return (first.second..<(first.second + Int32(unit))).filter { isAllowed[Int($0)] }.map {
            LocalTime(date: first.date, second: $0)
        }
    }

    /// The seconds of a day that the rule allows.
    private var times: [Int32] {
        let isShort = { (other: RecurrenceRule.Frequency) in
            rule.frequency.rawValue <= other.rawValue
        }
        func list(_ part: [Int32], _ all: Range<Int32>, _ own: Int32, _ isOpen: Bool) -> [Int32] {
            if part.isEmpty { return isOpen ? Array(all) : [own] }
            return Set(part.map { min($0, all.upperBound - 1) }).sorted()
        }
        let second = start.second
        let hours = list(rule.hours, 0..<24, second / 3_600, isShort(.hourly))
        let minutes = list(rule.minutes, 0..<60, second / 60 % 60, isShort(.minutely))
        let seconds = list(rule.seconds, 0..<60, second % 60, isShort(.secondly))
        return hours.flatMap { hour in
            minutes.flatMap { minute in seconds.map { hour * 3_600 + minute * 60 + $0 } }
        }
    }

    private func accepts(_ date: CivilDate) -> Bool {
        let (year, month, day) = date.numbers
        let length = CivilDate.length(ofMonth: month, year: year)
        let (first, last) = (self.day(year, 1, 1), self.day(year, 12, 31))
        let yearDay = date.daysSince1970 - first + 1
        let yearLength = last - first + 1
        let own = start.date.numbers
        let isOpen = rule.weekdays.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
        func has(_ list: [Int32], _ number: Int32, of length: Int32) -> Bool {
            list.isEmpty || list.contains(number) || list.contains(number - length - 1)
        }
        guard rule.months.isEmpty || rule.months.contains(month),
            has(rule.monthDays, day, of: length), has(rule.yearDays, yearDay, of: yearLength)
        else { return false }
        if !rule.weeks.isEmpty {
            let (_, week, count) = weekYear(date)
            guard has(rule.weeks, week, of: count) else { return false }
        }
        if !rule.weekdays.isEmpty {
            let isYear = rule.frequency == .yearly && rule.months.isEmpty
            let place = isYear ? yearDay : day
            let behind = isYear ? yearLength - yearDay : length - day
            let isAny = rule.weekdays.contains {
                $0.day == date.weekday
                    && [0, (place - 1) / 7 + 1, -(behind / 7) - 1].contains($0.ordinal)
            }
            guard isAny else { return false }
        }
        let isMonthDayAlone = rule.weekdays.isEmpty && rule.yearDays.isEmpty && rule.weeks.isEmpty
        if rule.frequency == .yearly, !rule.monthDays.isEmpty, isMonthDayAlone {
            return !rule.months.isEmpty || month == own.month
        }
        guard isOpen else { return true }
        return switch rule.frequency {
        case .yearly where !rule.weeks.isEmpty: date.weekday == start.date.weekday
        case .yearly: day == own.day && (!rule.months.isEmpty || month == own.month)
        case .monthly: day == own.day
        case .weekly: date.weekday == start.date.weekday
        default: true
        }
    }

    /// The year to which the week of a day belongs, the number of the week, and the weeks of that
    /// year.
    private func weekYear(_ date: CivilDate) -> (year: Int32, week: Int32, count: Int32) {
        func first(_ year: Int32) -> Int32 {
            // The week of 4 January is the first.
            var day = self.day(year, 1, 4)
            while CivilDate(daysSince1970: day).weekday != rule.weekStart { day -= 1 }
            return day
        }
        let year = date.numbers.year
        let own = [year + 1, year, year - 1].first { first($0) <= date.daysSince1970 } ?? year
        let week = (date.daysSince1970 - first(own)) / 7 + 1
        return (own, week, (first(own + 1) - first(own)) / 7)
    }

    private func period(of date: CivilDate) -> Int32 {
        let (year, month, _) = date.numbers
        switch rule.frequency {
        case .yearly: return rule.weeks.isEmpty ? year : weekYear(date).year
        case .monthly: return year * 12 + month
        case .weekly:
            var day = date
            while day.weekday != rule.weekStart { day = day.adding(days: -1) }
            // Any Monday far before the start.
            return (day.daysSince1970 + 7_000_000) / 7
        default: return date.daysSince1970
        }
    }

    private func isCounted(_ date: CivilDate) -> Bool {
        (period(of: date) - period(of: start.date)) % rule.interval == 0
    }

    private func day(_ year: Int32, _ month: Int32, _ day: Int32) -> Int32 {
        CivilDate(year: year, month: month, day: day)?.daysSince1970 ?? 0
    }
}

/// Random rules that are valid.
enum RandomRule {
    /// A start between 1995 and 2030 and a rule without an end.
    static func make(_ random: inout SeededRandom) -> (rule: RecurrenceRule, start: LocalTime) {
        let start = LocalTime(
            date: CivilDate(daysSince1970: Int32(9_131 + random.below(12_800))),
            second: Int32(random.below(86_400))
        )
        while true {
            var rule = RecurrenceRule(random.pick(RecurrenceRule.Frequency.allCases))
            func list(_ low: Int32, _ high: Int32, _ count: Int = 4) -> [Int32] {
                (0...random.below(count)).map { _ in
                    low + Int32(random.below(Int(high - low + 1)))
                }
            }
            func ends(_ high: Int32) -> [Int32] {
                list(1, high).map { random.happens(0.4) ? -$0 : $0 }
            }
            rule.interval = random.happens(0.5) ? 1 : Int32(1 + random.below(9))
            if random.happens(0.3) { rule.months = list(1, 12) }
            if random.happens(0.25) { rule.monthDays = ends(31) }
            if random.happens(0.1) { rule.yearDays = ends(366) }
            if random.happens(0.15) { rule.weeks = ends(53) }
            if random.happens(0.4) {
                rule.weekdays = list(0, 6).map {
                    let ordinal = Int32(random.below(5)) + 1
                    let isNumbered = rule.frequency.rawValue > 4 && random.happens(0.4)
                    return RecurrenceRule.Weekday(
                        $0,
                        ordinal: !isNumbered ? 0 : random.happens(0.5) ? ordinal : -ordinal
                    )
                }
            }
            if random.happens(0.2) { rule.hours = list(0, 23) }
            if random.happens(0.2) { rule.minutes = list(0, 59) }
            if random.happens(0.2) { rule.seconds = list(0, 59) }
            if random.happens(0.2) { rule.positions = ends(random.happens(0.8) ? 5 : 366) }
            rule.weekStart = random.happens(0.7) ? 0 : Int32(random.below(7))
            if rule.flaw == nil { return (rule, start) }
        }
    }

    /// The same rule with one of the possible ends, if that comes within some days.
    static func ended(
        _ rule: RecurrenceRule,
        _ start: LocalTime,
        days: Int,
        _ random: inout SeededRandom
    ) -> RecurrenceRule {
        var rule = rule
        let end = start.date.adding(days: Int32(random.below(days)))
        let time = LocalTime(date: end, second: Int32(random.below(86_400)))
        switch random.below(5) {
        case 0: rule.end = .count(Int32(1 + random.below(30)))
        case 1: rule.end = .date(end)
        case 2: rule.end = .local(time)
        case 3: rule.end = .instant(Instant(seconds: time.wallSeconds))
        default: break
        }
        return rule
    }
}
