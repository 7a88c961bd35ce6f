import Chronology
import Columns
public import Streets
import Transit

extension Planner {
    /// A straight walk below this length is like one from a house to the street before it.
    public static let shortJoinMetres: UInt32 = 20

    /// How far a leg leads in a straight line because the map knows no way: between a place on an
    /// islet and the nearest street of a large part of the network.
    ///
    /// - Parameters:
    ///   - leg: a leg of an answer.
    ///   - query: the query that it answers.
    /// - Returns: the metres at the leg's beginning and at its end, at most
    ///   ``StreetNetwork/joinMetresLimit``; 0 if the place lies on no islet, or is nearer to the
    ///   street than ``shortJoinMetres``.
    public func straightMetres(of leg: Leg, in query: JourneyQuery) -> (start: UInt32, end: UInt32)
    {
        guard leg.ride == nil, city.hasStreets else { return (0, 0) }
        let profile = profile(of: leg, query)
        let moment = joinMoment(self.query(for: leg, query))
        func metres(_ endpoint: Endpoint) -> UInt32 {
            guard case .place(let coordinate) = onStreets(endpoint),
                let place = city.streets.snap(coordinate, for: profile, at: moment)
                    .first,
                city.streets.isOnIslet(coordinate, joinedTo: place, for: profile)
            else { return 0 }
            let metres = aside(place).metres
            return metres < Self.shortJoinMetres ? 0 : metres
        }
        let (from, to) = ends(of: leg, query)
        return (leg.from == nil ? metres(from) : 0, leg.to == nil ? metres(to) : 0)
    }

    /// Where a leg begins and ends.
    private func ends(of leg: Leg, _ query: JourneyQuery) -> (from: Endpoint, to: Endpoint) {
        (
            leg.fromPlace.map { .place($0) } ?? leg.from.map { .stop($0) } ?? query.origin,
            leg.toPlace.map { .place($0) } ?? leg.to.map { .stop($0) } ?? query.destination
        )
    }

    /// The street route of a leg on foot, by bicycle, by car or by a rented vehicle; nil for rides,
    /// and for paths that do not follow streets (inside a station, or in a city without streets).
    ///
    /// - Parameters:
    ///   - leg: a leg of an answer.
    ///   - query: the query that it answers.
    ///   - metric: by what the path is chosen; nil for the metric by which the leg was found.
    /// - Returns: the quickest path between the leg's ends.
    public func route(
        of leg: Leg,
        in query: JourneyQuery,
        by metric: StreetMetric? = nil
    ) -> StreetRoute? {
        guard leg.ride == nil, city.hasStreets else { return nil }
        let profile = profile(of: leg, query)
        let (from, to) = ends(of: leg, query)
        let way = streetWay(
            from,
            to,
            profile,
            leg.means,
            self.query(for: leg, query),
            isChange: !leg.isTimed
        )
        // A leg that is quicker than the streets takes another path: through a station.
        guard let way, Int64(way.walk.seconds) <= leg.arrival.seconds - leg.departure.seconds else {
            return nil
        }
        return city.streets.route(
            from: way.from,
            to: way.to,
            by: metric ?? snapshot.metric(profile),
            at: way.moment,
            using: workspace
        )
    }

    /// The query by whose time the streets of a leg are passed: the leg's own, unless it is the
    /// whole journey.
    private func query(for leg: Leg, _ query: JourneyQuery) -> JourneyQuery {
        guard leg.from != nil || leg.to != nil else { return query }
        var own = query
        own.isArriveBy = leg.from != nil
        own.time = own.isArriveBy ? leg.arrival : leg.departure
        if case .taxi(let waitSeconds) = leg.means, !own.isArriveBy {
            own.time = own.time.adding(seconds: Int64(waitSeconds))
        }
        return own
    }

    private func profile(of leg: Leg, _ query: JourneyQuery) -> Profile {
        switch leg.means {
        case .bicycle: .bicycle
        case .car: .car
        case .taxi: .taxi
        case .rental(let rental): rental.profile
        default: query.wheelchair ? .wheelchair : .foot
        }
    }
}
