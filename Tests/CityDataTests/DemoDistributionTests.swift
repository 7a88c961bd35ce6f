import Foundation
import OpenData
import TestSupport
import Testing

@testable import CityData

/// Issue 2, "Demo city": "counts scale with inhabitants; distributions of degree, block length and
/// headway lie within the ranges of Milan and Bydgoszcz".
///
/// The range of a street measure is from the lowest to the highest value among Milan's districts
/// (squares of 2 km with at least 150 junctions). The range of a headway measure is between
/// Bydgoszcz, a city of 340,000, and Milan's trunk lines.
@Suite("The demo city's distributions")
struct DemoDistributionTests {
    /// Shares of junctions where 1, 3 and 4 stretches meet.
    private static let degrees: [Int: ClosedRange<Double>] = [
        1: 0.052...0.337, 3: 0.495...0.765, 4: 0.037...0.348,
    ]
    /// Metres that a share of the stretches does not exceed.
    private static let lengths: [Double: ClosedRange<Double>] = [
        0.10: 4.7...15.8, 0.25: 9.0...32.5, 0.50: 21.0...66.0, 0.75: 49.2...143.3,
        0.90: 88.0...311.4,
    ]
    /// Minutes that a share of the headways does not exceed.
    private static let headways: [Double: ClosedRange<Double>] = [
        0.10: 2.5...10, 0.25: 5...15, 0.50: 8...20, 0.75: 10...25, 0.90: 15...39,
    ]

    @Test(
        "Junctions, blocks and headways are those of a real city",
        arguments: ([(60_000, 1), (250_000, 2), (900_000, 3)] as [(Int, UInt64)])
            .prefix(Effort.isRelease ? 3 : 1)
    )
    func isLikeARealCity(inhabitants: Int, seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let files = try DemoCity.write(inhabitants: inhabitants, seed: seed, to: folder.url).files
        let file = try OSMFile(path: files[0].path)
        let streets = try #require(try DemoStreetStatistics.read(file, districts: false).first)
        for (degree, range) in Self.degrees {
            let share = streets.shares[degree] ?? 0
            #expect(range.contains(share), "degree \(degree): \(share)")
        }
        for (share, range) in Self.lengths {
            let length = streets.length(share)
            #expect(range.contains(length), "length at \(share): \(length)")
        }
        let feed = try GTFSReader.read(.at(path: files[1].path), name: "city").feed
        let headways = DemoHeadways(feed)
        for (share, range) in Self.headways {
            let minutes = percentile(headways.minutes, share)
            #expect(range.contains(minutes), "headway at \(share): \(minutes)")
        }
    }

    @Test(
        "The ranges of streets are those of Milan's districts",
        .enabled(if: RealData.has("milan/milan.osm.pbf"), RealData.advice)
    )
    func streetRangesAreMilans() throws {
        let file = try OSMFile(path: RealData.url("milan/milan.osm.pbf").path)
        let districts = try DemoStreetStatistics.read(file, districts: true)
        #expect(districts.count > 80)
        for (degree, range) in Self.degrees {
            let shares = districts.map { $0.shares[degree] ?? 0 }
            expect(range, spans: shares, within: 0.002, "degree \(degree)")
        }
        for (share, range) in Self.lengths {
            let lengths = districts.map { $0.length(share) }
            expect(range, spans: lengths, within: range.upperBound * 0.02, "length at \(share)")
        }
    }

    @Test(
        "The ranges of headways are those of Bydgoszcz and Milan",
        .enabled(
            if: RealData.has("gtfs-large/bydgoszcz_2020.zip", "milan/atm_gtfs_2014.zip"),
            RealData.advice
        )
    )
    func headwayRangesAreReal() throws {
        let feeds = try ["gtfs-large/bydgoszcz_2020.zip", "milan/atm_gtfs_2014.zip"].map {
            try GTFSReader.read(.at(path: RealData.url($0).path), name: "real").feed
        }
        let cities = feeds.map { DemoHeadways($0).minutes }
        for (share, range) in Self.headways {
            let minutes = cities.map { percentile($0, share) }
            expect(range, spans: minutes, within: 0.6, "headway at \(share)")
        }
    }

    @Test(
        "Counts scale with the inhabitants, up to the metropolis that the issue asks for",
        .enabled(if: Effort.isRelease, Effort.releaseAdvice)
    )
    func countsScale() {
        let sizes = [50_000, 500_000, 5_000_000]
        let counts = sizes.map { measures(of: CityDraft(inhabitants: $0, seed: 11) { _ in }) }
        for (small, large) in zip(counts, counts.dropFirst()) {
            for (few, many) in zip(small, large) { #expect(many > few * 2) }
        }
        let least = [600_000, 1_000_000, 15_000, 400, 3_000_000]
        for (count, wanted) in zip(counts[2], least) { #expect(count >= wanted) }
    }

    /// Stretches, house numbers, stops, lines and stop times of a weekday.
    private func measures(of city: consuming CityDraft) -> [Int] {
        var stopTimes = 0
        for trip in city.timetable().trips where trip.days != .weekendNights {
            stopTimes += city.transit.lines[trip.line].directions[trip.direction].stops.count
        }
        let stops = city.transit.stops.filter { $0.locationType == 0 }.count
        return [
            city.summary.stretches, city.summary.houseNumbers, stops, city.transit.lines.count,
            stopTimes,
        ]
    }

    /// Checks that a stated range has the bounds of the real values, within a tolerance.
    private func expect(
        _ range: ClosedRange<Double>,
        spans values: [Double],
        within tolerance: Double,
        _ subject: Comment
    ) {
        let low = values.min() ?? .nan
        let high = values.max() ?? .nan
        #expect((range.lowerBound - low).magnitude <= tolerance, subject)
        #expect((range.upperBound - high).magnitude <= tolerance, subject)
    }
}
