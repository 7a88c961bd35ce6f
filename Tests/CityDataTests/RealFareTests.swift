import Chronology
import Columns
import Encoding
import Foundation
import OpenData
import TestSupport
import Testing
import Tickets
import Transit

@testable import CityData

/// Issue 33, "Verification": the fares of real feeds, compared with their rows (V74, V81).
@Suite("Fares of real feeds")
struct RealFareTests {
    /// A feed as a city file, and its fare rules as the publisher wrote them.
    private struct Feed {
        let feed: GTFSFeed
        let timetable: Timetable
        let book: FareBook
        private let path: String

        init(_ path: String) throws {
            self.path = path
            feed = try GTFSReader.read(.at(path: RealData.url(path).path), name: "feed").feed
            var writer = SectionWriter()
            _ = try TimetableBuilder.add([FeedInput(feed)], walks: nil, to: &writer)
            let file = try writer.opened()
            timetable = Timetable(file)
            book = FareBook(file)
        }

        /// The rows of a file, by the names of its columns.
        func rows(_ file: String) throws -> [[String: String]] {
            let archive = try ZipArchive(path: RealData.url(path).path)
            var rows = CSVScanner(try #require(try archive.bytes(of: file)))
            guard rows.next() else { return [] }
            let header = (0..<rows.fieldCount).map { rows.text($0) }
            var all: [[String: String]] = []
            while rows.next() {
                let values = (0..<rows.fieldCount).map { rows.text($0) }
                all.append(Dictionary(zip(header, values)) { first, _ in first })
            }
            return all
        }

        func ride(_ route: Int, _ from: Int, _ to: Int, at minute: Int32, day: Int32) -> FareRide {
            func time(_ minute: Int32) -> FareTime {
                FareTime(
                    seconds: Int64(day) * 86_400 + Int64(minute) * 60,
                    day: day,
                    secondOfDay: minute * 60
                )
            }
            let row = RouteIndex(row: route)
            return FareRide(
                feed: FeedIndex(row: 0),
                route: row,
                agency: timetable.routes.agency[row],
                stops: [StopIndex(row: from), StopIndex(row: to)],
                departure: time(minute),
                arrival: time(minute + 20)
            )
        }
    }

    @Test(
        "every pair of zones costs what the rows of fare_rules.txt say",
        arguments: [
            "porto/metro_do_porto_gtfs_2025.zip", "gtfs-features/bart_2023.zip",
            "gtfs-features/caltrain_2016.zip", "gtfs-italy/arst_sardinia_gtfs_2019.zip",
        ]
    )
    func zones(path: String) throws {
        try RealData.require(path)
        let feed = try Feed(path)
        var prices: [String: Int64] = [:]
        for row in try feed.rows("fare_attributes.txt") {
            let amount = try #require(Double(row["price"] ?? ""))
            prices[row["fare_id"] ?? ""] = Int64((amount * 100).rounded())
        }
        // The least price for each route (or "" for any), origin and destination.
        var least: [[String]: Int64] = [:]
        for row in try feed.rows("fare_rules.txt") {
            let key = ["route_id", "origin_id", "destination_id"].map { row[$0] ?? "" }
            guard let price = prices[row["fare_id"] ?? ""] else { continue }
            least[key] = min(least[key] ?? .max, price)
        }
        var stops: [String: Int] = [:]
        for (number, stop) in feed.feed.stops.enumerated() where !stop.fareZone.isEmpty {
            stops[stop.fareZone] = number
        }
        var checked = 0
        let zones = stops.sorted { $0.key < $1.key }.prefix(60)
        for (origin, from) in zones {
            for (destination, to) in zones {
                for (number, route) in feed.feed.routes.enumerated().prefix(5) {
                    let keys = [route.id, ""].flatMap { route in
                        [origin, ""].flatMap { origin in
                            [destination, ""].map { [route, origin, $0] }
                        }
                    }
                    let ride = feed.ride(number, from, to, at: 600, day: 20_000)
                    let fare = feed.book.fare([ride], for: FareTraveller())
                    let expected = keys.compactMap { least[$0] }.min()
                    try #require(
                        fare?.minorUnits == expected,
                        "\(route.id): \(origin) \(destination)"
                    )
                    if expected != nil { checked += 1 }
                }
            }
        }
        #expect(checked > 100)
    }

    @Test(
        "Porto: Andante tickets by zones, one for rides on several lines, at most as dear as apart",
        .enabled(if: RealData.has("porto/metro_do_porto_gtfs_2025.zip"), RealData.advice)
    )
    func porto() throws {
        let feed = try Feed("porto/metro_do_porto_gtfs_2025.zip")
        func stop(_ name: String) throws -> Int {
            try #require(feed.feed.stops.firstIndex { $0.name == name }, "\(name)")
        }
        let (airport, centre) = (try stop("Aeroporto"), try stop("Trindade"))
        let south = try stop("Santo Ovídio")
        let rides = [
            feed.ride(0, airport, centre, at: 600, day: 20_500),
            feed.ride(4, centre, south, at: 640, day: 20_500),
        ]
        func price(_ rides: [FareRide]) -> Int64? {
            feed.book.fare(rides, for: FareTraveller())?.minorUnits
        }
        let whole = try #require(price(rides))
        let parts = try rides.map { try #require(price([$0])) }
        #expect(whole < parts[0] + parts[1])
        #expect(feed.book.fare(rides, for: FareTraveller())?.tickets.count == 1)
        let currency = try #require(feed.book.currencies.indices.first)
        #expect(feed.book.texts[Int(feed.book.currencies.code[currency])] == "EUR")
    }

    @Test(
        "Transcollines: fares v2 by areas, within their days, unknown where no rule is",
        .enabled(
            if: RealData.has("gtfs-features/transcollines_fares_v2_2026.zip"),
            RealData.advice
        )
    )
    func transcollines() throws {
        let feed = try Feed("gtfs-features/transcollines_fares_v2_2026.zip")
        var stops: [String: Int] = [:]
        let numbers = Dictionary(
            uniqueKeysWithValues: feed.feed.stops.enumerated().map { ($1.id, $0) }
        )
        for row in try feed.rows("stop_areas.txt") {
            stops[row["area_id"] ?? ""] = numbers[row["stop_id"] ?? ""]
        }
        let (town, hills, pontiac) = try (
            #require(stops["GAT"]), #require(stops["COL"]), #require(stops["PNT"])
        )
        let day = try #require(CivilDate(year: 2026, month: 3, day: 2)).daysSince1970
        func price(_ from: Int, _ to: Int, day: Int32) -> Int64? {
            let ride = feed.ride(0, from, to, at: 480, day: day)
            return feed.book.fare([ride], for: FareTraveller())?.minorUnits
        }
        #expect(price(town, hills, day: day) == 500)
        #expect(price(pontiac, town, day: day) == 2_000)
        #expect(price(pontiac, pontiac, day: day) == 500)
        // No rule is for rides within the town, and none for the year before.
        #expect(price(town, town, day: day) == nil)
        #expect(price(town, hills, day: day - 365) == nil)
    }
}
