import FeedRegister
import Foundation
import Identity
import LiveFeeds
import Storage
import TestClock
import TestSupport
import Testing
import WebApp
import WebTestSupport

@testable import TaxiPages

/// V88; issue 33: staff add, change, stop and remove feeds while the server runs.
@Suite(
    "Changing live feeds in the console",
    .serialized,
    .enabled(if: LocalServers.areAvailable, LocalServers.advice)
)
struct FeedEditingTests {
    private static let rain = """
        {"latitude": 45.46, "longitude": 9.19, "utc_offset_seconds": 0, "hourly":
        {"time": ["2027-01-15T09:00"], "precipitation": [0.4]}}
        """

    /// A folder that a local server publishes, and its address.
    private static func published() async throws -> (folder: TemporaryFolder, base: String) {
        let folder = try TemporaryFolder()
        let port = try await LocalServers.started().places.http
        try folder.write(rain, to: "rain.json")
        return (folder, "http://127.0.0.1:\(port)/files\(folder.url.path)")
    }

    private static func open(
        _ further: [String: String],
        _ body: @escaping @Sendable (ServedSite, Visitor) async throws -> Void
    ) async throws {
        try await withSite(CityStaff.limits.merging(further) { $1 }) { site in
            try await body(site, try await CityStaff.person([.serviceOperator], at: site))
        }
    }

    /// Waits until the forecast is read: the feeds are looked through every five seconds.
    private static func read(_ site: ServedSite) async throws {
        let feeds = site.installation.feeds
        try await site.until("the feed is read") {
            site.clock.advance(seconds: 6)
            return feeds.world.forecasts.count == 1
        }
    }

    @Test("V88: a feed is added, used at once, stopped, started, changed and removed")
    func life() async throws {
        let (folder, base) = try await Self.published()
        defer { withExtendedLifetime(folder) {} }
        try await Self.open(["feeds.reach": "any"]) { site, clerk in
            let feeds = site.installation.feeds
            let empty = try await clerk.get("/console/feeds").text
            #expect(empty.contains("No live feeds") && empty.contains("/console/feeds/new"))
            let added = try await clerk.submit(
                ["name": "rain", "kind": "open-meteo", "address": "\(base)/rain.json?key=secret7"],
                on: "/console/feeds/new"
            )
            #expect(added.header("location") == "/console/feeds?notice=added", "\(added.text)")
            #expect(feeds.statuses.map(\.source.name) == ["rain"])
            try await Self.read(site)
            let page = try await clerk.follow(added).text
            #expect(page.contains("The feed has been added") && page.contains("1 of 1"))
            let form = try await clerk.get("/console/feed/rain").text
            #expect(!page.contains("secret7") && !form.contains("secret7"), "it may be a key")
            #expect(form.contains("keep the current address at http://127.0.0.1"))
            // The database does not show the address either.
            let stored = try await site.installation.database.read { transaction in
                try transaction.rows("SELECT sealed FROM live_feed").map { row in
                    try row.value("sealed", as: [UInt8].self)
                }
            }
            #expect(stored.count == 1)
            #expect(!String(decoding: stored[0], as: UTF8.self).contains("secret7"))

            let stop = "/console/feed/rain/stop"
            let stopped = try await clerk.submit([:], on: "/console/feed/rain", to: stop)
            #expect(try await clerk.follow(stopped).text.contains("Stopped"))
            #expect(feeds.world.forecasts.isEmpty && feeds.statuses.isEmpty)
            #expect(try await site.installation.feedRegister.running().isEmpty)
            let start = "/console/feed/rain/start"
            _ = try await clerk.submit([:], on: "/console/feed/rain", to: start)
            try await Self.read(site)

            let kept = try await clerk.submit(
                ["kind": "open-meteo", "address": ""],
                on: "/console/feed/rain"
            )
            #expect(kept.header("location") == "/console/feeds?notice=changed", "\(kept.text)")
            #expect(feeds.statuses.first?.source.url.hasSuffix("secret7") == true)
            let wrong = try await clerk.submit(
                ["kind": "gtfs-rt-alerts", "address": "\(base)/rain.json"],
                on: "/console/feed/rain"
            )
            #expect(wrong.status == 422)
            #expect(wrong.problem("address")?.contains("nothing was stored") == true)
            #expect(feeds.statuses.first?.source.kind == .openMeteo)

            let remove = "/console/feed/rain/remove"
            _ = try await clerk.submit([:], on: "/console/feed/rain", to: remove)
            #expect(feeds.statuses.isEmpty)
            #expect(try await clerk.get("/console/feed/rain").status == 404)
            let notes = try await site.accounts.audit(limit: 20).map(\.note)
                .filter { $0.object == "feed rain" }
            #expect(
                notes.map(\.act)
                    == [
                        AuditAct.removeFeed, .changeFeed, .startFeed, .stopFeed, .addFeed,
                    ].map(\.rawValue)
            )
            #expect(notes.allSatisfy { $0.actor != nil && !$0.after.contains("secret7") })
            #expect(notes.last?.after.hasPrefix("open-meteo http://127.0.0.1") == true)
        }
    }

    @Test(
        "no feed of the console leads into a private network, unless the configuration allows it",
        arguments: [
            ("http://127.0.0.1:9/gbfs.json", "must begin with https://"),
            ("http://10.0.0.1/gbfs.json", "must begin with https://"),
            ("https://127.0.0.1:9/gbfs.json", "into a private network"),
            ("https://10.0.0.1/gbfs.json", "into a private network"),
            ("https://[::1]/gbfs.json", "into a private network"),
            ("https://169.254.169.254/latest/meta-data", "into a private network"),
            ("https://localhost/gbfs.json", "into a private network"),
            ("ftp://example.org/gbfs.json", "Enter the whole address"),
            ("https://user@example.org/gbfs.json", "Enter the whole address"),
            ("gbfs.json", "Enter the whole address"), ("", "Enter the whole address"),
        ]
    )
    func refused(address: String, words: String) async throws {
        try await Self.open([:]) { site, clerk in
            let answer = try await clerk.submit(
                ["name": "bikes", "kind": "gbfs", "address": address],
                on: "/console/feeds/new"
            )
            #expect(answer.status == 422)
            #expect(answer.problem("address")?.contains(words) == true, "\(answer.text)")
            #expect(try await site.installation.feedRegister.all().isEmpty)
            #expect(site.installation.feeds.statuses.isEmpty)
        }
    }

    @Test("a redirect is not followed, and names that are taken or malformed are refused")
    func names() async throws {
        let (folder, base) = try await Self.published()
        defer { withExtendedLifetime(folder) {} }
        try folder.write("!302 https://example.com/new.json", to: "old.json")
        let further = ["feeds.reach": "any", "feeds.rain": "open-meteo \(base)/rain.json"]
        try await Self.open(further) { site, clerk in
            func add(_ name: String, _ file: String) async throws -> Visitor.Answer {
                try await clerk.submit(
                    ["name": name, "kind": "open-meteo", "address": "\(base)/\(file)"],
                    on: "/console/feeds/new"
                )
            }
            let moved = try await add("new", "old.json")
            #expect(moved.status == 422)
            #expect(moved.problem("address")?.contains("moved to https://example.com/new") == true)
            #expect(
                try await add("rain", "rain.json").problem("name")?.contains(
                    "Another feed has this name"
                ) == true
            )
            let small = try await add("Città", "rain.json").problem("name")
            #expect(small?.contains("lower-case letters") == true)
            #expect(try await add("sun", "rain.json").status == 303)
            #expect(
                try await add("sun", "rain.json").problem("name")?.contains(
                    "Another feed has this name"
                ) == true
            )
            #expect(site.installation.feeds.statuses.map(\.source.name) == ["rain", "sun"])
            // What the file says is changed in the file.
            let page = try await clerk.get("/console/feeds").text
            #expect(page.contains("are set in viavai.yaml") && page.contains("/console/feed/sun"))
            #expect(!page.contains("/console/feed/rain"))
            #expect(try await clerk.get("/console/feed/rain").status == 404)
            #expect(try await site.visitor().get("/console/feeds/new").status != 200)
        }
    }
}
