import Foundation
import StorageTestSupport
import TestSupport
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 29, fault 12: the dashboard was three times slower than other pages.
@Suite("The speed of the dashboard", .serialized)
struct DashboardSpeedTests {
    private static let rounds = 400

    @Test(
        "it takes less than twice the time of a page that shows as much",
        .enabled(if: Effort.current == .everything, Effort.everythingAdvice)
    )
    func speed() async throws {
        let options = [
            "limits.requests_per_second": "100000",
            "limits.requests_per_second_of_account": "100000",
            "limits.requests_at_once": "100000",
        ]
        try await withSite(options) { site in
            for visitor in [try await site.person("pia"), try await CityStaff.administrator(site)] {
                var times: [String: [Duration]] = [:]
                for _ in 0..<Self.rounds {
                    for page in ["/dashboard", "/account"] {
                        let passed = try await ContinuousClock().measure {
                            _ = try await visitor.get(page)
                        }
                        times[page, default: []].append(passed)
                    }
                }
                let medians = times.mapValues { $0.sorted()[Self.rounds / 2] }
                let ratio = try #require(medians["/dashboard"]) / #require(medians["/account"])
                #expect(ratio < 1.8, "\(medians)")
            }
        }
    }
}
