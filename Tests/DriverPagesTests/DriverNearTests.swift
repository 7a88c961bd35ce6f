import Dispatching
import Geo
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// taxi.md R63: the driver is asked whether the passenger is on board.
@Suite("At the meeting point", .serialized)
struct DriverNearTests {
    @Test(
        "R63: near the meeting point a driver is asked who is aboard; the answer begins the ride",
        arguments: [Policy.milanoB, .viavai]
    )
    func asked(policy: Policy) async throws {
        try await DriverTown.atWork(policy) { town, driver in
            try await town.call(from: DriverTown.near)
            _ = try await driver.visitor.press("/drive/offer/accept")
            let way = try await town.page(driver)
            #expect(way.contains("<h1 class=\"target\">Pick up: Via Dante 7</h1>"), "\(way)")
            // The driver states nothing: the arrival follows from the position of the device.
            try await town.drive(driver, to: DriverTown.near)
            try await town.until(driver, sees: "You are there: Via Dante 7")
            let code = try await town.taxi.ride(of: driver.number)?.code
            let aboard = try await driver.visitor.press(
                "/drive/ride/board",
                ["code": code ?? "", "aboard": "1"]
            )
            #expect(aboard.status == 303, "\(aboard.text)")
            let stage = try await town.taxi.ride(of: driver.number)?.ride.stage
            #expect(stage == .aboard)
        }
    }

    @Test("C7, R63: the question comes as near as the rule says, by itself where a script measures")
    func radius() async throws {
        let question = "Are the passengers aboard?"
        try await DriverTown.atWork { town, driver in
            try await town.call(from: DriverTown.near)
            _ = try await driver.visitor.press("/drive/offer/accept")
            // About 60 m away counts as arrived, but is not close enough to ask.
            var away = DriverTown.near
            away.longitude += 7_700
            try await town.drive(driver, to: away)
            try await town.until(driver, sees: "You are there: Via Dante 7")
            #expect(!(try await town.page(driver).contains(question)))
            let far = try await town.send(away, of: driver, asksRide: true).text
            #expect(far.contains("\"near\":\"\""), "\(far)")
            let near = try await town.send(DriverTown.near, of: driver, asksRide: true).text
            #expect(near.contains(question), "\(near)")
            #expect(try await town.page(driver).contains(question))
        }
        let never = try Policy.viavai.with(.boardingRadius, "null")
        try await DriverTown.atWork(never) { town, driver in
            try await town.call(from: DriverTown.near)
            _ = try await driver.visitor.press("/drive/offer/accept")
            try await town.drive(driver, to: DriverTown.near)
            try await town.until(driver, sees: "You are there: Via Dante 7")
            #expect(!(try await town.page(driver).contains(question)))
        }
    }
}
