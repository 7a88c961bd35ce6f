import Chronology
import Dispatching
import Storage
import StorageTestSupport
import Testing

@testable import Taxi

/// Creates a service of the test town that is not running yet.
private func makeService(
    in database: Database,
    _ test: TestClock,
    _ settings: DispatchService.Settings
) -> DispatchService {
    DispatchService(city: "town", in: database, clock: test.clock, settings: settings)
}

/// Runs a service while a test uses it.
private func withService(
    in database: Database,
    _ test: TestClock,
    holder: String = "one",
    _ body: @Sendable (DispatchService) async throws -> Void
) async throws {
    let service = makeService(in: database, test, DispatchService.Settings(holder: holder))
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await service.run() }
        while await !service.serves { try await Task.sleep(for: .milliseconds(5)) }
        try await body(service)
        group.cancelAll()
        while let result = await group.nextResult() {
            if case .failure(let error) = result, !(error is CancellationError) { throw error }
        }
    }
}

/// Sets up two zones with a number of taxis on duty in the first.
private func open(_ service: DispatchService, taxis: Int) async throws {
    _ = try await service.give(.adopt(.viavai))
    _ = try await service.give(.drawZones(ZoneDrawing(names: ["west", "east"], hash: 1)))
    for index in 0..<taxis {
        _ = try await service.give(.register(TaxiForm(code: "T\(index)")))
    }
    _ = try await service.give(.completeSetup)
    for index in 0..<taxis {
        let taxi = TaxiNumber(rawValue: UInt32(index))
        let west = Place.zone(ZoneNumber(rawValue: 0))
        _ = try await service.give(.regainContact(taxi, west))
        _ = try await service.give(.goOnDuty(taxi))
    }
}

private func call(_ passenger: UInt64) -> Command {
    .request(
        RequestForm(
            passenger: PassengerNumber(rawValue: passenger),
            zone: ZoneNumber(rawValue: 0)
        )
    )
}

@Suite("The dispatch service")
struct DispatchServiceTests {
    @Test("a receipt is durable: another run finds what it says", arguments: TestEngine.allCases)
    func isDurable(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = TestClock()
            try await withService(in: database, clock) { service in
                try await open(service, taxis: 2)
                let receipt = try await service.give(call(7))
                #expect(receipt.events.count == 2)
                let records = try await EventLog("town", in: database).verify()
                #expect(records.sequence == receipt.sequence)
            }
            try await withService(in: database, clock, holder: "two") { service in
                let offer = try await service.read { $0.requests.first?.offer }
                #expect(offer?.taxi == TaxiNumber(rawValue: 0))
                await #expect(throws: Refusal.self) { _ = try await service.give(call(7)) }
            }
        }
    }

    @Test(
        "a server that slept through its lease answers nobody from what it knew",
        arguments: TestEngine.allCases
    )
    func sleepsThroughLease(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            var settings = DispatchService.Settings(holder: "sleeper")
            settings.leaseTerm = .milliseconds(50)
            let asleep = TestClock()
            let sleeper = makeService(in: database, asleep, settings)
            let sleeping = Task { try await sleeper.run() }
            try await sleeper.started()
            try await open(sleeper, taxis: 1)
            settings.holder = "standby"
            let awake = TestClock()
            let standby = makeService(in: database, awake, settings)
            let serving = Task { try await standby.run() }
            while await !standby.serves {
                awake.advance(seconds: 1)
                try await Task.sleep(for: .milliseconds(5))
            }
            _ = try await standby.give(call(7))
            asleep.advance(seconds: 1)
            await #expect(throws: DispatchService.Failure.self) {
                _ = try await sleeper.read { $0.requests.count }
            }
            await #expect(throws: (any Error).self) { try await sleeping.value }
            #expect(try await standby.read { $0.requests.count } == 1)
            serving.cancel()
            _ = await serving.result
        }
    }

    @Test("answers that nobody asks for again are forgotten (I30)", arguments: TestEngine.allCases)
    func forgetsAnswers(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = TestClock()
            var settings = DispatchService.Settings(holder: "one")
            settings.answersKept = .zero
            let service = makeService(in: database, clock, settings)
            let running = Task { try await service.run() }
            try await service.started()
            let key = DispatchService.Key(caller: "console", key: "a")
            _ = try await service.give(.adopt(.viavai), key: key)
            let count: SQL = "SELECT COUNT(*) AS answers FROM command_answer"
            let kept: Int64? = try await database.read { try $0.row(count)?.value("answers") }
            #expect(kept == 1)
            var left: Int64? = 1
            let end = ContinuousClock.now + .seconds(Probe.limit)
            while left != 0, ContinuousClock.now < end {
                clock.advance(seconds: 3_601)
                // The deletion runs in the background and needs a moment of real time.
                try await Task.sleep(for: .milliseconds(5))
                left = try await database.read { try $0.row(count)?.value("answers") }
            }
            #expect(left == 0)
            running.cancel()
            _ = await running.result
        }
    }

    @Test("a key gives the first answer again, and does nothing twice (F6, F8)")
    func keys() async throws {
        try await withStorage(on: .sqlite) { database in
            try await withService(in: database, TestClock()) { service in
                try await open(service, taxis: 2)
                let key = DispatchService.Key(caller: "7", key: "a")
                let first = try await service.give(call(7), key: key)
                let again = try await service.give(call(7), key: key)
                #expect(first == again)
                #expect(try await service.read { $0.requestCount } == 1)
                await #expect(throws: DispatchService.Failure.keyUsedForAnother) {
                    _ = try await service.give(call(8), key: key)
                }
            }
        }
    }

    @Test("an offer runs out by itself, and not before its time (C1, M5)")
    func timers() async throws {
        try await withStorage(on: .sqlite) { database in
            let clock = TestClock()
            try await withService(in: database, clock) { service in
                try await open(service, taxis: 2)
                _ = try await service.give(call(7))
                clock.advance(seconds: 59)
                let before = try await service.read { $0.requests.first?.offer?.taxi }
                #expect(before == TaxiNumber(rawValue: 0))
                let entries = service.entries()
                clock.advance(seconds: 1)
                for await _ in entries.prefix(1) {}
                let after = try await service.read { $0.requests.first?.offer?.taxi }
                #expect(after == TaxiNumber(rawValue: 1))
            }
        }
    }

    @Test("commands that come together share transactions, and each is answered")
    func together() async throws {
        try await withStorage(on: .sqlite) { database in
            try await withService(in: database, TestClock()) { service in
                try await open(service, taxis: 50)
                let taken = try await withThrowingTaskGroup(of: [Event].self) { group in
                    for passenger in 0..<200 {
                        group.addTask { try await service.give(call(UInt64(passenger))).events }
                    }
                    var offers: [TaxiNumber] = []
                    for try await events in group {
                        for case .offer(.offered(_, let taxi, _, _)) in events {
                            offers.append(taxi)
                        }
                    }
                    return offers
                }
                #expect(taken.count == 50)
                #expect(Set(taken).count == 50)
            }
        }
    }

    @Test("notices are in the outbox with what caused them (I20, defects 3 and 4)")
    func notices() async throws {
        try await withStorage(on: .sqlite) { database in
            try await withService(in: database, TestClock()) { service in
                try await open(service, taxis: 1)
                _ = try await service.give(call(7))
                let outbox = Outbox(of: EventLog("town", in: database))
                let items = try await outbox.claim(100, for: .seconds(10))
                let texts = items.map { String(decoding: $0.payload, as: UTF8.self) }
                #expect(texts.contains(#"{"kind":"offer","taxi":0,"request":1}"#))
                #expect(texts.contains(#"{"kind":"searching","passenger":7,"request":1}"#))
            }
        }
    }

    @Test("after a restart open offers begin anew, and the driver is told (G1, F22)")
    func restarts() async throws {
        try await withStorage(on: .sqlite) { database in
            let clock = TestClock()
            try await withService(in: database, clock) { service in
                try await open(service, taxis: 1)
                _ = try await service.give(call(7))
            }
            clock.advance(seconds: 3_600)
            try await withService(in: database, clock) { service in
                let offer = try await service.read { $0.requests.first?.offer }
                #expect(offer?.deadline == clock.now.adding(seconds: 60))
                #expect(try await service.read { $0.taxis[0].ignoredOffers } == 0)
            }
        }
    }

    @Test("a clock that was set back between two runs stops no deadline (I28, F17)")
    func setBack() async throws {
        try await withStorage(on: .sqlite) { database in
            try await withService(in: database, TestClock()) { service in
                try await open(service, taxis: 1)
                _ = try await service.give(call(7))
            }
            let start = TestClock().now.adding(seconds: -3_600)
            let clock = TestClock(startingAt: start)
            try await withService(in: database, clock) { service in
                let entries = service.entries()
                let before = try await service.read { $0.requests.first?.offer }
                #expect(before != nil)
                clock.advance(seconds: 60)
                for await _ in entries.prefix(1) {}
                let left = try await service.read { $0.requestCount }
                #expect(left == 0)
            }
        }
    }

    @Test(
        "when another server takes over, the first one stops and writes nothing more (F5)",
        arguments: TestEngine.allCases
    )
    func takeOver(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            await #expect(throws: LogFailure.fenced(epoch: 1, current: 2)) {
                try await withService(in: database, TestClock()) { service in
                    try await open(service, taxis: 1)
                    // Another server with the same name, as after a restart elsewhere.
                    _ = try await Lease.acquire("town", by: "one", for: .seconds(60), in: database)
                    await #expect(throws: DispatchService.Failure.self) {
                        _ = try await service.give(call(7))
                    }
                    #expect(await !service.serves)
                }
            }
        }
    }
}
