extension RecurrenceIterator {
    /// Seconds of an hour, a minute or a second; nil for longer periods.
    private var unit: Int64? {
        switch rule.frequency {
        case .hourly: 3_600
        case .minutely: 60
        case .secondly: 1
        default: nil
        }
    }

    /// The period from which every interval is counted.
    var firstPeriod: Int64 {
        let numbers = start.date.numbers
        switch rule.frequency {
        case .yearly:
            guard !rule.weeks.isEmpty else { return Int64(numbers.year) }
            // Rules with week numbers count years from their first week. If every year counts,
            // starting a year early does no harm; otherwise it is the year of the start's week, if
            // the rule has an occurrence left in it.
            if interval == 1 { return Int64(numbers.year) - 1 }
            for year in [numbers.year - 1, numbers.year, numbers.year + 1] {
                let first = Self.firstWeek(of: year, rule.weekStart)
                let next = Self.firstWeek(of: year + 1, rule.weekStart)
                guard start.date >= first, start.date < next else { continue }
                var copy = self
                copy.fillWeeks(of: year)
                let hasAny = copy.periodDays.last.map { $0 >= start.date.daysSince1970 } ?? false
                if hasAny { return Int64(year) }
            }
            return Int64(numbers.year)
        case .monthly: return Int64(numbers.year) * 12 + Int64(numbers.month) - 1
        case .weekly:
            let back = (start.date.weekday - rule.weekStart + 7) % 7
            return Int64(start.date.daysSince1970 - back)
        case .daily: return Int64(start.date.daysSince1970)
        case .hourly, .minutely, .secondly:
            return Self.floor(start.wallSeconds, by: unit ?? 1)
        }
    }

    /// A period such that no later one has an occurrence before a reading.
    func period(before time: LocalTime) -> Int64 {
        let distance: Int64
        switch rule.frequency {
        case .yearly: distance = Int64(time.date.numbers.year) - 1 - base
        case .monthly:
            let numbers = time.date.numbers
            distance = Int64(numbers.year) * 12 + Int64(numbers.month) - 1 - base
        case .weekly: return Self.floor(Int64(time.date.daysSince1970) - base, by: 7 * interval)
        case .daily: distance = Int64(time.date.daysSince1970) - base
        case .hourly, .minutely, .secondly:
            distance = Self.floor(time.wallSeconds, by: unit ?? 1) - base
        }
        return Self.floor(distance, by: interval)
    }

    /// Moves to the next period that has days; false if there is none.
    mutating func findPeriod() -> Bool {
        periodDays.removeAll(keepingCapacity: true)
        while stepsLeft > 0 {
            stepsLeft -= 1
            let place = base &+ nextPeriod &* interval
            switch rule.frequency {
            case .yearly:
                guard place <= 9_999 else { return false }
                nextPeriod += 1
                guard place >= 0 else { continue }
                if rule.weeks.isEmpty {
                    for month in 1...Int32(12) { append(Int32(place), month) }
                } else {
                    fillWeeks(of: Int32(place))
                }
            case .monthly:
                guard place < 120_000 else { return false }
                nextPeriod += 1
                append(Int32(place / 12), Int32(place % 12) + 1)
            case .weekly:
                let first = base &+ nextPeriod &* interval &* 7
                guard first <= Int64(Self.lastDay) else { return false }
                nextPeriod += 1
                for day in Int32(first)..<(Int32(first) + 7) {
                    look(at: day)
                    if month.mask >> UInt32(day - month.first) & 1 == 1 { periodDays.append(day) }
                }
            case .daily:
                guard place <= Int64(Self.lastDay) else { return false }
                let day = nextDay(from: Int32(place))
                if day == Int32(place) { periodDays.append(day) }
                align(Int64(day) + (day == Int32(place) ? 1 : 0))
            case .hourly, .minutely, .secondly:
                let unit = unit ?? 1
                let (seconds, isTooLate) = place.multipliedReportingOverflow(by: unit)
                guard !isTooLate, seconds < (Int64(Self.lastDay) + 1) * 86_400 else {
                    return false
                }
                takeTime(seconds, unit)
            }
            if !periodDays.isEmpty { return true }
        }
        return false
    }

    /// Takes the hour, minute or second that begins at a second, or skips to the next candidate.
    private mutating func takeTime(_ wall: Int64, _ unit: Int64) {
        let day = Int32(Self.floor(wall, by: 86_400))
        let dayStart = Int64(day) * 86_400
        let second = Int32(wall - dayStart)
        let match = nextDay(from: day)
        if match != day { return align(ceiling: Int64(match) * 86_400, unit) }
        let hour = second / 3_600
        if !rule.hours.isEmpty, !rule.hours.contains(hour) {
            let next = rule.hours.filter { $0 > hour }.min() ?? 24
            return align(ceiling: dayStart + Int64(next) * 3_600, unit)
        }
        Self.set(&hours, to: hour)
        let minute = second / 60 % 60
        if unit < 3_600 {
            if !rule.minutes.isEmpty, !rule.minutes.contains(minute) {
                let next = rule.minutes.filter { $0 > minute }.min() ?? 60
                let target = Int64(hour) * 3_600 + Int64(next) * 60
                return align(ceiling: dayStart + target, unit)
            }
            Self.set(&minutes, to: minute)
        }
        if unit == 1 {
            let rest = second % 60
            if !rule.seconds.isEmpty, !rule.seconds.contains(where: { Swift.min($0, 59) == rest }) {
                let next = rule.seconds.map { Swift.min($0, 59) }.filter { $0 > rest }.min() ?? 60
                return align(ceiling: wall - Int64(rest) + Int64(next), unit)
            }
            Self.set(&seconds, to: rest)
        }
        periodDays.append(day)
        nextPeriod += 1
    }

    private static func set(_ list: inout [Int32], to value: Int32) {
        // Avoids a new array for each of a million seconds.
        if list.count == 1 { list[0] = value } else { list = [value] }
    }

    private mutating func align(ceiling wall: Int64, _ unit: Int64) {
        align(Self.floor(wall + unit - 1, by: unit))
    }

    /// Moves to the first period at or after a position, counted as ``base`` is.
    private mutating func align(_ place: Int64) {
        nextPeriod = Self.floor(place - base + interval - 1, by: interval)
    }

    /// The first allowed day of a month from a day on, or else the first day of the next month.
    private mutating func nextDay(from day: Int32) -> Int32 {
        look(at: day)
        let bits = month.mask >> UInt32(day - month.first)
        if bits != 0 { return day + Int32(bits.trailingZeroBitCount) }
        return month.first + month.length
    }

    private mutating func look(at day: Int32) {
        if day >= month.first, day < month.first + month.length { return }
        let numbers = CivilDate(daysSince1970: day).numbers
        month.first = day - numbers.day + 1
        month.length = CivilDate.length(ofMonth: numbers.month, year: numbers.year)
        month.mask = days.mask(year: numbers.year, month: numbers.month)
    }

    private mutating func append(_ year: Int32, _ month: Int32) {
        var mask = days.mask(year: year, month: month)
        if mask == 0 { return }
        let first = CivilDate(unchecked: year, month, 1).daysSince1970
        while mask != 0 {
            periodDays.append(first + Int32(mask.trailingZeroBitCount))
            mask &= mask - 1
        }
    }

    /// Collects the days of the weeks that the rule names in a year.
    private mutating func fillWeeks(of year: Int32) {
        let first = Self.firstWeek(of: year, rule.weekStart).daysSince1970
        let next = Self.firstWeek(of: year + 1, rule.weekStart).daysSince1970
        let count = (next - first) / 7
        for week in 1...count
        where rule.weeks.contains(week) || rule.weeks.contains(week - count - 1) {
            for day in (first + (week - 1) * 7)..<(first + week * 7) {
                look(at: day)
                if month.mask >> UInt32(day - month.first) & 1 == 1 { periodDays.append(day) }
            }
        }
    }

    /// The first day of the first week with at least four days in a year (ISO 8601).
    private static func firstWeek(of year: Int32, _ weekStart: Int32) -> CivilDate {
        let fourth = CivilDate(unchecked: year, 1, 4)
        return fourth.adding(days: 0 - (fourth.weekday - weekStart + 7) % 7)
    }

    /// The quotient, rounded down.
    private static func floor(_ number: Int64, by divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }
}
