import Dispatching
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 30 (2): what a page offers after a ride, or after none.
@Suite("Ordering again", .serialized)
struct OrderingAgainTests {
    @Test("where no taxi came, one press shows the same order for confirmation (R54)")
    func nobody() async throws {
        try await RideTown.open(.milanoA) { town in
            let visitor = try await town.passenger()
            let other = try await town.passenger("ugo")
            let path = try await town.call(visitor)
            try await town.refuse(town.taxis[0])
            let told = try await visitor.get(path).text
            #expect(told.contains("No driver could take it") && told.contains("Order again"))
            let number = try RideTown.number(path).rawValue
            let again = ["ride": "\(number)"]
            let sent = try await visitor.submit(again, on: path, to: "/taxi/again")
            #expect(sent.status == 303 && sent.header("location") == "/taxi/check")
            let check = try await visitor.get("/taxi/check").text
            #expect(check.contains("Corso Lungo 5") && check.contains("Corso Lungo 15"), "\(check)")
            // Nobody orders by somebody else's places (R130).
            let stolen = try await other.submit(again, on: "/reservations", to: "/taxi/again")
            #expect(stolen.status == 404)
            let none = try await visitor.submit(["ride": "999999"], on: path, to: "/taxi/again")
            #expect(none.status == 404)
        }
    }

    @Test("a card of the history orders its ride again, but not while the ride goes on (R101)")
    func history() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            let number = try RideTown.number(path).rawValue
            let button = "name=\"ride\" value=\"\(number)\""
            try await town.site.until("the history knows of it") {
                try await visitor.get("/account/rides").text.contains("Looking for a taxi")
            }
            #expect(try await !visitor.get("/account/rides").text.contains(button))
            let again = ["ride": "\(number)"]
            let early = try await visitor.submit(again, on: "/reservations", to: "/taxi/again")
            #expect(early.header("location") == path)
            _ = try await visitor.submit([:], on: path + "/cancel")
            try await town.site.until("the history knows of its end") {
                try await visitor.get("/account/rides").text.contains(button)
            }
            let sent = try await visitor.submit(again, on: "/account/rides", to: "/taxi/again")
            #expect(sent.header("location") == "/taxi/check")
            #expect(try await visitor.get("/taxi/check").text.contains("Corso Lungo 5"))
        }
    }

    @Test("the minutes to the destination go down on board, where the way is known")
    func aboard() async throws {
        try await RideTown.open(.milanoA) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await town.accept(town.taxis[0])
            try await town.reach(town.taxis[0])
            try await town.board(town.taxis[0])
            func seconds() async throws -> Int {
                let page = try await visitor.get(path).text
                #expect(page.contains("You are on board and arrive in about"), "\(page)")
                let left = try #require(page.firstMatch(of: /data-minutes="(\d+)"/))
                return try #require(Int(left.1))
            }
            let before = try await seconds()
            town.site.clock.advance(seconds: 60)
            try await town.report(town.taxis[0], at: 1_000)
            #expect(try await seconds() < before)
        }
    }
}
