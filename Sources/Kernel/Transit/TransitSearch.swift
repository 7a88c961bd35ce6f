/// Finds all best journeys between sets of platforms: those that no other beats in both time
/// and number of trips.
///
/// A search from one end finds the best time for each number of trips; for each of these a search
/// from the other end finds the journey that wastes least time. The second search is cheap, since
/// the first one limits it.
///
/// It is the workspace of one thread for all days, and keeps nothing but memory to write to.
public struct TransitSearch: Sendable {
    var forward = Raptor()
    var backward = Raptor()
    private var uncounted = Bags<NoCriterion>()
    private var walked = Bags<Walking>()

    /// Creates a workspace; it allocates its memory at the first search.
    public init() {}

    /// For each number of trips with which one arrives earlier than with fewer, the journey that
    /// leaves last.
    ///
    /// If walking is compared, the same for each combination of trips and metres with which one
    /// arrives earlier than with fewer of both.
    ///
    /// - Parameters:
    ///   - query: where and when journeys begin and end.
    ///   - day: the day.
    ///   - walking: the limit on walking, and whether walking is compared; nil if it does not
    ///     count.
    /// - Returns: the journeys, fewest trips first, then the earliest.
    public mutating func earliestArrivals(
        _ query: Raptor.Query,
        in day: LaidOutDay,
        walking: Walking? = nil
    ) -> [TransitJourney] {
        let ends = Ends(first: day.forward, second: day.backward, isMirrored: true)
        guard let walking else {
            return Self.search(query, NoCriterion(), ends, &forward, &backward, &uncounted)
        }
        return Self.search(query, walking, ends, &forward, &backward, &walked)
    }

    /// For each number of trips with which one can leave later than with fewer, the journey that
    /// arrives first; if walking is compared, as for ``earliestArrivals``.
    ///
    /// - Parameters:
    ///   - query: where journeys begin and end; `start` is the time by which they must arrive,
    ///     and they must leave after `bound`.
    ///   - day: the day.
    ///   - walking: the limit on walking, and whether walking is compared; nil if it does not
    ///     count.
    /// - Returns: the journeys, fewest trips first, then the latest.
    public mutating func latestDepartures(
        _ query: Raptor.Query,
        in day: LaidOutDay,
        walking: Walking? = nil
    ) -> [TransitJourney] {
        let turned = Raptor.Query(
            access: query.egress.mirrored,
            egress: query.access.mirrored,
            start: 0 &- query.start,
            bound: 0 &- query.bound,
            maxTrips: query.maxTrips,
            conditions: query.conditions
        )
        let ends = Ends(first: day.backward, second: day.forward, isMirrored: false)
        guard let walking else {
            return Self.search(turned, NoCriterion(), ends, &backward, &forward, &uncounted)
        }
        return Self.search(turned, walking, ends, &backward, &forward, &walked)
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

    /// The labels of the two searches.
    private struct Bags<Carried: Criterion>: Sendable {
        var first = LabelBags<Carried>()
        var second = LabelBags<Carried>()
    }

    /// Searches from one end for times and from the other for journeys.
    private static func search<Carried: Criterion>(
        _ query: Raptor.Query,
        _ criterion: Carried,
        _ ends: Ends,
        _ first: inout Raptor,
        _ second: inout Raptor,
        _ bags: inout Bags<Carried>
    ) -> [TransitJourney] {
        first.search(query, in: ends.first, carrying: criterion, &bags.first)
        return first.found(bags.first).compactMap { found in
            let opposite = opposite(query, found.arrival, found.trips)
            second.search(
                opposite,
                in: ends.second,
                carrying: criterion.within(found.amount),
                &bags.second,
                limits: Raptor.Limits(search: first, bags: bags.first, trips: found.trips)
            )
            return second.journey(
                bags.second,
                round: found.trips,
                of: opposite,
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
            access: query.egress.mirrored,
            egress: query.access.mirrored,
            start: 0 &- arrival,
            bound: 1 &- query.start,
            maxTrips: trips,
            conditions: query.conditions
        )
    }
}
