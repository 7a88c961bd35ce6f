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

    @Test("several questions are answered in their order, each with its plan or its problem")
    func many() async throws {
        try await RideTown.open(.viavai, hasLines: true) { town in
            let program = try await Program.registered(at: town.site, [.readCity])
            func question(_ from: Double, _ to: Double, _ means: String) -> JSONValue {
                [
                    "from": .text(RideTown.typed(from)), "to": .text(RideTown.typed(to)),
                    "date": "2027-01-16", "time": "10:00", "means": [.text(means)],
                ]
            }
            let asked = try await program.post(
                "/api/plan/many",
                [
                    "questions": [
                        question(100, 1_900, "walk"),
                        ["from": "stop:nowhere/S", "to": "stop:nowhere/T"],
                        ["from": .text(RideTown.typed(100)), "colour": "red"],
                        question(1_900, 100, "walk"),
                    ]
                ]
            )
            #expect(asked.status == 200, "\(asked.text)")
            let items = asked.json["items"]?.list ?? []
            #expect(items.count == 4)
            let one = try await program.get(Self.path("means=walk"))
            #expect(items.first?["plan"] == one.json, "as trips.plan answers: \(asked.text)")
            #expect(items.first?["problem"] == .null)
            #expect(items.last?["plan"]?["from"] == one.json["to"], "\(asked.text)")
            let problems = items.dropFirst().prefix(2).compactMap { $0["problem"] }
            #expect(problems.count == 2 && problems.allSatisfy { $0["status"] == 422 })
            #expect(problems.first?["errors"]?.list?.first?["problem"] == "unknown-place")
            let blamed = problems.last?["errors"]?.list?.compactMap { $0["field"]?.text } ?? []
            #expect(Set(blamed) == ["to", "colour"], "\(asked.text)")
            for wrong: JSONValue in [
                ["questions": "soon"], ["questions": [1]], ["questions": []],
                ["questions": .list(Array(repeating: question(1, 2, "walk"), count: 21))],
            ] {
                let refused = try await program.post("/api/plan/many", wrong)
                #expect(refused.status == 422, "\(refused.text)")
                #expect(refused.blamed == ["questions"], "\(refused.text)")
            }
        }
    }

    @Test("several questions count like as many calls")
    func cost() async throws {
        try await RideTown.open(.viavai) { town in
            let program = try await Program.registered(at: town.site, [.readCity], perMinute: 60)
            let place = JSONValue.text(RideTown.typed(100))
            func ask(_ count: Int) async throws -> Program.Reply {
                let question: JSONValue = ["from": place, "to": place, "means": ["walk"]]
                return try await program.post(
                    "/api/plan/many",
                    ["questions": .list(Array(repeating: question, count: count))]
                )
            }
            // Five requests each: eight of the twelve that a minute has.
            #expect(try await ask(8).status == 200)
            let more = try await ask(5)
            #expect(more.status == 429 && more.header("retry-after") != nil, "\(more.text)")
            #expect(try await ask(3).status == 200)
            #expect(try await ask(1).status == 429)
        }
    }
}
