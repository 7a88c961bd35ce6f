package import Chronology
package import OpenData

/// A recurring entry in two parts: up to an occurrence, and from it on (decision 0049).
package struct EntryDivision: Sendable {
    /// The entry with the occurrences before; nil if there are none.
    package let before: ICalendar?
    /// An entry of its own with all others.
    package let after: ICalendar
}

extension AgendaEntry {
    /// Divides the entry at one of its occurrences.
    ///
    /// Both parts together have the occurrences that the entry has, each as it was: this is
    /// compared for five years before and after. What cannot be divided so is left whole, such as
    /// two rules at once, or what another program says about this and all later occurrences.
    ///
    /// - Parameters:
    ///   - id: the first occurrence of the second part.
    ///   - uid: the identifier of the second part, which no other entry has.
    ///   - zone: the city's zone.
    ///   - now: when it is written.
    /// - Returns: the parts; nil if there is no such occurrence, or the entry cannot be divided.
    package func divided(
        at id: OccurrenceID,
        uid: String,
        zone: NamedZone,
        at now: Instant
    ) -> EntryDivision? {
        var zones = zone.zones(of: calendar)
        guard let series = calendar.series(&zones).series.first,
            series.occurrence(id, zone) != nil,
            let cut = SeriesCut(series, at: id, zones)
        else { return nil }
        let items = calendar.entryComponents
        let before = cut.before(items, at: now)
        guard let after = cut.after(items, uid: uid, at: now) else { return nil }
        let year: Int64 = 366 * 86_400
        let span =
            Instant(seconds: id.seconds - 5 * year)..<Instant(seconds: id.seconds + 5 * year)
        guard let whole = calendar.moments(in: span, zone),
            let first = before.map({ $0.moments(in: span, zone) }) ?? [],
            let second = after.moments(in: span, zone),
            (first + second).sorted() == whole.sorted()
        else { return nil }
        return EntryDivision(
            before: before.flatMap { $0.hasOccurrences(zone) ? $0 : nil },
            after: after
        )
    }
}

/// One occurrence, for comparing the parts of a series with the whole.
private struct Occasion: Comparable {
    let start: Int64
    let end: Int64
    let title: String

    static func < (left: Occasion, right: Occasion) -> Bool {
        (left.start, left.end, left.title) < (right.start, right.end, right.title)
    }
}

extension ICalendar {
    /// The occurrences within a span; nil if they are too many to be compared.
    fileprivate func moments(in span: Range<Instant>, _ zone: NamedZone) -> [Occasion]? {
        var zones = zone.zones(of: self)
        guard let series = series(&zones).series.first, let set = series.set else { return nil }
        let found = set.occurrences(in: span, observer: zone.table)
        guard found.isComplete else { return nil }
        return found.occurrences.map { occurrence in
            Occasion(
                start: occurrence.start.seconds,
                end: occurrence.end.seconds,
                title: series.item(of: occurrence).summary ?? ""
            )
        }
    }

    /// Whether anything takes place at all.
    fileprivate func hasOccurrences(_ zone: NamedZone) -> Bool {
        var zones = zone.zones(of: self)
        guard let set = series(&zones).series.first?.set else { return false }
        let always = Instant(seconds: -300_000_000_000)..<Instant(seconds: 300_000_000_000)
        return !set.occurrences(in: always, observer: zone.table, limit: 1).occurrences.isEmpty
    }
}
