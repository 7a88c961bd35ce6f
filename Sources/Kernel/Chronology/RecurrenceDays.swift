/// The days that the day parts of a rule allow, as a mask of bits for each month.
struct RecurrenceDays: Sendable {
    /// One bit for each month, from bit 1 on.
    private var months: UInt32 = 0
    /// Days of the month, from bit 0 for the first and for the last.
    private var monthDaysAhead: UInt32 = 0
    private var monthDaysBehind: UInt32 = 0
    private let hasMonthDays: Bool
    /// Days of the week, from bit 0 for Monday.
    private var weekdays: UInt32 = 0
    private var numbered: [RecurrenceRule.Weekday] = []
    private let hasWeekdays: Bool
    private let areNumberedInYear: Bool
    /// Days of the year, from bit 0 for the first and for the last; empty if the rule names none.
    private var yearDaysAhead: [UInt64] = []
    private var yearDaysBehind: [UInt64] = []

    /// The days of a rule; where the rule leaves them open, those of its first day.
    init(_ rule: RecurrenceRule, start: CivilDate) {
        let numbers = start.numbers
        var months = rule.months
        var monthDays = rule.monthDays
        var days = rule.weekdays
        let isOpen = days.isEmpty && monthDays.isEmpty && rule.yearDays.isEmpty
        let isMonthDayAlone = days.isEmpty && rule.yearDays.isEmpty && rule.weeks.isEmpty
        switch rule.frequency {
        case .yearly where isOpen && !rule.weeks.isEmpty, .weekly where isOpen:
            days = [RecurrenceRule.Weekday(start.weekday)]
        case .yearly where isOpen:
            if months.isEmpty { months = [numbers.month] }
            monthDays = [numbers.day]
        case .yearly where months.isEmpty && !monthDays.isEmpty && isMonthDayAlone:
            months = [numbers.month]
        case .monthly where isOpen:
            monthDays = [numbers.day]
        default: break
        }
        for month in months where (1...12).contains(month) { self.months |= 1 << UInt32(month) }
        if months.isEmpty { self.months = ~0 }
        for day in monthDays where day != 0 && (-31...31).contains(day) {
            if day > 0 {
                monthDaysAhead |= 1 << UInt32(day - 1)
            } else {
                monthDaysBehind |= 1 << UInt32(-day - 1)
            }
        }
        hasMonthDays = !monthDays.isEmpty
        for day in days where (0...6).contains(day.day) {
            if day.ordinal == 0 { weekdays |= 1 << UInt32(day.day) } else { numbered.append(day) }
        }
        hasWeekdays = !days.isEmpty
        areNumberedInYear = rule.frequency == .yearly && rule.months.isEmpty
        for day in rule.yearDays where day != 0 && (-366...366).contains(day) {
            if yearDaysAhead.isEmpty {
                yearDaysAhead = [0, 0, 0, 0, 0, 0]
                yearDaysBehind = yearDaysAhead
            }
            let bit = Int(day.magnitude) - 1
            if day > 0 {
                yearDaysAhead[bit / 64] |= 1 << UInt64(bit % 64)
            } else {
                yearDaysBehind[bit / 64] |= 1 << UInt64(bit % 64)
            }
        }
        // A part without a single valid value allows nothing.
        if !rule.yearDays.isEmpty, yearDaysAhead.isEmpty { self.months = 0 }
    }

    /// The allowed days of a month, the first at bit 0.
    func mask(year: Int32, month: Int32) -> UInt32 {
        guard months >> UInt32(month) & 1 == 1 else { return 0 }
        let length = CivilDate.length(ofMonth: month, year: year)
        let all: UInt32 = ~0 >> UInt32(32 - length)
        var mask = all
        if hasMonthDays {
            var days = monthDaysAhead
            for back in 0..<length where monthDaysBehind >> UInt32(back) & 1 == 1 {
                days |= 1 << UInt32(length - 1 - back)
            }
            mask &= days
        }
        if mask != 0, hasWeekdays { mask &= weekdayMask(year, month, length) }
        if mask != 0, !yearDaysAhead.isEmpty { mask &= yearDayMask(year, month, length) }
        return mask
    }

    private func weekdayMask(_ year: Int32, _ month: Int32, _ length: Int32) -> UInt32 {
        let first = CivilDate(unchecked: year, month, 1).weekday
        var mask: UInt32 = 0
        for day in 0..<Int32(7) where weekdays >> UInt32(day) & 1 == 1 {
            // Every seventh day, of which a month has up to five.
            mask |= 0x1020_4081 << UInt32((day - first + 7) % 7)
        }
        for weekday in numbered {
            let day: Int32
            if areNumberedInYear {
                let start = CivilDate(unchecked: year, 1, 1)
                let end = CivilDate(unchecked: year, 12, 31)
                let date = Self.date(weekday, from: start, to: end)
                day = date.daysSince1970 &- CivilDate(unchecked: year, month, 1).daysSince1970
            } else {
                let start = CivilDate(unchecked: year, month, 1)
                let date = Self.date(weekday, from: start, to: start.adding(days: length - 1))
                day = date.daysSince1970 &- start.daysSince1970
            }
            if day >= 0, day < length { mask |= 1 << UInt32(day) }
        }
        return mask
    }

    /// The n-th weekday of a span; the result may lie outside the span.
    private static func date(
        _ weekday: RecurrenceRule.Weekday,
        from start: CivilDate,
        to end: CivilDate
    ) -> CivilDate {
        if weekday.ordinal > 0 {
            let offset = (weekday.day - start.weekday + 7) % 7
            return start.adding(days: offset &+ (weekday.ordinal &- 1) &* 7)
        }
        let offset = (end.weekday - weekday.day + 7) % 7
        return end.adding(days: (weekday.ordinal &+ 1) &* 7 &- offset)
    }

    private func yearDayMask(_ year: Int32, _ month: Int32, _ length: Int32) -> UInt32 {
        let first = CivilDate(unchecked: year, 1, 1).daysSince1970
        let last = CivilDate(unchecked: year, 12, 31).daysSince1970
        let start = CivilDate(unchecked: year, month, 1).daysSince1970
        var mask: UInt32 = 0
        for day in 0..<length {
            let ahead = Int(start + day - first)
            let behind = Int(last - start - day)
            let isAhead = yearDaysAhead[ahead / 64] >> UInt64(ahead % 64) & 1 == 1
            let isBehind = yearDaysBehind[behind / 64] >> UInt64(behind % 64) & 1 == 1
            if isAhead || isBehind { mask |= 1 << UInt32(day) }
        }
        return mask
    }
}
