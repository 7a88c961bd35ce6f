import Foundation
import OpenData
import TestSupport
import Testing

/// Issue 2, "Geo, Chronology, OpenData": real feeds are read whole; the numbers are those of the
/// files' rows, counted by another program (Python's `csv`).
@Suite("Real GTFS feeds")
struct GTFSRealFeedTests {
    struct Expected: Sendable, CustomTestStringConvertible {
        let path: String
        let stops: Int
        let routes: Int
        let trips: Int
        let stopTimes: Int

        init(_ path: String, _ stops: Int, _ routes: Int, _ trips: Int, _ stopTimes: Int) {
            (self.path, self.stops, self.routes) = (path, stops, routes)
            (self.trips, self.stopTimes) = (trips, stopTimes)
        }

        var testDescription: String { path }
    }

    @Test(
        "every row of stops, routes, trips and stop times is there",
        arguments: [
            Expected("gtfs-features/bart_2023.zip", 186, 14, 4_225, 61_853),
            Expected("gtfs-features/caltrain_2016.zip", 95, 4, 218, 3_103),
            Expected("gtfs-features/cdmx_2018.zip", 6_021, 145, 1_741, 70_714),
            Expected("gtfs-features/google_sample_feed_1.zip", 9, 5, 11, 28),
            Expected("gtfs-features/transcollines_fares_v2_2026.zip", 424, 8, 58, 2_800),
            Expected("gtfs-features/wmata_rail_2026.zip", 2_175, 7, 16_514, 352_668),
            Expected("newport/newport_gtfs_2023.zip", 3_601, 85, 1_343, 43_199),
            Expected("porto/metro_do_porto_gtfs_2025.zip", 85, 7, 2_941, 64_317),
            Expected("sao-paulo/sptrans_gtfs_2019.zip", 654, 19, 36, 860),
            Expected("gtfs-large/bydgoszcz_2020.zip", 1_060, 57, 25_534, 583_164),
            Expected("gtfs-rt/halifax/halifax_gtfs_2025.zip", 2_386, 80, 9_472, 328_499),
        ]
    )
    func rows(_ expected: Expected) throws {
        try RealData.require(expected.path)
        let source = FeedSource.at(path: RealData.url(expected.path).path)
        let feed = try GTFSReader.read(source, name: "feed").feed
        #expect(feed.stops.count == expected.stops)
        #expect(feed.routes.count == expected.routes)
        #expect(feed.trips.count == expected.trips)
        #expect(feed.stopTimes.count == expected.stopTimes)
    }
}
