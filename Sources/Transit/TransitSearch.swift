/// Finds all best journeys between sets of platforms: those that no other beats in both time and
/// number of trips.
///
/// A search from one end finds the best time for each number of trips; for each of them a search
/// from the other end finds the journey that wastes least. The second search is cheap, since the
/// first one tells it where it need not look.
///
/// A workspace for one thread.
public struct TransitSearch: Sendable {
    private var forward: Raptor
    private var backward: Raptor

    /// Two searches over the same days, one in each direction.
    ///
    /// - Parameters:
    ///   - window: the days.
    ///   - mirrored: the same, mirrored.
    ///   - changes: how riders change.
    ///   - mirroredChanges: the same, backwards.
    public init(
        window: ServiceWindow,
        mirrored: ServiceWindow,
        changes: ChangeNetwork,
        mirroredChanges: ChangeNetwork
    ) {
        forward = Raptor(window, changes)
        backward = Raptor(mirrored, mirroredChanges)
    }

    /// For each number of trips with which one arrives earlier than with fewer, the journey that
    /// leaves last.
    ///
    /// - Parameter query: where and when journeys begin and end.
    /// - Returns: the journeys, fewest trips first.
    public mutating func earliestArrivals(_ query: Raptor.Query) -> [TransitJourney] {
        Self.search(query, &forward, &backward, isMirrored: true)
    }

    /// For each number of trips with which one can leave later than with fewer, the journey that
    /// arrives first.
    ///
    /// - Parameter query: where journeys begin and end; `start` is the time by which they must
    ///   arrive, and they must leave after `bound`.
    /// - Returns: the journeys, fewest trips first.
    public mutating func latestDepartures(_ query: Raptor.Query) -> [TransitJourney] {
        let turned = Raptor.Query(
            access: query.egress,
            egress: query.access,
            start: 0 &- query.start,
            bound: 0 &- query.bound,
            maxTrips: query.maxTrips
        )
        return Self.search(turned, &backward, &forward, isMirrored: false)
    }

    /// Searches from one end, and for each arrival found from the other end, which is the
    /// mirrored window if `isMirrored`.
    private static func search(
        _ query: Raptor.Query,
        _ first: inout Raptor,
        _ second: inout Raptor,
        isMirrored: Bool
    ) -> [TransitJourney] {
        first.search(query)
        var journeys: [TransitJourney] = []
        for trips in 1..<max(1, first.roundCount)
        where first.destinationArrivals[trips] < Raptor.never {
            let start = 0 &- first.destinationArrivals[trips]
            let opposite = Raptor.Query(
                access: query.egress,
                egress: query.access,
                start: start,
                bound: 1 &- query.start,
                maxTrips: trips
            )
            second.search(opposite, limits: Raptor.Limits(search: first, trips: trips))
            if let journey = second.journey(round: trips, start: start, isMirrored: isMirrored) {
                journeys.append(journey)
            }
        }
        return journeys
    }
}
