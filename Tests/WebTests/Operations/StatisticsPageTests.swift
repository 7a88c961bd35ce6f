import Accounts
import ClockedServer
import Dispatching
import StorageTestSupport
import Taxi
import Testing
import Words

@testable import Web

/// Issue 5, "statistics by zone and hour … with charts and CSV"; ui.md 4.9.
@Suite("The page of statistics", .serialized)
struct StatisticsPageTests {
    @Test("a day's requests stand in its tables, its charts have them as text, its file too")
    func page() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let before = try await staff.get("/console/statistics").text
            #expect(before.contains("Nothing was asked for on this day."))
            let number = try RideTown.number(try await town.call(try await town.passenger()))
            try await town.accept(town.taxis[0])
            try await town.reach(town.taxis[0])
            _ = try await town.taxi.file(of: number)
            town.site.clock.advance(seconds: StatisticsDesk.freshSeconds)
            let page = try await staff.get("/console/statistics").text
            #expect(page.contains("<svg viewBox") && page.contains("<figcaption>"))
            #expect(page.contains("West"))
            #expect(page.contains("Offers accepted"))
            let zone = try await staff.get("/console/statistics?zone=West")
            #expect(zone.status == 200)
            #expect(zone.text.contains("All zones"))
            let file = try await staff.get("/console/statistics/day.csv")
            #expect(file.header("content-type")?.hasPrefix("text/csv") == true)
            let lines = file.text.split(separator: "\r\n")
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("hour,zone,requests,") == true)
            let columns = Set(
                lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
            )
            #expect(columns == [25])
            staff.language = "it"
            #expect(try await staff.get("/console/statistics").text.contains("Statistiche"))
        }
    }

    @Test(
        "a day that is none, or has not begun, is asked for again",
        arguments: [
            "x", "2999-01-01", "1900-01-01", "2026-02-30", "2026-13-01",
        ]
    )
    func badDay(day: String) async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let answer = try await staff.get("/console/statistics?day=" + day)
            #expect([422, 400].contains(answer.status), "\(day)")
            let file = try await staff.get("/console/statistics/day.csv?day=" + day)
            #expect(file.status == 400, "\(day)")
        }
    }

    @Test(
        "the ends of axes are round, and no less than what is drawn",
        arguments: [
            (0.0, 1.0), (1, 1), (1.5, 2), (3, 5), (7, 10), (11, 20), (499, 500), (501, 1_000),
        ]
    )
    func axes(value: Double, end: Double) {
        #expect(BarChart.ceiling(value) == end)
    }

    @Test("minutes and shares are said in both languages")
    func words() {
        #expect(StatisticsWords.minutes(90).in(.english) == "1.5 min")
        #expect(StatisticsWords.minutes(90).in(.italian) == "1,5 min")
        #expect(StatisticsWords.minutes(-90).in(.english) == "-1.5 min")
        #expect(StatisticsWords.share(1, of: 4).in(.english) == "1 (25%)")
        #expect(StatisticsWords.share(0, of: 0).in(.italian) == "nessuno promesso")
    }
}
