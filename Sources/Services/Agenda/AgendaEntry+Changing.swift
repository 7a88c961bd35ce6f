package import Chronology
package import OpenData

extension EntryDetails {
    /// A new entry that says these details.
    ///
    /// - Parameters:
    ///   - uid: an identifier that no other entry has.
    ///   - zone: the city's zone.
    ///   - now: when it is written.
    /// - Returns: what ``Agenda/add(_:of:)`` stores.
    package func calendar(uid: String, zone: NamedZone, at now: Instant) -> ICalendar {
        ICalendar.entry([component(uid: uid, zone: zone, at: now)])
    }
}

extension AgendaEntry {
    /// What the entry says of one of its occurrences, or of all; nil if it has no such occurrence.
    package func details(of id: OccurrenceID?, zone: NamedZone) -> EntryDetails? {
        var zones = zone.zones(of: calendar)
        guard let series = calendar.series(&zones).series.first else { return nil }
        guard let id else { return EntryDetails(series.item, zone, &zones) }
        guard let occurrence = series.occurrence(id, zone) else { return nil }
        return details(of: occurrence, series, zone, &zones)
    }

    private func details(
        of occurrence: Occurrence,
        _ series: ICalendarSeries,
        _ zone: NamedZone,
        _ zones: inout ICalendarZones
    ) -> EntryDetails {
        var details = EntryDetails(series.item(of: occurrence), zone, &zones)
        details.repetition = EntryRepetition()
        let start = LocalTime(occurrence.start, in: zone.table)
        let end = LocalTime(occurrence.end, in: zone.table)
        switch details.timing {
        case .fixed: details.timing = .fixed(start: start, end: end)
        case .flexible(_, _, let minutes, let least):
            details.timing = .flexible(
                from: start,
                until: end,
                minutes: minutes,
                leastMinutes: least
            )
        case .someday: break
        }
        return details
    }

    /// The entry with other details.
    ///
    /// Where all occurrences get another time or rule, changes of single ones are forgotten: the
    /// occurrences that they were about no longer exist.
    ///
    /// - Parameters:
    ///   - details: what it says now.
    ///   - zone: the city's zone.
    ///   - now: when it is written.
    /// - Returns: what ``Agenda/change(_:to:of:)`` stores.
    package func changed(
        to details: EntryDetails,
        zone: NamedZone,
        at now: Instant
    ) -> ICalendar {
        var zones = zone.zones(of: calendar)
        guard let item = calendar.series(&zones).series.first?.item else { return calendar }
        let old = EntryDetails(item, zone, &zones)
        var component = details.component(changing: item, uid: item.uid, zone, &zones, at: now)
        let isMoved = old.timing != details.timing || old.repetition != details.repetition
        if isMoved { component.remove("EXDATE") }
        return replacing({ isMoved || $0.isSeries(of: item) }, with: component)
    }

    /// The entry with other details of one of its occurrences; nil if it has no such occurrence.
    package func changed(
        _ id: OccurrenceID,
        to details: EntryDetails,
        zone: NamedZone,
        at now: Instant
    ) -> ICalendar? {
        var zones = zone.zones(of: calendar)
        guard let series = calendar.series(&zones).series.first,
            let occurrence = series.occurrence(id, zone),
            let property = series.property("RECURRENCE-ID", at: id, &zones)
        else { return nil }
        let old = self.details(of: occurrence, series, zone, &zones)
        var item = series.item(of: occurrence)
        // What a change of this and all later occurrences says does not stay beside the new one.
        if item.isFuture { item = series.item }
        var said = details
        if old.timing == details.timing {
            let own = EntryDetails(item, zone, &zones)
            (said.timing, said.repetition) = (own.timing, own.repetition)
        }
        var component = said.component(changing: item, uid: item.uid, zone, &zones, at: now)
        for name in ["RRULE", "RDATE", "EXDATE"] { component.remove(name) }
        if old.timing != details.timing {
            details.timing.write(to: &component, zone, TimeForm(of: details, item), &zones)
        } else if item.recurrenceID == nil {
            series.write(occurrence, to: &component, old.timing, zone, &zones)
        }
        component.set(property)
        return replacing(
            { other in
                other.recurrenceID != nil && !other.isFuture
                    && series.isSame(other, as: occurrence)
            },
            with: component
        )
    }

    /// The entry without one of its occurrences, of which it has others; nil if it has no such
    /// occurrence.
    package func removing(_ id: OccurrenceID, zone: NamedZone, at now: Instant) -> ICalendar? {
        var zones = zone.zones(of: calendar)
        guard let series = calendar.series(&zones).series.first,
            let occurrence = series.occurrence(id, zone),
            let property = series.property("EXDATE", at: id, &zones)
        else { return nil }
        // Of a meeting that recurs one may know single occurrences alone.
        guard series.item.recurrenceID == nil else {
            return replacing({ series.isSame($0, as: occurrence) }, with: nil)
        }
        var master = series.item.component
        // Several lines may exclude several times; each is one line of its own here.
        let place = master.entries.firstIndex {
            if case .component = $0 { true } else { false }
        }
        master.entries.insert(.property(property), at: place ?? master.entries.count)
        master.set(ICalendarTime.instant(now).property("LAST-MODIFIED"))
        return replacing(
            { other in
                other.recurrenceID == nil
                    || !other.isFuture && series.isSame(other, as: occurrence)
            },
            with: master
        )
    }

    /// The entry with the task done, or to be done again.
    package func marked(isDone: Bool, zone: NamedZone, at now: Instant) -> ICalendar {
        guard let item else { return calendar }
        var component = item.component
        component.set(ICalendarTime.instant(now).property("LAST-MODIFIED"))
        for name in ["STATUS", "COMPLETED", "PERCENT-COMPLETE"] { component.remove(name) }
        if isDone {
            component.set(ICalendarProperty("STATUS", value: "COMPLETED"))
            component.set(ICalendarTime.instant(now).property("COMPLETED"))
        }
        return replacing({ $0.isSeries(of: item) }, with: component)
    }

    /// The calendar with one component in place of all items that a test chooses: where the first
    /// of them was, or at the end.
    private func replacing(
        _ isReplaced: (ICalendarItem) -> Bool,
        with component: ICalendarComponent?
    ) -> ICalendar {
        var items: [ICalendarComponent] = []
        var rest = component
        for other in calendar.entryComponents {
            if let item = try? ICalendarItem(other), isReplaced(item) {
                if let component = rest { items.append(component) }
                rest = nil
            } else {
                items.append(other)
            }
        }
        if let rest { items.append(rest) }
        // Zones come first, and then the recurring item before its changes.
        let zones = items.filter { $0.name == "VTIMEZONE" }
        items.removeAll { $0.name == "VTIMEZONE" }
        let masters = items.filter { $0.property("RECURRENCE-ID") == nil }
        let changes = items.filter { $0.property("RECURRENCE-ID") != nil }
        return ICalendar.entry(zones + masters + changes)
    }
}

extension ICalendarItem {
    /// Whether it is what an entry says of all occurrences.
    fileprivate func isSeries(of item: ICalendarItem) -> Bool {
        recurrenceID == nil || component == item.component
    }
}

extension ICalendar {
    /// A calendar of one entry.
    package static func entry(_ components: [ICalendarComponent]) -> ICalendar {
        var calendar = ICalendarComponent(
            "VCALENDAR",
            [
                ICalendarProperty("VERSION", value: "2.0"),
                ICalendarProperty("PRODID", text: Agenda.product),
            ]
        )
        calendar.entries += components.map { .component($0) }
        return ICalendar([calendar])
    }

    /// The components of an entry: items, and the zones that they name.
    var entryComponents: [ICalendarComponent] {
        components.flatMap { $0.name == "VCALENDAR" ? $0.components : [$0] }
    }
}
