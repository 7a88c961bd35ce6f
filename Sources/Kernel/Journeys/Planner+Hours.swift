public import Chronology
import Columns
import Geo
public import Streets
import Transit

extension WeekMoment {
    /// The moment of the week that a zone's clocks show at an instant.
    public init(_ instant: Instant, in zone: ZoneTable) {
        let local = zone.local(instant)
        let seconds = Int64(local.date.weekday) * 86_400 + Int64(local.second)
        self.init(milliseconds: seconds * 1_000)
    }
}

extension Planner {
    /// The moment of the week on the city's clocks.
    ///
    /// A change of the clocks during a journey is ignored.
    func week(_ instant: Instant) -> WeekMoment {
        WeekMoment(instant, in: city.timetable.zone)
    }

    /// The hour by which streets are open where a place is joined to them: the one asked about.
    func joinMoment(_ query: JourneyQuery) -> PassageMoment {
        .whole(week(query.time))
    }

    /// A way on the streets between two endpoints.
    struct StreetWay {
        var walk: Walk
        var from: StreetPlace
        var to: StreetPlace
        var moment: PassageMoment
    }

    /// The quickest way on the streets between two endpoints, on which each passage obeys the rules
    /// of its own moment.
    ///
    /// - Parameters:
    ///   - origin: where it begins.
    ///   - destination: where it ends.
    ///   - profile: the profile of the traveller.
    ///   - means: the means of transport.
    ///   - query: when one travels, and how far one walks at the most.
    ///   - isChange: whether it is a change of vehicles, on streets that are open at any hour.
    /// - Returns: nil where there is no way.
    func streetWay(
        _ origin: Endpoint,
        _ destination: Endpoint,
        _ profile: Profile,
        _ means: Means,
        _ query: JourneyQuery,
        isChange: Bool = false
    ) -> StreetWay? {
        let wanted = StreetWayQuery(
            origin: origin,
            destination: destination,
            profile: profile,
            means: means,
            time: query.time,
            isArriveBy: query.isArriveBy,
            maxWalkMetres: query.maxWalkMetres,
            isChange: isChange
        )
        return recentWays.way(wanted) { searchedWay(wanted) }
    }

    /// Searches for a way on the streets.
    private func searchedWay(_ query: StreetWayQuery) -> StreetWay? {
        let profile = query.profile
        let metric = snapshot.metric(profile)
        let moment: PassageMoment = query.isChange ? .always : .whole(week(query.time))
        var best: StreetWay?
        // A place on a street that has closed by the time one comes there is joined to one that
        // never closes.
        for open in metric.variesByHour && !query.isChange ? [moment, .always] : [moment]
        where best == nil {
            let destinations = ends(query.destination, profile, isOrigin: false, at: open)
            for start in ends(query.origin, profile, isOrigin: true, at: open) {
                for end in destinations {
                    var hour = moment
                    if !query.isChange {
                        hour =
                            query.isArriveBy
                            ? .arrival(week(query.time.adding(seconds: -Int64(end.aside.seconds))))
                            : .departure(
                                week(query.time.adding(seconds: Int64(start.aside.seconds)))
                            )
                    }
                    let cost = city.streets.cost(
                        from: start.place,
                        to: end.place,
                        by: metric,
                        at: hour,
                        using: workspace
                    )
                    guard cost.isPossible else { continue }
                    let walk = Self.sum(start.aside, cost, end.aside, query.means)
                    guard walk.walkedMetres <= query.maxWalkMetres ?? .max else { continue }
                    if best.map({ walk.seconds < $0.walk.seconds }) ?? true {
                        best = StreetWay(walk: walk, from: start.place, to: end.place, moment: hour)
                    }
                }
            }
        }
        return best
    }

    /// The places on the street network to which an endpoint is joined at a given hour, and the
    /// walks between it and them.
    func ends(
        _ endpoint: Endpoint,
        _ profile: Profile,
        isOrigin: Bool,
        at moment: PassageMoment
    ) -> [(place: StreetPlace, aside: Walk)] {
        switch endpoint {
        case .place(let coordinate):
            return city.streets.snap(coordinate, for: profile, at: moment)
                .map { ($0, aside($0)) }
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
