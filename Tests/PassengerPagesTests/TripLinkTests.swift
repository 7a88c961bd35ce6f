import Dispatching
import Drivers
import Identity
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 5: a secret link lets others follow a ride, and shows no more than needed (I27, R130).
@Suite("Links to rides", .serialized)
struct TripLinkTests {
    /// The path of the link that a page shows.
    private static func link(_ text: String) throws -> String {
        String(try #require(text.firstMatch(of: /href="(\/trip\/[0-9a-f]{40})"/)).1)
    }

    @Test("state, taxi and arrival until the end; no name, no place, no code; it can be ended")
    func link() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let stranger = town.site.visitor()
            let path = try await town.call(visitor)
            #expect(try await visitor.get(path).text.contains("href=\"\(path)/link\""))
            let made = try await visitor.press(path + "/link", on: path + "/link")
            #expect(made.status == 303, "\(made.text)")
            let shown = try await visitor.get(path + "/link").text
            let link = try Self.link(shown)
            #expect(shown.contains(town.site.base + link))
            // It is shown again unchanged, and pressing twice makes no second one.
            _ = try await visitor.press(path + "/link/end", on: path + "/link")
            #expect(try await stranger.get(link).status == 404)
            _ = try await visitor.press(path + "/link", on: path + "/link")
            let again = try Self.link(try await visitor.get(path + "/link").text)
            #expect(again != link)

            let seeking = try await stranger.get(again)
            #expect(seeking.text.contains("Looking for a taxi"))
            #expect(seeking.header("referrer-policy") == "no-referrer")
            #expect(seeking.header("x-robots-tag")?.contains("noindex") == true)
            try await town.accept(town.taxis[0])
            let coming = try await stranger.get(again).text
            let signs = try await town.signs(town.taxis[0])
            #expect(coming.contains("The taxi comes in about"), "\(coming)")
            #expect(coming.contains(">\(signs.code)<") && coming.contains(">\(signs.plate)<"))
            let code = try #require(try await town.taxi.ride(of: town.taxis[0])?.code)
            #expect(!coming.contains(RideScenarioTests.boxes(code)))
            for secret in ["Dario", "Pia", "Verdi", "Corso Lungo", "map.svg", "data-at"] {
                #expect(!coming.contains(secret), "\(secret)")
            }
            try await town.reach(town.taxis[0])
            #expect(
                try await stranger.get(again).text.contains("The taxi is waiting for its passenger")
            )
            try await town.board(town.taxis[0])
            let aboard = try await stranger.get(again).text
            #expect(aboard.contains("On board; arrives in about"), "\(aboard)")
            #expect(aboard.contains("data-minutes") && !aboard.contains("Corso Lungo"))
            try await town.end(town.taxis[0])
            let over = try await stranger.get(again).text
            #expect(over.contains("The ride has ended") && !over.contains(signs.plate))
        }
    }

    @Test(
        "issue 29, fault 12: a stranger's ride answers as none does, whatever is asked of it",
        arguments: [false, true]
    )
    func alike(hasEnded: Bool) async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let other = try await town.passenger("ugo")
            let path = try await town.call(visitor)
            if hasEnded {
                _ = try await visitor.submit([:], on: path + "/cancel")
                try await town.site.until("the history knows") {
                    try await town.taxi.store.record(of: try RideTown.number(path))?.ended != nil
                }
            }
            for what in ["", "/link", "/cancel", "/map.svg", "/feedback"] {
                let foreign = try await other.get(path + what)
                let none = try await other.get("/ride/999999" + what)
                #expect(foreign.status == 404 && none.status == 404, "\(what)")
            }
            for what in ["/link", "/link/end", "/cancel", "/feedback", "/change"] {
                let foreign = try await other.submit([:], on: "/reservations", to: path + what)
                let none = try await other.submit(
                    [:],
                    on: "/reservations",
                    to: "/ride/999999" + what
                )
                #expect(foreign.status == none.status, "\(what)")
                let places = [foreign, none].map { $0.header("location") ?? "" }
                let number = try RideTown.number(path).rawValue
                #expect(places[0] == places[1].replacing("999999", with: "\(number)"), "\(what)")
                #expect(foreign.status == (what == "/link/end" ? 303 : 404), "\(what)")
            }
            #expect(try await visitor.get(path).status == 200)
        }
    }

    @Test("nobody makes, sees or ends a link to somebody else's ride; guessed links lead nowhere")
    func foreign() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let other = try await town.passenger("ugo")
            let path = try await town.call(visitor)
            _ = try await visitor.press(path + "/link", on: path + "/link")
            #expect(try await other.get(path + "/link").status == 404)
            let made = try await other.submit([:], on: "/reservations", to: path + "/link")
            #expect(made.status == 404)
            _ = try await other.submit([:], on: "/reservations", to: path + "/link/end")
            let link = try Self.link(try await visitor.get(path + "/link").text)
            #expect(try await other.get(link).status == 200)
            for guess in ["0", String(repeating: "0", count: 40), link.dropFirst(6) + "0"] {
                #expect(try await other.get("/trip/\(guess)").status == 404)
            }
        }
    }
}
