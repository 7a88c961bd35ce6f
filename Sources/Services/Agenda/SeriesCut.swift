import Chronology
import OpenData

/// Where a series is divided: what its rules and dates have before an occurrence, and from it on.
struct SeriesCut {
    /// The times of a rule on both sides of a cut.
    private struct Rule {
        let rule: RecurrenceRule
        /// How many times the rule recurs before.
        var count: Int32 = 0
        /// The last reading of the clocks before, and the first one from the cut on.
        var last: LocalTime?
        var next: LocalTime?
    }

    /// How many periods and occurrences of a rule may be examined: each day of a century.
    private static let stepsLimit = 50_000

    private let series: ICalendarSeries
    private let set: RecurrenceSet
    private let id: OccurrenceID
    private let start: ICalendarTime
    private let zones: ICalendarZones
    private let rules: [Rule]

    /// A cut before an occurrence; nil for a series without a start, or of which only single
    /// occurrences are known, or whose rules take too many steps.
    init?(_ series: ICalendarSeries, at id: OccurrenceID, _ zones: ICalendarZones) {
        guard let set = series.set, series.item.recurrenceID == nil,
            let start = series.item.start
        else { return nil }
        var rules: [Rule] = []
        for rule in set.rules {
            guard let one = Self.cut(rule, of: set, at: id) else { return nil }
            rules.append(one)
        }
        (self.series, self.set, self.id) = (series, set, id)
        (self.start, self.zones, self.rules) = (start, zones, rules)
    }

    private static func cut(
        _ rule: RecurrenceRule,
        of set: RecurrenceSet,
        at id: OccurrenceID
    ) -> Rule? {
        var (readings, end) = set.readings(of: rule, steps: stepsLimit)
        var found = Rule(rule: rule)
        while let reading = readings.next() {
            let own = set.id(at: reading)
            guard own <= end else { break }
            if own >= id {
                found.next = reading
                return found
            }
            found.count += 1
            found.last = reading
        }
        return readings.stepsLeft > 0 ? found : nil
    }

    /// The times that are not those of a rule.
    private var dates: [LocalTime] {
        (set.rules.isEmpty ? [set.start] : []) + set.additions.map(\.start)
    }

    // MARK: The parts

    /// The entry without the occurrence and all later ones; nil if neither a rule nor a date nor a
    /// change has any before.
    func before(_ components: [ICalendarComponent], at now: Instant) -> ICalendar? {
        let dates = dates.filter { set.id(at: $0) < id }
        let isAnyByRule = rules.contains { $0.last != nil }
        guard isAnyByRule || !dates.isEmpty || set.overrides.contains(where: { $0.id < id }) else {
            return nil
        }
        var master = series.item.component
        master.remove("RRULE")
        // Without a rule, the start would be an occurrence itself.
        if !isAnyByRule, let first = dates.min() { write(first, to: &master) }
        for rule in rules {
            guard let last = rule.last else { continue }
            var ended = rule.rule
            if rule.next != nil { ended.end = end(after: last) }
            master.add(ended.property)
        }
        keepDates(of: &master) { $0 < id }
        master.set(ICalendarTime.instant(now).property("LAST-MODIFIED"))
        master.set(ICalendarProperty("SEQUENCE", value: "\(series.item.sequence &+ 1)"))
        return joined(components, master) { $0 < id }
    }

    /// An entry of the occurrence and all later ones; nil if neither a rule nor a date has any.
    func after(_ components: [ICalendarComponent], uid: String, at now: Instant) -> ICalendar? {
        let readings = rules.compactMap(\.next)
        let dates = dates.filter { set.id(at: $0) >= id }
        guard let first = readings.min() ?? dates.min() else { return nil }
        var master = series.item.component
        master.remove("RRULE")
        for rule in rules where rule.next != nil {
            var rest = rule.rule
            if case .count(let count) = rest.end { rest.end = .count(count - rule.count) }
            master.add(rest.property)
        }
        keepDates(of: &master) { $0 >= id }
        write(first, to: &master)
        master.remove("SEQUENCE")
        master.set(ICalendarTime.instant(now).property("DTSTAMP"))
        master.set(ICalendarTime.instant(now).property("LAST-MODIFIED"))
        let isRelated = master.properties("RELATED-TO").contains {
            $0.parameter("RELTYPE") == "FIRST"
        }
        if !isRelated {
            let first = ICalendarParameter("RELTYPE", "FIRST")
            master.add(ICalendarProperty("RELATED-TO", [first], text: series.item.uid))
        }
        return joined(components, master, uid: uid) { $0 >= id }
    }

    /// The entry of a recurring item, the changes of some occurrences, and the zones.
    private func joined(
        _ components: [ICalendarComponent],
        _ master: ICalendarComponent,
        uid: String? = nil,
        _ isKept: (OccurrenceID) -> Bool
    ) -> ICalendar {
        let changes = zip(series.replacements, set.overrides).filter { isKept($1.id) }
            .map { item, _ in item.component }
        let items = ([master] + changes).map { item in
            var item = item
            if let uid { item.set(ICalendarProperty("UID", text: uid)) }
            return item
        }
        return ICalendar.entry(components.filter { $0.name == "VTIMEZONE" } + items)
    }

    // MARK: Times

    /// The end of a rule whose last time is known.
    private func end(after last: LocalTime) -> RecurrenceRule.End {
        switch set.clock {
        case .days: .date(last.date)
        case .floating: .local(last)
        case .zone: .instant(Instant(seconds: set.id(at: last).seconds))
        }
    }

    /// Writes when the first occurrence begins and ends, in the form of the series' times.
    private func write(_ first: LocalTime, to component: inout ICalendarComponent) {
        let time: ICalendarTime =
            switch start {
            case .date: .date(first.date)
            case .floating: .floating(first)
            case .instant: .instant(Instant(seconds: first.wallSeconds))
            case .zoned(_, let name): .zoned(first, zone: name)
            }
        component.set(time.property("DTSTART"))
        guard let end = series.item.end else { return }
        let last = set.id(at: first).seconds + set.duration.seconds
        let until: ICalendarTime
        switch end {
        case .date: until = .date(first.date.adding(days: set.duration.days))
        case .floating: until = .floating(LocalTime(wallSeconds: last))
        case .instant: until = .instant(Instant(seconds: last))
        case .zoned(_, let name):
            var zones = zones
            let table = zones.table(name) ?? .utc
            until = .zoned(LocalTime(Instant(seconds: last), in: table), zone: name)
        }
        component.set(until.property(component.endName))
    }

    /// Keeps the further dates (`RDATE`) on one side.
    private func keepDates(
        of component: inout ICalendarComponent,
        _ isKept: (OccurrenceID) -> Bool
    ) {
        let old = component.properties("RDATE")
        component.remove("RDATE")
        for property in old {
            let zone = property.parameter("TZID")
            let kept = property.value.split(separator: UInt8(ascii: ",")).filter { value in
                let begin = value.prefix { $0 != UInt8(ascii: "/") }
                return ICalendarTime(begin, zone: zone).flatMap(id(of:)).map(isKept) ?? false
            }
            guard !kept.isEmpty else { continue }
            let value = kept.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
            component.add(ICalendarProperty(property.name, property.parameters, value: value))
        }
    }

    /// The occurrence that a further date is; nil for one of an unknown zone.
    private func id(of time: ICalendarTime) -> OccurrenceID? {
        switch (time, set.clock) {
        case (_, .days): return set.id(at: LocalTime(date: time.local.date, second: 0))
        case (.date(let date), _):
            return set.id(at: LocalTime(date: date, second: set.start.second))
        case (.floating(let local), _): return set.id(at: local)
        case (.instant(let instant), _): return OccurrenceID(seconds: instant.seconds)
        case (.zoned(let local, let name), _):
            var zones = zones
            return zones.table(name).map {
                OccurrenceID(seconds: local.instant(in: $0).seconds)
            }
        }
    }
}

extension RecurrenceRule {
    /// The rule as a property.
    fileprivate var property: ICalendarProperty {
        ICalendarProperty("RRULE", value: String(decoding: text, as: UTF8.self))
    }
}

extension ICalendarComponent {
    /// Adds a property behind the others; `set` takes the place of one with the same name.
    fileprivate mutating func add(_ property: ICalendarProperty) {
        let place = entries.firstIndex {
            if case .component = $0 { true } else { false }
        }
        entries.insert(.property(property), at: place ?? entries.count)
    }
}
