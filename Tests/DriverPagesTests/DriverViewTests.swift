import Dispatching
import Fares
import Foundation
import Geo
import Localization
import OpenData
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import DriverPages
@testable import WebApp

/// ui.md 4.5: what a driver's page shows while driving, when no events arrive.
@Suite("What a driver sees while driving", .serialized)
struct DriverViewTests {
    /// The content of the element with an id, as the script finds it.
    private static func shown(_ id: String, in page: String) -> String? {
        guard let start = page.range(of: "<span id=\"\(id)\">")?.upperBound else { return nil }
        return page[start...].range(of: "</span>").map { String(page[start..<$0.lowerBound]) }
    }

    @Test("way and meter of a ride come with the answers to positions, where it is asked")
    func runsOn() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let driver = town.drivers[0]
            _ = try await town.taxi.adoptTariffs(TariffBook.example, by: nil, note: "")
            try await town.start(driver)
            func news(_ place: Coordinate) async throws -> JSONObject? {
                let answer = try await town.send(place, of: driver, asksRide: true)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.header("cache-control") == "no-store")
                return try JSONValue(parsing: Array(answer.text.utf8)).object
            }
            // A driver without a ride gets nothing, nor does one who does not ask.
            let idle = try await town.send(DriverTown.centro, of: driver, asksRide: true)
            #expect(idle.status == 204)
            try await town.call(from: DriverTown.near, to: DriverTown.brera)
            _ = try await driver.visitor.press("/drive/offer/accept")
            #expect(try await town.send(DriverTown.centro, of: driver).status == 204)
            let there = try await news(DriverTown.centro)
            let page = try await town.page(driver)
            #expect(there?["way"]?.text == Self.shown("ride-way", in: page))
            #expect(there?["way"]?.text?.contains("in a straight line") == true)
            #expect(there?["meter"] == nil)
            _ = try await town.taxi.dispatch.give(.reachMeetingPoint(driver.number))
            let code = try #require(try await town.taxi.ride(of: driver.number)?.code)
            _ = try await driver.visitor.press("/drive/ride/board", ["aboard": "1", "code": code])
            try await town.site.until("the meter runs") {
                try await town.taxi.meterReading(of: driver.number) != nil
            }
            let first = try await news(DriverTown.centro)
            // So far that more than the minimum fare is due.
            let halfway = Coordinate(latitude: 454_600_000, longitude: 91_900_000)
            try await town.drive(driver, to: halfway)
            let second = try await news(halfway)
            for name in ["way", "meter"] {
                let (before, after) = (first?[name]?.text, second?[name]?.text)
                #expect(before != nil && after != nil && before != after, "\(name)")
            }
            let aboard = try await town.page(driver)
            #expect(second?["way"]?.text == Self.shown("ride-way", in: aboard))
            #expect(Self.shown("ride-meter", in: aboard) != nil)
            let other = try await town.send(DriverTown.brera, of: town.drivers[1], asksRide: true)
            #expect(other.status == 204)
        }
    }

    @Test("a way is given in metres and minutes; on arrival there is no time")
    func way() {
        for (seconds, decimetres, words) in [
            (400 as Int64, 30_000 as Int64, "About 7 min · 3.0 km"),
            (100, 9_000, "About 2 min · 900 m"), (20, 1_100, "About 1 min · 110 m"),
            (9, 490, "50 m"), (0, 0, "0 m"),
        ] {
            let drive = Drive(milliseconds: seconds * 1_000, decimetres: decimetres)
            #expect(DriveTexts.way(drive).in(.english) == words)
        }
    }

    /// The address of the map on a page.
    private static func map(of page: String) throws -> String {
        let found = try #require(page.firstMatch(of: /src="(\/drive\/map\.svg[^"]*)"/)).1
        return String(found).replacing("&amp;", with: "&")
    }

    @Test("issue 5: the map has the neighbouring zones, and another address for another way")
    func map() async throws {
        try await DriverTown.atWork { town, driver in
            let home = try Self.map(of: try await town.page(driver))
            let zones = try await driver.visitor.get(home)
            #expect(zones.header("cache-control") == "private, no-cache")
            #expect(zones.text.contains(">Centro</text>") && zones.text.contains(">Brera</text>"))
            // The other zones are drawn in the background.
            #expect(zones.text.ranges(of: "<path class=\"y\"").count == 1)
            #expect(zones.text.ranges(of: "<path class=\"y y3\"").count == 1)
            #expect(zones.text.contains("class=\"y3\">Brera"))
            // As long as it shows the same, it is not drawn again.
            try await town.send(DriverTown.centro, of: driver)
            #expect(try Self.map(of: try await town.page(driver)) == home)
            try await town.call(from: DriverTown.near, to: DriverTown.brera)
            _ = try await driver.visitor.press("/drive/offer/accept")
            let meeting = try Self.map(of: try await town.page(driver))
            #expect(meeting != home)
            #expect(try await driver.visitor.get(meeting).text.contains("★"))
            _ = try await town.taxi.dispatch.give(.reachMeetingPoint(driver.number))
            let code = try #require(try await town.taxi.ride(of: driver.number)?.code)
            _ = try await driver.visitor.press("/drive/ride/board", ["aboard": "1", "code": code])
            let destination = try Self.map(of: try await town.page(driver))
            #expect(destination != meeting)
        }
    }
}
