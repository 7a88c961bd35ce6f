import Agenda
import Chronology
import LiveFeeds
import TaxiPages
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// ST13: another way than the proposed one, in the rain.
extension DayDisruptionTests {
    /// Opens a town whose forecast says in which hours it rains, to a person who plans days.
    func open(
        rain hours: Range<Int>,
        _ body: @escaping @Sendable (RideTown, Visitor) async throws -> Void
    ) async throws {
        try publish(rain: hours)
        let feed = "open-meteo \(address)/weather.json"
        try await CalendarTown.open(["feeds.weather": feed]) { town in
            let feeds = town.site.installation.feeds
            try await town.site.until("the forecast is read") {
                feeds.statuses[0].knownSince != nil
            }
            try await body(town, try await town.passenger())
        }
    }

    @Test("ST13: the way that was chosen stays in the rain, of which the day warns")
    func chosenWay() async throws {
        try await open(rain: 40..<41) { town, visitor in
            let base = CalendarTown.base(at: 0)
            _ = try await visitor.submit(base + ["means": "bicycle"], on: "/calendar/settings")
            let event = CalendarTown.event("Design review", "09:00", "10:00", at: 1_500)
            try await visitor.add(event)
            try await Self.allow([.walk, .bicycle], town)
            #expect(try await visitor.day().contains(/[(>]cycle/))
            let link = try #require(
                try await visitor.day().firstMatch(of: /\/calendar\/entry\/[0-9]+\/way\?at=[0-9]+/)
            )
            let chosen = try await visitor.submit(["means": "walk"], on: String(link.0))
            #expect(chosen.status == 303, "\(chosen.text)")
            let dry = try await visitor.day()
            #expect(!dry.contains(/[(>]cycle/) && !dry.contains("Rain: "), "\(dry)")
            try publish(rain: 1..<9)
            _ = await town.site.installation.feeds.poll(
                Instant(town.site.clock.now).adding(seconds: 7_200)
            )
            let wet = try await visitor.day()
            #expect(wet.contains("Leave at 08:") && !wet.contains(/[(>]cycle/), "\(wet)")
            #expect(wet.contains("Rain: ") && !wet.contains("notice warn conflict"))
            #expect(try await town.details(of: visitor).means == [.walk])
        }
    }
}
