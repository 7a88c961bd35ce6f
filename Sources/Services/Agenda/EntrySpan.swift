import Chronology
import OpenData

/// The span within which all occurrences of an entry lie, for finding the entries of a day.
struct EntrySpan: Hashable {
    /// When the first occurrence begins at the earliest, in seconds since 1970.
    var starts: Int64
    /// When the last occurrence ends at the latest; nil for an entry that never ends.
    var ends: Int64?

    /// How many steps a rule with a number of occurrences may take to be counted; an entry with
    /// more counts as one that never ends.
    private static let stepsLimit = 10_000
    /// More than the clocks of any two zones differ, for times that are read from the clocks of
    /// wherever one is.
    private static let slack: Int64 = 2 * 86_400

    /// The span of a series; nil for a task without times.
    ///
    /// - Parameters:
    ///   - series: the series.
    ///   - steps: how many steps its rules may take; those that they took are subtracted.
    init?(_ series: ICalendarSeries, steps: inout Int) {
        guard let set = series.set else { return nil }
        let walls =
            [set.start.wallSeconds] + set.additions.map(\.start.wallSeconds)
            + set.overrides.map(\.start.wallSeconds)
        starts = (walls.min() ?? set.start.wallSeconds) - Self.slack
        let lengths =
            [set.duration.plainSeconds] + set.additions.compactMap { $0.duration?.plainSeconds }
            + set.overrides.map(\.duration.plainSeconds)
        let length = max(0, lengths.max() ?? 0)
        // A change of all later occurrences moves them by as much as the first of them.
        let shifts = set.overrides.filter(\.isFuture).map { $0.start.wallSeconds - $0.id.seconds }
        let later = length + max(0, shifts.max() ?? 0)
        var last = (walls.max() ?? set.start.wallSeconds) + length
        for rule in set.rules {
            switch rule.end {
            case .never: return
            case .date(let day):
                last = max(last, LocalTime(date: day, second: 86_399).wallSeconds + later)
            case .local(let time): last = max(last, time.wallSeconds + later)
            case .instant(let instant): last = max(last, instant.seconds + later)
            case .count:
                let whole = Instant(seconds: starts)..<Instant(seconds: Self.endOfTime)
                let share = min(steps, Self.stepsLimit)
                let found = set.occurrences(in: whole, observer: .utc, steps: share)
                steps -= share - found.stepsLeft
                guard found.isComplete else { return }
                last = max(last, found.occurrences.map(\.end.seconds).max() ?? last)
            }
        }
        ends = last + Self.slack
    }

    /// The end of the year 9999.
    private static let endOfTime: Int64 = 253_402_300_800
}
