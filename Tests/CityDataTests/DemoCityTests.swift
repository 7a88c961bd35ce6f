import Chronology
import Foundation
import Geo
import OpenData
import TestSupport
import Testing

@testable import CityData

/// Issue 2, "Demo city": a seeded generator writes an OSM PBF and GTFS feeds of a plausible city,
/// whose counts scale and whose distributions match real cities.
@Suite("The demo city")
struct DemoCityTests {
    @Test("The same seed and size give the same bytes, another seed other ones")
    func isReproducible() throws {
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        let seeds: [UInt64] = [7, 7, 8]
        let written = try zip(folders, seeds).map { folder, seed in
            try DemoCity.write(inhabitants: 50_000, seed: seed, to: folder.url).files.map {
                try Data(contentsOf: $0)
            }
        }
        #expect(written[0].count == 3)
        #expect(written[0] == written[1])
        for (first, other) in zip(written[0], written[2]) { #expect(first != other) }
    }

    @Test("Sizes and periods out of range are refused before anything is written")
    func refusesSizes() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("none")
        #expect(throws: DemoCity.Failure.inhabitants(49_999)) {
            try DemoCity.write(inhabitants: 49_999, seed: 1, to: url)
        }
        #expect(throws: DemoCity.Failure.days(0)) {
            try DemoCity.write(inhabitants: 60_000, seed: 1, to: url, days: 0)
        }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("Every place can be reached on foot and by car", arguments: [1, 2, 3] as [UInt64])
    func hangsTogether(seed: UInt64) throws {
        let streets = try streets(inhabitants: 50_000 + Int(seed) * 90_000, seed: seed)
        let roads = streets.connectedShare(
            { ($0["highway"] ?? "").hasPrefix("motorway") == false },
            oneWays: false
        )
        #expect(roads > 0.99, "seed \(seed)")
        let foot = ["footway", "cycleway", "steps", "pedestrian"]
        let cars = streets.connectedShare({ !foot.contains($0["highway"] ?? "") }, oneWays: true)
        #expect(cars > 0.99, "seed \(seed)")
        #expect(streets.restrictions > 5)
    }

    @Test("Streets cross the river on bridges only, and there are a few", arguments: [4, 5])
    func crossesOnBridges(seed: Int) throws {
        let streets = try streets(inhabitants: 120_000, seed: UInt64(seed))
        var bridges = 0
        for way in streets.ways {
            let line = way.nodes.compactMap { streets.places[$0] }
            for (from, to) in zip(line, line.dropFirst()) {
                for (up, down) in zip(streets.river, streets.river.dropFirst())
                where crosses(from, to, up, down) {
                    bridges += 1
                    #expect(way.tags["bridge"] == "yes", "seed \(seed)")
                }
            }
        }
        #expect((3...60).contains(bridges), "seed \(seed)")
    }

    @Test("House numbers are unique in a street and ascend on each side")
    func numbersHouses() throws {
        let streets = try streets(inhabitants: 80_000, seed: 6)
        var unsorted = 0
        for (street, houses) in streets.numbers {
            #expect(Set(houses.map(\.number)).count == houses.count, "\(street)")
            let numbers = houses.compactMap { Int($0.number.prefix { $0 != "/" }) }
            for side in [0, 1] {
                let those = numbers.filter { $0 % 2 == side }
                if those != those.sorted() { unsorted += 1 }
            }
        }
        #expect(unsorted == 0)
        let names = Set(streets.ways.compactMap { $0.tags["name"] })
        #expect(streets.numbers.keys.allSatisfy(names.contains))
    }

    @Test("The feeds are read without a repair, with every kind of service")
    func feedsAreClean() throws {
        let folder = try TemporaryFolder()
        let files = try DemoCity.write(inhabitants: 300_000, seed: 9, to: folder.url).files
        let city = try GTFSReader.read(.at(path: files[1].path), name: "city")
        let rail = try GTFSReader.read(.at(path: files[2].path), name: "rail")
        for counted in city.log.counts + rail.log.counts {
            Issue.record("\(counted.count) × \(counted.example)")
        }
        #expect(Set(city.feed.routes.map(\.type)) == [0, 1, 3])
        #expect(Set(rail.feed.routes.map(\.type)) == [2])
        #expect(Set(city.feed.frequencies.map(\.isExact)) == [true, false])
        #expect(!city.feed.pathways.isEmpty && !city.feed.transfers.isEmpty)
        #expect(city.feed.trips.contains { !$0.block.isEmpty })
        #expect(city.feed.stopTimes.departure.contains { $0 > 26 * 3_600 })
        let times = city.feed.stopTimes
        for trip in city.feed.trips {
            for index in trip.stopTimes.dropFirst() {
                #expect(times.arrival[index] > times.departure[index - 1])
            }
        }
    }

    @Test(
        "Easter is where the almanac has it",
        arguments: [(2014, 4, 20), (2026, 4, 5), (2038, 4, 25)]
    )
    func knowsEaster(year: Int, month: Int, day: Int) {
        let date = CivilDate(year: Int32(year), month: Int32(month), day: Int32(day))
        #expect(Holidays.easter(of: Int32(year)) == date)
    }

    private func streets(inhabitants: Int, seed: UInt64) throws -> DemoStreets {
        let city = CityDraft(inhabitants: inhabitants, seed: seed) { _ in }
        return try DemoStreets(OSMFile(name: "demo", bytes: city.map.bytes()))
    }

    private func crosses(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate, _ d: Coordinate) -> Bool
    {
        func side(_ from: Coordinate, _ to: Coordinate, _ place: Coordinate) -> Bool {
            let east = Int64(to.longitude - from.longitude)
            let north = Int64(to.latitude - from.latitude)
            return east * Int64(place.latitude - from.latitude)
                > north * Int64(place.longitude - from.longitude)
        }
        return side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
    }
}
