import Foundation
import Geo
import LiveFeeds
import TestClock
import TestSupport
import Testing
import WebApp
import WebTestSupport

/// V81, V83; issue 33, 2: shared vehicles near a place, as a list with the nearest named.
@Suite(
    "Shared vehicles near a place",
    .serialized,
    .enabled(if: LocalServers.areAvailable, LocalServers.advice)
)
struct RentalPagesTests {
    /// Publishes a system with a station and a scooter beside the street of the town.
    private static func publish(in folder: TemporaryFolder) async throws -> String {
        let port = try await LocalServers.started().places.http
        let base = "http://127.0.0.1:\(port)/files\(folder.url.path)"
        func file(_ name: String, _ data: String) throws {
            let head = #""last_updated": 1800000000, "ttl": 60, "version": "2.3""#
            try folder.write("{\(head), \"data\": \(data)}", to: "\(name).json")
        }
        let names = [
            "system_information", "station_information", "station_status", "free_bike_status",
            "vehicle_types",
        ]
        let list = names.map { "{\"name\": \"\($0)\", \"url\": \"\(base)/\($0).json\"}" }
        try file("gbfs", "{\"it\": {\"feeds\": [\(list.joined(separator: ","))]}}")
        try file(
            "system_information",
            #"{"system_id": "b", "language": "it", "name": "Bici <Uno>", "timezone": "UTC"}"#
        )
        let station = RideTown.place(200)
        let scooter = RideTown.place(420)
        let end = RideTown.place(1_850)
        try file(
            "station_information",
            """
            {"stations": [{"station_id": "s", "name": "Piazza Ovest",
            "lat": \(station.latitudeDegrees), "lon": \(station.longitudeDegrees),
            "rental_uris": {"web": "https://rent.example/s?a=1&b=2"}},
            {"station_id": "e", "name": "Piazza Est",
            "lat": \(end.latitudeDegrees), "lon": \(end.longitudeDegrees)}]}
            """
        )
        try file(
            "station_status",
            """
            {"stations": [{"station_id": "s", "num_bikes_available": 3, "num_docks_available": 1,
            "is_installed": true, "is_renting": true, "is_returning": true,
            "last_reported": 1800000000},
            {"station_id": "e", "num_bikes_available": 0, "num_docks_available": 9,
            "is_installed": true, "is_renting": true, "is_returning": true,
            "last_reported": 1800000000}]}
            """
        )
        try file(
            "free_bike_status",
            """
            {"bikes": [{"bike_id": "v", "lat": \(scooter.latitudeDegrees),
            "lon": \(scooter.longitudeDegrees), "is_reserved": false, "is_disabled": false,
            "vehicle_type_id": "t", "current_range_meters": 6543,
            "rental_uris": {"web": "javascript:alert(1)"}}]}
            """
        )
        try file(
            "vehicle_types",
            """
            {"vehicle_types": [{"vehicle_type_id": "t", "form_factor": "scooter_standing",
            "propulsion_type": "electric", "max_range_meters": 20000}]}
            """
        )
        return "gbfs \(base)/gbfs.json"
    }

    /// The path of the shared vehicles near the west end.
    private static func path(_ visitor: Visitor) async throws -> String {
        let sent = try await visitor.submit(["from": RideTown.typed(120)], on: "/stops")
        let stops = try await visitor.get(try #require(sent.header("location"))).text
        return String(try #require(stops.firstMatch(of: /href="(\/rentals\/near\/[^"]*)"/)).1)
    }

    @Test("V83: the nearest is named; docks, range and the provider's page stand beside each")
    func near() async throws {
        let folder = try TemporaryFolder()
        let feed = try await Self.publish(in: folder)
        try await TravelTown.open(["feeds.bikes": feed]) { town in
            let feeds = town.site.installation.feeds
            try await town.site.until("the feed is read") { feeds.statuses[0].knownSince != nil }
            let visitor = town.site.visitor()
            let path = try await Self.path(visitor)
            let page = try await visitor.get(path)
            #expect(page.status == 200)
            #expect(page.text.contains("The nearest: Piazza Ovest, 80 m on foot"), "\(page.text)")
            #expect(page.text.contains("3 vehicles · 1 free dock · Bici &lt;Uno&gt;"))
            #expect(page.text.contains("goes another 6.5 km"))
            #expect(page.text.contains("href=\"https://rent.example/s?a=1&amp;b=2\""))
            #expect(!page.text.contains("javascript:"), "a feed cannot make people run scripts")
            #expect(try await visitor.get("\(path)/map.svg").status == 200)
            visitor.language = "it"
            #expect(try await visitor.get(path).text.contains("Il più vicino: Piazza Ovest"))
        }
    }

    @Test(
        "V81: while the service does not answer, nothing leads to it, and the page says since when"
    )
    func silent() async throws {
        let folder = try TemporaryFolder()
        let feed = try await Self.publish(in: folder)
        try await TravelTown.open(["feeds.bikes": feed]) { town in
            let feeds = town.site.installation.feeds
            try await town.site.until("the feed is read") { feeds.statuses[0].knownSince != nil }
            let since = feeds.statuses[0].knownSince
            for name in ["station_status", "free_bike_status"] {
                try folder.write("!503", to: "\(name).json")
            }
            town.site.clock.advance(seconds: 700)
            let visitor = town.site.visitor()
            let page = try await visitor.get(try await Self.path(visitor)).text
            #expect(page.contains("Bici &lt;Uno&gt; has not answered since"), "\(page)")
            #expect(page.contains("Open the app of Bici &lt;Uno&gt; to see whether it works"))
            #expect(!page.contains("https://rent.example"))
            #expect(page.contains("Piazza Ovest"), "what was known is still shown")
            #expect(feeds.statuses[0].knownSince == since)
        }
    }

    /// Publishes bicycles at two stations instead, one near each end of the town.
    private static func publishBicycles(in folder: TemporaryFolder) throws {
        func file(_ name: String, _ data: String) throws {
            let head = #""last_updated": 1800000000, "ttl": 60, "version": "2.3""#
            try folder.write("{\(head), \"data\": \(data)}", to: "\(name).json")
        }
        let (west, east) = (RideTown.place(200), RideTown.place(1_800))
        try file(
            "station_information",
            """
            {"stations": [{"station_id": "s", "name": "Piazza Ovest",
            "lat": \(west.latitudeDegrees), "lon": \(west.longitudeDegrees),
            "rental_uris": {"web": "https://rent.example/s?a=1&b=2"}},
            {"station_id": "e", "name": "Piazza Est",
            "lat": \(east.latitudeDegrees), "lon": \(east.longitudeDegrees)}]}
            """
        )
        let states = ["s", "e"].map { station in
            """
            {"station_id": "\(station)", "num_bikes_available": 3, "num_docks_available": 5,
            "vehicle_types_available": [{"vehicle_type_id": "b", "count": 3}],
            "is_installed": true, "is_renting": true, "is_returning": true,
            "last_reported": 1800000000}
            """
        }
        try file("station_status", "{\"stations\": [\(states.joined(separator: ","))]}")
        try file(
            "vehicle_types",
            """
            {"vehicle_types": [{"vehicle_type_id": "b", "form_factor": "bicycle",
            "propulsion_type": "human"}]}
            """
        )
        try file("free_bike_status", #"{"bikes": []}"#)
    }

    @Test("V81, V83: a trip leads to the provider's page of the vehicle that it rents")
    func trip() async throws {
        let folder = try TemporaryFolder()
        let feed = try await Self.publish(in: folder)
        try Self.publishBicycles(in: folder)
        try await TravelTown.open(["feeds.bikes": feed]) { town in
            let feeds = town.site.installation.feeds
            try await town.site.until("the feed is read") { feeds.statuses[0].knownSince != nil }
            let visitor = town.site.visitor()
            let fields = ["options": "yes", "means": "bikeshare"]
            let path = try await TravelTown.ask(visitor, fields)
            let answer = try await visitor.get(path).text
            let trip = try #require(
                answer.firstMatch(of: /href="(\/plan\/[^"\/]*\/bikeshare[^"]*)"/),
                "\(answer)"
            )
            let page = try await visitor.get(String(trip.1)).text
            #expect(page.contains("href=\"https://rent.example/s?a=1&amp;b=2\""), "\(page)")
            #expect(page.contains("Rent from Bici &lt;Uno&gt;") && page.contains("Piazza Ovest"))
        }
    }

    @Test("without systems of shared vehicles, no page leads there")
    func none() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let sent = try await visitor.submit(["from": RideTown.typed(120)], on: "/stops")
            let stops = try await visitor.get(try #require(sent.header("location"))).text
            #expect(!stops.contains("/rentals/"))
        }
    }
}
