import Chronology
import OpenData

/// In which form the times of an entry are written.
enum TimeForm {
    /// On the clocks of the city.
    case city
    /// As dates without a time (`VALUE=DATE`).
    case days
    /// On the clocks of a former time, because a rule stays that refers to them.
    case like(ICalendarTime)

    /// The form for details that take the place of a former item's.
    init(of details: EntryDetails, _ former: ICalendarItem?) {
        switch former?.start {
        // The form shows whole days as from midnight until midnight.
        case .date?: self = details.timing.isWholeDays ? .days : .city
        case let start?: self = details.repetition.frequency == .other ? .like(start) : .city
        case nil: self = .city
        }
    }

    /// A reading of the city's clocks in this form.
    fileprivate func time(
        _ local: LocalTime,
        _ zone: NamedZone,
        _ zones: inout ICalendarZones
    ) -> ICalendarTime {
        let usual = ICalendarTime.zoned(local, zone: zone.name)
        switch self {
        case .city, .like(.date): return usual
        case .days: return .date(local.date)
        case .like(.floating): return .floating(local)
        case .like(.instant): return .instant(local.instant(in: zone.table))
        case .like(.zoned(_, let name)):
            guard name != zone.name, let table = zones.table(name) else { return usual }
            return .zoned(LocalTime(local.instant(in: zone.table), in: table), zone: name)
        }
    }
}

extension EntryTiming {
    /// Whether it has a start and an end.
    package var isFixed: Bool { if case .fixed = self { true } else { false } }

    /// Whether it is from midnight until midnight.
    fileprivate var isWholeDays: Bool {
        guard case .fixed(let start, let end) = self else { return false }
        return start < end && start.second == 0 && end.second == 0
    }

    init(_ item: ICalendarItem, _ zone: NamedZone, _ zones: inout ICalendarZones) {
        guard let start = item.start?.local(in: zone, &zones) else {
            self = .someday
            return
        }
        let end =
            item.end?.local(in: zone, &zones) ?? item.endByDuration(zone, &zones) ?? start
        guard item.kind == .task, let length = item.estimatedDuration?.plainSeconds else {
            self = .fixed(start: start, end: end)
            return
        }
        let least = item.minimumDuration?.plainSeconds ?? length
        self = .flexible(from: start, until: end, minutes: length / 60, leastMinutes: least / 60)
    }

    /// Writes the times in place of all former ones.
    func write(
        to component: inout ICalendarComponent,
        _ zone: NamedZone,
        _ form: TimeForm,
        _ zones: inout ICalendarZones
    ) {
        for name in ["DTEND", "DUE", "DURATION"] { component.remove(name) }
        component.remove("ESTIMATED-DURATION")
        component.remove(ICalendarItem.minimumProperty)
        guard let start, var end else {
            component.remove("DTSTART")
            return
        }
        // Where the clocks skip the start, it is as much later, and may be behind the end.
        let first = start.instant(in: zone.table)
        if start < end, end.instant(in: zone.table) <= first {
            let seconds = end.wallSeconds - start.wallSeconds
            end = LocalTime(first.adding(seconds: seconds), in: zone.table)
        }
        component.set(form.time(start, zone, &zones).property("DTSTART"))
        component.set(form.time(end, zone, &zones).property(component.endName))
        guard case .flexible(_, _, let minutes, let least) = self else { return }
        component.set(ICalendarProperty("ESTIMATED-DURATION", value: "PT\(minutes)M"))
        if least < minutes {
            component.set(ICalendarProperty(ICalendarItem.minimumProperty, value: "PT\(least)M"))
        }
    }
}

extension ICalendarComponent {
    /// The property that says when it ends.
    var endName: String { name == ICalendarItem.Kind.task.rawValue ? "DUE" : "DTEND" }
}

extension ICalendarTime {
    /// The time on the city's clocks; a time of a zone that is unknown here is read as it is
    /// written.
    fileprivate func local(in zone: NamedZone, _ zones: inout ICalendarZones) -> LocalTime {
        switch self {
        case .date, .floating: return local
        case .instant(let instant): return LocalTime(instant, in: zone.table)
        case .zoned(let time, let name):
            guard name != zone.name, let own = zones.table(name) else { return time }
            return LocalTime(time.instant(in: own), in: zone.table)
        }
    }
}

extension ICalendarItem {
    /// When an item ends that says how long it lasts, or nothing (RFC 5545, 3.6.1), on the city's
    /// clocks; nil if it has no length.
    fileprivate func endByDuration(
        _ zone: NamedZone,
        _ zones: inout ICalendarZones
    ) -> LocalTime? {
        guard let start else { return nil }
        let isDay = if case .date = start { true } else { false }
        let length = duration ?? CalendarDuration(days: isDay && kind == .event ? 1 : 0)
        guard length != CalendarDuration() else { return nil }
        let table: ZoneTable
        switch start {
        case .date, .floating: table = zone.table
        case .instant: table = .utc
        case .zoned(_, let name): table = zones.table(name) ?? zone.table
        }
        // Days follow the clocks on the wall, and seconds are exact (RFC 5545, 3.3.6).
        let date = start.local.date.adding(days: length.days)
        let last = LocalTime(date: date, second: start.local.second).instant(in: table)
        return LocalTime(last.adding(seconds: length.seconds), in: zone.table)
    }
}
