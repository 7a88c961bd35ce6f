import Dispatching
import Identity
import StorageTestSupport
import TestClock
import Testing
import WebTestSupport

@testable import Taxi

/// Where people will be waiting, learned from the city's log (issue 34).
@Suite("Expected demand", .serialized, .timeLimit(.minutes(5)))
struct OutlookTests {
    @Test(
        "drivers and operators read how many requests are expected, and nothing before",
        arguments: TestEngine.allCases
    )
    func expected(on engine: TestEngine) async throws {
        try await DriverTown.atWork(on: engine) { town, driver in
            let title = "Where people will be waiting"
            #expect(!(try await town.page(driver).contains(title)))
            #expect(try await town.taxi.outlook().isEmpty)
            for passenger: UInt64 in 1...6 { try await town.call(passenger) }
            let asked = town.clock.now
            town.clock.advance(seconds: 900)
            try await town.until(driver, sees: title)
            // Six in the quarter that is over; the two quarters after it are expected alike, and
            // about later ones nothing is known.
            let page = try await town.page(driver)
            #expect(page.contains("12 requests expected in the next hour"), "\(page)")
            let staff = try await town.site.person("olga", [.serviceOperator])
            let operations = try await staff.get("/console/operations").text
            #expect(operations.contains("Next hour"))
            #expect(operations.contains("<td class=\"number\">12"), "\(operations)")

            // The free taxis are counted at the end of each quarter, and kept.
            town.clock.advance(seconds: 900)
            let quarter = LearnedDemand.quarter(of: asked)
            let hash = try await town.taxi.dispatch.read { $0.zonesHash }
            try await town.site.until("the free taxis were counted") {
                let counts = try await town.taxi.store.zoneCounts(
                    quarter..<quarter + 2,
                    zones: 2,
                    hash: hash
                )
                return counts.requests == [quarter: [6, 0]] && counts.free.count == 1
            }
            let other = try await town.taxi.store.zoneCounts(
                quarter..<quarter + 2,
                zones: 2,
                hash: hash &+ 1
            )
            #expect(other.free.isEmpty, "zones of another division have other numbers")
        }
    }
}
