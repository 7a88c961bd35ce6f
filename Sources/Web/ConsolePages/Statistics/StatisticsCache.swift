import Chronology
import Taxi
import TaxiPages

/// Caches the statistics of recently viewed days, so that a completed day is aggregated only once.
actor StatisticsCache {
    /// The maximum number of cached days.
    static let kept = 8
    /// How long the figures of a day that may still change are cached, in seconds.
    static let freshSeconds: Int64 = 60
    /// The number of seconds after its end when a day no longer changes: no ride lasts longer.
    static let settledSeconds: Int64 = 21_600

    private struct Entry {
        var at: Moment
        var statistics: DayStatistics
    }

    private var entries: [CivilDate: Entry] = [:]

    /// The statistics of a day, and the time at which they were aggregated.
    ///
    /// - Parameters:
    ///   - day: the requested day.
    ///   - taxi: the taxi service, which provides the data.
    ///   - now: the current time.
    /// - Returns: the statistics, at most ``freshSeconds`` old if they may still change.
    /// - Throws: any error of `TaxiService.statistics(of:)`.
    func statistics(
        of day: StatisticsDay,
        from taxi: TaxiService,
        at now: Moment
    ) async throws -> (at: Moment, DayStatistics) {
        if let entry = entries[day.date], entry.statistics.day == day,
            entry.at >= day.end.adding(seconds: Self.settledSeconds)
                || now < entry.at.adding(seconds: Self.freshSeconds)
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
}
