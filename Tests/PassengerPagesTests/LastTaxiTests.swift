import Dispatching
import Drivers
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// R114: the latest taxi in the top bar.
@Suite("The latest taxi", .serialized)
struct LastTaxiTests {
    @Test("it stays in the top bar after the ride, on the pages of who rode, and leads to all")
    func bar() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let other = try await town.passenger("ugo")
            let code = try await town.signs(town.taxis[0]).code
            let rides = "<a href=\"/account/rides\">"
            let bare = try await visitor.get("/privacy").text
            #expect(bare.contains("href=\"/plan\"") && !bare.contains("Last taxi"))
            let path = try await town.call(visitor)
            try await town.accept(town.taxis[0])
            // A live ride has its banner, which is its only link on other pages.
            let during = try await visitor.get("/privacy").text
            #expect(during.contains("class=\"banner\"") && !during.contains("ride-item"))
            #expect(during.ranges(of: "href=\"\(path)\"").count == 1)
            try await town.reach(town.taxis[0])
            try await town.board(town.taxis[0])
            try await town.end(town.taxis[0])
            // This page waits until the end is stored in the tables.
            #expect(try await visitor.get(path).text.contains("You have arrived"))
            let after = try await visitor.get("/privacy").text
            #expect(after.contains("Last taxi \(code)</span>") && after.contains(rides))
            visitor.language = "it"
            #expect(try await visitor.get("/privacy").text.contains("Ultimo taxi \(code)"))
            #expect(!(try await other.get("/privacy").text.contains(code)))
            #expect(!(try await town.site.visitor().get("/privacy").text.contains(code)))
        }
    }

    @Test("a taxi that never came is none that was ridden with")
    func cancelled() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await town.accept(town.taxis[0])
            _ = try await visitor.submit([:], on: path + "/cancel")
            #expect(try await visitor.get(path).text.contains("You have cancelled it"))
            #expect(!(try await visitor.get("/privacy").text.contains("Last taxi")))
        }
    }
}
