extension RecurrenceSet {
    /// The occurrences that overlap a span of time; one without a length overlaps if it lies in the
    /// span.
    ///
    /// - Parameters:
    ///   - span: the span, without its upper bound.
    ///   - observer: the zone from whose clocks floating times and whole days are read.
    ///   - limit: the greatest number of occurrences to return.
    ///   - steps: how many periods and occurrences of rules may be examined. The answer states how
    ///     many are left, so that many events can share them.
    /// - Returns: the occurrences, and whether these are all.
    /// - Complexity: linear in the number of occurrences in the span; a rule with both `COUNT` and
    ///   parts about days or times is counted from its start.
    public func occurrences(
        in span: Range<Instant>,
        observer: ZoneTable,
        limit: Int = 10_000,
        steps: Int = RecurrenceIterator.stepsLimit
    ) -> Expansion {
        var search = Search(self, span, observer, limit, steps)
        search.run()
        return search.expansion
    }

    /// The search for the occurrences of one set in one span.
    private struct Search {
        let set: RecurrenceSet
        let span: Range<Instant>
        let observer: ZoneTable
        let zone: ZoneTable
        let limit: Int
        /// The overrides of single occurrences and those of all later ones, by identifier.
        let singles: [(id: OccurrenceID, index: Int)]
        let futures: [(id: OccurrenceID, index: Int)]
        /// The length of the longest added occurrence in seconds.
        let longestAddition: Int64
        var expansion: Expansion

        init(
            _ set: RecurrenceSet,
            _ span: Range<Instant>,
            _ observer: ZoneTable,
            _ limit: Int,
            _ steps: Int
        ) {
            self.set = set
            self.span = span
            self.observer = observer
            self.limit = limit
            if case .zone(let own) = set.clock { zone = own } else { zone = observer }
            expansion = Expansion(stepsLeft: steps)
            longestAddition = set.additions.reduce(0) { longest, addition in
                addition.duration.map { max(longest, Self.seconds($0)) } ?? longest
            }
            func sorted(_ isFuture: Bool) -> [(id: OccurrenceID, index: Int)] {
                let chosen = set.overrides.indices.filter { set.overrides[$0].isFuture == isFuture }
                    .map { (id: set.overrides[$0].id, index: $0) }
                    .sorted { ($0.id, $0.index) < ($1.id, $1.index) }
                return chosen.indices.filter {
                    $0 + 1 == chosen.count || chosen[$0].id != chosen[$0 + 1].id
                }.map { chosen[$0] }
            }
            singles = sorted(false)
            futures = sorted(true)
        }

        mutating func run() {
            for single in singles {
                let override = set.overrides[single.index]
                let own: ZoneTable
                if case .zone(let table) = override.clock { own = table } else { own = observer }
                take(single.id, override.start, own, override.duration, single.index)
            }
            for part in 0...futures.count {
                let low = part == 0 ? Int64.min : futures[part - 1].id.seconds
                let high = part == futures.count ? Int64.max : futures[part].id.seconds
                expand(low..<high, part == 0 ? nil : futures[part - 1].index)
            }
            expansion.occurrences.sort { ($0.start, $0.id) < ($1.start, $1.id) }
            var kept: [Occurrence] = []
            kept.reserveCapacity(expansion.occurrences.count)
            for occurrence in expansion.occurrences where kept.last?.id != occurrence.id {
                kept.append(occurrence)
            }
            expansion.occurrences = kept
        }

        /// Takes the occurrences whose identifiers lie in a range and to which one override
        /// applies.
        private mutating func expand(_ ids: Range<Int64>, _ index: Int?) {
            var shift: Int64 = 0
            var longest = set.duration
            var own = zone
            if let index {
                let override = set.overrides[index]
                // The shift is a difference of readings, so later occurrences keep their time of
                // day.
                let old: LocalTime
                if case .zone(let table) = set.clock {
                    let moved = LocalTime(Instant(seconds: override.id.seconds), in: table)
                    old = moved
                } else {
                    old = LocalTime(wallSeconds: override.id.seconds)
                }
                shift = override.start.wallSeconds - old.wallSeconds
                longest = override.duration
                if case .zone(let table) = override.clock { own = table } else { own = observer }
            }
            // Two days of margin on both sides exceed any difference between clocks; only readings
            // whose identifiers may lie in the range are examined.
            let margin: Int64 = 2 * 86_400
            let length = Self.seconds(longest)
            let lowest = max(
                Self.wall(span.lowerBound, -max(length, longestAddition) - shift - margin),
                Self.wall(Instant(seconds: ids.lowerBound), -margin)
            )
            let latest = min(
                Self.wall(span.upperBound, margin - shift),
                Self.wall(Instant(seconds: ids.upperBound), margin)
            )
            guard lowest <= latest else { return }
            let change = Change(ids: ids, shift: shift, zone: own, duration: longest, index: index)
            for rule in set.rules {
                expand(rule, from: lowest, to: latest, change)
            }
            if set.rules.isEmpty { consider(set.start, nil, change) }
            var place = set.additions.partitionPoint { $0.start >= lowest }
            while place < set.additions.count, set.additions[place].start <= latest {
                consider(set.additions[place].start, set.additions[place].duration, change)
                place += 1
            }
        }

        /// The effect of one override, or of none, on the occurrences in a range.
        private struct Change {
            let ids: Range<Int64>
            let shift: Int64
            let zone: ZoneTable
            let duration: CalendarDuration
            let index: Int?
        }

        private mutating func expand(
            _ rule: RecurrenceRule,
            from first: LocalTime,
            to latest: LocalTime,
            _ change: Change
        ) {
            var (readings, last) = set.readings(of: rule, steps: expansion.stepsLeft)
            readings.skip(to: first)
            while let reading = readings.next(), reading <= latest {
                guard expansion.occurrences.count < limit else {
                    expansion.isComplete = false
                    break
                }
                if set.id(at: reading) <= last { consider(reading, nil, change) }
            }
            expansion.stepsLeft = readings.stepsLeft
            if readings.stepsLeft == 0 { expansion.isComplete = false }
        }

        /// Takes an occurrence at a reading of the set's clocks, unless it is left out or
        /// overridden.
        private mutating func consider(
            _ reading: LocalTime,
            _ duration: CalendarDuration?,
            _ change: Change
        ) {
            let id = set.id(at: reading)
            guard change.ids.contains(id.seconds), !Self.contains(set.exceptions, id),
                !Self.contains(set.exceptionDays, reading.date)
            else { return }
            let place = singles.partitionPoint { $0.id >= id }
            if place < singles.count, singles[place].id == id { return }
            let moved =
                change.shift == 0
                ? reading : LocalTime(wallSeconds: reading.wallSeconds &+ change.shift)
            take(id, moved, change.zone, duration ?? change.duration, change.index)
        }

        /// Adds an occurrence if it overlaps the span.
        private mutating func take(
            _ id: OccurrenceID,
            _ local: LocalTime,
            _ zone: ZoneTable,
            _ duration: CalendarDuration,
            _ index: Int?
        ) {
            let start = local.instant(in: zone)
            let end = max(start, duration.end(after: local, in: zone))
            guard start < span.upperBound, end > span.lowerBound || start >= span.lowerBound else {
                return
            }
            guard expansion.occurrences.count < limit else {
                expansion.isComplete = false
                return
            }
            expansion.occurrences.append(
                Occurrence(id: id, local: local, start: start, end: end, override: index)
            )
        }

        /// The seconds of a duration on clocks that never change.
        private static func seconds(_ duration: CalendarDuration) -> Int64 {
            max(0, Int64(duration.days) * 86_400 + duration.seconds)
        }

        /// A reading of clocks in UTC, moved by some seconds and clamped to possible dates.
        private static func wall(_ instant: Instant, _ seconds: Int64) -> LocalTime {
            let limit: Int64 = 100_000_000_000_000
            let moved = max(-limit, min(limit, instant.seconds)) &+ seconds
            return LocalTime(wallSeconds: max(-limit, min(limit, moved)))
        }

        private static func contains<Element: Comparable>(
            _ sorted: [Element],
            _ element: Element
        ) -> Bool {
            let place = sorted.partitionPoint { $0 >= element }
            return place < sorted.count && sorted[place] == element
        }
    }
}

extension Array {
    /// The first position at which a condition holds, in an array that is sorted by it.
    fileprivate func partitionPoint(_ isAfter: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
