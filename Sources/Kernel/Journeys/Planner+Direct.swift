import Columns
import Geo
import Streets
import Transit

extension Planner {
    /// A journey entirely on foot, by bicycle or by car.
    struct Direct {
        var walk: Walk
    }

    /// The quickest journey without public transport; nil if there is none within the horizon.
    func direct(_ query: JourneyQuery) -> Direct? {
        var best: Direct?
        func consider(_ direct: Direct?) {
            guard let direct, direct.walk.seconds <= Self.horizonSeconds,
                query.allows(direct.walk)
            else { return }
            if best.map({ direct.walk.seconds < $0.walk.seconds }) ?? true { best = direct }
        }
        func considerStreets(_ profile: Profile, _ means: Means) {
            guard city.hasStreets else { return }
            let way = streetWay(query.origin, query.destination, profile, means, query)
            consider(way.map { Direct(walk: $0.walk) })
        }
        if isSamePlace(query.origin, query.destination) {
            return Direct(walk: Walk(seconds: 0, metres: 0))
        }
        if query.modes.walk {
            let profile: Profile = query.wheelchair ? .wheelchair : .foot
            consider(footpath(query))
            considerStreets(profile, .walk)
        }
        if query.modes.bicycle { considerStreets(.bicycle, .bicycle) }
        if query.modes.car { considerStreets(.car, .car) }
        return best
    }

    /// Whether two endpoints are the same place, as a stop and its station are.
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
}
