import Dispatching
import Taxi
import Testing
import WebTestSupport

@testable import WebApp

/// A driver who has accepted a ride but cannot come (ui.md 4.5: "Problem").
@Suite("A driver gives a ride back", .serialized)
struct DriverGiveBackTests {
    @Test("asked why, once; the next driver is asked, the first is off duty until going back on")
    func whole() async throws {
        try await DriverTown.atWork(drivers: 2) { town, driver in
            let other = town.drivers[1]
            try await town.start(other)
            let request = try await town.call()
            _ = try await driver.visitor.press("/drive/offer/accept")
            #expect(try await town.page(driver).contains("href=\"/drive/ride/give-back\""))
            let page = try await driver.visitor.get("/drive/ride/give-back").text
            #expect(page.contains("We look for another taxi for the passenger."))
            let before = try await driver.visitor.get("/drive/ride/give-back").text
            let none = try await driver.visitor.sendForm("/drive/ride/give-back", of: page)
            #expect(none.status == 422 && none.text.contains("Choose why you cannot come."))
            let wrong = try await driver.visitor.press(
                "/drive/ride/give-back",
                on: "/drive/ride/give-back",
                ["reason": "<b>tired</b>"]
            )
            #expect(wrong.status == 422 && !wrong.text.contains("<b>tired"))
            #expect(try await town.status(driver) == .riding)
            // Sent again from another page, it has already been done.
            for form in [none.text, none.text, before] {
                let done = try await driver.visitor.sendForm(
                    "/drive/ride/give-back",
                    of: form,
                    ["reason": "accident"]
                )
                #expect(done.status == 303)
            }
            let asked = try await town.taxi.dispatch.read { $0.request(request)?.offer?.taxi }
            #expect(asked == other.number)
            #expect(try await town.status(driver) == .unavailable)
            let told = try await driver.visitor.get("/drive").text
            #expect(told.contains("You are unavailable"))
            #expect(try await driver.visitor.get("/drive/ride/give-back").status == 409)
            let accepted = try await other.visitor.press("/drive/offer/accept")
            #expect(accepted.status == 303, "\(accepted.text)")
            let ride = try await town.page(other)
            #expect(
                ride.contains("<h1 class=\"target\">You are there: Via Dante 7</h1>"),
                "\(ride)"
            )
        }
    }

    @Test("with passengers aboard it is refused, and not offered")
    func aboard() async throws {
        try await DriverTown.atWork { town, driver in
            try await town.call()
            _ = try await driver.visitor.press("/drive/offer/accept")
            _ = try await driver.visitor.press("/drive/ride/arrived")
            let before = try await driver.visitor.get("/drive/ride/give-back").text
            let code = try #require(try await town.taxi.ride(of: driver.number)?.code)
            _ = try await driver.visitor.press("/drive/ride/board", ["code": code, "aboard": "1"])
            #expect(try await !town.page(driver).contains("/drive/ride/give-back"))
            #expect(try await driver.visitor.get("/drive/ride/give-back").status == 409)
            // A page that was opened before.
            let late = try await driver.visitor.sendForm(
                "/drive/ride/give-back",
                of: before,
                ["reason": "other"]
            )
            #expect(late.status == 409 && late.text.contains("Your passengers are aboard"))
            #expect(try await town.status(driver) == .riding)
        }
    }
}
