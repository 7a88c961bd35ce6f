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

    /// The hour whose rules hold for all ways to and from stops: the one asked about.
    ///
    /// Rides decide when such a way is gone, which is not known when the stops within reach are
    /// looked for. So the rules are those of the moment of departure, or of the arrival if one asks
    /// by arrival.
    func accessMoment(_ query: JourneyQuery) -> PassageMoment {
        .whole(week(query.time))
    }

    /// The part of a journey that a way on the streets is.
    enum WayPart {
        /// All of it: each passage obeys the rules of its own moment.
        case whole
        /// The way to the first stop or from the last, by the rules of ``accessMoment(_:)``.
        case end
        /// A change of vehicles, on streets that are open at any hour.
        case change
    }

    /// A way on the streets between two endpoints.
    struct StreetWay {
        var walk: Walk
        var from: StreetPlace
        var to: StreetPlace
        var moment: PassageMoment
    }

    /// The quickest way on the streets between two endpoints.
    ///
    /// - Parameters:
    ///   - origin: where it begins.
    ///   - destination: where it ends.
    ///   - profile: the profile of the traveller.
    ///   - means: the means of transport.
    ///   - query: when one travels, and how far one walks at the most.
    ///   - part: the part of the journey that it is.
    /// - Returns: nil where there is no way.
    func streetWay(
        _ origin: Endpoint,
        _ destination: Endpoint,
        _ profile: Profile,
        _ means: Means,
        _ query: JourneyQuery,
        _ part: WayPart
    ) -> StreetWay? {
        let metric = snapshot.metric(profile)
        let isDirect = part == .whole
        let moment: PassageMoment = part == .change ? .always : accessMoment(query)
        var best: StreetWay?
        // A place on a street that has closed by the time one comes there is joined to one that
        // never closes.
        for open in metric.variesByHour && isDirect ? [moment, .always] : [moment] where best == nil
        {
            let destinations = ends(destination, profile, isOrigin: false, at: open)
            for start in ends(origin, profile, isOrigin: true, at: open) {
                for end in destinations {
                    var hour = moment
                    if isDirect {
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
                    let walk = Self.sum(start.aside, cost, end.aside, means)
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
