import Dispatching
import Identity
import OpenData
import Taxi
import Testing
import WebTestSupport

@testable import WebApp

/// Modules that a city has left out, for programs (taxi.md R109).
@Suite("Optional modules for programs", .serialized)
struct OptionalModuleAPITests {
    @Test("R109: programs are refused likewise, and see which modules there are")
    func programs() async throws {
        try await RideTown.open(try Policy.viavai.with(.reserving, "false"), taxis: 1) { town in
            let clinic = try await Program.registered(at: town.site, [.reserve, .readCity])
            #expect(try await clinic.get("/api/city").json["modules"] == ["sharing"])
            let times = try await clinic.get("/api/reservation-times")
            #expect(times.status == 409, "\(times.text)")
            let made = try await clinic.post(
                "/api/reservations",
                [
                    "from": .text(RideTown.typed(500)), "to": .text(RideTown.typed(1_500)),
                    "contact": "+39 333 1234567", "date": "2027-01-16", "time": "12:00",
                ]
            )
            #expect([409, 422].contains(made.status), "\(made.text)")
            #expect(made.text.contains("cannot be reserved"), "\(made.text)")
            #expect(try await town.taxi.dispatch.read { $0.requests.isEmpty })
        }
    }
}
