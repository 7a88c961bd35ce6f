import Chronology
import Dispatching
import Fares
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

@Suite("The policies and tariffs that a city adopts")
struct CityPapersTests {
    @Test(
        "an adopted policy is in force, in the history, and stays over a restart (taxi.md 1.11)",
        arguments: TestEngine.allCases
    )
    func policies(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let test = SettableClock.atMidnight()
            let changed = try Policy.milanoA.with(.offerTimeout, "75")
            try await TaxiTown.run(in: database, test) { town in
                let service = town.service
                #expect(try await service.adoptedPolicies().isEmpty)
                #expect(try await service.policyInForce() == .viavai)
                _ = try await service.adopt(
                    .milanoA,
                    by: 41,
                    note: "as the council decided",
                    replacing: Policy.viavai.hash
                )
                test.advance(seconds: 60)
                _ = try await service.adopt(
                    changed,
                    by: 42,
                    note: "",
                    replacing: Policy.milanoA.hash
                )
                let history = try await service.adoptedPolicies()
                #expect(history.map(\.author) == [42, 41])
                #expect(history.map(\.note) == ["", "as the council decided"])
                #expect(history.map(\.policy) == [changed, .milanoA])
                #expect(history[0].moment == history[1].moment.adding(seconds: 60))
                let first = try #require(history.last)
                #expect(try await service.adoptedPolicy(first.sequence) == first)
                #expect(try await service.adoptedPolicy(999) == nil)
            }
            try await TaxiTown.run(in: database, test) { town in
                let inForce = try await town.service.dispatch.read { $0.policy }
                #expect(inForce == changed)
                let known = try await town.service.policyInForce()
                #expect(known == changed)
            }
        }
    }

    @Test("of two administrators who look at the same policy only one changes it")
    func twoAtOnce() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.run(in: database, SettableClock.atMidnight()) { town in
                let service = town.service
                let seen = Policy.viavai.hash
                _ = try await service.adopt(.milanoB, by: 1, note: "", replacing: seen)
                await #expect(throws: TaxiService.Failure.planOutdated) {
                    try await service.adopt(.milanoA, by: 2, note: "", replacing: seen)
                }
                #expect(try await service.policyInForce() == .milanoB)
                #expect(try await service.adoptedPolicies().count == 1)
            }
        }
    }

    @Test(
        "tariffs change while the service runs, and hold after a restart (1.12)",
        arguments: TestEngine.allCases
    )
    func tariffs(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let test = SettableClock.atMidnight()
            let dear = TariffBook.example.replacing("per_km: 1.2", with: "per_km: 9.2")
            let order = TaxiTown.order(7, from: 1_000, to: 6_000)
            try await TaxiTown.open(in: database, test, taxis: 1) { town in
                let service = town.service
                let before = try #require(try await service.quote(order).fare)
                _ = try await service.adoptTariffs(dear, by: 41, note: "from January")
                let after = try #require(try await service.quote(order).fare)
                #expect(after.high.minorUnits > before.high.minorUnits)
                await #expect(throws: TariffFailure.badLine("nonsense", line: 1)) {
                    try await service.adoptTariffs("nonsense", by: 41, note: "")
                }
                #expect(try await service.quote(order).fare == after)
                _ = try await service.adoptTariffs(TariffBook.example, by: 42, note: "back")
                #expect(try await service.quote(order).fare == before)
                let kept = try await service.adoptedTariffs()
                #expect(kept.map(\.number) == [2, 1])
                #expect(kept.map(\.author) == [42, 41])
                #expect(kept.last?.text == dear)
                _ = try await service.adoptTariffs(dear, by: 41, note: "again")
            }
            try await TaxiTown.run(in: database, test) { town in
                let expected = try TariffBook(text: dear)
                #expect(town.service.tariffs == expected)
            }
        }
    }
}
