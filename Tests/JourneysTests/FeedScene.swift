import Chronology
import CityData
import Columns
import Journeys
import OpenData
import Streets
import Testing
import Transit

/// A small feed as text, imported without streets, with answers of one line each.
struct FeedScene {
    /// The defaults of each scene: stops A to F in a row, 1.1 km apart, and a service D that runs
    /// daily in autumn 2014.
    static let common = [
        "agency.txt":
            "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://a.it,Europe/Rome",
        "routes.txt": "route_id,route_short_name,route_type\nBus,Bus,3\nTram,Tram,0",
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        D,1,1,1,1,1,1,1,20141001,20141130
        """,
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
            + "ABCDEF".enumerated().map { "\($1),\($1),45.0\($0),9" }.joined(separator: "\n"),
    ]

    private var planner: Planner
    /// The feed, parsed from its text.
    let feed: GTFSFeed
    /// The repairs made while reading and building.
    let repairs: [Diagnostic]

    /// Imports a feed from text.
    ///
    /// - Parameters:
    ///   - files: the files that differ from ``common``.
    ///   - shiftWeeks: the number of weeks by which its days are shifted.
    ///   - walks: the walks between stops; nil for those of `transfers.txt`.
    ///   - streets: the streets to walk on.
    /// - Throws: the reason why the feed cannot be imported.
    init(
        _ files: [String: String],
        shiftWeeks: Int32 = 0,
        walks: StopWalks? = nil,
        streets: StreetDraft? = nil
    ) throws {
        let texts = Self.common.merging(files) { _, new in new }
        let result = try GTFSReader.read(.texts(texts), name: "feed")
        feed = result.feed
        var writer = SectionWriter()
        let input = FeedInput(feed, shiftWeeks: shiftWeeks)
        var found = walks
        if let streets {
            try writer.add(streets: streets)
            found = RandomTown.addStopLinks([input], StreetNetwork(try writer.opened()), &writer)
        }
        let log = try TimetableBuilder.add([input], walks: found, to: &writer)
        repairs = (result.log.counts + log.counts).map(\.example)
        planner = Planner(CitySnapshot(City(try writer.opened())))
    }

    /// Returns the answers as text, such as "08:00 A Bus B 08:05, 08:10 B Tram C 08:20".
    mutating func answers(
        _ from: String,
        _ to: String,
        _ time: String,
        arriveBy: Bool = false,
        modes: [TransitMode] = TransitMode.allCases,
        wheelchair: Bool = false
    ) throws -> [String] {
        try itineraries(
            from: stop(from),
            to: stop(to),
            time,
            arriveBy: arriveBy,
            modes: modes,
            wheelchair: wheelchair
        ).map { $0.legs.map(describe).joined(separator: ", ") }
    }

    /// Returns the answers as itineraries.
    mutating func itineraries(
        from origin: Endpoint,
        to destination: Endpoint,
        _ time: String,
        arriveBy: Bool = false,
        modes: [TransitMode] = TransitMode.allCases,
        wheelchair: Bool = false
    ) throws -> [Itinerary] {
        let moment = try #require(LocalTime(iso8601: time))
        return planner.journeys(
            JourneyQuery(
                from: origin,
                to: destination,
                time: moment.instant(in: zone),
                isArriveBy: arriveBy,
                modes: TravelModes(transit: modes.reduce(0) { $0 | $1.bit }),
                wheelchair: wheelchair
            )
        )
    }

    /// Puts overlays on the city, instead of those that are there.
    mutating func apply(_ overlays: CityOverlays) throws {
        planner = Planner(try planner.snapshot.with(overlays))
    }

    /// Returns the journeys between two stops as itineraries, of a query with some changes.
    mutating func journeys(
        _ from: String,
        _ to: String,
        _ time: String,
        _ change: (inout JourneyQuery) -> Void = { _ in }
    ) throws -> [Itinerary] {
        let moment = try #require(LocalTime(iso8601: time))
        var query = JourneyQuery(
            from: try stop(from),
            to: try stop(to),
            time: moment.instant(in: zone)
        )
        change(&query)
        return planner.journeys(query)
    }

    /// The imported city.
    var city: City { planner.city }

    /// The time zone of the timetable.
    var zone: ZoneTable { planner.city.timetable.zone }

    private func row(_ id: String) throws -> Int {
        try #require(feed.stops.firstIndex { $0.id == id })
    }

    /// Returns the stop with an identifier.
    func stop(_ id: String) throws -> Endpoint {
        .stop(StopIndex(row: try row(id)))
    }

    /// Returns the fastest footpath between the first platforms of two stops; nil if there is none.
    func footpath(_ from: String, _ to: String) throws -> (seconds: Int32, metres: UInt32)? {
        let timetable = planner.city.timetable
        let paths = timetable.footpaths(stepFree: false)
        let ends = timetable.platforms.platforms(ofStop: StopIndex(row: try row(to)))
        for platform in timetable.platforms.platforms(ofStop: StopIndex(row: try row(from))) {
            for path in paths.of(platform) where ends.contains(paths.target[path]) {
                return (paths.seconds[path], paths.metres[path])
            }
        }
        return nil
    }

    private func describe(_ leg: Leg) -> String {
        func clock(_ moment: Instant) -> Substring {
            moment.iso8601(in: zone).dropFirst(11).prefix(5)
        }
        func name(_ stop: StopIndex?) -> String {
            stop.map { feed.stops[Int($0.rawValue)].id } ?? "?"
        }
        let means =
            leg.ride.map { feed.routes[Int($0.route.rawValue)].id + ($0.isApproximate ? "~" : "") }
            ?? "walk"
        return "\(clock(leg.departure)) \(name(leg.from)) \(means) \(name(leg.to)) "
            + clock(leg.arrival)
    }
}
