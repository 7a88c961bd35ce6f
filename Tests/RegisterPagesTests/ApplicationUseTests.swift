import Chronology
import Identity
import IdentityTestSupport
import StorageTestSupport
import TestClock
import Testing
import WebTestSupport

@testable import RegisterPages
@testable import TaxiPages
@testable import WebApp

/// Issue 34, part one, 2: the city's staff see what each application did.
@Suite("The use of an application", .serialized)
struct ApplicationUseTests {
    private static func day(_ text: String) throws -> CivilDate {
        try #require(CivilDate(iso8601: text))
    }

    @Test("calls are added up by day and by operation; days without calls are there, too")
    func adds() throws {
        let days = try (1...4).map { try Self.day("2027-01-0\($0)") }
        let use = ApplicationUse(
            [
                ApplicationCalls(day: "2027-01-03", operation: "rides.call", calls: 2, errors: 1),
                ApplicationCalls(day: "2027-01-03", operation: "plan", calls: 5, errors: 0),
                ApplicationCalls(day: "2027-01-01", operation: "rides.call", calls: 4, errors: 3),
                ApplicationCalls(day: "2026-12-31", operation: "plan", calls: 100, errors: 100),
            ],
            on: days
        )
        #expect(use.days.map(\.day) == days)
        #expect(use.days.map(\.count.calls) == [4, 0, 7, 0])
        #expect(use.days.map(\.count.errors) == [3, 0, 1, 0])
        #expect(use.operations.map(\.name) == ["rides.call", "plan"])
        #expect(use.operations.map(\.count.calls) == [6, 5])
        #expect(use.total.calls == 11 && use.total.errors == 4)
        #expect(ApplicationUse([], on: days).operations.isEmpty)
    }

    @Test("the page has a chart of 30 days, and tables with the same values for readers")
    func page() async throws {
        try await withSite(CityStaff.limits) { site in
            let admin = try await CityStaff.administrator(site)
            let accounts = site.accounts
            _ = try await admin.submit(
                [
                    "name": "Meteo", "contact": "meteo@example.org", "scopes": "rides.call",
                    "rate": "60",
                ],
                on: "/console/apps/new"
            )
            let number = try #require(try await accounts.applications().first?.number)
            let path = "/console/apps/\(number)"
            let unused = try await admin.get(path).text
            #expect(unused.contains("0, none refused or failed"))
            #expect(!unused.contains("class=\"chart\""))
            // It is nine in the morning: the same day in Italy and in Greenwich.
            let date = LocalTime(Instant(site.clock.now), in: .utc).date
            let (today, earlier) = (date.iso8601, date.adding(days: -29).iso8601)
            try await accounts.count(
                [
                    ApplicationCalls(day: today, operation: "plan", calls: 124, errors: 17),
                    ApplicationCalls(day: earlier, operation: "city", calls: 31, errors: 0),
                ],
                of: number,
                keepingSince: earlier,
                at: site.clock.now
            )
            let page = try await admin.get(path).text
            #expect(page.contains("155, of which 17 refused or failed"), "\(page)")
            let start = try #require(page.firstRange(of: "<figure class=\"chart\">"))
            let end = try #require(page[start.upperBound...].firstRange(of: "</figure>"))
            let chart = page[start.upperBound..<end.lowerBound]
            // One bar for each day, and one for the errors in it; the legend has others.
            let bars = chart.matches(of: /<path class="(whole|part)" d="(M[^"]*)"\/>/)
                .filter { !$0.2.hasPrefix("M0 0h16") }
            #expect(bars.map { $0.2.count { $0 == "M" } } == [30, 30])
            for count in ["124", "17", "31"] {
                let cells = page.ranges(of: "<span>\(count)</span>").count
                #expect(cells == 2, "by day and by operation: \(count)")
            }
            #expect(page.contains("<code>plan</code>") && page.contains("<code>city</code>"))
            admin.language = "it"
            #expect(try await admin.get(path).text.contains("Chiamate per operazione"))
        }
    }
}
