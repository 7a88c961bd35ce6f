import Dispatching
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// Issue 30, 2: the order form carries wait and fare, and orders what it shows (R42 to R46).
@Suite("Orders from the form", .serialized)
struct DirectOrderTests {
    /// Both ends, 1 km apart.
    private static let ends = ["from": RideTown.typed(500), "to": "Corso Lungo 15", "seats": "1"]

    /// The order that the primary button of a page sends; nil if it does not order.
    private static func order(on page: String) -> String? {
        let button =
            /name="order" value="([^"]+)" formaction="\/taxi\/request"[^>]*>(?:[^<]|<[^\/])*Order/
        return page.firstMatch(of: button).map { String($0.1) }
    }

    private static func requests(_ town: RideTown) async throws -> Int {
        try await town.taxi.dispatch.read { $0.requests.count }
    }

    @Test(
        "a saved place takes two presses from the first page to the search",
        arguments: ["/", "/taxi"]
    )
    func twoPresses(page: String) async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            for (name, metres) in [("Home", 500.0), ("Work", 1_500)] {
                _ = try await visitor.press(
                    "/account/places",
                    on: "/account/places",
                    ["name": name, "place": RideTown.typed(metres)]
                )
            }
            let first = try await visitor.get(page).text
            #expect(first.contains("Where are you going?"))
            #expect(Self.order(on: first) == nil, "nobody has said where to")
            let chip = try await visitor.sendForm(
                "/taxi",
                of: first,
                ["from": "Corso Lungo 5", "seats": "1", "when": "now", "known": "to Work"]
            )
            #expect(chip.header("location") == "/taxi")
            #expect(try await Self.requests(town) == 0, "R46: nothing is sent before it is shown")
            let shown = try await visitor.get("/taxi").text
            for words in [
                "A taxi in about", "value=\"Corso Lungo 5\"", "value=\"Corso Lungo 15\"", "€",
                "about €", "src=\"/taxi/check/map.svg\"",
            ] {
                #expect(shown.contains(words), "\(words): \(shown)")
            }
            var fields = ["from": "Corso Lungo 5", "to": "Corso Lungo 15", "seats": "1"]
            let order: String = try #require(Self.order(on: shown), "\(shown)")
            fields["order"] = order
            let sent = try await visitor.submit(fields, on: "/taxi", to: "/taxi/request")
            let ride = try #require(sent.header("location"), "\(sent.text)")
            #expect(try await visitor.get(ride).text.contains("Asking the first taxi in line"))
            // The first page now shows the ride.
            let home = try await visitor.get("/").text
            #expect(home.contains("href=\"\(ride)\"") && !home.contains("name=\"from\""))
            #expect(!home.contains("class=\"banner\""), "the page itself shows it")
        }
    }

    @Test(
        "what was changed in the form is shown before it is ordered (R46)",
        arguments: [
            ("to", "Corso Lungo 9"), ("from", "Corso Lungo 12"), ("seats", "3"),
            ("needs", "wheelchair"),
        ]
    )
    func changed(field: String, value: String) async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let known = try await visitor.submit(Self.ends, on: "/taxi")
            #expect(known.header("location") == "/taxi")
            let order: String = try #require(Self.order(on: try await visitor.get("/taxi").text))
            var fields = Self.ends
            fields["order"] = order
            fields[field] = value
            let sent = try await visitor.submit(fields, on: "/taxi", to: "/taxi/request")
            #expect(sent.header("location") == "/taxi", "\(sent.text)")
            #expect(try await Self.requests(town) == 0)
            let shown = try await visitor.get("/taxi").text
            #expect(shown.contains("value=\"\(value)\""))
            let newest: String = try #require(Self.order(on: shown))
            fields["order"] = newest
            let again = try await visitor.submit(fields, on: "/taxi", to: "/taxi/request")
            #expect(again.header("location")?.hasPrefix("/ride/") == true, "\(again.text)")
        }
    }

    @Test("a wrong field, a later time or a wish to share is not ordered at once")
    func notYet() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(Self.ends, on: "/taxi")
            var fields = Self.ends
            let order: String = try #require(Self.order(on: try await visitor.get("/taxi").text))
            fields["order"] = order
            let wrong = fields.merging(["to": "Zzyzx 1"]) { $1 }
            let told = try await visitor.submit(wrong, on: "/taxi", to: "/taxi/request")
            #expect(told.status == 422 && told.text.contains("We cannot find this place"))
            let later = fields.merging(RideTown.later()) { $1 }
            let reserved = try await visitor.submit(later, on: "/taxi", to: "/taxi/request")
            #expect(reserved.header("location") == "/taxi/check")
            let shared = fields.merging(["share": "share"]) { $1 }
            let asked = try await visitor.submit(shared, on: "/taxi", to: "/taxi/request")
            #expect(asked.header("location") == "/taxi/check")
            #expect(try await Self.requests(town) == 0)
        }
    }

    @Test("text browsers, which know no other address for a button, confirm on the next page")
    func text() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(Self.ends, on: "/taxi")
            var fields = Self.ends
            let order: String = try #require(Self.order(on: try await visitor.get("/taxi").text))
            fields["order"] = order
            let sent = try await visitor.submit(fields, on: "/taxi")
            #expect(sent.header("location") == "/taxi/check")
            #expect(try await Self.requests(town) == 0)
            #expect(try await town.confirm(visitor).header("location")?.hasPrefix("/ride/") == true)
        }
    }

    @Test("guests, and passengers without a destination, confirm on a page of its own")
    func others() async throws {
        try await RideTown.open(.viavai) { town in
            let guest = town.site.visitor()
            let sent = try await guest.submit(Self.ends, on: "/taxi")
            #expect(sent.header("location") == "/taxi/check")
            #expect(Self.order(on: try await guest.get("/taxi").text) == nil)
            let visitor = try await town.passenger()
            let open = try await visitor.submit(["from": RideTown.typed(500)], on: "/taxi")
            #expect(open.header("location") == "/taxi/check")
            let outside = Self.ends.merging(["from": RideTown.typed(9_000)]) { $1 }
            let far = try await visitor.submit(outside, on: "/taxi")
            #expect(far.header("location") == "/taxi/check")
            #expect(try await visitor.get("/taxi/check").text.contains("is outside the city"))
        }
    }

    @Test("the pickup begins where the last ride has just ended, and later at home")
    func pickup() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            _ = try await visitor.press(
                "/account/places",
                on: "/account/places",
                ["name": "Casa", "place": RideTown.typed(500)]
            )
            _ = try await town.call(visitor, from: 500, to: 1_500)
            try await town.accept(town.taxis[0])
            try await town.reach(town.taxis[0])
            try await town.board(town.taxis[0])
            try await town.end(town.taxis[0])
            await town.taxi.settled()
            let from = /id="field-from"[^>]* value="([^"]*)"/
            let now = try await visitor.get("/").text
            #expect(now.firstMatch(of: from)?.1 == "Corso Lungo 15", "\(now)")
            town.site.clock.advance(seconds: 6 * 3_600)
            #expect(try await visitor.get("/").text.firstMatch(of: from)?.1 == "Corso Lungo 5")
        }
    }

    @Test("a place that was the pickup leaves it when it becomes the destination")
    func sameEnds() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            _ = try await visitor.press(
                "/account/places",
                on: "/account/places",
                ["name": "Home", "place": RideTown.typed(500)]
            )
            let home = try await visitor.submit(
                ["from": "Corso Lungo 5", "to": "", "seats": "1", "known": "to Home"],
                on: "/taxi"
            )
            #expect(home.header("location") == "/taxi")
            let form = try await visitor.get("/taxi").text
            let ends = form.matches(of: /id="field-(?:from|to)"[^>]* value="([^"]*)"/).map(\.1)
            #expect(ends == ["", "Corso Lungo 5"])
        }
    }
}
