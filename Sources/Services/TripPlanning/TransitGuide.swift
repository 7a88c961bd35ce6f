import Chronology
import CityData
import Columns
import Geo
package import Journeys
import Synchronization
import Transit

/// The stops of a city with their departures, and its lines with their routes.
///
/// The data that questions share is arranged once, by ``prepare()`` or with the first question:
/// which stops form a place, which patterns call where, and which patterns a line has. After that,
/// the cost of a question depends on its stops or line and not on the timetable.
package final class TransitGuide: Sendable {
    /// The greatest distance between stops of one name that form one place, in metres.
    private static let togetherMetres = 300.0

    let city: City
    private let arranged = Mutex<Arrangement?>(nil)
    private let names = Mutex<[String: TransitNames]>([:])
    /// All lines, sorted for lists, by language.
    let sortedLines = Mutex<[String: [TransitLine]]>([:])

    /// Creates the guide of a city.
    package init(_ city: City) {
        self.city = city
    }

    var timetable: Timetable { city.timetable }

    /// The names of stops and lines in a language.
    func names(_ language: String) -> TransitNames {
        names.withLock { names in
            if let known = names[language] { return known }
            let new = TransitNames(timetable, language: language)
            names[language] = new
            return new
        }
    }

    /// The arranged data; arranges it if that has not been done.
    var arrangement: Arrangement {
        arranged.withLock { arranged in
            if let known = arranged { return known }
            let new = Arrangement(timetable)
            arranged = new
            return new
        }
    }

    /// Whether the data is arranged, so that the first question need not wait.
    var isPrepared: Bool { arranged.withLock { $0 != nil } }

    /// Arranges the data unless that has been done.
    func prepare() { _ = arrangement }

    /// Two stops far from each other; nil in a city with too few.
    var distantPlaces: (Coordinate, Coordinate)? {
        let arrangement = arrangement
        let served = arrangement.bySouth.filter { !arrangement.groups[$0].routes.isEmpty }
        guard served.count > 1 else { return nil }
        // The outermost stop may lie on an isolated island.
        let (first, other) = (served[served.count / 3], served[served.count * 2 / 3])
        guard first != other else { return nil }
        return (arrangement.groups[first].coordinate, arrangement.groups[other].coordinate)
    }

    /// A stop or station with its platforms, as rows of the timetable.
    struct Group: Sendable {
        var stops: [StopIndex]
        var coordinate: Coordinate
        /// The lines that leave there, each with its feed: stops of several feeds may be one place.
        var routes: [(route: RouteIndex, feed: FeedIndex)] = []
    }

    /// A line's share of a pattern: the part that the line's trips serve.
    struct Share: Sendable {
        var pattern: PatternIndex
        var positions: Range<Int>
        /// Any one of the pattern's runs.
        var run: RunIndex
        /// The number of the pattern's runs.
        var runs: Int
    }

    /// The data that questions share, arranged once.
    struct Arrangement: Sendable {
        let departures: StopDepartures
        private(set) var groups: [Group] = []
        /// The group of each stop; nil if its position is unknown or no vehicle stops there.
        private(set) var groupOfStop: [Int?]
        /// The groups from south to north.
        private(set) var bySouth: [Int] = []
        private(set) var groupByKey: [String: Int] = [:]
        private(set) var shares: [RouteIndex: [Share]] = [:]
        private(set) var routeByKey: [String: RouteIndex] = [:]

        init(_ timetable: Timetable) {
            departures = StopDepartures(timetable)
            groupOfStop = Array(repeating: nil, count: max(1, timetable.stops.count))
            addLines(timetable)
            addGroups(timetable)
            addRoutes(timetable)
            bySouth = groups.indices.sorted {
                groups[$0].coordinate.latitude < groups[$1].coordinate.latitude
            }
        }

        private mutating func addLines(_ timetable: Timetable) {
            let patterns = timetable.patterns
            for pattern in patterns.indices {
                let count = patterns.positions(pattern).count
                var found: [Share] = []
                var routes: [RouteIndex] = []
                for run in patterns.runs(pattern) {
                    for segment in patterns.segments(run) {
                        let first = Int(patterns.segmentPosition[segment])
                        let last = Int(patterns.segmentLast[segment])
                        guard first < last, last < count else { continue }
                        let route = timetable.trips.route[patterns.segmentTrip[segment]]
                        let known = found.indices.first {
                            routes[$0] == route && found[$0].positions == first..<(last + 1)
                        }
                        if let known {
                            found[known].runs += 1
                        } else {
                            let positions = first..<(last + 1)
                            let share = Share(
                                pattern: pattern,
                                positions: positions,
                                run: run,
                                runs: 1
                            )
                            found.append(share)
                            routes.append(route)
                        }
                    }
                }
                for (route, share) in zip(routes, found) {
                    shares[route, default: []].append(share)
                }
            }
            for (route, all) in shares {
                guard let feed = all.first.map({ TransitGuide.feed(of: $0, timetable) }) else {
                    continue
                }
                let id = timetable.texts[Int(timetable.routes.id[route])]
                routeByKey[TransitGuide.key(feed, id, timetable)] = route
            }
        }

        /// Stops of one station, and those of one name close together, form one place.
        private mutating func addGroups(_ timetable: Timetable) {
            let stops = timetable.stops
            var named: [UInt32: [Int]] = [:]
            for stop in stops.indices where stops.kind[stop] < 2 {
                let station = TransitGuide.station(of: stop, stops)
                guard let place = stops.coordinate(station) ?? stops.coordinate(stop) else {
                    continue
                }
                let near = named[stops.name[station], default: []].first { group in
                    groups[group].coordinate.distanceMetres(to: place)
                        <= TransitGuide.togetherMetres
                }
                let group = near ?? groups.count
                if near == nil {
                    groups.append(Group(stops: [], coordinate: place))
                    named[stops.name[station], default: []].append(group)
                }
                groups[group].stops.append(stop)
                groupOfStop[stop.row] = group
            }
            for group in groups.indices {
                groups[group].stops.sort { left, right in
                    (stops.kind[left] == 1 ? 0 : 1, left.rawValue)
                        < (stops.kind[right] == 1 ? 0 : 1, right.rawValue)
                }
                if let first = groups[group].stops.first, stops.kind[first] == 1,
                    let place = stops.coordinate(first)
                {
                    groups[group].coordinate = place
                }
                for stop in groups[group].stops {
                    groupByKey[TransitGuide.key(of: stop, timetable)] = group
                }
            }
        }

        private mutating func addRoutes(_ timetable: Timetable) {
            for (route, all) in shares {
                var seen: Set<Int> = []
                for share in all {
                    for position in share.positions.dropLast() {
                        let stop = TransitGuide.stop(of: share.pattern, at: position, timetable)
                        guard let group = groupOfStop[stop.row] else { continue }
                        seen.insert(group)
                    }
                }
                guard let feed = all.first.map({ TransitGuide.feed(of: $0, timetable) }) else {
                    continue
                }
                for group in seen { groups[group].routes.append((route, feed)) }
            }
        }
    }

    // MARK: Rows of the timetable

    /// The station that a stop belongs to; the stop itself if it has none.
    static func station(of stop: StopIndex, _ stops: Timetable.Stops) -> StopIndex {
        var stop = stop
        // GTFS has at most two levels above a boarding area.
        for _ in 0..<3 { stop = stops.parent.index(stop, below: max(stops.count, 1)) }
        return stop
    }

    /// The stop at a position of a pattern, given by its number.
    static func stop(
        of pattern: PatternIndex,
        at position: Int,
        _ timetable: Timetable
    ) -> StopIndex {
        let first = timetable.patterns.positions(pattern).lowerBound
        let platform = timetable.patterns.platform[first.advanced(by: position)]
        return timetable.platforms.stop.index(platform, below: max(timetable.stops.count, 1))
    }

    /// The feed of a line.
    static func feed(of share: Share, _ timetable: Timetable) -> FeedIndex {
        timetable.stops.feed[stop(of: share.pattern, at: share.positions.lowerBound, timetable)]
    }

    /// The key of a stop in addresses.
    static func key(of stop: StopIndex, _ timetable: Timetable) -> String {
        let id = timetable.texts[Int(timetable.stops.id[stop])]
        return key(timetable.stops.feed[stop], id, timetable)
    }

    /// A feed's identifier as part of an address, which cannot contain a slash.
    static func key(_ feed: FeedIndex, _ id: String, _ timetable: Timetable) -> String {
        "\(timetable.texts[Int(timetable.feeds.name[feed])]).\(id)"
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~")
    }
}
