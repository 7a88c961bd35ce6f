import Chronology
import Foundation
import OpenData
import TestSupport
import Testing

@testable import LiveFeeds

/// Issue 33: a notice that disappears is "probably revoked".
@Suite("Tracked strikes (V49, V86)", .enabled(if: LocalServers.areAvailable, LocalServers.advice))
struct TrackedStrikeTests {
    private static func bytes(_ day: String) throws -> [UInt8] {
        try RealData.require("strikes/mit_rss_\(day).xml")
        return [UInt8](try Data(contentsOf: RealData.url("strikes/mit_rss_\(day).xml")))
    }

    private static func notice(_ id: String, _ first: String, _ last: String) throws -> StrikeNotice
    {
        StrikeNotice(
            id: id,
            firstDay: try #require(CivilDate(iso8601: first)),
            lastDay: try #require(CivilDate(iso8601: last)),
            sector: "Trasporto pubblico locale",
            relevance: "Locale",
            region: "Lombardia",
            province: "Milano",
            unions: "OSP",
            staff: "PERSONALE SOC. ATM DI MILANO",
            hoursText: "4 ORE: DALLE 8.45 ALLE 12.45"
        )
    }

    @Test("a strike under way stays, one ahead is probably revoked, one that is over is forgotten")
    func kinds() throws {
        let published = Instant(seconds: 1_795_766_400)
        let today = try #require(CivilDate(iso8601: "2026-11-27"))
        let ahead = try Self.notice("a", "2026-11-28", "2026-11-28")
        let running = try Self.notice("b", "2026-11-26", "2026-11-28")
        let over = try Self.notice("c", "2026-11-25", "2026-11-26")
        let kept = try Self.notice("d", "2026-12-01", "2026-12-01")
        let known = [ahead, running, over, kept].map { TrackedStrike($0, missingSince: nil) }
        let after = TrackedStrike.updated(known, with: [kept], published: published, today: today)
        #expect(after.map(\.notice.id) == ["b", "a", "d"])
        #expect(after.map(\.isProbablyRevoked) == [false, true, false])
        let later = TrackedStrike.updated(
            after,
            with: [kept, ahead],
            published: published.adding(seconds: 3_600),
            today: today
        )
        #expect(later.map(\.isProbablyRevoked) == [false, false, false], "it is back")
        #expect(TrackedStrike.strikes(TrackedStrike.bytes(after)) == after)
    }

    @Test("the two registers of October tell which strikes were withdrawn in between")
    func october() async throws {
        let server = try await FeedServer()
        let sources = [try server.source(.strikes, "strikes.xml")]
        let evening = Instant(seconds: 1_791_320_400)
        try server.publish(try Self.bytes("2026-10-06"), as: "strikes.xml")
        let first = server.feeds(sources, startingAt: evening)
        _ = await first.poll(evening)
        #expect(first.world.strikes.count == 30)
        try server.publish(try Self.bytes("2026-10-10"), as: "strikes.xml")
        let later = evening.adding(seconds: 4 * 86_400)
        _ = await first.poll(later)
        let revoked = first.world.strikes.filter(\.isProbablyRevoked)
        #expect(Set(revoked.map { $0.notice.id.suffix(4) }) == ["8561", "8570", "8584"])
        // One that was under way when it left the register goes on until its last day.
        let running = first.world.strikes.filter { $0.notice.id.hasSuffix("8573") }
        #expect(running.map(\.isProbablyRevoked) == [false])
        try server.publish("!503", as: "strikes.xml")
        let second = server.feeds(sources, startingAt: later)
        #expect(second.world.strikes == first.world.strikes)
    }
}
