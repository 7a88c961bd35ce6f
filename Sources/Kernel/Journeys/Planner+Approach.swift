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

/// The platforms from which a journey may take its first ride, or to which its last may lead.
struct Approach {
    /// The ways to or from each platform: those that no other beats in time and metres walked.
    private(set) var ways: [Int32: [Walk]] = [:]

    /// The same for the search, in the order of platforms and times.
    var stopovers: [Raptor.Stopover] {
        ways.flatMap { platform, ways in
            ways.map {
                Raptor.Stopover(platform: platform, seconds: $0.seconds, metres: $0.walkedMetres)
            }
        }.sorted { ($0.platform, $0.seconds) < ($1.platform, $1.seconds) }
    }

    /// Keeps a way unless another to the same platform is as quick and walks as little.
    mutating func add(_ platform: Int, _ walk: Walk) {
        func beats(_ one: Walk, _ other: Walk) -> Bool {
            one.seconds <= other.seconds && one.walkedMetres <= other.walkedMetres
        }
        var known = ways[Int32(platform)] ?? []
        guard !known.contains(where: { beats($0, walk) }) else { return }
        known.removeAll { beats(walk, $0) }
        known.append(walk)
        ways[Int32(platform)] = known
    }

    /// The way that a search took: no two to a platform take the same time.
    func way(_ stopover: Raptor.Stopover) -> Walk {
        ways[stopover.platform]?.first { $0.seconds == stopover.seconds }
            ?? Walk(seconds: stopover.seconds, metres: stopover.metres)
    }
}

extension Planner {
    /// The time per metre off the streets, between a place and the street beside it, in seconds.
    static let secondsPerMetre = 1 / 1.33

    /// The platforms that can be reached from an endpoint, or from which it can be reached.
    func approach(_ endpoint: Endpoint, _ query: JourneyQuery, isOrigin: Bool) -> Approach {
        var approach = Approach()
        switch endpoint {
        case .stop(let stop): approachStop(stop, query, isOrigin, &approach)
        case .place(let place):
            let profile: Profile = query.wheelchair ? .wheelchair : .foot
            approachPlace(
                place,
                profile,
                .walk,
                limit: Double(Self.walkMetresLimit),
                isOrigin,
                &approach
            )
            // The traveller's own vehicle is at the origin; the last stop is left on foot.
            if isOrigin, query.modes.bicycle {
                approachPlace(
                    place,
                    .bicycle,
                    .bicycle,
                    limit: Self.bicycleMetresLimit,
                    true,
                    &approach
                )
            }
            if isOrigin, query.modes.car {
                approachPlace(place, .car, .car, limit: Self.carMetresLimit, true, &approach)
            }
        }
        return approach
    }

    /// The platforms of a stop and those one footpath away.
    private func approachStop(
        _ stop: StopIndex,
        _ query: JourneyQuery,
        _ isOrigin: Bool,
        _ approach: inout Approach
    ) {
        let footpaths =
            isOrigin
            ? city.timetable.footpaths(stepFree: query.wheelchair)
            : city.timetable.reverseFootpaths(stepFree: query.wheelchair)
        let count = city.timetable.platforms.count
        for platform in platforms(of: stop) {
            approach.add(platform, Walk(seconds: 0, metres: 0))
            for path in footpaths.of(platform)
            where footpaths.use[path] != Timetable.FootpathUse.changeOnly {
                approach.add(
                    footpaths.target.index(path, below: count),
                    Walk(seconds: max(0, footpaths.seconds[path]), metres: footpaths.metres[path])
                )
            }
        }
    }

    /// The platforms within reach of a place on the streets.
    private func approachPlace(
        _ coordinate: Coordinate,
        _ profile: Profile,
        _ means: Means,
        limit: Double,
        _ isOrigin: Bool,
        _ approach: inout Approach
    ) {
        guard let start = city.streets.snap(coordinate, for: profile).first,
            start.distanceMetres <= limit
        else { return }
        let doors = city.doors(profile)
        let own = aside(start)
        let reach = city.streets.reach(
            start,
            within: ReachLimit(metres: limit - start.distanceMetres),
            isOrigin ? .forward : .backward,
            by: city.streets.metric(profile),
            using: workspace
        )
        let box = SearchBox(around: coordinate, metres: limit)
        for stop in 0..<city.timetable.stops.count {
            for door in doors.ofStop(stop)
            where box.contains(doors.point(door)) && doors.opens(door, isInward: isOrigin) {
                let cost = reach.cost(doors.place(door))
                guard cost.isPossible else { continue }
                let walk = Self.sum(own, cost, doors.walk(door), means)
                guard Double(walk.metres) <= limit else { continue }
                for platform in city.timetable.platforms.platforms(ofStop: stop) {
                    approach.add(platform, walk)
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
    func platforms(of stop: StopIndex) -> [Int] {
        placePlatforms.of(stop)
    }

    /// Whether a stop is another one or inside it.
    func isWithin(_ stop: Int, _ place: StopIndex) -> Bool {
        var ancestor = stop
        // Boarding area, platform, station: two steps at the most.
        for _ in 0..<3 {
            if ancestor == Int(truncatingIfNeeded: place.rawValue) { return true }
            ancestor = Int(truncatingIfNeeded: city.timetable.stops.parent[ancestor])
        }
        return false
    }
}

/// A box around a place: a cheap first test for nearby doors.
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
