import Chronology
import OpenData

extension EntryRepetition {
    /// Reads the rule of an item.
    ///
    /// - Parameters:
    ///   - item: the item.
    ///   - zone: the city's zone.
    ///   - start: when the item begins on the city's clocks.
    init(_ item: ICalendarItem, _ zone: NamedZone, start: LocalTime?) {
        self.init()
        guard let rule = item.rules.first else {
            let isOnce = item.component.property("RDATE") == nil
            frequency = isOnce ? .never : .other
            return
        }
        let day = item.start?.local.date
        switch rule.end {
        case .never, .count: until = nil
        case .date(let last): until = last
        case .local(let last): until = last.date
        case .instant(let last): until = LocalTime(last, in: zone.table).date
        }
        let known = Frequency.allCases.first { frequency in
            guard let day, var same = frequency.rule(from: day) else { return false }
            (same.end, same.weekStart) = (rule.end, rule.weekStart)
            return same == rule
        }
        frequency = known ?? .other
        if let days = rule.plainWeekdays, let day {
            if item.hasChosenDays {
                (frequency, times, weekdays) = (.timesAWeek, days.count, days)
            } else if known == nil, days.contains(day.weekday) {
                (frequency, weekdays) = (.weekly, days)
                simplify(startingOn: day.weekday)
            }
        }
        // Elsewhere the same days of the week may be others here.
        let isElsewhere = start?.date != day && (frequency == .workdays || !weekdays.isEmpty)
        let isCounted = if case .count = rule.end { true } else { false }
        if item.rules.count > 1 || isCounted || isElsewhere {
            (frequency, times, weekdays) = (.other, 0, [])
        }
    }

    /// Writes the rule; one that the form cannot say stays as it is.
    func write(
        to component: inout ICalendarComponent,
        start: LocalTime?,
        _ zone: NamedZone,
        _ form: TimeForm
    ) {
        guard frequency != .other else { return }
        component.remove("RRULE")
        component.remove("RDATE")
        if frequency == .timesAWeek {
            component.set(ICalendarProperty(ICalendarItem.timesProperty, value: "\(times)"))
        } else {
            component.remove(ICalendarItem.timesProperty)
        }
        guard let start, var rule = rule(from: start.date) else {
            component.remove("EXDATE")
            return
        }
        if let until {
            // Beside a start in a zone the end is written in UTC, and beside a day as a day (RFC
            // 5545, 3.3.10).
            let last = LocalTime(date: until, second: 86_399).instant(in: zone.table)
            rule.end = if case .days = form { .date(until) } else { .instant(last) }
        }
        component.set(
            ICalendarProperty("RRULE", value: String(decoding: rule.text, as: UTF8.self))
        )
    }
}

extension EntryRepetition {
    /// The rule for a start on a day; nil if there is none.
    fileprivate func rule(from day: CivilDate) -> RecurrenceRule? {
        guard frequency == .timesAWeek || frequency == .weekly && !weekdays.isEmpty else {
            return frequency.rule(from: day)
        }
        var rule = RecurrenceRule(.weekly)
        // Until days are chosen, it is the day of its start.
        let days = weekdays.isEmpty ? [day.weekday] : weekdays.sorted()
        rule.weekdays = days.map { RecurrenceRule.Weekday($0) }
        return rule
    }
}

extension RecurrenceRule {
    /// The days of the week of a rule that says nothing else but when it ends; nil for any other.
    fileprivate var plainWeekdays: Set<Int32>? {
        var same = RecurrenceRule(.weekly)
        same.weekdays = weekdays.map { RecurrenceRule.Weekday($0.day) }
        (same.end, same.weekStart) = (end, weekStart)
        return same == self && !weekdays.isEmpty ? Set(weekdays.map(\.day)) : nil
    }
}

extension EntryRepetition.Frequency {
    /// The rule for a start on a day; nil if there is none.
    fileprivate func rule(from day: CivilDate) -> RecurrenceRule? {
        switch self {
        // The days of the week are of the repetition.
        case .never, .other, .timesAWeek: return nil
        case .daily: return RecurrenceRule(.daily)
        case .workdays:
            var rule = RecurrenceRule(.weekly)
            rule.weekdays = (0..<5).map { RecurrenceRule.Weekday($0) }
            return rule
        case .weekly: return RecurrenceRule(.weekly)
        case .fortnightly:
            var rule = RecurrenceRule(.weekly)
            rule.interval = 2
            return rule
        case .monthly: return RecurrenceRule(.monthly)
        case .yearly: return RecurrenceRule(.yearly)
        }
    }
}
