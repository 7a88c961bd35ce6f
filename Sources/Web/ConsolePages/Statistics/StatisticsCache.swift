import Chronology
import Taxi
import TaxiPages

/// Caches the statistics of viewed days, so that a completed day is aggregated only once.
///
/// The hours of a few days are kept, and the sums of as many completed days as fit into a fixed
/// number of values. Whatever a range asks for, the memory is bounded.
actor StatisticsCache {
    /// The maximum number of days that are cached with their hours.
    static let kept = 8
    /// How long the figures of a day that may still change are cached, in seconds.
    static let freshSeconds: Int64 = 60
    /// The number of seconds after its end when a day no longer changes: no ride lasts longer.
    static let settledSeconds: Int64 = 21_600
    /// The maximum number of values of all cached sums: some 10 MB.
    static let heaviest = 400_000

    private struct Entry {
        var at: Moment
        var statistics: DayStatistics
    }

    private struct Sums {
        var day: StatisticsDay
        var zones: [String: Figures]
        var weight: Int
    }

    private var entries: [CivilDate: Entry] = [:]
    private var sums: [CivilDate: Sums] = [:]
    private var weight = 0

    /// The statistics of a range of days.
    ///
    /// - Parameters:
    ///   - range: the days.
    ///   - zone: the zone whose hours, days or weeks are wanted; nil for all.
    ///   - hours: how many hours of the last day count; nil for all.
    ///   - clocks: the city's time zone.
    ///   - taxi: the taxi service, which provides the data.
    ///   - now: the current time.
    /// - Returns: the statistics, at most ``freshSeconds`` old where they may still change.
    /// - Throws: any error of `TaxiService.statistics(of:)`.
    func statistics(
        of range: StatisticsRange,
        in zone: String?,
        untilHour hours: Int? = nil,
        clocks: ZoneTable,
        from taxi: TaxiService,
        at now: Moment
    ) async throws -> RangeStatistics {
        precondition(range.count <= StatisticsRange.longest, "a range is longer than its limit")
        var found = RangeStatistics(range, of: zone, at: now)
        var search = ActivitySearch()
        for date in range.dates {
            let day = StatisticsDay(date, in: clocks)
            let hours = date == range.last ? hours : nil
            if range.step != .hour {
                if hours == nil, let known = sums[date], known.day == day {
                    found.add(known.zones, of: date)
                    continue
                }
                if try await search.isEmpty(day, in: taxi) { continue }
            }
            let (at, statistics) = try await statistics(of: day, from: taxi, at: now)
            found.add(statistics, ofFirst: hours)
            found.at = min(found.at, at)
            if Self.isSettled(day, at) { keep(statistics) }
        }
        return found
    }

    /// The statistics of a day, and the time at which they were aggregated.
    func statistics(
        of day: StatisticsDay,
        from taxi: TaxiService,
        at now: Moment
    ) async throws -> (at: Moment, DayStatistics) {
        if let entry = entries[day.date], entry.statistics.day == day,
            Self.isSettled(day, entry.at) || now < entry.at.adding(seconds: Self.freshSeconds)
        {
            return (entry.at, entry.statistics)
        }
        let statistics = try await taxi.statistics(of: day)
        entries[day.date] = Entry(at: now, statistics: statistics)
        if entries.count > Self.kept, let oldest = entries.min(by: { $0.value.at < $1.value.at }) {
            entries[oldest.key] = nil
        }
        return (now, statistics)
    }

    private static func isSettled(_ day: StatisticsDay, _ at: Moment) -> Bool {
        at >= day.end.adding(seconds: settledSeconds)
    }

    /// Keeps the sums of a completed day; the earliest days make room for it.
    private func keep(_ statistics: DayStatistics) {
        let zones = statistics.totals()
        let new = Sums(
            day: statistics.day,
            zones: zones,
            weight: zones.values.reduce(1) { $0 + $1.weight }
        )
        weight += new.weight - (sums.updateValue(new, forKey: new.day.date)?.weight ?? 0)
        while weight > Self.heaviest, let earliest = sums.keys.min() {
            weight -= sums.removeValue(forKey: earliest)?.weight ?? 0
        }
        precondition(weight >= 0, "the cache of statistics lost count of its values")
    }
}

/// Finds days without anything from one query for each gap, in the order of time.
struct ActivitySearch {
    /// The first activity from the last day that was looked for; nil before the first search.
    private var next: Moment??

    /// Whether nothing counts on a day, which is not before those asked about earlier.
    mutating func isEmpty(_ day: StatisticsDay, in taxi: TaxiService) async throws -> Bool {
        let isKnown = next.map { $0.map { $0 >= day.start } ?? true } ?? false
        if !isKnown { next = .some(try await taxi.firstActivity(from: day.start)) }
        guard case .some(.some(let moment)) = next else { return true }
        return moment >= day.end
    }
}
