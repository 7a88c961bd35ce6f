import Dispatching
import Foundation
import Identity
import OpenData
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

/// Scenarios of taxis and travellers, carried out with `viavai api` alone; issue 34, part one, 4.
@Suite("Scenarios on the command line", .serialized)
struct APIScenarioTests {
    private static let from = "45.4630, 9.1480"
    private static let to = "45.4570, 9.1560"

    /// Calls operations of a town with a key or token.
    private struct Terminal {
        let town: LivingTown
        let key: String
        let folder: String

        /// The answer of an operation, which must succeed.
        func call(_ operation: String, _ fields: [String: String] = [:]) async throws -> JSONValue {
            let ran = try await ServedProgram.run(
                ["api", operation, "--server", town.site.base, "--key", key]
                    + fields.map { "\($0.key)=\($0.value)" }.sorted(),
                in: folder
            )
            #expect(ran.code == 0, "\(operation): \(ran.text)")
            return try JSONValue(parsing: Array(ran.text.utf8))
        }

        /// Follows a ride to its end; the states that it had on the way.
        func follow(_ request: String) async throws -> (states: [String], last: JSONValue) {
            var states: [String] = []
            for _ in 0..<120 {
                let ride = try await call("rides.read", ["request": request])
                let state = ride["state"]?.text ?? ""
                if states.last != state { states.append(state) }
                if state == "ended" { return (states, ride) }
                try await town.live(seconds: 15)
            }
            return (states, .null)
        }
    }

    @Test("a hotel calls a taxi for a guest, follows it, and reads the receipt (R107)")
    func hotel() async throws {
        try await LivingTown.open(taxis: 6) { town in
            try await town.live(seconds: 40)
            let app = try await ForeignClient.registered(at: town.site)
            try await withTemporaryFolder { folder in
                let desk = Terminal(town: town, key: app.key, folder: folder)
                let estimate = try await desk.call(
                    "rides.estimate",
                    ["from": Self.from, "to": Self.to]
                )
                #expect(estimate["fare"]?["minor_units"] != nil, "\(estimate.json)")
                let called = try await desk.call(
                    "rides.call",
                    ["from": Self.from, "to": Self.to, "contact": "+39 333 1234567"]
                )
                let request = try #require(called["request"]).json
                let (states, last) = try await desk.follow(request)
                // A taxi that waits near by may have come between two looks.
                #expect(states.contains("coming") || states.contains("here"), "\(states)")
                #expect(states.contains("aboard"), "\(states)")
                #expect(last["outcome"] == "completed", "\(last.json)")
                let receipt = try await desk.call("rides.receipt", ["request": request])
                #expect(receipt["text"]?.text?.isEmpty == false)
                let rides = try await desk.call("rides.list")
                #expect(rides["items"]?.list?.count == 1)
            }
        }
    }

    @Test("a traveller plans a trip, takes a taxi, and keeps an appointment (V88, R107)")
    func traveller() async throws {
        try await LivingTown.open(taxis: 6) { town in
            try await town.live(seconds: 40)
            let ana = try await town.site.person("ana")
            let app = try await ForeignClient.registered(at: town.site)
            try await withTemporaryFolder { folder in
                func terminal() async throws -> Terminal {
                    // A token lasts ten minutes.
                    let token = try await app.tokens(of: ana, Scope.personal).access
                    return Terminal(town: town, key: token, folder: folder)
                }
                var program = try await terminal()
                let plan = try await program.call("trips.plan", ["from": Self.from, "to": Self.to])
                #expect(plan["itineraries"]?.list?.isEmpty == false, "\(plan.json)")
                let event = try await program.call(
                    "calendar.add",
                    [
                        "title": "Visit", "date": "2027-01-16", "time": "10:00", "minutes": "45",
                        "latitude": "45.457", "longitude": "9.156",
                    ]
                )
                let called = try await program.call(
                    "rides.call",
                    ["from": Self.from, "to": Self.to]
                )
                let request = try #require(called["request"]).json
                try await town.live(atMost: 40, until: "the ride ends") {
                    try await town.taxi.dispatch.read { state in
                        !state.requests.contains { "\($0.number.rawValue)" == request }
                    }
                }
                await town.taxi.settled()
                program = try await terminal()
                #expect(try await program.follow(request).last["outcome"] == "completed")
                let days = ["first": "2027-01-16", "last": "2027-01-16"]
                let listed = try await program.call("calendar.list", days)
                #expect(listed["items"]?.list?.first?["title"] == "Visit", "\(listed.json)")
                let number = try #require(event["event"]).json
                _ = try await program.call("calendar.remove", ["event": number])
                #expect(try await program.call("calendar.list", days)["items"] == [])
            }
        }
    }
}
