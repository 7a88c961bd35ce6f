/// Finds all best journeys between sets of platforms: those that no other beats in both time
/// and number of trips.
///
/// A search from one end finds the best time for each number of trips; for each of them a search
/// from the other end finds the journey that wastes least. The second search is cheap, since the
/// first one limits where it has to look.
///
/// A workspace for one thread and all days: it keeps nothing but memory to write to.
public struct TransitSearch: Sendable {
    var forward = Raptor()
    var backward = Raptor()
    private var limitedForward = WalkLimitedRaptor()
    private var limitedBackward = WalkLimitedRaptor()

    /// A workspace; it gets its memory at the first search.
    public init() {}

    /// For each number of trips with which one arrives earlier than with fewer, the
    /// journey that leaves last.
    ///
    /// - Parameters:
    ///   - query: where and when journeys begin and end.
    ///   - day: the day.
    ///   - maxMetres: how many metres they walk at most; nil without a limit.
    /// - Returns: the journeys, fewest trips first.
    public mutating func earliestArrivals(
        _ query: Raptor.Query,
        in day: LaidOutDay,
        maxMetres: UInt32? = nil
    ) -> [TransitJourney] {
        let ends = Ends(first: day.forward, second: day.backward, isMirrored: true)
        guard let maxMetres else { return Self.search(query, ends, &forward, &backward) }
        return Self.search(query, maxMetres, ends, &limitedForward, &limitedBackward)
    }

    /// For each number of trips with which one can leave later than with fewer, the
    /// journey that arrives first.
    ///
    /// - Parameters:
    ///   - query: where journeys begin and end; `start` is the time by which they must arrive,
    ///     and they must leave after `bound`.
    ///   - day: the day.
    ///   - maxMetres: how many metres they walk at most; nil without a limit.
    /// - Returns: the journeys, fewest trips first.
    public mutating func latestDepartures(
        _ query: Raptor.Query,
        in day: LaidOutDay,
        maxMetres: UInt32? = nil
    ) -> [TransitJourney] {
        let turned = Raptor.Query(
            access: query.egress,
            egress: query.access,
            start: 0 &- query.start,
            bound: 0 &- query.bound,
            maxTrips: query.maxTrips,
            conditions: query.conditions
        )
        let ends = Ends(first: day.backward, second: day.forward, isMirrored: false)
        guard let maxMetres else { return Self.search(turned, ends, &backward, &forward) }
        return Self.search(turned, maxMetres, ends, &limitedBackward, &limitedForward)
    }

    /// The windows of the two searches.
    private struct Ends {
        /// The window of the search for times.
        let first: LaidOutWindow
        /// The window of the search for journeys, from the other end.
        let second: LaidOutWindow
        /// Whether the second window is mirrored.
        let isMirrored: Bool
    }

    /// Searches from one end for times and from the other for journeys.
    private static func search(
        _ query: Raptor.Query,
        _ ends: Ends,
        _ first: inout Raptor,
        _ second: inout Raptor
    ) -> [TransitJourney] {
        first.search(query, in: ends.first)
        var journeys: [TransitJourney] = []
        for trips in 1..<max(1, first.roundCount)
        where first.destinationArrivals[trips] < Raptor.never {
            let opposite = opposite(query, first.destinationArrivals[trips], trips)
            second.search(
                opposite,
                in: ends.second,
                limits: Raptor.Limits(search: first, trips: trips)
            )
            let journey = second.journey(
                round: trips,
                start: opposite.start,
                in: ends.second.window,
                isMirrored: ends.isMirrored
            )
            if let journey { journeys.append(journey) }
        }
        return journeys
    }

    /// The same with a limit on walking.
    private static func search(
        _ query: Raptor.Query,
        _ maxMetres: UInt32,
        _ ends: Ends,
        _ first: inout WalkLimitedRaptor,
        _ second: inout WalkLimitedRaptor
    ) -> [TransitJourney] {
        first.search(query, in: ends.first, maxMetres: maxMetres).compactMap { found in
            let opposite = opposite(query, found.arrival, found.trips)
            _ = second.search(opposite, in: ends.second, maxMetres: maxMetres)
            return second.journey(
                round: found.trips,
                start: opposite.start,
                in: ends.second.window,
                isMirrored: ends.isMirrored
            )
        }
    }

    /// Runs the search from the other end for the result of a search.
    static func opposite(
        _ query: Raptor.Query,
        _ arrival: Int32,
        _ trips: Int
    ) -> Raptor.Query {
        Raptor.Query(
            access: query.egress,
            egress: query.access,
            start: 0 &- arrival,
            bound: 1 &- query.start,
            maxTrips: trips,
            conditions: query.conditions
        )
    }
}
