import Chronology
import CityData
import Columns
import Journeys
import OpenData
import SeededRandom
import TestSupport
import Testing
import Transit

/// Issue 33, point 4: what does not run in a strike or a disruption is not ridden.
@Suite("Closures of the timetable")
struct TimetableClosureTests {
    @Test("random feeds give the Pareto sets of the vehicles and stops that are left")
    func randomFeeds() throws {
        for seed in 1...UInt64(Effort.instances(300, everything: 15_000)) {
            let feed = try GTFSReader.read(.texts(RandomFeed.texts(seed: seed)), name: "random")
                .feed
            var world = try PlannerPropertyTests.World(feed)
            let snapshot = world.planner.snapshot
            var random = SeededRandom(seed: seed ^ 0x5712)
            for _ in 0..<3 {
                let routes = Self.closed(feed.routes.count, &random)
                let stops = Self.closed(feed.stops.count, &random)
                world.planner = Planner(
                    try snapshot.with(Self.overlays(routes, stops, snapshot.city.timetable))
                )
                let slow = world.slow
                let problem = PlannerPropertyTests().compare(&world, &random) { vehicles in
                    slow.closed(vehicles, routes: routes, stops: stops)
                }
                #expect(problem == nil, "seed \(seed), lines \(routes), stops \(stops)")
            }
        }
    }

    /// Up to two spans in the days of the questions, each with some rows of a table.
    private static func closed(
        _ count: Int,
        _ random: inout SeededRandom
    ) -> [(rows: Set<Int>, span: Range<Int>)] {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in
            let day = Int(Int32.random(in: 16_360...16_376, using: &random))
            let start = day * 86_400 + Int.random(in: 0..<86_400, using: &random)
            let rows = (0..<count).filter { _ in Bool.random(using: &random) }
            // From a minute to nearly three weeks.
            let seconds = 60 << Int.random(in: 0...14, using: &random)
            return (Set(rows), start..<(start + seconds))
        }
    }

    private static func overlays(
        _ routes: [(rows: Set<Int>, span: Range<Int>)],
        _ stops: [(rows: Set<Int>, span: Range<Int>)],
        _ timetable: Timetable
    ) -> CityOverlays {
        func instants(_ span: Range<Int>) -> Range<Instant> {
            Instant(seconds: Int64(span.lowerBound))..<Instant(seconds: Int64(span.upperBound))
        }
        var closures = TimetableClosures()
        closures.routes = routes.map { rows, span in
            .init(Set(rows.map { RouteIndex(row: $0) }), during: instants(span))
        }
        closures.platforms = stops.map { rows, span in
            let platforms = rows.flatMap {
                Array(timetable.platforms.platforms(ofStop: StopIndex(row: $0)))
            }
            return .init(Set(platforms), during: instants(span))
        }
        return Self.overlays(closures)
    }

    private static func overlays(_ closures: TimetableClosures) -> CityOverlays {
        CityOverlays(
            closures: Overlay(source: "test", time: Instant(seconds: 0), epoch: 1, closures)
        )
    }

    // MARK: A line

    /// A bus from A to C every hour, with a tram from A to C that takes twice as long.
    private static func scene() throws -> FeedScene {
        let hours = 8...12
        return try FeedScene([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,wheelchair_boarding\n"
                + "ABC".enumerated().map { "\($1),\($1),45.0\($0),9,1" }.joined(separator: "\n"),
            "trips.txt": "trip_id,route_id,service_id,wheelchair_accessible\n"
                + hours.map { "B\($0),Bus,D,1\nT\($0),Tram,D,1" }.joined(separator: "\n"),
            "stop_times.txt": "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n"
                + hours.map { hour in
                    """
                    B\(hour),A,0,\(hour):00:00,\(hour):00:00
                    B\(hour),B,1,\(hour):10:00,\(hour):10:00
                    B\(hour),C,2,\(hour):20:00,\(hour):20:00
                    T\(hour),A,0,\(hour):00:00,\(hour):00:00
                    T\(hour),C,1,\(hour):40:00,\(hour):40:00
                    """
                }.joined(separator: "\n"),
        ])
    }

    private static func instant(_ scene: FeedScene, _ time: String) throws -> Instant {
        try #require(LocalTime(iso8601: "2014-10-20T" + time)).instant(in: scene.zone)
    }

    @Test("a line on strike is not ridden in its hours, and is in the guaranteed ones")
    func strike() throws {
        var scene = try Self.scene()
        var closures = TimetableClosures()
        let span = try Self.instant(scene, "08:45")..<Self.instant(scene, "11:00")
        closures.routes = [.init([RouteIndex(row: 0)], during: span)]
        try scene.apply(Self.overlays(closures))
        func answers(_ time: String, arriveBy: Bool = false) throws -> [String] {
            try scene.answers("A", "C", "2014-10-20T" + time, arriveBy: arriveBy)
        }
        #expect(try answers("07:55") == ["08:00 A Bus C 08:20"])
        #expect(try answers("08:55") == ["09:00 A Tram C 09:40"])
        #expect(try answers("10:55") == ["11:00 A Bus C 11:20"])
        #expect(try answers("10:45", arriveBy: true) == ["10:00 A Tram C 10:40"])
        let next = try scene.answers("A", "C", "2014-10-21T08:55")
        #expect(next == ["09:00 A Bus C 09:20"], "the day after is as in the timetable")
        try scene.apply(CityOverlays())
        #expect(try answers("08:55") == ["09:00 A Bus C 09:20"], "a strike that is called off")
    }

    @Test("at a closed stop nobody boards or alights, and vehicles pass it")
    func closedStop() throws {
        var scene = try Self.scene()
        var closures = TimetableClosures()
        let span = try Self.instant(scene, "08:30")..<Self.instant(scene, "09:30")
        let platforms = scene.city.timetable.platforms.platforms(ofStop: StopIndex(row: 1))
        closures.platforms = [.init(Set(platforms), during: span)]
        try scene.apply(Self.overlays(closures))
        func answers(_ from: String, _ to: String) throws -> [String] {
            try scene.answers(from, to, "2014-10-20T08:55")
        }
        #expect(try answers("A", "B") == ["10:00 A Bus B 10:10"])
        #expect(try answers("B", "C") == ["10:10 B Bus C 10:20"])
        #expect(try answers("A", "C") == ["09:00 A Bus C 09:20"])
    }

    @Test("a lift that is out of order keeps wheelchairs from a stop, and nobody else")
    func lift() throws {
        var scene = try Self.scene()
        var closures = TimetableClosures()
        let start = try Self.instant(scene, "00:00")
        let span = start..<start.adding(seconds: 2 * 86_400)
        let platforms = scene.city.timetable.platforms.platforms(ofStop: StopIndex(row: 1))
        closures.platforms = [.init(Set(platforms), during: span, isForWheelchairs: true)]
        try scene.apply(Self.overlays(closures))
        func answers(wheelchair: Bool) throws -> [String] {
            try scene.answers("A", "B", "2014-10-20T08:55", wheelchair: wheelchair)
        }
        #expect(try answers(wheelchair: false) == ["09:00 A Bus B 09:10"])
        #expect(try answers(wheelchair: true).isEmpty)
    }

    @Test("a cancelled trip does not run on its day")
    func cancelledTrip() throws {
        var scene = try Self.scene()
        let bus = try #require(scene.feed.trips.firstIndex { $0.id == "B9" })
        let day = try #require(CivilDate(iso8601: "2014-10-20"))
        var closures = TimetableClosures()
        closures.trips = [.init(TripIndex(row: bus), on: day)]
        try scene.apply(Self.overlays(closures))
        #expect(
            try scene.answers("A", "C", "2014-10-20T08:55") == ["09:00 A Tram C 09:40"]
        )
        #expect(
            try scene.answers("A", "C", "2014-10-21T08:55") == ["09:00 A Bus C 09:20"]
        )
    }

    @Test("days on which everything runs are laid out once for all closures")
    func sharedDays() throws {
        let scene = try Self.scene()
        let complete = LaidOutTimetable(scene.city.timetable)
        let day = try #require(CivilDate(iso8601: "2014-10-20"))
        var closures = TimetableClosures()
        let span = try Self.instant(scene, "08:45")..<Self.instant(scene, "11:00")
        closures.routes = [.init([RouteIndex(row: 0)], during: span)]
        let changed = complete.without(closures)
        #expect(changed.day(day) !== complete.day(day))
        #expect(changed.day(day.adding(days: 5)) === complete.day(day.adding(days: 5)))
        #expect(changed.without(closures) === changed)
        #expect(changed.without(TimetableClosures()) === complete)
        changed.prepare(from: day, days: 6)
        #expect(changed.preparedDays.count == 6)
        // Six days, the day before, and those of them that differ.
        #expect(changed.dayCount <= 7 + 3)
    }
}
