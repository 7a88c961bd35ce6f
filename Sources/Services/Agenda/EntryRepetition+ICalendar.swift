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
        frequency =
            item.rules.count > 1
            ? .other
            : Frequency.allCases.first { frequency in
                guard let day, var same = frequency.rule(from: day) else { return false }
                same.end = rule.end
                same.weekStart = rule.weekStart
                return same == rule
            } ?? .other
        if case .count = rule.end { frequency = .other }
        // Elsewhere the same days of the week may be others here.
        if frequency == .workdays, start?.date != day { frequency = .other }
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
        guard let start, var rule = frequency.rule(from: start.date) else {
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

extension EntryRepetition.Frequency {
    /// The rule for a start on a day; nil if there is none.
    fileprivate func rule(from day: CivilDate) -> RecurrenceRule? {
        switch self {
        case .never, .other: return nil
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
