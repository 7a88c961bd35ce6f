import OpenData
import SeededRandom
import TestSupport
import Testing
import Transit

@testable import CityData

/// Issue 31, "Shared windows": one window of a day serves searches with every condition, and each
/// finds what it would find if the timetable held only the vehicles and stops that it may use.
@Suite("Conditions of a search")
struct RideConditionsTests {
    @Test("a planner that is asked with all conditions in turn gives the Pareto sets of each")
    func conditions() throws {
        for seed in 1...UInt64(Effort.instances(300, everything: 15_000)) {
            var random = SeededRandom(seed: seed ^ 0xACCE)
            let texts = RandomFeed.withWheelchairs(RandomFeed.texts(seed: seed), &random)
            let feed = try GTFSReader.read(.texts(texts), name: "random").feed
            var world = try PlannerPropertyTests.World(feed)
            for wheelchair in [true, false, true] {
                let modes = [TransitMode.bus, .tram, .rail].filter { _ in
                    Int.random(in: 0..<4, using: &random) > 0
                }
                let bits = modes.count == 3 ? TransitMode.all : modes.reduce(0) { $0 | $1.bit }
                let problem = PlannerPropertyTests().compare(
                    &world,
                    &random,
                    modes: bits,
                    wheelchair: wheelchair
                )
                #expect(problem == nil, "seed \(seed), \(modes), wheelchair \(wheelchair)")
            }
        }
    }

    @Test("a bus that takes wheelchairs is waited for while others of its line pass")
    func nextAccessible() throws {
        let hours = 10...13
        var scene = try FeedScene([
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,wheelchair_boarding\n"
                + "ABC".enumerated().map { "\($1),\($1),45.0\($0),9,1" }.joined(separator: "\n"),
            "trips.txt": "trip_id,route_id,service_id,wheelchair_accessible\n"
                + hours.map { "T\($0),Bus,D,\($0 == 12 ? 1 : 2)" }.joined(separator: "\n"),
            "stop_times.txt": "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n"
                + hours.map { hour in
                    "T\(hour),A,0,\(hour):00:00,\(hour):00:00\n"
                        + "T\(hour),C,1,\(hour):20:00,\(hour):20:00"
                }.joined(separator: "\n"),
        ])
        func answers(_ time: String, arriveBy: Bool, wheelchair: Bool) throws -> [String] {
            try scene.answers("A", "C", time, arriveBy: arriveBy, wheelchair: wheelchair)
        }
        let (early, late) = ("2014-10-20T09:55", "2014-10-20T13:30")
        #expect(try answers(early, arriveBy: false, wheelchair: true) == ["12:00 A Bus C 12:20"])
        #expect(try answers(early, arriveBy: false, wheelchair: false) == ["10:00 A Bus C 10:20"])
        #expect(try answers(late, arriveBy: true, wheelchair: true) == ["12:00 A Bus C 12:20"])
        #expect(try answers(late, arriveBy: true, wheelchair: false) == ["13:00 A Bus C 13:20"])
    }
}
