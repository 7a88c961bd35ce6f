import Agenda
import Foundation
import LiveFeeds
import TestClock
import TestSupport
import Testing
import WebApp
import WebTestSupport

/// V62, V71, V81, V83, ST5: shared vehicles in a person's day.
@Suite(
    "Shared vehicles in a person's day",
    .serialized,
    .enabled(if: LocalServers.areAvailable, LocalServers.advice)
)
struct DayRentalPagesTests {
    /// The day on which the clock of the town stands, at nine.
    private static let today = "2027-01-15"

    /// Opens the town with two stations, and a traveller who lives at its west end and walks or
    /// rents a bicycle.
    private static func open(
        _ body: @escaping @Sendable (RideTown, Visitor, TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let feed = try await RentalFeed.publish(in: folder)
        try RentalFeed.publishBicycles(in: folder)
        try await CalendarTown.open(["feeds.bikes": feed]) { town in
            let feeds = town.site.installation.feeds
            try await town.site.until("the feed is read") { feeds.statuses[0].knownSince != nil }
            let visitor = try await town.passenger()
            let shown = try await visitor.get("/calendar/settings").text
            #expect(shown.contains("value=\"bikeshare\"") && shown.contains("value=\"carshare\""))
            let kept = try await visitor.submit(CalendarTown.base(at: 60), on: "/calendar/settings")
            #expect(kept.status == 303, "\(kept.text)")
            var settings = try await town.settings(of: visitor)
            settings.means = [.walk, .bikeshare]
            try await town.keep(settings, of: visitor)
            try await body(town, visitor, folder)
        }
    }

    private static func review(_ start: String, _ end: String) -> [String: String] {
        CalendarTown.event("Design review", start, end, at: 1_850, on: today)
    }

    @Test("ST5, V83: the journey names the station, its distance and the provider's page")
    func day() async throws {
        try await Self.open { _, visitor, _ in
            try await visitor.add(Self.review("09:50", "10:30"))
            let page = try await visitor.day(Self.today)
            #expect(page.contains("Shared bicycle from Bici &lt;Uno&gt;: Piazza Ovest"), "\(page)")
            #expect(page.contains("Return it: Piazza Est."))
            #expect(page.contains("href=\"https://rent.example/s?a=1&amp;b=2\""))
            #expect(page.contains("Rent from Bici &lt;Uno&gt;"))
            // The journey's own page asks the same, and finds the same vehicle.
            let link = try #require(page.firstMatch(of: /class="way-to"><a href="([^"]*)"/)).1
            let trip = try await visitor.get(String(link)).text
            #expect(trip.contains("Piazza Ovest") && trip.contains("https://rent.example/s"))
            visitor.language = "it"
            #expect(try await visitor.day(Self.today).contains("Restituzione: Piazza Est."))
        }
    }

    @Test("V64, V71: it is one of the ways to an appointment, which may also do without")
    func ways() async throws {
        try await Self.open { _, visitor, _ in
            let path = try await visitor.add(Self.review("09:50", "10:30"))
            let page = try await visitor.day(Self.today)
            #expect(page.contains("Return it:"))
            let at = try #require(page.firstMatch(of: /\/way\?at=([0-9]+)/)).1
            let ways = try await visitor.get("\(path)/way?at=\(at)").text
            #expect(ways.contains("Shared bicycle") && ways.contains("On foot"), "\(ways)")
            let walking = try await visitor.change(path, ["means": "walk"])
            #expect(walking.status == 303, "\(walking.text)")
            #expect(try await !visitor.day(Self.today).contains("Return it:"))
        }
    }

    @Test("V87: of a system that no longer answers nothing is planned")
    func silent() async throws {
        try await Self.open { town, visitor, folder in
            try await visitor.add(Self.review("10:10", "10:30"))
            #expect(try await visitor.day(Self.today).contains("Return it:"))
            for name in ["station_status", "free_bike_status"] {
                try folder.write("!503", to: "\(name).json")
            }
            town.site.clock.advance(seconds: 700)
            let page = try await visitor.day(Self.today)
            #expect(!page.contains("Return it:") && page.contains("Leave at"), "\(page)")
        }
    }
}
