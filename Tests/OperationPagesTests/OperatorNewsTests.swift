import Dispatching
import Drivers
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebCore
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// Issue 5, "notices to drivers of a zone"; decisions 0018 and 0023.
@Suite("What operators' pages do by themselves", .serialized, .timeLimit(.minutes(5)))
struct OperatorNewsTests {
    private static let page = "/console/operations/notices"

    /// An operator sends a notice.
    private static func give(_ fields: [String: String], _ staff: Visitor) async throws {
        let all = ["hours": "1", "zone": ""].merging(fields) { $1 }
        let answer = try await staff.submit(all, on: page)
        #expect(answer.header("location") == page + "?notice=given", "\(answer.text)")
    }

    /// The event that drivers get for a notice, with the number of recipients.
    private static func drive(_ count: Int) -> String { "event: drive\ndata: \(count)\n" }

    @Test("a notice, and its end, reach the pages of the drivers whom it concerns at once")
    func notices() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            for driver in town.drivers { try await town.start(driver) }
            try await town.drive(town.drivers[1], to: DriverTown.brera)
            for driver in town.drivers { _ = try await town.page(driver) }
            try await town.site.withEvents(of: town.drivers[0].visitor) { line in
                var own = line
                _ = try await own.read(to: "event: hello\ndata:\n\n")
                try await town.site.withEvents(of: town.drivers[1].visitor) { line in
                    var other = line
                    _ = try await other.read(to: "event: hello\ndata:\n\n")
                    try await Self.give(["zone": "Centro", "text_en": "Road closed"], staff)
                    _ = try await own.read(to: Self.drive(1))
                    #expect(try await town.page(town.drivers[0]).contains("Road closed"))
                    let list = try await staff.get(Self.page)
                    _ = try await staff.sendForm(Self.page + "/1/end", of: list.text)
                    _ = try await own.read(to: Self.drive(1))
                    #expect(try await !town.page(town.drivers[0]).contains("Road closed"))
                    // Events for everybody reach all pages, spread over as many milliseconds.
                    try await Self.give(["text_en": "Fog"], staff)
                    _ = try await own.read(to: Self.drive(2))
                    let heard = try await other.read(to: Self.drive(2))
                    #expect(!heard.contains(Self.drive(1)), "what concerns another driver")
                }
            }
        }
    }

    @Test("a driver sees until when a notice holds: the page may be older than that")
    func until() async throws {
        try await DriverTown.open(drivers: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            try await Self.give(["text_en": "Fog"], staff)
            let page = try await town.page(town.drivers[0])
            #expect(page.contains("Fog (until <time"), "\(page)")
        }
    }

    @Test("a page that looks again by itself keeps no session of staff from ending")
    func idle() async throws {
        try await withSite { site in
            let (watching, working) = try await (
                site.person("olga", [.serviceOperator]), site.person("otto", [.serviceOperator])
            )
            let byItself = ["x-page-refresh": "1"]
            let script = String(decoding: Assets().liveScript.bytes, as: UTF8.self)
            #expect(byItself.keys.allSatisfy { script.contains("\"\($0)\"") })
            for round in 1...5 {
                site.clock.advance(seconds: 800)
                let seen = try await watching.get("/console", headers: byItself)
                #expect((seen.status == 200) == (round * 800 < 3_600), "\(round)")
                let done = try await working.get("/console")
                #expect(done.status == 200)
            }
        }
    }

    @Test("where a driver is who is off duty is on no operator's map (R130)")
    func offDuty() async throws {
        try await DriverTown.open(drivers: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let driver = town.drivers[0]
            try await town.start(driver)
            let map = "/console/operations/map.json"
            #expect(try await staff.get(map).text.contains("\"id\":\"taxi-"))
            _ = try await driver.visitor.press("/drive/duty", ["wish": "off"])
            try await town.send(DriverTown.centro, of: driver)
            #expect(try await !staff.get(map).text.contains("\"id\":\"taxi-"))
            for query in ["?state=off", "?state=off&zone=0"] {
                let seen = try await staff.get(map + query).text
                #expect(seen == "{\"type\":\"FeatureCollection\",\"features\":[]}", "\(query)")
            }
        }
    }

    @Test("a taxi's page names who drives it, not whose licence has the number of its code")
    func namesakes() async throws {
        try await DriverTown.open(drivers: 1) { town in
            let staff = try await town.site.person("olga", [.administrator])
            let session = try await town.site.session(of: staff)
            var entry = DriverEntry.numbered(7)
            entry.papers.taxiCode = "10"
            for entry in [entry, .numbered(9)] {
                _ = try await town.site.accounts.drivers.enter(
                    entry,
                    invites: false,
                    by: session,
                    at: town.clock.now
                )
            }
            #expect(DriverEntry.numbered(9).papers.taxiLicence == "10")
            try await town.site.installation.fleet.reconcile()
            let found = try await staff.get("/console/operations/taxis?find=10")
            let page = try await staff.get(try #require(found.header("location"))).text
            #expect(page.contains("Guida 7"))
            #expect(!page.contains("Guida 9"))
        }
    }

    @Test(
        "what somebody writes for a log or for others is one line that does nothing",
        arguments: [
            ("fog", "fog"), (" a\r\nb ", "a  b"), ("\u{7}", ""), ("\u{1B}[2J", "[2J"),
            ("a\u{2028}b", "a b"), ("\u{202E}gof\u{202C}", "gof"), ("\u{2066}x", "x"),
            ("è 🚕", "è 🚕"),
        ]
    )
    func lines(text: String, line: String) {
        #expect(text.asOneLine == line)
    }

    @Test("a notice that says nothing that can be read is asked for again")
    func unreadable() async throws {
        try await DriverTown.open(drivers: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let answer = try await staff.submit(
                ["text_en": "\u{7}\u{202E}", "hours": "1", "zone": ""],
                on: Self.page
            )
            #expect(answer.status == 422)
            #expect(answer.text.contains("field-text_en-error"))
        }
    }

    @Test("the page of a request that has ended asks no more")
    func ended() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let number = try RideTown.number(try await town.call(try await town.passenger()))
            let page = "/console/operations/requests/\(number.rawValue)"
            let live = try await staff.get(page).text
            #expect(live.contains("id=\"request-file\" data-live=\"operations\""))
            _ = try await town.taxi.dispatch.give(.cancel(number))
            let ended = try await staff.get(page).text
            #expect(!ended.contains("data-live=\"operations\""))
            // Where an element is gone, the page has changed, and is loaded once in full.
            #expect(!ended.contains("id=\"request-file\""))
        }
    }
}
