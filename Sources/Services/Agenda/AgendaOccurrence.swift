package import Chronology
package import OpenData

/// An entry at one of its times.
package struct AgendaOccurrence: Sendable, Hashable {
    /// The number of the entry to which the occurrence belongs.
    package let entry: EntryNumber
    /// Which of its times, as its rule has it: it stays when the occurrence is moved.
    package let id: OccurrenceID
    /// What is said of this occurrence.
    package let item: ICalendarItem
    /// When it is; of a task without a fixed time, the window in which it may be.
    package let span: Range<Instant>
    /// Whether the entry has other occurrences.
    package let isRepeated: Bool

    /// Whether it is over for its owner: cancelled, or a task that is done.
    package var isClosed: Bool { item.status == "CANCELLED" || item.status == "COMPLETED" }
    /// Whether it has a start and an end.
    package var isFixed: Bool { item.kind == .event || item.estimatedDuration == nil }
    /// Whether it lasts whole days, such as a birthday, so that nobody knows when to be there.
    package var isWholeDay: Bool {
        if case .date? = item.start { true } else { false }
    }
    /// Whether it says where it is on the earth; a place on the web is none.
    package var isLocated: Bool {
        if item.position != nil || item.places.contains(where: { $0.isOnEarth }) { return true }
        return item.location?.isOnEarth == true
    }
    /// What may be at the same time.
    package var exclusivity: EntryExclusivity {
        item.isOverlappable ? .overlappable : item.isTransfer ? .transfer : .exclusive
    }
}

extension ICalendarItem.Place {
    fileprivate var isOnEarth: Bool { position != nil || name?.isOnEarth ?? true }
}

extension String {
    /// Whether a description of a place is of one that people can go to.
    fileprivate var isOnEarth: Bool { !allSatisfy(\.isWhitespace) && !contains("://") }
}

extension AgendaExcerpt {
    /// The most steps that all rules of a calendar may take, about a second.
    private static let stepsLimit = 1_000_000
    /// The most steps that the rules of one entry may take, so that one does not hide the others:
    /// a daily rule with a number of occurrences takes as many in a century and a half.
    private static let entryStepsLimit = 50_000
    /// The most occurrences that are listed of one entry.
    private static let occurrencesLimit = 500

    /// The occurrences that overlap a span, by start, end and entry; what the limits of steps and
    /// occurrences leave out is missing.
    ///
    /// - Parameters:
    ///   - span: the span.
    ///   - zone: the city's zone, from whose clocks floating times and whole days are read.
    /// - Returns: the occurrences, closed ones too.
    package func occurrences(in span: Range<Instant>, zone: NamedZone) -> [AgendaOccurrence] {
        var steps = Self.stepsLimit
        var all: [AgendaOccurrence] = []
        for entry in entries {
            var zones = zone.zones(of: entry.calendar)
            for series in entry.calendar.series(&zones).series {
                guard let set = series.set, steps > 0 || set.rules.isEmpty else { continue }
                let share = min(steps, Self.entryStepsLimit)
                let found = set.occurrences(
                    in: span,
                    observer: zone.table,
                    limit: Self.occurrencesLimit,
                    steps: share
                )
                steps -= share - found.stepsLeft
                let isRepeated =
                    !set.rules.isEmpty || !set.additions.isEmpty || set.overrides.count > 1
                all += found.occurrences.map { occurrence in
                    AgendaOccurrence(
                        entry: entry.number,
                        id: occurrence.id,
                        item: series.item(of: occurrence),
                        span: occurrence.start..<max(occurrence.start, occurrence.end),
                        isRepeated: isRepeated
                    )
                }
            }
        }
        return all.sorted { one, other in
            (one.span.lowerBound, one.span.upperBound, one.entry, one.id)
                < (other.span.lowerBound, other.span.upperBound, other.entry, other.id)
        }
    }

    /// The tasks without a date that are not done, in the order in which they were added.
    package func undated(zone: NamedZone) -> [AgendaEntry] {
        entries.filter { entry in
            var zones = zone.zones(of: entry.calendar)
            guard let series = entry.calendar.series(&zones).series.first else { return false }
            return series.set == nil && series.item.status != "COMPLETED"
                && series.item.status != "CANCELLED"
        }
    }
}
