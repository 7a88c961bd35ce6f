import Chronology
import CityData
import Dispatching
import Geo
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

extension PlacesTests {
    @Test("a suggestion has its icon, kind, street and distance from the pickup (issue 30)")
    func richSuggestion() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            func bars(_ headers: [String: String]) async throws -> String {
                let typed = ["x-place": "bar%20centrale"].merging(headers) { $1 }
                return try await visitor.get("/places/suggestions.json", headers: typed).text
                    .replacing("\\u003c", with: "<")
            }
            let alone = try await bars([:])
            #expect(alone.contains("role=\\\"option\\\"") && alone.contains("<b>Bar Centrale"))
            #expect(alone.contains("class=\\\"icon\\\"") && alone.contains("<small>Bar · "))
            let none = "<span class=\\\"number\\\"></span>"
            #expect(alone.contains(none), "without a position there is no distance: \(alone)")
            let here = try await bars(["x-position": "45.0,9.0"])
            #expect(!here.contains(none) && here.contains(" km</span>"), "\(here)")
            for bad in ["", "45", "north,east", "95,9"] {
                #expect(try await bars(["x-position": bad]).contains(none), "\(bad)")
            }
        }
    }

    @Test("of a kind of place the nearest comes first, and stays chosen (issue 31)")
    func nearestSuggestion() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let bars = try await visitor.get(
                "/places/suggestions.json",
                headers: ["x-place": "bar", "x-position": RideTown.place(1_590).text]
            ).text
            let names = bars.matches(of: /"name":"([^"]*)"/).map { String($0.1) }
            let ids = bars.matches(of: /"id":"([^"]*)"/).map { String($0.1) }
            #expect(names.first == "Bar Centrale, Corso Lungo", "\(bars)")
            let chosen = [
                "from": try #require(names.first), "from-id": try #require(ids.first),
                "from-typed": "bar", "seats": "1",
            ]
            let sent = try await visitor.submit(chosen, on: "/taxi")
            #expect(sent.header("location") == "/taxi/check", "\(sent.text)")
        }
    }

    @Test("a chosen suggestion carries its id and is never asked again (issue 30)")
    func chosenSuggestion() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let bars = try await visitor.get(
                "/places/suggestions.json",
                headers: ["x-place": "bar%20centrale"]
            ).text
            let ids = bars.matches(of: /"id":"([^"]*)"/).map { String($0.1) }
            try #require(ids.count == 2)
            var checks: Set<String> = []
            for id in ids {
                let sent = try await visitor.submit(
                    ["from": "Bar Centrale", "from-id": id, "seats": "1"],
                    on: "/taxi"
                )
                #expect(sent.header("location") == "/taxi/check", "\(id)")
                checks.insert(try await visitor.get("/taxi/check/map.svg").text)
            }
            #expect(checks.count == 2, "each leads to its own place")
            // The typed text finds it; its full name may be too long or too short for that.
            let typed = ["from": "Bar Centrale", "from-id": ids[0], "from-typed": "centrale bar"]
            let found = try await visitor.submit(typed, on: "/taxi")
            #expect(found.header("location") != "/taxi/places", "\(found.text)")
            let renamed = ["from": "Corso Lungo", "from-id": ids[0], "from-typed": "centrale bar"]
            _ = try await visitor.submit(renamed, on: "/taxi")
            let taken = try await visitor.get("/taxi").text
            #expect(!taken.contains("value=\"Bar Centrale\""), "the text is what counts")
            // An identifier that belongs to no match of the text is ignored.
            let other = try await town.passenger("ugo")
            let forged = try await other.submit(
                ["from": "Bar Centrale", "from-id": "1 2 3", "seats": "1"],
                on: "/taxi"
            )
            #expect(forged.header("location") == "/taxi/places")
        }
    }
}
