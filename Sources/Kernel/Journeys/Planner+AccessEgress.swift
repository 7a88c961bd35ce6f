import Columns
import Geo
import Streets
import Transit

/// A walk, or a path by the traveller's own bicycle or car.
public struct Walk: Sendable, Equatable {
    /// The duration in seconds.
    public var seconds: Int32
    /// How long it is, in metres.
    public var metres: UInt32
    /// The means of transport.
    var means = Means.walk
    /// Metres that count as walked.
    var walkedMetres: UInt32 { means == .walk ? metres : 0 }
}

/// The platforms where a journey may take its first ride or end its last one, and the ways to the
/// former (access) or from the latter (egress).
struct AccessEgressPaths {
    /// The ways to or from each platform: those that no other beats in time and metres walked.
    private(set) var ways: [PlatformIndex: [Walk]] = [:]

    /// The same for the search, in the order of platforms and times.
    var sorted: [Raptor.AccessEgress] {
        ways.flatMap { platform, ways in
            ways.map { way in
                Raptor.AccessEgress(
                    platform: platform,
                    seconds: way.seconds,
                    metres: way.walkedMetres
                )
            }
        }.sorted { ($0.platform, $0.seconds) < ($1.platform, $1.seconds) }
    }

    /// Keeps a way unless another to the same platform is as quick and walks as little.
    mutating func add(_ platform: PlatformIndex, _ walk: Walk) {
        func beats(_ one: Walk, _ other: Walk) -> Bool {
            one.seconds <= other.seconds && one.walkedMetres <= other.walkedMetres
        }
        var known = ways[platform] ?? []
        guard !known.contains(where: { beats($0, walk) }) else { return }
        known.removeAll { beats(walk, $0) }
        known.append(walk)
        ways[platform] = known
    }

    /// The way that a search took: no two to a platform take the same time.
    func way(_ path: Raptor.AccessEgress) -> Walk {
        ways[path.platform]?.first { $0.seconds == path.seconds }
            ?? Walk(seconds: path.seconds, metres: path.metres)
    }
}

extension Planner {
    /// The time per metre off the streets, between a place and the street beside it, in seconds.
    static let secondsPerMetre = 1 / 1.33

    /// The platforms that can be reached from an endpoint, or from which it can be reached.
    func accessEgress(
        _ endpoint: Endpoint,
        _ query: JourneyQuery,
        isOrigin: Bool
    ) -> AccessEgressPaths {
        var paths = AccessEgressPaths()
        switch endpoint {
        case .stop(let stop): addPlatforms(of: stop, query, isOrigin, &paths)
        case .place(let place):
            let profile: Profile = query.wheelchair ? .wheelchair : .foot
            addPlatforms(
                around: place,
                profile,
                .walk,
                query,
                limit: Double(Self.walkMetresLimit),
                isOrigin,
                &paths
            )
            // The traveller's own vehicle is at the origin; the last stop is left on foot.
            if isOrigin, query.modes.bicycle {
                addPlatforms(
                    around: place,
                    .bicycle,
                    .bicycle,
                    query,
                    limit: Self.bicycleMetresLimit,
                    true,
                    &paths
                )
            }
            if isOrigin, query.modes.car {
                addPlatforms(
                    around: place,
                    .car,
                    .car,
                    query,
                    limit: Self.carMetresLimit,
                    true,
                    &paths
                )
            }
        }
        return paths
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
            paths.add(platform, Walk(seconds: 0, metres: 0))
            for path in footpaths.of(platform)
            where footpaths.use[path] != Timetable.FootpathUse.changeOnly {
                paths.add(
                    footpaths.target.index(path, below: count),
                    Walk(seconds: max(0, footpaths.seconds[path]), metres: footpaths.metres[path])
                )
            }
        }
    }

    /// Adds the platforms that can be reached on the streets from a place, or from which it can be
    /// reached.
    private func addPlatforms(
        around coordinate: Coordinate,
        _ profile: Profile,
        _ means: Means,
        _ query: JourneyQuery,
        limit: Double,
        _ isOrigin: Bool,
        _ paths: inout AccessEgressPaths
    ) {
        let moment = accessMoment(query)
        guard let start = city.streets.snap(coordinate, for: profile, at: moment).first,
            start.distanceMetres <= limit
        else { return }
        let links = city.stopLinks(profile)
        let own = aside(start)
        let tree = city.streets.shortestPathTree(
            start,
            within: SearchLimit(metres: limit - start.distanceMetres),
            isOrigin ? .forward : .backward,
            by: snapshot.metric(profile),
            at: moment,
            using: workspace
        )
        let box = SearchBox(around: coordinate, metres: limit)
        for stop in city.timetable.stops.indices {
            for link in links.ofStop(stop)
            where box.contains(links.point(link)) && links.opens(link, isInward: isOrigin) {
                let cost = tree.cost(links.place(link))
                guard cost.isPossible else { continue }
                let walk = Self.sum(own, cost, links.walk(link), means)
                guard Double(walk.metres) <= limit else { continue }
                for platform in city.timetable.platforms.platforms(ofStop: stop) {
                    paths.add(platform, walk)
                }
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

/// A box around a place: a cheap first test for nearby stop links.
private struct SearchBox {
    private let south: Int32
    private let north: Int32
    private let west: Int32
    private let east: Int32

    init(around place: Coordinate, metres: Double) {
        let plane = LocalPlane(at: place)
        let height = Int32(metres / plane.metresPerLatitude)
        let width = Int32(min(1e9, metres / plane.metresPerLongitude))
        south = place.latitude &- height
        north = place.latitude &+ height
        west = place.longitude &- width
        east = place.longitude &+ width
    }

    func contains(_ place: Coordinate) -> Bool {
        place.latitude >= south && place.latitude <= north && place.longitude >= west
            && place.longitude <= east
    }
}
