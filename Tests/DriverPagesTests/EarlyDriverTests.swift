import Chronology
import Dispatching
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// R64, R78: a driver who arrives at the meeting point of a reservation early.
@Suite("Drivers who come early", .serialized)
struct EarlyDriverTests {
    @Test("the page says for when it is reserved, and a no-show waits for the hour (R64)")
    func waits() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let order = RideOrder(
                PassengerNumber(rawValue: 7),
                from: DriverTown.centro,
                to: DriverTown.near
            )
            let due = town.clock.now.adding(seconds: 9_000)
            _ = try await town.taxi.reserve(order, due: due)
            town.clock.advance(seconds: 8_300)
            try await town.start(driver)
            let left = (due.milliseconds - town.clock.now.milliseconds) / 1_000 - 600
            town.clock.advance(seconds: max(0, left))
            try await town.until(driver, sees: "New ride")
            _ = try await driver.visitor.press("/drive/offer/accept")
            #expect(try await town.page(driver).contains("Reserved for"))
            _ = try await town.taxi.dispatch.give(.reachMeetingPoint(driver.number))
            #expect(try await town.page(driver).contains("Reserved for"))
            town.clock.advance(seconds: 400)
            try await town.send(DriverTown.centro, of: driver)
            let early = try await driver.visitor.get("/drive/ride/no-show").text
            #expect(!early.contains("action=\"/drive/ride/no-show\""), "\(early)")
            let earliest = due.adding(seconds: 300)
            await #expect(throws: Refusal.waitUntil(earliest)) {
                try await town.taxi.dispatch.give(.reportNoShow(driver.number))
            }
            town.clock.advance(
                seconds: (earliest.milliseconds - town.clock.now.milliseconds) / 1_000
            )
            try await town.send(DriverTown.centro, of: driver)
            let late = try await driver.visitor.get("/drive/ride/no-show").text
            #expect(late.contains("action=\"/drive/ride/no-show\""), "\(late)")
        }
    }
}
