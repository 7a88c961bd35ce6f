import Chronology
import Dispatching
import Drivers
import Foundation
import Geo
import Identity
import OpenData
import Storage
import StorageTestSupport
import TaxiPages
import TestClock
import TestSupport
import Testing
import WebTestSupport

@testable import API
@testable import Taxi
@testable import WebApp
@testable import WebCore

/// What everybody may read of the taxis; issue 34, "Open data of the taxis"; decision 0061.
@Suite("Open data of the taxis", .serialized)
struct OpenDataTests {
    private static let files = GOFSFeed.File.allCases.map(\.rawValue)
    /// Files for which the standard publishes no schema.
    private static let withoutSchema = ["fares"]

    private static func feed(
        _ town: RideTown,
        language: String = "en"
    ) async throws -> [(name: String, text: String)] {
        var found: [(name: String, text: String)] = []
        for name in files {
            let answer = try await town.site.visitor().get("/gofs/\(language)/\(name).json")
            #expect(answer.status == 200, "\(name): \(answer.text)")
            #expect(answer.header("access-control-allow-origin") == "*")
            #expect(answer.header("set-cookie") == nil)
            found.append((name, answer.text))
        }
        return found
    }

    @Test(
        "every file of the GOFS feed fits the published schema, in both languages",
        .enabled(if: PublishedSchemas.python != nil, PublishedSchemas.advice),
        arguments: ["en", "it"]
    )
    func schemas(language: String) async throws {
        try RealData.require("schemas/gofs/schema/gofs.json")
        try await RideTown.open(.viavai, taxis: 2) { town in
            let discovery = try await town.site.visitor().get("/gofs/gofs.json").text
            let feed = try await Self.feed(town, language: language)
            let known = feed.filter { !Self.withoutSchema.contains($0.name) }
            let all = known.map { ($0.name, $0.text) } + [("gofs", discovery)]
            #expect(try PublishedSchemas.problemsOfGOFS(all) == "")
            // The check would find a file without its version.
            let broken = all.map { ($0.0, $0.1.replacing("\"1.0\"", with: "\"1\"")) }
            let problems = try PublishedSchemas.problemsOfGOFS(broken)
            #expect(problems.split(separator: "\n").count >= all.count, "\(problems)")
        }
    }

    @Test("the list of files leads to each of them, and their parts fit together")
    func whole() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let visitor = town.site.visitor()
            func json(_ path: String) async throws -> JSONValue {
                try JSONValue(parsing: Array(try await visitor.get(path).text.utf8))
            }
            let list = try await json("/gofs/gofs.json")["data"]?["en"]?["feeds"]?.list ?? []
            #expect(list.count == Self.files.count + 1)
            for item in list {
                let address = try #require(item["url"]?.text)
                let path = String(address[try #require(address.range(of: "/gofs")).lowerBound...])
                let isQuery = path.hasSuffix(GOFSFeed.waits)
                #expect(try await visitor.get(path).status == (isQuery ? 400 : 200), "\(path)")
            }
            #expect(try await visitor.get("/gofs/en/rides.json").status == 404)
            #expect(try await visitor.get("/gofs/gofs_versions.json").text.contains("gofs.json"))
            let zones = try await json("/gofs/en/zones.json")["data"]?["zones"]?["features"]?.list
            let names = Set((zones ?? []).compactMap { $0["zone_id"]?.text })
            #expect(names == ["zone_West", "zone_East", "city"])
            let rules =
                try await json("/gofs/en/operating_rules.json")["data"]?["operating_rules"]?.list
            for rule in rules ?? [] {
                #expect(names.contains(rule["from_zone_id"]?.text ?? ""))
                #expect(names.contains(rule["to_zone_id"]?.text ?? ""))
                #expect(rule["fare_id"] == "tariff")
            }
            #expect(rules?.count == 4, "two zones, alone and shared")
            let fares = try await json("/gofs/en/fares.json")["data"]?["fares"]?.list?.first
            #expect(fares?["currency"] == "EUR" && fares?["rider"]?.list?.count == 1)
            let brands = try await visitor.get("/gofs/it/service_brands.json").text
            #expect(brands.contains("Taxi condiviso"))
        }
        try await RideTown.open(.milanoA, taxis: 1) { town in
            let brands = try await town.site.visitor().get("/gofs/en/service_brands.json").text
            #expect(!brands.contains("shared"), "[A] has no shared rides")
        }
    }

    @Test("waits are whole minutes, and there are none outside the city or in a suspension")
    func waits() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let visitor = town.site.visitor()
            func waits(_ query: String) async throws -> [JSONValue] {
                let answer = try await visitor.get("/gofs/en/wait_time?\(query)")
                #expect(answer.status == 200, "\(answer.text)")
                let json = try JSONValue(parsing: Array(answer.text.utf8))
                return json["data"]?["wait_times"]?.list ?? []
            }
            let place = RideTown.place(900)
            let query =
                "pickup_lat=\(place.latitudeDegrees)&pickup_lon=\(place.longitudeDegrees)"
            let near = try await waits(query)
            #expect(near.map { $0["brand_id"]?.text } == ["taxi", "shared_taxi"])
            let seconds = try #require(near.first?["wait_time"]?.double)
            #expect(seconds > 0 && seconds.truncatingRemainder(dividingBy: 60) == 0)
            #expect(try await waits(query + "&brand_id=taxi").count == 1)
            #expect(try await waits("pickup_lat=48.1&pickup_lon=2.3").isEmpty)
            _ = try await town.taxi.dispatch.give(.suspend(reason: "snow"))
            #expect(try await waits(query).isEmpty)
            let calendar = try await visitor.get("/gofs/en/calendars.json").text
            #expect(calendar.contains("excepted_dates") && !calendar.contains("snow"))
        }
    }

    @Test("the zones are GeoJSON, as the API has them")
    func zones() async throws {
        try await RideTown.open(.viavai) { town in
            let answer = try await town.site.visitor().get("/open-data/zones.geojson")
            #expect(answer.header("content-type") == "application/geo+json")
            let document = try GeoJSON(Array(answer.text.utf8), file: "zones")
            #expect(document.features.count == 2)
        }
    }

    @Test("nothing is published before the city opens (R4)")
    func closed() async throws {
        try await RideTown.open(.viavai, isOpen: false) { town in
            let paths = [
                "/gofs/gofs.json", "/gofs/en/zones.json", "/open-data/zones.geojson",
                "/open-data/statistics.csv",
            ]
            for path in paths {
                let status = try await town.site.visitor().get(path).status
                #expect(status == 503, "\(path)")
            }
        }
    }

    // MARK: Statistics

    private static func figures(
        served: Int,
        unserved: Int,
        givenUp: Int
    ) -> [Figures.Ride] {
        func rides(_ outcome: RequestOutcome, _ count: Int) -> [Figures.Ride] {
            let wait: Int64? = outcome == .completed ? 120 : nil
            return Array(repeating: Figures.Ride(outcome: outcome, waitSeconds: wait), count: count)
        }
        return rides(.completed, served) + rides(.noTaxi, unserved) + rides(.cancelled, givenUp)
    }

    @Test(
        "numbers from 1 to 4 are hidden, and so is the sum that would tell them",
        arguments: [
            (20, 7, 0, "27,20,7,0,120,120,120"), (20, 4, 6, ",20,,6,120,120,120"),
            (4, 0, 0, ",,0,0,,,"), (0, 0, 0, ""), (5, 5, 5, "15,5,5,5,120,120,120"),
            (1, 1, 1, ",,,,,,"),
        ]
    )
    func small(_ served: Int, _ unserved: Int, _ givenUp: Int, _ line: String) throws {
        let date = try #require(CivilDate(iso8601: "2027-01-15"))
        var statistics = DayStatistics(StatisticsDay(date, in: .utc))
        let rides = Self.figures(served: served, unserved: unserved, givenUp: givenUp)
        for ride in rides { statistics.add(ride, by: nil, in: "=West", 8) }
        let lines = OpenStatistics.lines(of: statistics)
        #expect(lines == (rides.isEmpty ? "" : "2027-01-15,\"'=West\",\(line)\r\n"))
    }

    @Test("today is left out, and past days are read once", arguments: TestEngine.allCases)
    func days(engine: TestEngine) async throws {
        try await RideTown.open(.viavai, taxis: 1, on: engine) { town in
            for number in 0..<6 {
                let visitor = try await town.passenger("pia\(number)")
                let path = try await town.call(visitor)
                let ride = try RideTown.number(path)
                let person = try #require(
                    try await town.site.accounts.findPerson("pia\(number)")
                )
                _ = try await town.taxi.cancel(ride, for: person.passenger)
            }
            await town.taxi.settled()
            let visitor = town.site.visitor()
            let day = Site(town.site.installation).web.day(town.site.clock.now)
            let query = "/open-data/statistics.csv?first=\(day.iso8601)&last=\(day.iso8601)"
            let today = try await visitor.get(query)
            #expect(today.status == 200 && today.text == OpenStatistics.columns)
            town.site.clock.advance(seconds: 86_400)
            try await town.site.until("the day is known") {
                try await visitor.get(query).text.contains(",\"West\",6,0,0,6,")
            }
            for wrong in ["first=2027-01-01&last=2027-03-01", "first=2027-02-01&last=2027-01-01"] {
                #expect(try await visitor.get("/open-data/statistics.csv?\(wrong)").status == 400)
            }
        }
    }
}
