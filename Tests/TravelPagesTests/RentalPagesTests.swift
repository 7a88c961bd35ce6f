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
    /// The path of the shared vehicles near the west end.
    private static func path(_ visitor: Visitor) async throws -> String {
        let sent = try await visitor.submit(["from": RideTown.typed(120)], on: "/stops")
        let stops = try await visitor.get(try #require(sent.header("location"))).text
        return String(try #require(stops.firstMatch(of: /href="(\/rentals\/near\/[^"]*)"/)).1)
    }

    @Test("V83: the nearest is named; docks, range and the provider's page stand beside each")
    func near() async throws {
        let folder = try TemporaryFolder()
        let feed = try await RentalFeed.publish(in: folder)
        try await TravelTown.open(["feeds.bikes": feed]) { town in
            let feeds = town.site.installation.feeds
            try await town.site.until("the feed is read") { feeds.statuses[0].knownSince != nil }
            let visitor = town.site.visitor()
            let path = try await Self.path(visitor)
            let page = try await visitor.get(path)
            #expect(page.status == 200)
            #expect(page.text.contains("The nearest: Piazza Ovest, 80 m away"), "\(page.text)")
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
        let feed = try await RentalFeed.publish(in: folder)
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
            #expect(page.contains("Bici &lt;Uno&gt; has not responded since"), "\(page)")
            #expect(page.contains("Open the Bici &lt;Uno&gt; app to see whether it works"))
            #expect(!page.contains("https://rent.example"))
            #expect(page.contains("Piazza Ovest"), "what was known is still shown")
            #expect(feeds.statuses[0].knownSince == since)
        }
    }

    @Test("V81, V83: a trip leads to the provider's page of the vehicle that it rents")
    func trip() async throws {
        let folder = try TemporaryFolder()
        let feed = try await RentalFeed.publish(in: folder)
        try RentalFeed.publishBicycles(in: folder)
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
