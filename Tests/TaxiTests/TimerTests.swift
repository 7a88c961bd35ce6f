import Chronology
import Dispatching
import Storage
import StorageTestSupport
import Testing

@testable import Taxi

@Suite("Timers over a restart")
struct TimerTests {
    /// Returns all events of the town's log in order.
    private static func events(_ database: Database) async throws -> [Event] {
        let log = EventLog("town", in: database)
        let records = try await log.records(after: try await log.genesis(), limit: 10_000)
        return try records.flatMap { try Entry(bytes: $0.entry).events }
    }

    private static func count(
        _ database: Database,
        _ isMeant: (Event) -> Bool
    ) async throws -> Int {
        try await events(database).count(where: isMeant)
    }

    private static func isTry(_ event: Event) -> Bool {
        if case .request(.reservationTried) = event { true } else { false }
    }

    @Test(
        "a reservation that fell due while nobody served is tried once, at the start (I21, F22)",
        arguments: TestEngine.allCases
    )
    func reservation(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = TestClock()
            try await TaxiTown.open(in: database, clock, taxis: 1) { town in
                let order = TaxiTown.order(8, from: 1_000, to: 3_000)
                let due = clock.now.adding(seconds: 3 * 3_600)
                _ = try await town.service.reserve(order, due: due)
            }
            clock.advance(seconds: 3 * 3_600 - 300)
            for run in 1...2 {
                try await TaxiTown.run(in: database, clock) { town in
                    let offer = try await town.service.dispatch.read {
                        $0.requests.first?.offer
                    }
                    #expect(offer?.deadline == clock.now.adding(seconds: 60))
                    let tries = try await Self.count(database, Self.isTry)
                    #expect(tries == 1, "run \(run)")
                }
                clock.advance(seconds: 20)
            }
            let starts = try await Self.count(database) { $0 == .city(.restarted) }
            #expect(starts == 2)
        }
    }

    @Test(
        "an offer that ran out while nobody served begins anew once, and then runs out (G1)",
        arguments: TestEngine.allCases
    )
    func offer(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = TestClock()
            try await TaxiTown.open(in: database, clock, taxis: 2) { town in
                _ = try await town.service.call(TaxiTown.order(7, from: 1_000))
            }
            clock.advance(seconds: 120)
            try await TaxiTown.run(in: database, clock) { town in
                let closed = try await Self.count(database) {
                    if case .offer(.offerClosed) = $0 { true } else { false }
                }
                #expect(closed == 0)
                let first = try await town.service.dispatch.read { $0.requests.first?.offer?.taxi }
                try await town.until("it runs out") {
                    clock.advance(seconds: 1)
                    let now = try await town.service.dispatch.read {
                        $0.requests.first?.offer?.taxi
                    }
                    return now != first
                }
            }
            let renewed = try await Self.count(database) {
                if case .offer(.offerRenewed) = $0 { true } else { false }
            }
            #expect(renewed == 1)
            let ignored = try await Self.count(database) {
                if case .offer(.offerClosed(_, .ignored)) = $0 { true } else { false }
            }
            #expect(ignored == 1)
        }
    }
}
