import Dispatching
import Drivers
import Identity
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// taxi.md R69, R71: what a passenger can neither choose nor learn about a taxi.
@Suite("The taxi that comes", .serialized)
struct ChosenTaxiTests {
    @Test("R71: who calls neither chooses nor confirms the taxi, whatever a form says")
    func chosen() async throws {
        try await RideTown.open(.viavai, taxis: 2) { town in
            let (first, second) = (town.taxis[0], town.taxis[1])
            let visitor = try await town.passenger()
            let check = try await town.fill(visitor, ["from": RideTown.typed(500), "seats": "1"])
            let wish = try await town.signs(second)
            #expect(!check.text.contains(wish.code) && !check.text.contains(wish.plate))
            let sent = try await visitor.submit(
                ["taxi": wish.code, "driver": "\(second.rawValue)"],
                on: "/taxi/check",
                to: "/taxi/request"
            )
            let path = try #require(sent.header("location"), "\(sent.text)")
            let isSecondAsked = try await town.taxi.offer(to: second) != nil
            #expect(!isSecondAsked)
            try await town.accept(first)
            // It comes without any further action of the passenger.
            let page = try await visitor.get(path).text
            let signs = try await town.signs(first)
            #expect(page.contains("Your taxi arrives in about"), "\(page)")
            #expect(page.contains(">\(signs.code)<"))
        }
    }

    @Test("R69: how to reach a driver is told to no passenger, during the ride or after it")
    func contact() async throws {
        try await RideTown.open(.viavai) { town in
            let taxi = town.taxis[0]
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await town.accept(taxi)
            let coming = try await visitor.get(path).text
            #expect(coming.contains("Dario"), "\(coming)")
            try await town.reach(taxi)
            var pages = [coming, try await visitor.get(path).text]
            try await town.board(taxi)
            try await town.end(taxi)
            let receipt = path.replacing("/ride/", with: "/receipt/")
            for page in [path, receipt, "/account/rides", "/account/export"] {
                let shown = try await visitor.get(page)
                #expect(shown.status == 200, "\(page)")
                pages.append(shown.text)
            }
            for secret in ["driver0@example.org", "3331000000", "333 1000000", "Guida"] {
                for page in pages { #expect(!page.contains(secret), "\(secret)") }
            }
        }
    }
}
