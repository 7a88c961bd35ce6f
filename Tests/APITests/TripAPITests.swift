import Dispatching
import Identity
import OpenData
import TaxiPages
import Testing
import WebTestSupport

@testable import WebApp

/// What a program asks of a trip beside its places (travlendar.md V52, V72, V74, V80).
@Suite("Limits of trips for programs", .serialized)
struct TripAPITests {
    private static func path(_ more: String) -> String {
        let from = RideTown.typed(100).replacing(" ", with: "%20").replacing(",", with: "%2C")
        let to = RideTown.typed(1_900).replacing(" ", with: "%20").replacing(",", with: "%2C")
        return "/api/plan?from=\(from)&to=\(to)&date=2027-01-16&time=10:00&\(more)"
    }

    @Test("V52, V74: a limit on money excludes, and what may be given up is given up and said")
    func money() async throws {
        try await RideTown.open(.viavai, hasLines: true, hasFares: true) { town in
            let program = try await Program.registered(at: town.site, [.readCity])
            let plain = try await program.get(Self.path("means=transit"))
            #expect(plain.status == 200, "\(plain.text)")
            #expect(plain.text.contains("\"minor\":220") && !plain.text.contains("given_up"))
            let none = try await program.get(Self.path("means=transit&max_price_minor=100"))
            #expect(none.status >= 400 && none.status < 500, "\(none.text)")
            let relaxed = try await program.get(
                Self.path("means=transit&max_price_minor=100&relax=walk&relax=money")
            )
            #expect(relaxed.status == 200, "\(relaxed.text)")
            #expect(relaxed.json["given_up"] == ["money"])
            #expect(relaxed.text.contains("costs more than"))
            let owned = try await program.get(
                Self.path("means=transit&max_price_minor=100&passes=metro-single&passes=Bus-Month")
            )
            #expect(owned.status == 200 && owned.text.contains("\"minor\":0"), "\(owned.text)")
        }
    }

    @Test("V72, V80: hours are kept; what is malformed or not sold is named with its field")
    func fields() async throws {
        try await RideTown.open(.viavai, hasLines: true, hasFares: true) { town in
            let program = try await Program.registered(at: town.site, [.readCity])
            let hours = try await program.get(
                Self.path("means=walk&means=transit&avoid=metro@00:00-24:00&avoid=bus")
            )
            #expect(hours.status == 200 && !hours.text.contains("\"M1\""), "\(hours.text)")
            #expect(hours.text.contains("not to be used"))
            for (field, value) in [
                ("avoid", "metro@soon"), ("passes", "gold"), ("relax", "wheelchair"),
                ("prefer", "luxury"), ("party", "0"), ("max_co2_g", "-1"),
            ] {
                let refused = try await program.get(Self.path("means=transit&\(field)=\(value)"))
                #expect([400, 422].contains(refused.status), "\(field): \(refused.text)")
                #expect(refused.text.contains("\"\(field)\""), "\(field): \(refused.text)")
            }
        }
    }
}
