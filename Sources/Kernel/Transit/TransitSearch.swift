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
    /// How many labels the searches within a price may still use.
    var remainingLabels = 0
    private var uncounted = Bags<NoCriterion>()
    private var walked = Bags<Walking>()
    private var emitted = Bags<Emissions>()
    private var walkedAndEmitted = Bags<Pair<Walking, Emissions>>()

    /// Creates a workspace; it allocates its memory at the first search.
    public init() {}

    /// For each number of trips with which one arrives earlier than with fewer, the journey that
    /// leaves last.
    ///
    /// If amounts are compared, the same for each combination of trips and amounts with which one
    /// arrives earlier than with fewer trips and less of each.
    ///
    /// - Parameters:
    ///   - query: where and when journeys begin and end.
    ///   - day: the day.
    ///   - criteria: what counts besides time and trips.
    /// - Returns: the journeys, fewest trips first, then the earliest.
    public mutating func earliestArrivals(
        _ query: Raptor.Query,
        in day: LaidOutDay,
        _ criteria: SearchCriteria = SearchCriteria()
    ) -> [TransitJourney] {
        search(query, criteria, Ends(first: day.forward, second: day.backward, isMirrored: true))
    }

    /// For each number of trips with which one can leave later than with fewer, the journey that
    /// arrives first; if amounts are compared, as for ``earliestArrivals``.
    ///
    /// - Parameters:
    ///   - query: where journeys begin and end; `start` is the time by which they must arrive,
    ///     and they must leave after `bound`.
    ///   - day: the day.
    ///   - criteria: what counts besides time and trips.
    /// - Returns: the journeys, fewest trips first, then the latest.
    public mutating func latestDepartures(
        _ query: Raptor.Query,
        in day: LaidOutDay,
        _ criteria: SearchCriteria = SearchCriteria()
    ) -> [TransitJourney] {
        let turned = Raptor.Query(
            access: query.egress.mirrored,
            egress: query.access.mirrored,
            start: 0 &- query.start,
            bound: 0 &- query.bound,
            maxTrips: query.maxTrips,
            conditions: query.conditions.mirrored
        )
        let ends = Ends(first: day.backward, second: day.forward, isMirrored: false)
        return search(turned, criteria, ends)
    }

    /// Searches with those criteria that count; each combination is a search of its own, so that
    /// none pays for what does not count.
    private mutating func search(
        _ query: Raptor.Query,
        _ criteria: SearchCriteria,
        _ ends: Ends
    ) -> [TransitJourney] {
        // The first search of journeys by their arrival begins at the destination.
        if !ends.isMirrored { swap(&forward, &backward) }
        defer { if !ends.isMirrored { swap(&forward, &backward) } }
        switch (criteria.walking, criteria.emissions) {
        case (nil, nil):
            return Self.search(query, NoCriterion(), ends, &forward, &backward, &uncounted)
        case (let walking?, nil):
            return Self.search(query, walking, ends, &forward, &backward, &walked)
        case (nil, let emissions?):
            return Self.search(query, emissions, ends, &forward, &backward, &emitted)
        case (let walking?, let emissions?):
            let both = Pair(walking, emissions)
            return Self.search(query, both, ends, &forward, &backward, &walkedAndEmitted)
        }
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
        let forth = criterion.bound(to: ends.first)
        first.search(query, in: ends.first, carrying: forth, &bags.first)
        return first.found(bags.first).compactMap { found in
            let opposite = opposite(query, found.arrival, found.trips)
            second.search(
                opposite,
                in: ends.second,
                carrying: criterion.within(found.amount).bound(to: ends.second),
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
            conditions: query.conditions.mirrored
        )
    }
}

/// What counts in a search besides time and number of trips; what is nil costs nothing.
public struct SearchCriteria: Sendable {
    /// The limit on walking, or its comparison.
    public var walking: Walking?
    /// The limit on emissions, or their comparison.
    public var emissions: Emissions?

    /// Criteria; by default none.
    public init(walking: Walking? = nil, emissions: Emissions? = nil) {
        self.walking = walking
        self.emissions = emissions
    }
}
