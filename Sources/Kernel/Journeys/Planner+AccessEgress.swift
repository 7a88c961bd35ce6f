import Chronology
import Columns
import Streets
import Transit

extension Planner {
    /// The time per metre off the streets, between a place and the street beside it, in seconds.
    static let secondsPerMetre = 1 / 1.33

    /// The platforms that can be reached from an endpoint, or from which it can be reached.
    ///
    /// - Parameters:
    ///   - endpoint: where a journey begins or ends.
    ///   - query: by which means one travels.
    ///   - isOrigin: whether it begins there.
    ///   - moments: when it may be there; the ways are right at each of these moments.
    ///   - seconds: how long the whole journey takes at most.
    ///   - rest: what is known of the rest of the journey.
    /// - Returns: the platforms and the ways.
    func accessEgress(
        _ endpoint: Endpoint,
        _ query: JourneyQuery,
        isOrigin: Bool,
        during moments: ClosedRange<Instant>,
        within seconds: Int32 = .max,
        _ rest: RestOfJourney? = nil
    ) -> AccessEgressPaths {
        var paths = AccessEgressPaths(
            rates: query.emissions?.rates,
            vehicleLimit: query.vehicleLimit,
            avoided: query.avoided
        )
        switch endpoint {
        case .stop(let stop): addPlatforms(of: stop, query, isOrigin, &paths)
        case .place(let place):
            for means in EndMeans.all(query, isOrigin: isOrigin, within: seconds, rest) {
                addPlatforms(around: place, means, isOrigin, during: moments, &paths)
            }
        }
        if let rentals = isOrigin ? query.rentalAccess : query.rentalEgress, !query.wheelchair {
            precondition(rentals.isOrigin == isOrigin, "rentals are used at the end they are for")
            paths.rentals = rentals
            rentals.add(to: &paths)
        }
        return paths
    }

    /// The moments at which journeys of a query may begin and end.
    static func moments(_ query: JourneyQuery, within seconds: Int32) -> ClosedRange<Instant> {
        let other = query.time.adding(seconds: Int64(query.isArriveBy ? 0 &- seconds : seconds))
        return min(query.time, other)...max(query.time, other)
    }

    /// Adds the platforms of a stop and those one footpath away.
    private func addPlatforms(
        of stop: StopIndex,
        _ query: JourneyQuery,
        _ isOrigin: Bool,
        _ paths: inout AccessEgressPaths
    ) {
        let footpaths =
            isOrigin
            ? city.timetable.footpaths(stepFree: query.wheelchair)
            : city.timetable.reverseFootpaths(stepFree: query.wheelchair)
        let count = city.timetable.platforms.count
        for platform in platforms(of: stop) {
            paths.add(platform, EndWay(walk: Walk(seconds: 0, metres: 0)))
            for path in footpaths.of(platform)
            where footpaths.use[path] != Timetable.FootpathUse.changeOnly {
                let walk = Walk(
                    seconds: max(0, footpaths.seconds[path]),
                    metres: footpaths.metres[path]
                )
                paths.add(footpaths.target.index(path, below: count), EndWay(walk: walk))
            }
        }
    }

    /// The walk between a place and the street beside it.
    func aside(_ place: StreetPlace) -> Walk {
        Walk(
            seconds: Int32((place.distanceMetres * Self.secondsPerMetre).rounded(.up)),
            metres: UInt32(place.distanceMetres.rounded())
        )
    }

    /// Adds up a path on the streets and the walks off the streets at both ends.
    static func sum(_ start: Walk, _ cost: Cost, _ end: Walk, _ means: Means) -> Walk {
        Walk(
            seconds: start.seconds &+ Int32((cost.milliseconds &+ 999) / 1_000) &+ end.seconds,
            metres: start.metres &+ (cost.decimetres &+ 5) / 10 &+ end.metres,
            means: means
        )
    }

    /// The platforms of a stop and of all stops inside it.
    func platforms(of stop: StopIndex) -> ArraySlice<PlatformIndex> {
        snapshot.placePlatforms.of(stop)
    }

    /// Whether a stop is another one or inside it.
    func isWithin(_ stop: StopIndex, _ place: StopIndex) -> Bool {
        var ancestor = stop
        // Boarding area, platform, station: at most two steps.
        for _ in 0..<3 {
            if ancestor == place { return true }
            ancestor = city.timetable.stops.parent[ancestor]
        }
        return false
    }
}
