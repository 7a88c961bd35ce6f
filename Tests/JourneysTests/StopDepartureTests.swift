import Chronology
import Columns
import Journeys
import OpenData
import TestSupport
import Testing
import Transit

@testable import CityData

/// V84: what leaves a stop next.
@Suite("Departures of a stop")
struct StopDepartureTests {
    /// The local times at which something leaves a stop within a period.
    private func times(
        _ files: [String: String],
        at stop: UInt32 = 0,
        from start: String,
        to end: String
    ) throws -> [String] {
        let scene = try FeedScene(files)
        let timetable = scene.city.timetable
        let moments = try [start, end].map { text in
            try #require(LocalTime(iso8601: text)).instant(in: scene.zone)
        }
        return StopDepartures(timetable).departures(
            from: timetable.platforms.platforms(ofStop: StopIndex(rawValue: stop)),
            in: moments[0]..<moments[1]
        ).map { String($0.time.iso8601(in: scene.zone).dropFirst(11).prefix(5)) }
    }

    private static let twoTrips = [
        "trips.txt": "trip_id,route_id,service_id\nT,Bus,D\nN,Bus,D",
        "stop_times.txt": """
        trip_id,stop_id,stop_sequence,arrival_time,departure_time
        T,A,0,08:00:00,08:00:00
        T,B,1,08:10:00,08:11:00
        N,A,0,25:10:00,25:10:00
        N,B,1,25:20:00,25:20:00
        """,
    ]

    @Test("a trip of the day before leaves after midnight, but not before the first day")
    func night() throws {
        let files = Self.twoTrips
        let day = "2014-10-20T"
        #expect(
            try times(files, from: day + "00:00:00", to: day + "23:59:00") == ["01:10", "08:00"]
        )
        let first = "2014-10-01T"
        #expect(try times(files, from: first + "00:00:00", to: first + "23:59:00") == ["08:00"])
    }

    @Test("the period has its first second but not its last; nobody boards at the last stop")
    func period() throws {
        let files = Self.twoTrips
        let day = "2014-10-20T"
        #expect(try times(files, from: day + "08:00:00", to: day + "08:00:01") == ["08:00"])
        #expect(try times(files, from: day + "07:00:00", to: day + "08:00:00") == [])
        #expect(try times(files, at: 1, from: day + "00:00:00", to: day + "23:59:00") == [])
    }

    @Test("on the day with 25 hours, times count from noon minus twelve hours")
    func clocks() throws {
        let files = [
            "trips.txt": "trip_id,route_id,service_id\nT,Bus,D\nU,Bus,D",
            "stop_times.txt": """
            trip_id,stop_id,stop_sequence,arrival_time,departure_time
            T,A,0,00:30:00,00:30:00
            T,B,1,00:40:00,00:40:00
            U,A,0,08:00:00,08:00:00
            U,B,1,08:10:00,08:10:00
            """,
        ]
        let found = try times(files, from: "2014-10-26T01:00:00", to: "2014-10-26T09:00:00")
        #expect(found == ["01:30", "08:00"])
    }

    @Test("a trip at a headway leaves once for each interval")
    func headways() throws {
        var files = Self.twoTrips
        files["frequencies.txt"] =
            "trip_id,start_time,end_time,headway_secs\nT,08:00:00,08:30:00,600"
        let found = try times(files, from: "2014-10-20T07:00:00", to: "2014-10-20T09:00:00")
        #expect(found == ["08:00", "08:10", "08:20"])
    }

    @Test("random feeds leave as the window of two days says that searches use")
    func randomFeeds() throws {
        let dates = ["2014-10-20", "2014-10-25", "2014-11-30"].compactMap {
            CivilDate(iso8601: $0)
        }
        for seed in 1...UInt64(Effort.instances(60, everything: 3_000)) {
            let feed = try GTFSReader.read(.texts(RandomFeed.texts(seed: seed)), name: "random")
                .feed
            var writer = SectionWriter()
            _ = try TimetableBuilder.add([FeedInput(feed)], walks: nil, to: &writer)
            let timetable = Timetable(try writer.opened())
            let departures = StopDepartures(timetable)
            for date in dates {
                let window = ServiceWindow(timetable, from: date)
                let period =
                    window.epoch..<window.epoch.adding(seconds: Int64(ServiceWindow.length))
                let found = departures.departures(from: timetable.platforms.indices, in: period)
                    .map { [Int64($0.platform.rawValue), $0.time.seconds] }
                #expect(
                    found.sorted { $0.lexicographicallyPrecedes($1) } == slow(window, period),
                    "seed \(seed), \(date.iso8601)"
                )
            }
        }
    }

    /// The platform and second of each departure in a window, found by looking at all of them.
    private func slow(_ window: ServiceWindow, _ period: Range<Instant>) -> [[Int64]] {
        var found: [[Int64]] = []
        for (number, route) in window.routes.enumerated() {
            for position in 0..<Int(route.stopCount) - 1
            where window.flags[Int(route.firstStop) + position] & 1 != 0 {
                for instance in 0..<Int(route.instanceCount) {
                    let second = window.departure(
                        RaptorRouteIndex(row: number),
                        instance: instance,
                        position: position
                    )
                    let time = window.epoch.adding(seconds: Int64(second))
                    guard period.contains(time) else { continue }
                    let platform = window.stops[Int(route.firstStop) + position]
                    found.append([Int64(platform.rawValue), time.seconds])
                }
            }
        }
        return found.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
