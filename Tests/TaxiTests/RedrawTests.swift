import Chronology
import Dispatching
import Geo
import StorageTestSupport
import Testing
import Zones

@testable import Taxi

@Suite("Drawing zones anew")
struct RedrawTests {
    @Test(
        "a dry run tells what would move, nothing moves, and then exactly that moves (R7, G5, I24)",
        arguments: TestEngine.allCases
    )
    func dryRun(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = TestClock()
            try await TaxiTown.open(in: database, clock, taxis: 2) { town in
                let service = town.service
                let taxi = TaxiNumber(rawValue: 1)
                try await town.drive(taxi, from: 100, to: 4_600)
                let order = TaxiTown.order(7, from: 4_500, to: 100)
                let due = clock.now.adding(seconds: 4 * 3_600)
                let request = try await service.reserve(order, due: due).request
                try await town.until("the other one has fallen silent") {
                    try await service.dispatch.read { !$0.taxis[0].isReachable }
                }
                let before = try await service.dispatch.read { $0.snapshot }
                let plan = try await service.plan(try TaxiTown.zones(cutAt: 4_000))
                #expect(plan.taxis == [.init(subject: taxi, from: "west", to: "east")])
                #expect(plan.requests == [.init(subject: request, from: "west", to: "east")])
                #expect(plan.unheard == 0)
                let after = try await service.dispatch.read { $0.snapshot }
                #expect(after == before)
                _ = try await service.draw(plan)
                let state = try await service.dispatch.read { $0 }
                #expect(state.taxi(taxi)?.zone == TaxiTown.east)
                #expect(state.taxisAhead(of: taxi) == 0)
                #expect(state.request(request)?.zone == TaxiTown.east)
                #expect(state.taxi(TaxiNumber(rawValue: 0))?.zone == TaxiTown.west)
                let again = try await service.plan(plan.zones)
                #expect(again.taxis.isEmpty && again.requests.isEmpty)
                // Reports are interpreted in the new zones.
                try await town.drive(taxi, from: 4_600, to: 3_500)
                try await town.until("it is in the west") {
                    try await service.dispatch.read { $0.taxi(taxi)?.zone == TaxiTown.west }
                }
            }
            try await TaxiTown.run(in: database, clock) { town in
                #expect(town.service.zone(at: TaxiTown.place(4_500)) == TaxiTown.east)
            }
        }
    }

    @Test("a plan made before somebody else's redraw is refused (F20)")
    func outdated() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, TestClock(), taxis: 1) { town in
                let mine = try await town.service.plan(try TaxiTown.zones(cutAt: 4_000))
                let other = try await town.service.plan(try TaxiTown.zones(cutAt: 6_000))
                _ = try await town.service.draw(other)
                await #expect(throws: TaxiService.Failure.planOutdated) {
                    _ = try await town.service.draw(mine)
                }
                #expect(town.service.zone(at: TaxiTown.place(4_500)) == TaxiTown.west)
            }
        }
    }

    @Test("before the city confirms its data nothing is served (R4, I19)")
    func gate() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.run(in: database, TestClock()) { town in
                let service = town.service
                await #expect(throws: Refusal.nothingSetUp) {
                    _ = try await town.give(.completeSetup)
                }
                _ = try await service.draw(try await service.plan(try TaxiTown.zones()))
                _ = try await town.give(.register(TaxiForm(code: "T0")))
                await #expect(throws: Refusal.setupIncomplete) {
                    _ = try await service.call(TaxiTown.order(7, from: 100))
                }
                _ = try await town.give(.completeSetup)
                let receipt = try await service.call(TaxiTown.order(7, from: 100)).receipt
                #expect(
                    receipt.events.last
                        == .request(.ended(RequestNumber(rawValue: 1), .noTaxi, reason: ""))
                )
            }
        }
    }
}
