import Chronology
import OpenData

extension ICalendarSeries {
    /// How far from its time an occurrence is looked for: a change of this and all later ones may
    /// have moved it by as much.
    private static let reach: Int64 = 400 * 86_400
    /// More than the clocks of any two zones differ.
    private static let slack: Int64 = 2 * 86_400
    /// More seconds from 1970 than any calendar's time is.
    private static let limit: Int64 = 300_000_000_000

    /// The occurrence with an identifier.
    func occurrence(_ id: OccurrenceID, _ zone: NamedZone) -> Occurrence? {
        guard let set else { return nil }
        func find(near seconds: Int64, _ reach: Int64) -> Occurrence? {
            // An identifier comes with a request and may be any number.
            let middle = max(-Self.limit, min(Self.limit, seconds))
            let span = Instant(seconds: middle - reach)..<Instant(seconds: middle + reach)
            return set.occurrences(in: span, observer: zone.table).occurrences
                .first { $0.id == id }
        }
        // A change of this one alone may have moved it anywhere.
        if let moved = set.overrides.last(where: { $0.id == id && !$0.isFuture }) {
            return find(near: moved.start.wallSeconds, Self.slack)
        }
        return find(near: id.seconds, Self.slack) ?? find(near: id.seconds, Self.reach)
    }

    /// A property that names an occurrence, in the form of the series' start.
    func property(
        _ name: String,
        at id: OccurrenceID,
        _ zones: inout ICalendarZones
    ) -> ICalendarProperty? {
        let wall = LocalTime(wallSeconds: id.seconds)
        switch item.start ?? item.end {
        case nil: return nil
        case .date?: return ICalendarTime.date(wall.date).property(name)
        case .floating?: return ICalendarTime.floating(wall).property(name)
        case .instant?: return ICalendarTime.instant(Instant(seconds: id.seconds)).property(name)
        case .zoned(_, let zone)?:
            guard let table = zones.table(zone) else { return nil }
            let local = LocalTime(Instant(seconds: id.seconds), in: table)
            return ICalendarTime.zoned(local, zone: zone).property(name)
        }
    }

    /// Whether a change is of an occurrence alone.
    func isSame(_ change: ICalendarItem, as occurrence: Occurrence) -> Bool {
        guard let number = replacements.firstIndex(where: { $0.component == change.component })
        else { return false }
        return set?.overrides[number].id == occurrence.id
    }

    /// Writes when an occurrence is in a copy of the recurring item, in the form of its times.
    ///
    /// - Parameters:
    ///   - occurrence: the occurrence.
    ///   - component: the copy.
    ///   - timing: when it is on the city's clocks.
    ///   - zone: the city's zone.
    ///   - zones: the zones that the entry names.
    func write(
        _ occurrence: Occurrence,
        to component: inout ICalendarComponent,
        _ timing: EntryTiming,
        _ zone: NamedZone,
        _ zones: inout ICalendarZones
    ) {
        // A shifted occurrence, or one of a length of its own, is not what the item says.
        let isOwn = occurrence.override != nil
        if isOwn || set?.additions.contains(where: { $0.duration != nil }) == true {
            timing.write(to: &component, zone, .city, &zones)
            return
        }
        if item.start != nil, let start = property("DTSTART", at: occurrence.id, &zones) {
            component.set(start)
        }
        guard let end = item.end else { return }
        let last: ICalendarTime
        switch end {
        case .date:
            let first = LocalTime(wallSeconds: occurrence.id.seconds).date
            last = .date(first.adding(days: set?.duration.days ?? 0))
        case .floating: last = .floating(LocalTime(occurrence.end, in: zone.table))
        case .instant: last = .instant(occurrence.end)
        case .zoned(_, let name):
            last = .zoned(
                LocalTime(occurrence.end, in: zones.table(name) ?? zone.table),
                zone: name
            )
        }
        component.set(last.property(component.endName))
    }
}
