import Dispatching
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 5: the duty switch, the queue, borders (R14 to R36, SA5 to SA7, UA5, UA6).
@Suite("A driver's switch and queue", .serialized)
struct DriverDutyTests {
    @Test("a driver of whom nobody knows the place is told to say it first (R15)")
    func unknownPlace() async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            #expect(try await town.page(driver).contains("Your position is unknown"))
            let refused = try await driver.visitor.press("/drive/duty", ["wish": "on"])
            #expect(refused.status == 409)
            #expect(refused.text.contains("We do not know where you are"))
            #expect(refused.text.contains("href=\"/drive/where\""))
            #expect(try await town.status(driver) == .unavailable)
        }
    }

    @Test("the switch is acknowledged each time, and a second press changes nothing (R14, R18)")
    func switching() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let (first, second) = (town.drivers[0], town.drivers[1])
            try await town.start(first)
            try await town.drive(second, to: DriverTown.centro)
            let old = try await town.page(second)
            let on = try await second.visitor.press("/drive/duty", ["wish": "on"])
            let shown = try await second.visitor.get(try #require(on.header("location")))
            #expect(shown.text.contains("You are now available."))
            #expect(shown.text.contains(">You are <b>2nd</b> of 2 in Centro</h1>"))
            #expect(shown.text.contains("aria-pressed=\"true\""))
            let again = try await second.visitor.sendForm("/drive/duty", of: old, ["wish": "on"])
            #expect(again.status == 303)
            let off = try await second.visitor.press("/drive/duty", ["wish": "off"])
            let told = try await second.visitor.get(try #require(off.header("location")))
            #expect(told.text.contains("You are unavailable and get no requests"))
            #expect(told.text.contains("<h1>You are unavailable</h1>"))
            let stale = try await second.visitor.sendForm("/drive/duty", of: old, ["wish": "on"])
            #expect(stale.status == 303)
            #expect(try await town.status(second) == .available)
            let bad = try await second.visitor.press("/drive/duty", ["wish": "perhaps"])
            #expect(bad.status == 400)
            second.visitor.language = "it"
            #expect(try await town.page(second).contains("Sei 2º di 2 in Centro"))
        }
    }

    @Test("R16: with a ride the switch is refused with the reason")
    func riding() async throws {
        try await DriverTown.atWork { town, driver in
            let old = try await town.page(driver)
            try await town.call()
            _ = try await driver.visitor.press("/drive/offer/accept")
            let refused = try await driver.visitor.sendForm(
                "/drive/duty",
                of: old,
                ["wish": "off"]
            )
            #expect(refused.status == 409 && refused.text.contains("You have a ride"))
        }
    }

    @Test(
        "the border (R15, R23, R25 to R29): out, in, marked there, and a policy without it",
        arguments: [Policy.milanoA, .milanoB]
    )
    func border(policy: Policy) async throws {
        try await DriverTown.open(policy) { town in
            let driver = town.drivers[0]
            try await town.drive(driver, to: DriverTown.suburb)
            let there = try await driver.visitor.press("/drive/duty", ["wish": "on"])
            if policy.name == "milano-a" {
                #expect(there.status == 409)
                #expect(there.text.contains("You cannot become available here"))
                try await town.start(driver)
            } else {
                // Document B has no border: the driver is on duty, and in no queue.
                #expect(there.status == 303)
                #expect(try await town.page(driver).contains("Available, not in a queue"))
                try await town.drive(driver, to: DriverTown.centro)
            }
            try await town.until(driver, sees: "You are 1st of 1 in Centro")
            try await town.drive(driver, to: DriverTown.brera)
            try await town.until(driver, sees: "You are 1st of 1 in Brera")
            try await town.until(driver, sees: "You are now in another zone")
            try await town.drive(driver, to: DriverTown.suburb)
            try await town.until(driver, sees: "You are outside the city")
            try await town.until(driver, sees: "You left the city")
            // UA6: a driver who re-enters without using the switch joins the end of that zone's
            // queue, and gets a notice.
            try await town.drive(driver, to: DriverTown.centro)
            try await town.until(driver, sees: "You are back in the city")
            #expect(try await town.page(driver).contains("You are 1st of 1 in Centro"))
            // R28: a driver marked unavailable while outside stays unavailable.
            try await town.drive(driver, to: DriverTown.suburb)
            _ = try await driver.visitor.press("/drive/duty", ["wish": "off"])
            try await town.drive(driver, to: DriverTown.centro)
            #expect(try await town.page(driver).contains("<h1>You are unavailable</h1>"))
        }
    }

    @Test("SA5: queued after a ride in a suburb, a driver goes unavailable and is told")
    func goneAfterRide() async throws {
        try await DriverTown.atWork { town, driver in
            try await town.call()
            _ = try await driver.visitor.press("/drive/offer/accept")
            try await town.drive(driver, to: DriverTown.brera)
            _ = try await town.taxi.dispatch.give(.closeRide(driver.number, reason: "there"))
            #expect(try await town.page(driver).contains("You are 1st of 1 in Brera"))
            let off = try await driver.visitor.press("/drive/duty", ["wish": "off"])
            let told = try await driver.visitor.get(try #require(off.header("location")))
            #expect(told.text.contains("You are unavailable and get no requests"))
        }
    }

    @Test("a driver out of contact is told so, with how long the place is kept (G1)")
    func silence() async throws {
        try await DriverTown.atWork { town, driver in
            town.clock.advance(seconds: 91)
            try await town.until(driver, sees: "We have lost contact with you")
            #expect(try await town.page(driver).contains("Your place is kept until"))
            town.clock.advance(seconds: 601)
            try await town.until(driver, sees: "We were out of contact with you for too long")
            let refused = try await driver.visitor.press("/drive/duty", ["wish": "on"])
            #expect(refused.status == 409 && refused.text.contains("Enter your position"))
        }
    }

    @Test("I6: a driver overtaken by a colleague whose turn was restored is told why")
    func overtaken() async throws {
        try await DriverTown.open(drivers: 2) { town in
            let (first, second) = (town.drivers[0], town.drivers[1])
            try await town.start(first)
            try await town.start(second)
            let words = "A driver ahead of you got their turn back"
            let before = try await town.page(first)
            #expect(before.contains("You are 1st of 2 in Centro") && !before.contains(words))
            _ = try await town.taxi.dispatch.give(.restoreTurn(second.number, reason: "test"))
            try await town.until(first, sees: words)
            #expect(try await town.page(first).contains("You are 2nd of 2 in Centro"))
            let restored = try await town.page(second)
            #expect(restored.contains("You are 1st of 2 in Centro") && !restored.contains(words))
            first.visitor.language = "it"
            #expect(try await town.page(first).contains("Un collega davanti a te ha riavuto"))
        }
    }

    @Test("a driver whose ride is cancelled outside the city is not shown as queued (R25)")
    func cancelledOutside() async throws {
        try await DriverTown.atWork { town, driver in
            let request = try await town.call(from: DriverTown.near)
            _ = try await driver.visitor.press("/drive/offer/accept")
            try await town.drive(driver, to: DriverTown.suburb)
            _ = try await town.taxi.dispatch.give(.cancel(request))
            try await town.until(driver, sees: "The passenger cancelled the ride.")
            let page = try await town.page(driver)
            #expect(page.contains("<h1>You are outside the city</h1>"))
            #expect(!page.contains("back in the queue"))
        }
    }

    @Test("a driver who falls silent during an offer is promised no false place (G1, R53)")
    func silentWhileAsked() async throws {
        try await DriverTown.atWork(.milanoA) { town, driver in
            try await town.call(to: DriverTown.brera)
            _ = try await town.page(driver)
            town.clock.advance(seconds: 91)
            try await town.until(driver, sees: "We have lost contact with you")
            #expect(!(try await town.page(driver).contains("Your place is kept")))
        }
    }

    @Test("the page comes again by itself without scripts, and says how old it is")
    func refreshing() async throws {
        try await DriverTown.atWork { town, driver in
            let page = try await town.page(driver)
            #expect(
                page.contains("<noscript><meta http-equiv=\"refresh\" content=\"20\"></noscript>")
            )
            town.clock.advance(seconds: 60)
            let later = try await town.page(driver)
            #expect(later.contains("68 s ago, ±5 m"))
            #expect(!later.contains("You are now available"))
        }
    }
}
