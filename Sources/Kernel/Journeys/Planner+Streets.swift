import Chronology
import Columns
public import Streets
import Transit

extension Planner {
    /// The street route of a leg on foot, by bicycle or by car; nil for rides, and for paths that
    /// do not follow streets (inside a station, or in a city without streets).
    ///
    /// - Parameters:
    ///   - leg: a leg of an answer.
    ///   - query: the query that it answers.
    /// - Returns: the quickest path between the leg's ends.
    public func route(of leg: Leg, in query: JourneyQuery) -> StreetRoute? {
        guard leg.ride == nil, city.hasStreets else { return nil }
        let profile: Profile
        switch leg.means {
        case .bicycle: profile = .bicycle
        case .car: profile = .car
        default: profile = query.wheelchair ? .wheelchair : .foot
        }
        let metric = snapshot.metric(profile)
        let starts = ends(leg.from.map { .stop($0) } ?? query.origin, profile, isOrigin: true)
        let finishes = ends(
            leg.to.map { .stop($0) } ?? query.destination,
            profile,
            isOrigin: false
        )
        var best: (cost: Int32, from: StreetPlace, to: StreetPlace)?
        for start in starts {
            for finish in finishes {
                let cost = city.streets.cost(
                    from: start.place,
                    to: finish.place,
                    by: metric,
                    using: workspace
                )
                guard cost.isPossible else { continue }
                let seconds = Self.sum(start.aside, cost, finish.aside, leg.means).seconds
                if best.map({ seconds < $0.cost }) ?? true {
                    best = (seconds, start.place, finish.place)
                }
            }
        }
        // A leg that is quicker than the streets takes another path: through a station.
        guard let best, Int64(best.cost) <= leg.arrival.seconds - leg.departure.seconds else {
            return nil
        }
        return city.streets.route(from: best.from, to: best.to, by: metric, using: workspace)
    }
}
