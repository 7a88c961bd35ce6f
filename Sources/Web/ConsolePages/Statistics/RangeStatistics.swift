import Chronology
import Taxi

/// The statistics of a range of days by zone, and by hour, day or week.
struct RangeStatistics: Sendable {
    let range: StatisticsRange
    /// The zone whose figures are in ``steps``; nil for all.
    let zone: String?
    /// The time at which the figures were aggregated.
    var at: Moment
    /// The figures of the whole range, by the name of the zone.
    private(set) var zones: [String: Figures] = [:]
    /// The figures of each hour, day or week, in order.
    private(set) var steps: [Figures]
    /// The hours of the only day; nil for a range of several days.
    private(set) var hours: StatisticsDay?

    /// Creates the statistics of a range, before its days are added.
    init(_ range: StatisticsRange, of zone: String?, at: Moment) {
        self.range = range
        self.zone = zone
        self.at = at
        steps = Array(repeating: Figures(), count: range.step == .hour ? 0 : range.groups.count)
    }

    /// The figures of the whole range, for the zone or all.
    var total: Figures { Self.sum(zones, of: zone) }

    /// Whether a later range can be compared with this one: without a single request, there was no
    /// service, and every comparison would be with nothing.
    var isComparable: Bool { total.requests > 0 }

    /// Adds a day of the range, which is divided into hours if it is the only one.
    mutating func add(_ day: DayStatistics, ofFirst hours: Int?) {
        add(day.totals(ofFirst: hours), of: day.day.date)
        guard range.step == .hour else { return }
        self.hours = day.day
        steps = day.hours(of: zone)
    }

    /// Adds a day of a range of several days.
    mutating func add(_ day: [String: Figures], of date: CivilDate) {
        zones.merge(day) { one, other in
            var sum = one
            sum.add(other)
            return sum
        }
        guard range.step != .hour else { return }
        steps[range.group(of: date)].add(Self.sum(day, of: zone))
    }

    private static func sum(_ zones: [String: Figures], of zone: String?) -> Figures {
        if let zone { return zones[zone] ?? Figures() }
        return zones.values.reduce(into: Figures()) { $0.add($1) }
    }
}
