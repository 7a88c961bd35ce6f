package import Dispatching

/// The statistics of a day by zone and hour.
package struct DayStatistics: Sendable {
    package let day: StatisticsDay
    /// The figures of each hour of the day, by the name of the zone.
    package private(set) var zones: [String: [Figures]] = [:]

    /// Creates the statistics of a day without events.
    package init(_ day: StatisticsDay) {
        self.day = day
    }

    /// Adds a request to the figures of its hour.
    ///
    /// - Parameters:
    ///   - ride: the outcome of the request.
    ///   - taxi: the taxi that accepted; nil if there is none, and for joiners.
    ///   - zone: the name of its zone.
    ///   - hour: the hour that it counts in, from 0.
    package mutating func add(
        _ ride: Figures.Ride,
        by taxi: TaxiNumber?,
        in zone: String,
        _ hour: Int
    ) {
        change(zone, hour) { $0.add(ride, by: taxi) }
    }

    /// Adds an offer to the figures of its hour.
    package mutating func add(_ offer: OfferRecord, in zone: String, _ hour: Int) {
        change(zone, hour) { $0.add(offer) }
    }

    private mutating func change(_ zone: String, _ hour: Int, _ body: (inout Figures) -> Void) {
        guard hour >= 0, hour < day.hours else { return }
        body(&zones[zone, default: Array(repeating: Figures(), count: day.hours)][hour])
    }

    /// Returns the figures of each hour, for one zone or all.
    package func hours(of zone: String? = nil) -> [Figures] {
        if let zone { return zones[zone] ?? Array(repeating: Figures(), count: day.hours) }
        return (0..<day.hours).map { hour in
            zones.values.reduce(into: Figures()) { $0.add($1[hour]) }
        }
    }

    /// Returns the figures of the whole day, for one zone or all.
    package func total(of zone: String? = nil) -> Figures {
        hours(of: zone).reduce(into: Figures()) { $0.add($1) }
    }

    /// Returns the figures of each zone, of the whole day or of its first hours only.
    package func totals(ofFirst hours: Int? = nil) -> [String: Figures] {
        zones.mapValues { $0.prefix(hours ?? day.hours).reduce(into: Figures()) { $0.add($1) } }
    }
}
