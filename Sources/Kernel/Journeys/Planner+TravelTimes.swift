public import Chronology
import Columns
public import Streets
import Transit

extension Planner {
    /// A matrix of travel times: how long it takes from each of some places to each of others.
    ///
    /// A time counts from the requested departure, so it includes the wait for the first ride; it
    /// ends with the earliest arrival among ``journeys(_:)``. The ways to and from stops are
    /// searched once for each place, the streets between the places all together, and one search
    /// from each origin serves all destinations. Direct ways use streets as in their best hour.
    ///
    /// - Parameters:
    ///   - origins: where journeys begin.
    ///   - destinations: where they end.
    ///   - query: the departure and the means of transport; its endpoints and its limit on walking
    ///     are ignored.
    /// - Returns: for each origin the seconds to each destination; nil if no journey ends within
    ///   ``horizonSeconds``.
    public mutating func travelSeconds(
        from origins: [Endpoint],
        to destinations: [Endpoint],
        _ query: JourneyQuery
    ) -> [[Int32?]] {
        var query = query
        query.isArriveBy = false
        query.maxWalkMetres = nil
        let origins = origins.map { onStreets($0) }
        let destinations = destinations.map { onStreets($0) }
        var times = directWays(from: origins, to: destinations, query).map { row in
            row.map { $0?.seconds }
        }
        guard query.modes.transit != 0 else { return times }
        let day = snapshot.transit.day(city.timetable.zone.local(query.time).date)
        let longest = times.joined().map { $0 ?? Self.horizonSeconds }.max() ?? 0
        let moments = Self.moments(query, within: longest)
        let egress = destinations.map {
            accessEgress($0, query, isOrigin: false, during: moments).sorted(since: day.epoch)
        }
        let start = Int32(truncatingIfNeeded: query.time.seconds &- day.epoch.seconds)
        for (number, origin) in origins.enumerated() {
            let access = accessEgress(origin, query, isOrigin: true, during: moments)
                .sorted(since: day.epoch)
            guard !access.isEmpty else { continue }
            // A ride that ends later than the longest direct way improves nothing.
            let latest = times[number].map { $0 ?? Self.horizonSeconds }.max() ?? 0
            let arrivals = arrivals(access, query, at: start, within: latest, in: day)
            for (other, ways) in egress.enumerated() {
                for way in ways where arrivals[way.platform.row] < Raptor.never {
                    let seconds = way.end(leavingAt: arrivals[way.platform.row]) &- start
                    if seconds <= times[number][other] ?? Self.horizonSeconds {
                        times[number][other] = seconds
                    }
                }
            }
        }
        return times
    }

    /// The earliest arrivals of vehicles at all platforms.
    ///
    /// - Parameters:
    ///   - access: the ways to the first platforms.
    ///   - query: the greatest number of transfers and the means of transport.
    ///   - start: the departure, in the seconds of the day's window.
    ///   - seconds: the greatest duration.
    ///   - day: the day.
    /// - Returns: as ``TransitSearch/arrivals(_:in:)``.
    mutating func arrivals(
        _ access: [Raptor.AccessEgress],
        _ query: JourneyQuery,
        at start: Int32,
        within seconds: Int32,
        in day: LaidOutDay
    ) -> [Int32] {
        search.arrivals(
            Raptor.Query(
                access: access,
                egress: [],
                start: start,
                bound: start &+ seconds &+ 1,
                maxTrips: query.maxTransfers &+ 1,
                conditions: query.rideConditions(since: day.epoch)
            ),
            in: day
        )
    }

    /// The quickest ways without rides from each of some places to each of others, on streets as in
    /// their best hours.
    ///
    /// At certain hours a way may take longer than this, or not exist; ``directWay(_:_:by:at:)``
    /// says how it is at a moment.
    ///
    /// - Parameters:
    ///   - origins: where the ways begin.
    ///   - destinations: where they end.
    ///   - query: the means of transport; its endpoints, times and limits are ignored.
    /// - Returns: for each origin the ways to the destinations; nil if none takes less than
    ///   ``horizonSeconds``.
    public func directWays(
        from origins: [Endpoint],
        to destinations: [Endpoint],
        _ query: JourneyQuery
    ) -> [[Walk?]] {
        let (origins, destinations) = (origins.map(onStreets), destinations.map(onStreets))
        var pair = query
        pair.maxWalkMetres = nil
        var ways = origins.map { origin in
            destinations.map { destination -> Walk? in
                if isSamePlace(origin, destination) { return Walk(seconds: 0, metres: 0) }
                pair.origin = origin
                pair.destination = destination
                return query.modes.walk ? footpath(pair)?.walk : nil
            }
        }
        guard city.hasStreets else { return ways }
        let onFoot: Profile = query.wheelchair ? .wheelchair : .foot
        let means: [(isAllowed: Bool, profile: Profile, means: Means)] = [
            (query.modes.walk, onFoot, .walk), (query.modes.bicycle, .bicycle, .bicycle),
            (query.modes.car, .car, .car),
        ]
        for (_, profile, means) in means.filter({ $0.isAllowed }) {
            addStreetWays(from: origins, to: destinations, profile, means, &ways)
        }
        return ways
    }

    /// The quickest ways of taxis from each of some places to each of others, as
    /// ``directWays(from:to:_:)``, without waiting for the taxi.
    public func taxiWays(from origins: [Endpoint], to destinations: [Endpoint]) -> [[Walk?]] {
        let (origins, destinations) = (origins.map(onStreets), destinations.map(onStreets))
        var ways = origins.map { origin in
            destinations.map { destination -> Walk? in
                isSamePlace(origin, destination) ? Walk(seconds: 0, metres: 0) : nil
            }
        }
        guard city.hasStreets else { return ways }
        addStreetWays(from: origins, to: destinations, .taxi, .taxi(waitSeconds: 0), &ways)
        return ways
    }

    /// Puts the ways of a profile where none is known that is quicker.
    private func addStreetWays(
        from origins: [Endpoint],
        to destinations: [Endpoint],
        _ profile: Profile,
        _ means: Means,
        _ ways: inout [[Walk?]]
    ) {
        let starts = numbered(origins, profile, isOrigin: true)
        let goals = numbered(destinations, profile, isOrigin: false)
        let table = city.streets.table(
            from: starts.map { $0.place },
            to: goals.map { $0.place },
            by: snapshot.metric(profile),
            using: workspace
        )
        for (row, start) in starts.enumerated() {
            for (column, goal) in goals.enumerated() where table[row, column].isPossible {
                let way = Self.sum(start.aside, table[row, column], goal.aside, means)
                let known = ways[start.number][goal.number]?.seconds ?? Self.horizonSeconds
                if way.seconds <= known { ways[start.number][goal.number] = way }
            }
        }
    }

    /// The quickest way without rides that begins at a moment, by one profile; nil where there is
    /// none.
    ///
    /// - Parameters:
    ///   - origin: where it begins.
    ///   - destination: where it ends.
    ///   - profile: the means of transport; for a taxi, the moment is that of the pickup.
    ///   - departure: the moment.
    /// - Returns: the way; nil where there is none.
    public func directWay(
        _ origin: Endpoint,
        _ destination: Endpoint,
        by profile: Profile,
        at departure: Instant
    ) -> Walk? {
        let query = JourneyQuery(
            from: onStreets(origin),
            to: onStreets(destination),
            time: departure,
            modes: TravelModes(
                walk: profile == .foot || profile == .wheelchair,
                bicycle: profile == .bicycle,
                car: profile == .car,
                transit: 0
            ),
            wheelchair: profile == .wheelchair
        )
        guard profile == .taxi else { return direct(query)?.walk }
        guard city.hasStreets else { return nil }
        return streetWay(query.origin, query.destination, .taxi, .taxi(waitSeconds: 0), query)?.walk
    }

    /// The moments of a span at which some street opens, closes or changes its speed for a profile.
    public func changesOfStreets(
        for profile: Profile,
        during span: ClosedRange<Instant>
    ) -> [Instant] {
        let metric = snapshot.metric(profile)
        guard metric.variesByHour else { return [] }
        var changes: [Instant] = []
        var moment = span.lowerBound
        while true {
            let unchanged = metric.unchangedMilliseconds(from: week(moment))
            guard unchanged < WeekMoment.weekMilliseconds else { return changes }
            moment = moment.adding(seconds: max(1, unchanged / 1_000))
            guard moment <= span.upperBound else { return changes }
            changes.append(moment)
        }
    }

    /// The places of some endpoints on the streets, each with the number of its endpoint.
    private func numbered(
        _ endpoints: [Endpoint],
        _ profile: Profile,
        isOrigin: Bool
    ) -> [(number: Int, place: StreetPlace, aside: Walk)] {
        endpoints.enumerated().flatMap { number, endpoint in
            ends(endpoint, profile, isOrigin: isOrigin, at: .best).map {
                (number, $0.place, $0.aside)
            }
        }
    }
}
