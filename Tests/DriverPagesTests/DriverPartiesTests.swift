import Chronology
import Dispatching
import Identity
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// taxi.md 1.12, R87, F26: the passengers whom a driver picks up, and those left behind.
@Suite("Who rides", .serialized)
struct DriverPartiesTests {
    /// A passenger with an account.
    private static func passenger(_ name: String, _ town: DriverTown) async throws -> UInt64 {
        let accounts = town.site.accounts
        let before = Set(try await accounts.people(with: .traveller))
        _ = try await town.site.person(name)
        let all = try await accounts.people(with: .traveller)
        return try #require(all.first { !before.contains($0) }).passenger.rawValue
    }

    @Test("1.12: a first name is shown from accepting on, not with the offer, and no surname")
    func names() async throws {
        try await DriverTown.atWork { town, driver in
            let pia = try await Self.passenger("pia", town)
            try await town.call(pia, from: DriverTown.near, needs: Capacity(seats: 2))
            let offer = try await town.page(driver)
            #expect(offer.contains("/drive/offer/accept") && !offer.contains("Pia"), "\(offer)")
            _ = try await driver.visitor.press("/drive/offer/accept")
            let way = try await town.page(driver)
            #expect(way.contains("Pia · 2 people") && !way.contains("Verdi"), "\(way)")
            driver.visitor.language = "it"
            #expect(try await town.page(driver).contains("Pia · 2 persone"))
        }
    }

    @Test("R87, F26: the driver leaves behind one of several, after a question; the others ride")
    func absent() async throws {
        try await DriverTown.atWork { town, driver in
            let pia = try await Self.passenger("pia", town)
            let owner = try await town.call(
                pia,
                from: DriverTown.near,
                to: DriverTown.brera,
                isShared: true
            )
            _ = try await driver.visitor.press("/drive/offer/accept")
            let lea = try await Self.passenger("lea", town)
            let joiner = try await town.join(lea, owner, needs: Capacity(seats: 2))
            let way = try await town.page(driver)
            #expect(
                way.contains("<li>Pia · 1 person</li>") && way.contains("<li>Pia · 2 people</li>")
            )
            let path = "/drive/ride/absent"
            let question = "\(path)?party=\(joiner.rawValue)"
            let early = try await driver.visitor.get(question)
            #expect(early.status == 409 && early.text.contains("not reached the meeting point"))

            try await town.drive(driver, to: DriverTown.near)
            try await town.until(driver, sees: "You are there")
            #expect(try await town.page(driver).contains("href=\"\(question)\""))
            let ofOwner = try await driver.visitor.get("\(path)?party=\(owner.rawValue)")
            #expect(ofOwner.status == 409 && ofOwner.text.contains("You can report from"))
            #expect(try await driver.visitor.get("\(path)?party=999").status == 409)
            let asked = try await driver.visitor.get(question).text
            #expect(asked.contains("<h1>Leave without Pia · 2 people?</h1>"), "\(asked)")
            #expect(try await driver.visitor.press(path, on: question).status == 303)
            #expect(try await town.taxi.dispatch.read { $0.request(joiner) } == nil)
            let after = try await town.page(driver)
            #expect(after.contains("Pia · 1 person") && !after.contains("party="), "\(after)")
            #expect(after.contains("name=\"aboard\"") && after.contains("value=\"1\""))
            #expect(try await driver.visitor.get("\(path)?party=\(owner.rawValue)").status == 409)
        }
    }
}
