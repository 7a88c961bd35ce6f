import Foundation
import Identity
import LiveFeeds
import TestSupport
import Testing
import WebApp
import WebTestSupport

/// V87, V88; issue 33: staff see each feed with its age, its share of usable entries and its error.
@Suite(
    "Live feeds on the console",
    .serialized,
    .enabled(if: LocalServers.areAvailable, LocalServers.advice)
)
struct FeedPageTests {
    @Test("V87: what arrives, how old it is and what fails stands there; keys of addresses do not")
    func page() async throws {
        let folder = try TemporaryFolder()
        let port = try await LocalServers.started().places.http
        let base = "http://127.0.0.1:\(port)/files\(folder.url.path)"
        try folder.write(
            """
            {"latitude": 45.46, "longitude": 9.19, "utc_offset_seconds": 0, "hourly":
            {"time": ["2027-01-15T09:00"], "precipitation": [0.4]}}
            """,
            to: "rain.json"
        )
        let options = CityStaff.limits.merging([
            "feeds.rain": "open-meteo \(base)/rain.json",
            "feeds.strikes": "italian-strikes \(base)/secret.xml",
        ]) { $1 }
        try await withSite(options) { site in
            let feeds = site.installation.feeds
            try await site.until("the feeds are asked") {
                feeds.statuses.allSatisfy { $0.knownSince != nil || $0.problem != nil }
            }
            #expect(try await site.visitor().get("/console/feeds").status != 200)
            let clerk = try await CityStaff.person([.serviceOperator], at: site)
            let page = try await clerk.get("/console/feeds").text
            #expect(page.contains("Weather (Open-Meteo)") && page.contains("1 of 1"), "\(page)")
            #expect(page.contains("Strikes (Italian register)"))
            #expect(page.contains("The server answered with status 404"))
            #expect(page.contains("http://127.0.0.1:\(port)") && !page.contains("secret.xml"))
            clerk.language = "it"
            #expect(try await clerk.get("/console/feeds").text.contains("Dati in tempo reale"))
        }
    }

    @Test("without feeds the page leads to adding one")
    func none() async throws {
        try await withSite(CityStaff.limits) { site in
            let clerk = try await CityStaff.person([.serviceOperator], at: site)
            let page = try await clerk.get("/console/feeds").text
            #expect(page.contains("No live feeds") && page.contains("/console/feeds/new"))
        }
    }
}
