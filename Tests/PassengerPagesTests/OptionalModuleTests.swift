import Chronology
import Dispatching
import Identity
import Storage
import StorageTestSupport
import Taxi
import Testing
import WebCore
import WebTestSupport

@testable import WebApp

/// Reservations and sharing are modules that a city may leave out (taxi.md R108, R109).
@Suite("Optional modules", .serialized)
struct OptionalModuleTests {
    @Test("R109: without reservations no page offers them, and who asks is told why")
    func pages() async throws {
        try await RideTown.open(try Policy.viavai.with(.reserving, "false"), taxis: 1) { town in
            let visitor = try await town.passenger()
            for page in ["/", "/taxi"] {
                let text = try await visitor.get(page).text
                #expect(text.contains("name=\"to\""), "\(page)")
                #expect(!text.contains("name=\"when\"") && !text.contains("when=later"), "\(page)")
            }
            let words = "Taxis cannot be reserved in this city."
            #expect(try await visitor.get("/reservations").text.contains(words))
            let sent = try await town.fill(visitor, RideTown.later())
            #expect(sent.status == 422 && sent.text.contains(words), "\(sent.text)")
            #expect(try await town.taxi.dispatch.read { $0.requests.isEmpty })
            let console = try await CityStaff.administrator(town.site).get("/console/policy").text
            #expect(console.contains(words) && console.contains("Changes cancellations"))
        }
    }

    @Test("R109: a reservation that was accepted stays when the city gives up reservations")
    func kept() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let visitor = try await town.passenger()
            _ = try await town.fill(visitor, RideTown.later())
            let path = try await town.reserve(visitor)
            let changed = try Policy.viavai.with(.reserving, "false")
            _ = try await town.taxi.dispatch.give(.city(.adopt(changed)))
            let list = try await visitor.get("/reservations").text
            #expect(list.contains("You have 1 reservation"))
            #expect(!list.contains("when=later"))
            let cancelled = try await visitor.submit([:], on: "\(path)/cancel")
            #expect(cancelled.status == 303, "\(cancelled.text)")
            #expect(try await town.taxi.dispatch.read { $0.requests.isEmpty })
        }
    }

    @Test("R108: the dispatcher refuses a module what it does not declare")
    func exceeded() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let dispatch = town.taxi.dispatch
            let taxi = town.taxis[0]
            for module in ModuleDeclaration.optional {
                await #expect(throws: ModuleAccess.Exceeded.self, "\(module.name)") {
                    try await ModuleAccess.within(module) {
                        _ = try await dispatch.give(.driver(.goOffDuty(taxi)))
                    }
                }
                await #expect(throws: ModuleAccess.Exceeded.self, "\(module.name)") {
                    try await ModuleAccess.within(module) {
                        try await town.site.installation.database.write { transaction in
                            try transaction.execute("DELETE FROM person")
                        }
                    }
                }
            }
            let reservations = ModuleDeclaration.reservations
            await #expect(throws: ModuleAccess.Exceeded.self) {
                try await ModuleAccess.within(reservations) {
                    _ = try await town.taxi.store.history(of: PassengerNumber(rawValue: 1))
                }
            }
            let isThere = try await dispatch.read { $0.taxi(taxi) != nil }
            #expect(isThere)
        }
    }

    @Test("R108: every route of a module is declared as its own, pages and programs alike")
    func routes() async throws {
        try await RideTown.open(.viavai, taxis: 1) { town in
            let routes = Site(town.site.installation).routes
            for route in routes where route.path.contains("reservation") {
                #expect(route.module == .reservations, "\(route.name)")
            }
            for route in routes where route.path.hasPrefix("/taxi/shared") {
                #expect(route.module == .sharing, "\(route.name)")
            }
            #expect(routes.contains { $0.name == "taxi.join" && $0.module == .sharing })
        }
    }
}
