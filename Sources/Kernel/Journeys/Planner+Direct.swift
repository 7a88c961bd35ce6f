import Columns
import Geo
import Streets
import Transit

extension Planner {
    /// A way all the way without public transport.
    struct Direct {
        var walk: Walk
        /// The place on the street network; nil where the endpoint does not use it.
        var ends: (from: StreetPlace, to: StreetPlace)?
    }

    /// The quickest journey without public transport; nil where there is none within the horizon.
    func direct(_ query: JourneyQuery) -> Direct? {
        var best: Direct?
        func consider(_ direct: Direct?) {
            guard let direct, direct.walk.seconds <= Self.horizonSeconds else { return }
            if best.map({ direct.walk.seconds < $0.walk.seconds }) ?? true { best = direct }
        }
        if isSamePlace(query.origin, query.destination) {
            return Direct(walk: Walk(seconds: 0, metres: 0))
        }
        if query.modes.walk {
            let profile: Profile = query.wheelchair ? .wheelchair : .foot
            consider(footpath(query))
            consider(street(query, profile, .walk))
        }
        if query.modes.bicycle { consider(street(query, .bicycle, .bicycle)) }
        if query.modes.car { consider(street(query, .car, .car)) }
        return best
    }

    /// Whether two endpoints are one place: a stop and its station are.
    func isSamePlace(_ origin: Endpoint, _ destination: Endpoint) -> Bool {
        guard case .stop(let from) = origin, case .stop(let to) = destination else {
            return origin == destination
        }
        return isWithin(from, to) || isWithin(to, from)
    }

    /// The quickest footpath of the timetable between two stops.
    func footpath(_ query: JourneyQuery) -> Direct? {
        guard case .stop(let from) = query.origin, case .stop(let to) = query.destination else {
            return nil
        }
        let paths = city.timetable.footpaths(stepFree: query.wheelchair)
        let ends = platforms(of: to)
        var best: Walk?
        for start in platforms(of: from) {
            for path in paths.of(start)
            where paths.use[path] != Timetable.FootpathUse.changeOnly
                && ends.contains(paths.target[path])
            {
                let walk = Walk(seconds: max(0, paths.seconds[path]), metres: paths.metres[path])
                guard walk.metres <= query.maxWalkMetres ?? .max else { continue }
                if best.map({ walk.seconds < $0.seconds }) ?? true { best = walk }
            }
        }
        return best.map { Direct(walk: $0) }
    }

    /// The quickest way on the streets.
    private func street(_ query: JourneyQuery, _ profile: Profile, _ means: Means) -> Direct? {
        guard city.hasStreets else { return nil }
        var best: Direct?
        let destinations = ends(query.destination, profile, isOrigin: false)
        for origin in ends(query.origin, profile, isOrigin: true) {
            for destination in destinations {
                let cost = city.streets.cost(
                    from: origin.place,
                    to: destination.place,
                    by: snapshot.metric(profile),
                    using: workspace
                )
                guard cost.isPossible else { continue }
                let walk = Self.sum(origin.aside, cost, destination.aside, means)
                guard walk.walkedMetres <= query.maxWalkMetres ?? .max else { continue }
                if best.map({ walk.seconds < $0.walk.seconds }) ?? true {
                    best = Direct(walk: walk, ends: (origin.place, destination.place))
                }
            }
        }
        return best
    }

    /// The place of an endpoint on the street network, and the walk to it.
    func ends(
        _ endpoint: Endpoint,
        _ profile: Profile,
        isOrigin: Bool
    ) -> [(place: StreetPlace, aside: Walk)] {
        switch endpoint {
        case .place(let coordinate):
            return city.streets.snap(coordinate, for: profile).map { ($0, aside($0)) }
        case .stop(let stop):
            let links = city.stopLinks(profile)
            let stops = Set(platforms(of: stop).map { city.timetable.platforms.stop[$0] })
            return stops.sorted().flatMap { stop in
                links.ofStop(stop)
                    .filter { links.opens($0, isInward: !isOrigin) }
                    .map { (links.place($0), links.walk($0)) }
            }
        }
    }
}
