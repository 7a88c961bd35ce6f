import Chronology
import Columns
import Geo
import Streets
import Transit

/// A means of transport to the first stop, or from the last one.
struct EndMeans {
    let profile: Profile
    let means: Means
    /// How many metres long the way is at most.
    let limit: Double
    /// How many seconds it takes at most, without a wait.
    var seconds = UInt32.max / 1_000
    /// How long one waits before it; nil for not at all.
    var waits: [TaxiWait]?
    /// What is known of the rest of the journey; nil for nothing.
    var rest: RestOfJourney?

    /// The means that a query allows.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - isOrigin: whether the way begins the journey.
    ///   - longest: how many seconds the whole journey takes at most.
    ///   - rest: what is known of the rest of the journey.
    /// - Returns: the means, walking first.
    static func all(
        _ query: JourneyQuery,
        isOrigin: Bool,
        within longest: Int32,
        _ rest: RestOfJourney?
    ) -> [EndMeans] {
        var all = [
            EndMeans(
                profile: query.wheelchair ? .wheelchair : .foot,
                means: .walk,
                limit: Double(Planner.walkMetresLimit)
            )
        ]
        /// Ways beyond the query's limit are not even looked for: a city has many more stops in
        /// reach of a car than are near it.
        func add(_ profile: Profile, _ means: Means, _ metres: Double, _ waits: [TaxiWait]? = nil) {
            let limit = query.vehicleLimit
            var end = EndMeans(
                profile: profile,
                means: means,
                limit: limit.metres.map { min(metres, Double($0) + 1) } ?? metres,
                waits: waits,
                rest: rest
            )
            let most = min(longest, limit.seconds ?? .max) &- end.leastWait
            end.seconds = min(end.seconds, UInt32(max(0, most)))
            all.append(end)
        }
        // The traveller's own vehicle is at the origin; the last stop is left on foot or by taxi.
        if isOrigin, query.modes.bicycle { add(.bicycle, .bicycle, Planner.bicycleMetresLimit) }
        if isOrigin, query.modes.car { add(.car, .car, Planner.carMetresLimit) }
        let waits = isOrigin ? query.taxiAccess : query.taxiEgress
        if !waits.isEmpty {
            add(.taxi, .taxi(waitSeconds: 0), Planner.carMetresLimit, waits)
        }
        return all
    }

    /// How many seconds one waits at least.
    var leastWait: Int32 { max(0, waits?.map { $0.seconds }.min() ?? 0) }

    /// Whether a journey may begin or end with a way of so many seconds between the place and a
    /// platform.
    func mayUse(_ platform: PlatformIndex, _ seconds: Int32) -> Bool {
        rest?.allows(platform, beside: seconds &+ leastWait) ?? true
    }

    /// The limit of a search on the streets that begins some metres beside them.
    func searchLimit(aside metres: Double) -> SearchLimit {
        var searched = SearchLimit(metres: limit - metres)
        searched.milliseconds = min(searched.milliseconds, seconds * 1_000)
        return searched
    }

    /// The ways of an end, given one that is begun without a wait.
    func ways(_ way: EndWay) -> [EndWay] {
        guard let waits else { return [way] }
        return waits.compactMap { wait in
            let seconds = Int64(wait.seconds)
            var waited = way
            waited.walk.seconds &+= wait.seconds
            waited.walk.means = .taxi(waitSeconds: wait.seconds)
            waited.first = max(way.first == .min ? .min : way.first - seconds, wait.first.seconds)
            waited.last = min(way.last == .max ? .max : way.last - seconds, wait.last.seconds)
            return waited.first <= waited.last ? waited : nil
        }
    }
}

/// The ways to and from stops on the streets, as functions of the moment.
///
/// Where no street within reach has rules for certain hours, one search finds them. Otherwise a
/// search finds the ways of those who are at the place at a moment, and says for how long these
/// stay as they are; then the next one follows. So the ways are exact at each second, by the rules
/// of the moments at which each passage begins (docs/decisions/0038-timed-access.md).
extension Planner {
    /// After how many junctions, in all searches around a place, the ways for the moments that are
    /// left are those that can be gone at any hour.
    ///
    /// Some milliseconds; on foot it is reached only beside dozens of streets with hours.
    private static let junctionLimit = 20_000

    /// Adds the platforms that can be reached on the streets from a place, or from which it can be
    /// reached.
    func addPlatforms(
        around coordinate: Coordinate,
        _ means: EndMeans,
        _ isOrigin: Bool,
        during moments: ClosedRange<Instant>,
        _ paths: inout AccessEgressPaths
    ) {
        let search = EndSearch(coordinate, means, isOrigin: isOrigin)
        let varies = snapshot.metric(means.profile).variesByHour
        // What depends on the rest of one journey is of no use to another.
        let isShared = means.rest == nil
        let known = isShared ? recentEnds.found(search, during: varies ? moments : nil) : nil
        let found = known ?? ends(search, means, during: moments, varies: varies)
        if isShared, known == nil { recentEnds.keep(found) }
        for (platform, way) in found.ways where means.mayUse(platform, way.walk.seconds) {
            for way in means.ways(way) { paths.add(platform, way) }
        }
    }

    /// Searches for the platforms around a place, and the ways at some moments without waits.
    private func ends(
        _ search: EndSearch,
        _ means: EndMeans,
        during moments: ClosedRange<Instant>,
        varies: Bool
    ) -> FoundEnds {
        var ends = FoundEnds(search: search, moments: moments)
        var means = means
        switch tabled(search, means, during: moments) {
        case .found(let walks, let isConstant):
            ends.isConstant = isConstant
            ends.ways = walks.map { ($0.platform, EndWay(walk: $0.walk)) }
            return ends
        case .varying(let seconds): means.seconds = min(means.seconds, seconds)
        case .unknown: break
        }
        var junctionCount = 0
        // Before the moments and after them all is as at their ends.
        var first = Int64.min
        var moment = moments.lowerBound
        while true {
            let isExact = varies && junctionCount < Self.junctionLimit
            ends.isExact = isExact || !varies
            let found = platforms(
                around: search.place,
                means,
                search.isOrigin,
                at: isExact ? moment : nil
            )
            junctionCount += found.junctionCount + 1
            let last =
                isExact ? self.last(found.unchanged, from: moment, until: moments.upperBound) : nil
            for (platform, walk) in found.walks {
                let seconds = search.isOrigin ? 0 : Int64(walk.seconds)
                let way = EndWay(
                    walk: walk,
                    first: first == .min ? .min : first - seconds,
                    last: last.map { $0.seconds - seconds } ?? .max
                )
                ends.ways.append((platform, way))
            }
            guard let last else { return ends }
            moment = last.adding(seconds: 1)
            first = moment.seconds
        }
    }

    /// The last moment of some milliseconds, during which the clocks are not changed; nil if it is
    /// not before the end.
    private func last(_ milliseconds: Int64, from first: Instant, until end: Instant) -> Instant? {
        let zone = city.timetable.zone
        let offset = zone.offset(at: first)
        var last = min(end, first.adding(seconds: (milliseconds - 1) / 1_000))
        if zone.offset(at: last) != offset {
            var low = first
            while last.seconds - low.seconds > 1 {
                let middle = low.adding(seconds: (last.seconds - low.seconds) / 2)
                if zone.offset(at: middle) == offset { low = middle } else { last = middle }
            }
            last = low
        }
        return last < end ? last : nil
    }

    /// What is found around a place at a moment.
    struct FoundPlatforms {
        var walks: [(platform: PlatformIndex, walk: Walk)] = []
        /// How many junctions were searched.
        var junctionCount = 0
        /// For how many milliseconds the same is found.
        var unchanged = Int64.max
    }

    /// The platforms around a place.
    ///
    /// - Parameters:
    ///   - coordinate: the place.
    ///   - means: how one travels.
    ///   - isOrigin: whether one begins at the place.
    ///   - moment: when one begins or ends there; nil for ways that can be gone at any hour.
    /// - Returns: the platforms with the ways.
    func platforms(
        around coordinate: Coordinate,
        _ means: EndMeans,
        _ isOrigin: Bool,
        at moment: Instant?
    ) -> FoundPlatforms {
        var found = FoundPlatforms()
        let (streets, profile) = (city.streets, means.profile)
        let metric = snapshot.metric(profile)
        let week = moment.map { self.week($0) }
        var start = streets.snap(coordinate, for: profile).first
        if let nearest = start, metric.variesByHour(at: nearest, in: streets) {
            start =
                streets.snap(coordinate, for: profile, at: week.map { .whole($0) } ?? .always)
                .first
            if let week { found.unchanged = metric.unchangedMilliseconds(from: week) }
        }
        guard let start, start.distanceMetres <= means.limit else { return found }
        let own = aside(start)
        let links = city.stopLinks(profile)
        let tree = streets.shortestPathTree(
            start,
            within: means.searchLimit(aside: start.distanceMetres),
            isOrigin ? .forward : .backward,
            by: metric,
            at: week.map { Self.passages($0, aside: own.seconds, isOrigin) } ?? .always,
            using: workspace
        )
        found.junctionCount = tree.count
        if week != nil { found.unchanged = min(found.unchanged, tree.unchangedMilliseconds()) }
        let box = SearchBox(around: coordinate, metres: means.limit)
        for stop in city.timetable.stops.indices {
            for link in links.ofStop(stop)
            where box.contains(links.point(link)) && links.opens(link, isInward: isOrigin) {
                let place = links.place(link)
                if week != nil {
                    found.unchanged = min(found.unchanged, tree.unchangedMilliseconds(place))
                }
                let cost = tree.cost(place)
                guard cost.isPossible else { continue }
                let walk = Self.sum(own, cost, links.walk(link), means.means)
                guard Double(walk.metres) <= means.limit else { continue }
                for platform in city.timetable.platforms.platforms(ofStop: stop) {
                    found.walks.append((platform, walk))
                }
            }
        }
        return found
    }

    /// What the prepared table of stops says about the ways around a place.
    private enum Tabled {
        /// These are the ways at the moments asked about and, if they are constant, at any hour.
        case found([(platform: PlatformIndex, walk: Walk)], isConstant: Bool)
        /// Some take longer at these moments; those that may be used take at most so many seconds.
        case varying(UInt32)
        /// There is no table, or the place itself is joined to other streets at other hours.
        case unknown
    }

    /// The greatest time of ways that are looked up in a table, in milliseconds.
    private static let tabledMilliseconds: UInt32 = 3 * 3_600_000

    /// The platforms around a place and the ways, by the prepared table of stops.
    private func tabled(
        _ search: EndSearch,
        _ means: EndMeans,
        during moments: ClosedRange<Instant>
    ) -> Tabled {
        let metric = snapshot.metric(means.profile)
        guard let table = snapshot.stopTables.table(means.profile, isOrigin: search.isOrigin),
            let start = city.streets.snap(search.place, for: means.profile).first,
            start.distanceMetres <= means.limit,
            !metric.variesByHour(at: start, in: city.streets)
        else { return .unknown }
        let own = aside(start)
        let limit = means.searchLimit(aside: start.distanceMetres)
        let box = SearchBox(around: search.place, metres: means.limit)
        let current = hourSets(around: moments, metric)
        var walks: [(platform: PlatformIndex, walk: Walk)] = []
        var hours = HourSets()
        var (isExact, most) = (true, UInt32(0))
        table.places.forEach(from: start, using: workspace) {
            box.contains(table.entries[$0].point)
        } _: { number, found in
            let entry = table.entries[number]
            let isKnown =
                !found.hours.overlaps(current)
                && found.cost.milliseconds <= Self.tabledMilliseconds
            // At another hour the quickest way may be slower and shorter.
            guard isKnown ? limit.allows(found.cost) : limit.allowsTime(found.cost) else { return }
            let walk = Self.sum(own, found.cost, entry.walk, means.means)
            guard Double(walk.metres) <= means.limit || !isKnown else { return }
            for platform in city.timetable.platforms.platforms(ofStop: entry.stop)
            where means.mayUse(platform, walk.seconds) {
                walks.append((platform, walk))
                hours.formUnion(found.hours)
                isExact = isExact && isKnown
                most = max(most, means.rest?.most(platform) ?? .max)
            }
        }
        return isExact ? .found(walks, isConstant: hours.isEmpty) : .varying(most)
    }

    /// The hours that come around some moments, as early and as late as ways from a table may
    /// begin or end; all if the clocks are changed then.
    private func hourSets(around moments: ClosedRange<Instant>, _ metric: StreetMetric) -> HourSets
    {
        let margin = Int64(Self.tabledMilliseconds / 1_000)
        let first = moments.lowerBound.adding(seconds: -margin)
        let last = moments.upperBound.adding(seconds: margin)
        let zone = city.timetable.zone
        guard zone.offset(at: first) == zone.offset(at: last) else {
            return metric.hourSets(
                from: WeekMoment(milliseconds: 0),
                milliseconds: WeekMoment.weekMilliseconds
            )
        }
        return metric.hourSets(
            from: week(first),
            milliseconds: (last.seconds - first.seconds) * 1_000
        )
    }

    /// The moments of passages for those who leave a place at a moment, or come to it, and walk
    /// some seconds aside of the streets there.
    private static func passages(
        _ week: WeekMoment,
        aside seconds: Int32,
        _ isOrigin: Bool
    ) -> PassageMoment {
        let aside = Int64(seconds) * 1_000
        return isOrigin
            ? .departure(WeekMoment(milliseconds: Int64(week.milliseconds) + aside))
            : .arrival(WeekMoment(milliseconds: Int64(week.milliseconds) - aside))
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
