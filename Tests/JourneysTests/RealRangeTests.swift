import Chronology
import Columns
import Foundation
import Geo
import Journeys
import OpenData
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

@testable import CityData

/// Issue 31, "Verification": profiles equal one query for each second of departure on 200 pairs of
/// each real city; arrive-by is the mirror.
@Suite("Ranges of departures in real cities")
struct RealRangeTests {
    /// How many places are tried for a pair between which vehicles run.
    private static let tries = 200

    @Test(
        "profiles between stops equal one question for each second of departure or arrival",
        arguments: PlannerPropertyTests.realFeeds
    )
    func stops(path: String, day: String) throws {
        try RealData.require(path)
        let source = FeedSource.at(path: RealData.url(path).path)
        let feed = try GTFSReader.read(source, name: "feed").feed
        var writer = SectionWriter()
        _ = try TimetableBuilder.add([FeedInput(feed)], walks: nil, to: &writer)
        var planner = Planner(CitySnapshot(City(try writer.opened())))
        let platforms = planner.city.timetable.platforms
        let count = UInt32(platforms.count)
        try check(&planner, on: day, path) { random in
            let platform = PlatformIndex(rawValue: UInt32.random(in: 0..<count, using: &random))
            return .stop(platforms.stop[platform])
        }
    }

    @Test(
        "profiles from door to door equal one question for each second of departure or arrival",
        arguments: [
            ("milan/milan.osm.pbf", "milan/atm_gtfs_2014.zip", "2014-10-20"),
            ("porto-alegre/poa.osm.pbf", "porto-alegre/eptc_gtfs_2019.zip", "2019-05-13"),
            ("sao-paulo/spo.osm.pbf", "sao-paulo/sptrans_gtfs_2019.zip", "2019-05-13"),
        ]
    )
    func doors(map: String, feed: String, day: String) throws {
        try RealData.require(map)
        try RealData.require(feed)
        if !Effort.isRelease { try Test.cancel(Effort.releaseAdvice) }
        if !map.hasPrefix("milan"), Effort.current != .everything {
            try Test.cancel(Effort.everythingAdvice)
        }
        let source = FeedSource.at(path: RealData.url(feed).path)
        let streets = try StreetImport.draft(from: try OSMFile(path: RealData.url(map).path)).0
        let writer = try RandomTown.city(streets, try GTFSReader.read(source, name: "feed").feed)
        var planner = Planner(CitySnapshot(City(try writer.opened())))
        let network = planner.city.streets
        let count = UInt32(network.vertexCount)
        try check(&planner, on: day, feed) { random in
            let vertex = VertexIndex(rawValue: UInt32.random(in: 0..<count, using: &random))
            return .place(network.place(of: vertex))
        }
    }

    /// Compares profiles between random places with queries for each second of a window.
    private func check(
        _ planner: inout Planner,
        on day: String,
        _ name: String,
        _ place: (inout SeededRandom) -> Endpoint
    ) throws {
        let date = try #require(CivilDate(iso8601: day))
        let zone = planner.city.timetable.zone
        var random = SeededRandom(seed: 200)
        let seconds: Int32 = Effort.current == .everything ? 300 : 60
        var journeys = 0
        for number in 0..<Effort.instances(4, everything: 200) {
            let isMirror = number % 2 == 1
            var asked: ProfileQuery?
            for _ in 0..<Self.tries where asked == nil {
                let query = ProfileQuery(
                    place(&random),
                    [place(&random)],
                    isInward: isMirror,
                    time: zone.instant(date, second: isMirror ? 86_399 : 0),
                    isArriveBy: isMirror,
                    windowSeconds: seconds
                )
                let moved = RangeTests.moved(query, &planner, &random)
                if moved.time != query.time { asked = moved }
            }
            let query = try #require(asked, "\(name) has no journeys")
            let expected = RangeTests.everySecond(query, query.others[0], &planner)
            let profile = planner.profiles(query)[0]
            #expect(profile.times == expected, "\(name), pair \(number)")
            journeys += expected.count
        }
        #expect(journeys > 0, "\(name)")
    }
}
