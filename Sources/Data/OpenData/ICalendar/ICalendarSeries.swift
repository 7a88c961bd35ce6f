package import Chronology

/// An event or task with all its occurrences: the recurring item, and the items that replace some
/// of its occurrences.
package struct ICalendarSeries: Sendable {
    /// The recurring item, or the only one; if the calendar has only replacements, the first of
    /// them.
    package let item: ICalendarItem
    /// The replacements, in the order of ``RecurrenceSet/overrides`` of ``set``.
    package let replacements: [ICalendarItem]
    /// The times of its occurrences; nil for a task without times.
    package let set: RecurrenceSet?

    /// The item that describes an occurrence.
    package func item(of occurrence: Occurrence) -> ICalendarItem {
        occurrence.override.map { replacements[$0] } ?? item
    }
}

extension ICalendar {
    /// The events and tasks of the calendar, in the order in which their identifiers first appear,
    /// and the reasons why some were left out.
    ///
    /// An item that cannot be read is left out alone; if it is the recurring one, its replacements
    /// become a series of their own.
    ///
    /// - Parameter zones: the zones of this calendar.
    /// - Returns: what could be read, and the reasons for what could not, by line.
    /// - Complexity: linear in the size of the calendar.
    package func series(
        _ zones: inout ICalendarZones
    ) -> (series: [ICalendarSeries], failures: [ICalendarFailure]) {
        var failures: [ICalendarFailure] = []
        var order: [String] = []
        var items: [String: [ICalendarItem]] = [:]
        for component in components.flatMap({ $0.name == "VCALENDAR" ? $0.components : [$0] })
        where ICalendarItem.Kind(rawValue: component.name) != nil {
            do throws(ICalendarFailure) {
                let item = try ICalendarItem(component)
                if items[item.uid] == nil { order.append(item.uid) }
                items[item.uid, default: []].append(item)
            } catch {
                failures.append(error)
            }
        }
        var series: [ICalendarSeries] = []
        for uid in order {
            guard let group = items[uid] else { continue }
            do throws(ICalendarFailure) {
                series.append(try ICalendarSeries(group, &zones, &failures))
            } catch {
                failures.append(error)
            }
        }
        failures.sort { $0.line < $1.line }
        return (series, failures)
    }
}

extension ICalendarSeries {
    /// Creates the series of the items with one identifier, at least one.
    ///
    /// - Throws: why the recurring item cannot be used; for a replacement that cannot be used, the
    ///   reason is added to the failures instead.
    init(
        _ items: [ICalendarItem],
        _ zones: inout ICalendarZones,
        _ failures: inout [ICalendarFailure]
    ) throws(ICalendarFailure) {
        let masters = items.filter { $0.recurrenceID == nil }
        // Of two revisions the later one counts.
        let master = masters.max { $0.sequence < $1.sequence }
        for item in masters where item.component.line != master?.component.line {
            failures.append(ICalendarFailure(line: item.component.line, problem: .duplicate))
        }
        let others = items.filter { $0.recurrenceID != nil }
        let base = master ?? items[0]
        item = base
        guard let start = base.start ?? base.end else {
            replacements = []
            set = nil
            return
        }
        let clock = try zones.clock(of: start, base)
        var set = RecurrenceSet(
            start: start.local,
            clock: clock,
            duration: base.start == nil
                ? CalendarDuration() : try base.length(clock, &zones)
        )
        if master != nil {
            set.rules = base.rules
            if set.clock == .days, base.rules.contains(where: \.isWithinDays) {
                throw base.failure("RRULE", .badValue("RRULE"))
            }
            try set.addDates(of: base, &zones)
        } else {
            // There is no recurring item, so only the replacements are occurrences.
            set.exceptions = [set.id(at: set.start)]
        }
        var kept: [ICalendarItem] = []
        for other in others {
            do throws(ICalendarFailure) {
                set.overrides.append(try other.override(of: set, &zones))
                kept.append(other)
            } catch {
                failures.append(error)
            }
        }
        replacements = kept
        self.set = set
    }
}

extension RecurrenceRule {
    /// Whether it recurs several times a day, which whole days cannot.
    fileprivate var isWithinDays: Bool { [.secondly, .minutely, .hourly].contains(frequency) }
}

extension ICalendarZones {
    /// The clocks from which a time is read.
    fileprivate mutating func clock(
        of time: ICalendarTime,
        _ item: ICalendarItem
    ) throws(ICalendarFailure) -> RecurrenceSet.Clock {
        switch time {
        case .date: return .days
        case .floating: return .floating
        case .instant: return .zone(.utc)
        case .zoned(_, let name):
            guard let table = table(name) else {
                throw ICalendarFailure(line: item.component.line, problem: .unknownZone(name))
            }
            return .zone(table)
        }
    }
}

extension ICalendarItem {
    fileprivate func failure(
        _ name: String,
        _ problem: ICalendarFailure.Problem
    ) -> ICalendarFailure {
        ICalendarFailure(line: component.property(name)?.line ?? component.line, problem: problem)
    }

    /// The length of each occurrence: exact between two times, in days between two dates (RFC 5545,
    /// 3.6.1 and 3.8.5.3).
    fileprivate func length(
        _ clock: RecurrenceSet.Clock,
        _ zones: inout ICalendarZones
    ) throws(ICalendarFailure) -> CalendarDuration {
        guard let start else { return CalendarDuration() }
        if let duration { return duration }
        guard let end else {
            // Without an end, a date lasts a day and a time has no length.
            let isDay = if case .date = start { kind == .event } else { false }
            return CalendarDuration(days: isDay ? 1 : 0)
        }
        let days = end.local.date.daysSince1970 - start.local.date.daysSince1970
        if case .date = start, case .date = end { return CalendarDuration(days: days) }
        let last = try zones.clock(of: end, self)
        let seconds =
            RecurrenceSet.id(at: end.local, last).seconds
            - RecurrenceSet.id(at: start.local, clock).seconds
        guard seconds >= 0 else {
            throw failure(kind == .event ? "DTEND" : "DUE", .endsBeforeStart)
        }
        return CalendarDuration(seconds: seconds)
    }

    /// The change that this item makes to the occurrence that it replaces.
    fileprivate func override(
        of set: RecurrenceSet,
        _ zones: inout ICalendarZones
    ) throws(ICalendarFailure) -> RecurrenceSet.Override {
        guard let recurrenceID else {
            throw failure("RECURRENCE-ID", .missing("RECURRENCE-ID"))
        }
        let start = start ?? recurrenceID
        let clock = try zones.clock(of: start, self)
        return RecurrenceSet.Override(
            id: try zones.id(recurrenceID, in: set, self),
            isFuture: isFuture,
            start: start.local,
            clock: clock,
            duration: try length(clock, &zones)
        )
    }
}

extension ICalendarZones {
    /// The identifier of the occurrence of a set to which a time refers.
    fileprivate mutating func id(
        _ time: ICalendarTime,
        in set: RecurrenceSet,
        _ item: ICalendarItem
    ) throws(ICalendarFailure) -> OccurrenceID {
        switch (time, set.clock) {
        case (.date(let date), .zone), (.date(let date), .floating):
            // Some programs state only the day.
            return set.id(at: LocalTime(date: date, second: set.start.second))
        case (_, .days):
            return set.id(at: LocalTime(date: time.local.date, second: 0))
        case (.floating(let local), .zone):
            return set.id(at: local)
        default:
            return RecurrenceSet.id(at: time.local, try clock(of: time, item))
        }
    }
}

extension RecurrenceSet {
    /// Adds the dates of `RDATE` and `EXDATE`.
    fileprivate mutating func addDates(
        of item: ICalendarItem,
        _ zones: inout ICalendarZones
    ) throws(ICalendarFailure) {
        var added: [Addition] = []
        for property in item.component.properties("RDATE") {
            let zone = property.parameter("TZID")
            for value in property.value.split(separator: UInt8(ascii: ",")) {
                let parts = value.split(separator: UInt8(ascii: "/"), maxSplits: 1)
                guard let first = parts.first, let time = ICalendarTime(first, zone: zone) else {
                    throw property.wrong
                }
                var duration: CalendarDuration?
                if parts.count == 2 {
                    duration = CalendarDuration(text: parts[1])
                    if duration == nil, let end = ICalendarTime(parts[1], zone: zone) {
                        duration = CalendarDuration(
                            seconds: end.local.wallSeconds - time.local.wallSeconds
                        )
                    }
                    guard let duration, duration.days >= 0, duration.seconds >= 0 else {
                        throw property.wrong
                    }
                }
                let local = try zones.reading(of: time, in: self, item)
                added.append(Addition(start: local, duration: duration))
            }
        }
        additions = added
        var left: [OccurrenceID] = []
        var days: [CivilDate] = []
        for property in item.component.properties("EXDATE") {
            for time in try property.times() {
                if case .date(let date) = time, clock != .days {
                    days.append(date)
                } else {
                    left.append(try zones.id(time, in: self, item))
                }
            }
        }
        exceptions = left
        exceptionDays = days
    }
}

extension ICalendarZones {
    /// The reading of a set's clocks at a time.
    fileprivate mutating func reading(
        of time: ICalendarTime,
        in set: RecurrenceSet,
        _ item: ICalendarItem
    ) throws(ICalendarFailure) -> LocalTime {
        let id = try id(time, in: set, item)
        guard case .zone(let zone) = set.clock else { return LocalTime(wallSeconds: id.seconds) }
        return LocalTime(Instant(seconds: id.seconds), in: zone)
    }
}
