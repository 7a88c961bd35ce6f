import Chronology
import Taxi
import TaxiPages

/// Keeps the statistics of the days that were looked at last: a day that is over is added up once.
actor StatisticsDesk {
    /// How many days are kept.
    static let kept = 8
    /// For how many seconds the figures of a day hold that may still change.
    static let freshSeconds: Int64 = 60
    /// How many seconds after its end a day changes no more: nobody rides for longer.
    static let settledSeconds: Int64 = 21_600

    private struct Entry {
        var at: Moment
        var statistics: DayStatistics
    }

    private var entries: [CivilDate: Entry] = [:]

    /// What happened on a day, and when that was added up.
    ///
    /// - Parameters:
    ///   - day: the day.
    ///   - taxi: who knows it.
    ///   - now: the moment.
    /// - Returns: the statistics, at most ``freshSeconds`` old where they may still change.
    /// - Throws: as `TaxiService.statistics(of:)`.
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
