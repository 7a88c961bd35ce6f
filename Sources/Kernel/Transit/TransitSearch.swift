/// Finds all best journeys between sets of platforms: those that no other beats in both time
/// and number of trips.
///
/// A search from one end finds the best time for each number of trips; for each of them a search
/// from the other end finds the journey that wastes least. The second search is cheap, since the
/// first one limits where it has to look.
///
/// A workspace for one thread.
public struct TransitSearch: Sendable {
    private var forward: Raptor
    private var backward: Raptor
    private var limitedForward: WalkLimitedRaptor
    private var limitedBackward: WalkLimitedRaptor

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
        limitedForward = WalkLimitedRaptor(window, changes)
        limitedBackward = WalkLimitedRaptor(mirrored, mirroredChanges)
    }

    /// For each number of trips with which one arrives earlier than with fewer, the
    /// journey that leaves last.
    ///
    /// - Parameters:
    ///   - query: where and when journeys begin and end.
    ///   - maxMetres: how many metres they walk at most; nil without a limit.
    /// - Returns: the journeys, fewest trips first.
    public mutating func earliestArrivals(
        _ query: Raptor.Query,
        maxMetres: UInt32? = nil
    ) -> [TransitJourney] {
        guard let maxMetres else {
            return Self.search(query, &forward, &backward, isMirrored: true)
        }
        return Self.search(query, maxMetres, &limitedForward, &limitedBackward, isMirrored: true)
    }

    /// For each number of trips with which one can leave later than with fewer, the
    /// journey that arrives first.
    ///
    /// - Parameters:
    ///   - query: where journeys begin and end; `start` is the time by which they must arrive,
    ///     and they must leave after `bound`.
    ///   - maxMetres: how many metres they walk at most; nil without a limit.
    /// - Returns: the journeys, fewest trips first.
    public mutating func latestDepartures(
        _ query: Raptor.Query,
        maxMetres: UInt32? = nil
    ) -> [TransitJourney] {
        let turned = Raptor.Query(
            access: query.egress,
            egress: query.access,
            start: 0 &- query.start,
            bound: 0 &- query.bound,
            maxTrips: query.maxTrips
        )
        guard let maxMetres else {
            return Self.search(turned, &backward, &forward, isMirrored: false)
        }
        return Self.search(turned, maxMetres, &limitedBackward, &limitedForward, isMirrored: false)
    }

    /// Searches from one end for times and from the other for journeys; the second search runs
    /// in the mirrored window if `isMirrored`.
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
            let opposite = opposite(query, first.destinationArrivals[trips], trips)
            second.search(opposite, limits: Raptor.Limits(search: first, trips: trips))
            let journey = second.journey(
                round: trips,
                start: opposite.start,
                isMirrored: isMirrored
            )
            if let journey { journeys.append(journey) }
        }
        return journeys
    }

    /// The same with a limit on walking.
    private static func search(
        _ query: Raptor.Query,
        _ maxMetres: UInt32,
        _ first: inout WalkLimitedRaptor,
        _ second: inout WalkLimitedRaptor,
        isMirrored: Bool
    ) -> [TransitJourney] {
        first.search(query, maxMetres: maxMetres).compactMap { found in
            let opposite = opposite(query, found.arrival, found.trips)
            _ = second.search(opposite, maxMetres: maxMetres)
            return second.journey(
                round: found.trips,
                start: opposite.start,
                isMirrored: isMirrored
            )
        }
    }

    /// Runs the search from the other end for the result of a search.
    private static func opposite(
        _ query: Raptor.Query,
        _ arrival: Int32,
        _ trips: Int
    ) -> Raptor.Query {
        Raptor.Query(
            access: query.egress,
            egress: query.access,
            start: 0 &- arrival,
            bound: 1 &- query.start,
            maxTrips: trips
        )
    }
}
