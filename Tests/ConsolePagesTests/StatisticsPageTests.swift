import Chronology
import Dispatching
import Encoding
import Identity
import Localization
import Storage
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import ConsolePages
@testable import TaxiPages
@testable import WebApp
@testable import WebCore

/// Issue 5, "statistics by zone and hour … with charts and CSV"; ui.md 4.9.
@Suite("The page of statistics", .serialized)
struct StatisticsPageTests {
    @Test("a day's requests stand in its tables, its charts have them as text, its file too")
    func page() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let before = try await staff.get("/console/statistics").text
            #expect(before.contains("No requests on these days"))
            let number = try RideTown.number(try await town.call(try await town.passenger()))
            try await town.accept(town.taxis[0])
            try await town.reach(town.taxis[0])
            _ = try await town.taxi.file(of: number)
            town.site.clock.advance(seconds: StatisticsCache.freshSeconds)
            let page = try await staff.get("/console/statistics").text
            #expect(page.contains("<svg viewBox") && page.contains("<figcaption>"))
            #expect(page.contains("West"))
            // When read as plain text, hours do not run together, and neither do the words of
            // tiles.
            #expect(!page.contains("</text><text"))
            let home = try await staff.get("/console").text
            #expect(home.contains("Statistics</b> <span>"))
            #expect(page.contains("Offers accepted"))
            let zone = try await staff.get("/console/statistics?zone=West")
            #expect(zone.status == 200)
            #expect(zone.text.contains("All zones"))
            let file = try await staff.get("/console/statistics/range.csv")
            #expect(file.header("content-type")?.hasPrefix("text/csv") == true)
            let lines = file.text.split(separator: "\r\n")
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("hour,zone,requests,") == true)
            let columns = Set(
                lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
            )
            #expect(columns == [26])
            staff.language = "it"
            #expect(try await staff.get("/console/statistics").text.contains("Statistiche"))
        }
    }

    /// A request in zone 0, in seconds from 8:00 of the previous day: for when and by whom, when it
    /// was accepted and reached, the estimated wait, and the outcome.
    private struct Known {
        var asked: Int64
        var due: Int64?
        var taxi: Int64?
        var accepted: Int64?
        var told: Int64?
        var reached: Int64?
        var outcome: RequestOutcome
    }

    private static let known = [
        // Waits 7 minutes, a minute less than estimated.
        Known(asked: 0, taxi: 1, accepted: 60, told: 420, reached: 420, outcome: .completed),
        Known(asked: 600, taxi: 1, accepted: 630, told: 240, reached: 1_600, outcome: .completed),
        Known(asked: 1_200, outcome: .noTaxi),
        Known(asked: 1_800, outcome: .cancelled),
        // A reservation of the day before that, reached more than 20 minutes late.
        Known(
            asked: -80_000,
            due: 2_000,
            taxi: 2,
            accepted: 1_400,
            told: 500,
            reached: 3_300,
            outcome: .completed
        ),
    ]

    /// Stores the known requests and their offers, starting at a moment.
    private static func keep(_ start: Moment, _ town: RideTown) async throws {
        let log = town.taxi.dispatch.eventLog.name
        func moment(_ seconds: Int64?) -> Int64? {
            seconds.map { start.adding(seconds: $0).milliseconds }
        }
        let hash = [UInt8](repeating: 0, count: 32)
        var statements: [SQL] = []
        for (place, one) in known.enumerated() {
            let number = Int64(1_000 + place)
            statements += [
                """
                INSERT INTO ride (log, request, passenger, zone, asked, due, taxi, accepted,
                    reached, ended, outcome, sequence, hash)
                VALUES (\(log), \(number), 7, 0, \(moment(one.asked)), \(moment(one.due)),
                    \(one.taxi), \(moment(one.accepted)), \(moment(one.reached)),
                    \(moment(4_000)), \(Int64(one.outcome.rawValue)), 0, \(hash))
                """,
                """
                INSERT INTO ride_promise (log, request, seconds)
                VALUES (\(log), \(number), \(one.told))
                """,
            ]
        }
        // The third driver refuses; some drivers are passed over before that.
        let offers: [(taxi: Int64, end: OfferRecord.End)] = [
            (1, .accepted), (1, .accepted), (2, .accepted), (3, .refused),
        ]
        for (place, offer) in offers.enumerated() {
            let isLast: Int64 = offer.end == .refused ? 1 : 0
            statements.append(
                """
                INSERT INTO ride_offer (log, epoch, request, taxi, zone, offered, passed_small,
                    passed_asked, passed_later, passed_assigned, passed_unruled, outcome)
                VALUES (\(log), \(Int64(1_000_000 + place)), 1000, \(offer.taxi), 0, \(moment(10)),
                    \(2 * isLast), \(isLast), \(3 * isLast), 0, \(isLast),
                    \(Int64(offer.end.rawValue)))
                """
            )
        }
        try await town.site.installation.database.write { [statements] transaction in
            try transaction.execute(statements)
        }
    }

    /// The cells of every row of the tables of a page, without markup.
    static func rows(_ page: String) -> [[String]] {
        page.matches(of: /<tr>(.*?)<\/tr>/.dotMatchesNewlines()).map { row in
            row.1.matches(of: /<t[hd][^>]*>(.*?)<\/t[hd]>/.dotMatchesNewlines()).map {
                String($0.1).replacing(/<[^>]*>/, with: "").trimmingBlanks()
            }
        }
    }

    @Test("the figures of a known hour stand in the file and in the tables (issue 5, R82)")
    func values() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let zone = town.site.installation.settings.zoneTable
            let today = StatisticsDay(of: town.site.clock.now, in: zone)
            let day = StatisticsDay(today.date.adding(days: -1), in: zone)
            try await Self.keep(day.bounds[8], town)
            let name = try await town.taxi.dispatch.read { $0.zones[0].name }
            let date = day.date.iso8601
            let file = try await staff.get(
                "/console/statistics/range.csv?from=\(date)&to=\(date)"
            ).text
            let lines = file.split(separator: "\r\n").map(String.init)
            #expect(
                lines == [
                    "hour,zone,requests,served,unserved,given_up,taxis_came,wait_mean_s,"
                        + "wait_p50_s,wait_p95_s,accepted,refused,ignored,undeliverable,withdrawn,"
                        + "eta_error_mean_s,eta_bias_s,promised,within_10_min,within_20_min,"
                        + "passed_too_small,passed_asked_before,passed_came_later,"
                        + "passed_assigned,passed_without_rule,rides_gini",
                    "\(date)T08:00:00+01:00,\"\(name)\",5,3,1,1,3,907,1000,1300,"
                        + "3,1,0,0,0,730,690,3,1,2,2,1,3,0,1,0.444",
                ]
            )
            // The hour, its zone and the whole day show the same minutes and percentages.
            let cells = [
                "5", "1", "15.1 min", "16.7 min", "21.7 min", "75%", "12.2 min", "33%", "67%",
                "7", "0.44",
            ]
            let page = try await staff.get("/console/statistics?from=\(date)&to=\(date)").text
            let rows = Self.rows(page)
            #expect(rows.contains(["08:00"] + cells), "\(rows)")
            #expect(rows.count { $0.dropFirst() == cells[...] } == 2, "of the hour and the zone")
            // Nothing was requested the day before: the page says so once, and compares nothing.
            #expect(rows.contains(["Without a taxi", "1 (20%)"]))
            #expect(rows.contains(["Uneven rides (Gini)", "0.44"]))
            #expect(page.contains("Nothing to compare with: no taxi was requested on"))
            #expect(!page.contains("No history") && !page.contains("Before<"))
            #expect(page.contains("Taxis that got an offer: 3."))
            #expect(page.ranges(of: "<figure class=\"chart\">").count == 4)
            staff.language = "it"
            let italian = try await staff.get("/console/statistics?from=\(date)&to=\(date)").text
            #expect(Self.rows(italian).contains { $0.contains("0,44") })
        }
    }

    @Test(
        "days that are no range are asked for again, and the field says why (issue 30, 4)",
        arguments: [
            ("from=x", "Choose a day"), ("to=2999-01-01", "Choose a day"),
            ("from=1900-01-01&to=1900-01-02", "Choose a day"), ("to=2026-02-30", "Choose a day"),
            ("from=2026-13-01", "Choose a day"),
            ("from=2025-03-02&to=2025-03-01", "The last day comes before the first."),
            ("from=2024-01-01&to=2025-01-01", "Choose at most 366 days."),
        ]
    )
    func badDays(query: String, words: String) async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let answer = try await staff.get("/console/statistics?" + query)
            #expect([422, 400].contains(answer.status), "\(query)")
            #expect(answer.status == 400 || answer.text.contains(words), "\(query)")
            let file = try await staff.get("/console/statistics/range.csv?" + query)
            #expect(file.status == 400, "\(query)")
        }
    }

    @Test(
        "the ends of axes are round, and no less than what is drawn",
        arguments: [
            (0.0, 4.0), (1, 4), (4, 4), (5, 8), (11, 12), (17, 20), (100, 100), (101, 120),
            (499, 600), (601, 800),
        ]
    )
    func axes(value: Double, end: Double) {
        #expect(Chart.ceiling(value) == end)
    }

    @Test("minutes and shares are said in both languages")
    func words() {
        #expect(StatisticsTexts.minutes(90).in(.english) == "1.5 min")
        #expect(StatisticsTexts.minutes(90).in(.italian) == "1,5 min")
        #expect(StatisticsTexts.minutes(-90).in(.english) == "-1.5 min")
        #expect(StatisticsTexts.share(1, of: 4).in(.english) == "1 (25%)")
        #expect(StatisticsTexts.share(0, of: 0).in(.italian) == "nessuno")
    }
}
