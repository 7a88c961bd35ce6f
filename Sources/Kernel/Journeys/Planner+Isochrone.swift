import Chronology
import Columns
public import Geo
import Streets
import Transit

extension Planner {
    /// The side of the grid's cells, in metres.
    private static let cellMetres = 50.0
    /// How far the drawn border may deviate from that of the grid, in metres.
    private static let toleranceMetres = 8.0

    /// The area that can be reached from a query's origin within a time, on foot and by public
    /// transport; the query's destination and limit on walking are ignored.
    ///
    /// Streets are reached as in journeys: on foot from the origin, and from the stops where
    /// vehicles arrive in time for at most ``walkMetresLimit``, each street by the rules of the
    /// hour at which it is reached. From points of the streets, 25 m apart, the corners of a grid
    /// of 50 m are reached that are within 75 m, at the pace off the streets. The border runs where
    /// the time is used up between corners (marching squares). In a city without streets the area
    /// surrounds the stops.
    ///
    /// - Parameters:
    ///   - query: the origin, the time of departure and the means of transport.
    ///   - seconds: how long the journey may take.
    /// - Returns: valid polygons that do not touch each other; none if nothing can be reached.
    public mutating func isochrone(_ query: JourneyQuery, within seconds: Int32) -> MultiPolygon {
        var query = query
        query.isArriveBy = false
        query.origin = onStreets(query.origin)
        let seconds = min(max(0, seconds), Self.horizonSeconds)
        let points = reachedPoints(query, within: seconds)
        guard var grid = ValueGrid(around: points.map { $0.place }, cellMetres: Self.cellMetres)
        else { return MultiPolygon([]) }
        let perMetre = Self.secondsPerMetre * 1_000
        for (place, milliseconds) in points {
            grid.lower(around: place, to: milliseconds, perMetre: perMetre)
        }
        return grid.area(
            atMost: seconds * 1_000,
            band: Int32(grid.cellMetres * perMetre),
            toleranceMetres: Self.toleranceMetres
        )
    }

    /// Points that can be reached within a time, with the milliseconds after the departure.
    private mutating func reachedPoints(
        _ query: JourneyQuery,
        within seconds: Int32
    ) -> [(place: Coordinate, milliseconds: Int32)] {
        var points: [(place: Coordinate, milliseconds: Int32)] = []
        let profile: Profile = query.wheelchair ? .wheelchair : .foot
        let stops = reachedStops(query, within: seconds)
        guard city.hasStreets else {
            for (stop, seconds) in stops {
                guard let place = city.timetable.stops.coordinate(stop) else { continue }
                points.append((place, seconds * 1_000))
            }
            return points
        }
        let links = city.stopLinks(profile)
        let arrivals = stops.flatMap { stop, seconds in
            links.ofStop(stop).filter { links.opens($0, isInward: false) }.map { link in
                let walk = links.walk(link)
                return StreetStart(
                    links.place(link),
                    Self.cost(seconds: seconds &+ walk.seconds, metres: walk.metres)
                )
            }
        }
        let moment = joinMoment(query)
        let origins = ends(query.origin, profile, isOrigin: true, at: moment).map { place, aside in
            StreetStart(place, Self.cost(seconds: aside.seconds, metres: 0))
        }
        let time = UInt32(seconds) * 1_000
        for (starts, decimetres) in [(origins, .max), (arrivals, Self.walkMetresLimit * 10)] {
            city.streets.forEachPoint(
                from: starts,
                within: SearchLimit(milliseconds: time, decimetres: decimetres),
                by: snapshot.metric(profile),
                at: .departure(week(query.time)),
                using: workspace
            ) { points.append(($0, Int32(truncatingIfNeeded: $1))) }
        }
        return points
    }

    private static func cost(seconds: Int32, metres: UInt32) -> Cost {
        Cost(milliseconds: UInt32(max(0, seconds)) &* 1_000, decimetres: metres &* 10)
    }

    /// The stops at which vehicles arrive within a time, with the seconds after the departure.
    private mutating func reachedStops(
        _ query: JourneyQuery,
        within seconds: Int32
    ) -> [(stop: StopIndex, seconds: Int32)] {
        guard query.modes.transit != 0 else { return [] }
        let moments = Self.moments(query, within: seconds)
        let access = accessEgress(query.origin, query, isOrigin: true, during: moments)
        guard !access.ways.isEmpty else { return [] }
        let date = city.timetable.zone.local(query.time).date
        let day = snapshot.transit.day(date)
        let start = Int32(truncatingIfNeeded: query.time.seconds &- day.epoch.seconds)
        let paths = access.sorted(since: day.epoch)
        let arrivals = arrivals(paths, query, at: start, within: seconds, in: day)
        var earliest: [StopIndex: Int32] = [:]
        let platforms = city.timetable.platforms
        for platform in platforms.indices where arrivals[platform.row] < Raptor.never {
            let stop = platforms.stop[platform]
            let known = earliest[stop] ?? Raptor.never
            earliest[stop] = min(known, arrivals[platform.row] &- start)
        }
        return earliest.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
