package import Dispatching

/// What happened on a day, by zone and hour.
package struct DayStatistics: Sendable {
    /// The day.
    package let day: StatisticsDay
    /// The figures of each hour, by the name of the zone; one for each hour of the day.
    package private(set) var zones: [String: [Figures]] = [:]

    /// A day on which nothing happened yet.
    package init(_ day: StatisticsDay) {
        self.day = day
    }

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - ride: what became of it.
    ///   - taxi: who took it; nil for nobody, and for whoever rides along with another.
    ///   - zone: what its zone is called.
    ///   - hour: the hour that it counts in, from 0.
    package mutating func add(
        _ ride: Figures.Ride,
        by taxi: TaxiNumber?,
        in zone: String,
        _ hour: Int
    ) {
        change(zone, hour) { $0.add(ride, by: taxi) }
    }

    /// Adds an offer.
    package mutating func add(_ offer: OfferRecord, in zone: String, _ hour: Int) {
        change(zone, hour) { $0.add(offer) }
    }

    private mutating func change(_ zone: String, _ hour: Int, _ body: (inout Figures) -> Void) {
        guard hour >= 0, hour < day.hours else { return }
        body(&zones[zone, default: Array(repeating: Figures(), count: day.hours)][hour])
    }

    /// The figures of each hour, of one zone or of all.
    package func hours(of zone: String? = nil) -> [Figures] {
        if let zone { return zones[zone] ?? Array(repeating: Figures(), count: day.hours) }
        return (0..<day.hours).map { hour in
            zones.values.reduce(into: Figures()) { $0.add($1[hour]) }
        }
    }

    /// The figures of the whole day, of one zone or of all.
    package func total(of zone: String? = nil) -> Figures {
        hours(of: zone).reduce(into: Figures()) { $0.add($1) }
    }
}
