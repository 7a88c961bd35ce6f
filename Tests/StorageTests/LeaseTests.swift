import Storage
import StorageTestSupport
import Synchronization
import Testing

/// Issue 3, "Storage": leases with fencing epochs.
@Suite("Leases")
struct LeaseTests {
    @Test("a lease is held by one, until it is over or released", arguments: TestEngine.allCases)
    func holding(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let first = try await Lease.acquire("m", by: "a", for: .seconds(60), in: database)
            #expect(first.epoch == 1)
            do {
                _ = try await Lease.acquire("m", by: "b", for: .seconds(60), in: database)
                Issue.record("a second holder")
            } catch LeaseFailure.held(let holder, let remaining) {
                #expect(holder == "a")
                #expect((1...60_000).contains(remaining))
            }
            let other = try await Lease.acquire("n", by: "b", for: .seconds(60), in: database)
            #expect(other.epoch == 1, "another name is another lease")
            try await first.release(in: database)
            let second = try await Lease.acquire("m", by: "b", for: .zero, in: database)
            #expect(second.epoch == 2)
            let third = try await Lease.acquire("m", by: "c", for: .seconds(60), in: database)
            #expect(third.epoch == 3, "a lease that is over can be taken")
            await #expect(throws: LeaseFailure.lost(current: 3)) {
                _ = try await second.renewed(for: .seconds(60), in: database)
            }
            try await second.release(in: database)
            let renewed = try await third.renewed(for: .seconds(90), in: database)
            #expect(renewed.epoch == 3)
            #expect(renewed.expires > third.expires)
        }
    }

    @Test(
        "a restarted holder need not wait, and fences its earlier run",
        arguments: TestEngine.allCases
    )
    func restart(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let before = try await Lease.acquire("m", by: "a", for: .seconds(60), in: database)
            let after = try await Lease.acquire("m", by: "a", for: .seconds(60), in: database)
            #expect(after.epoch == before.epoch + 1)
            await #expect(throws: LeaseFailure.lost(current: 2)) {
                _ = try await before.renewed(for: .seconds(60), in: database)
            }
        }
    }

    @Test(
        "who has seen no renewal for a term takes the lease over, by its own clock",
        arguments: TestEngine.allCases
    )
    func silence(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = Mutex(Duration.seconds(1_000))
            var sighting: LeaseSighting?
            func contend() async throws -> Lease {
                try await Lease.acquire(
                    "m",
                    by: "b",
                    for: .seconds(4),
                    in: database,
                    seen: &sighting,
                    clock: { clock.withLock { $0 } }
                )
            }
            let held = try await Lease.acquire("m", by: "a", for: .seconds(4), in: database)
            await #expect(throws: LeaseFailure.held(by: "a", remaining: 4_000)) {
                _ = try await contend()
            }
            clock.withLock { $0 += .seconds(3) }
            await #expect(throws: LeaseFailure.held(by: "a", remaining: 1_000)) {
                _ = try await contend()
            }
            let renewed = try await held.renewed(for: .seconds(4), in: database)
            clock.withLock { $0 += .seconds(3) }
            await #expect(throws: LeaseFailure.held(by: "a", remaining: 4_000)) {
                _ = try await contend()
            }
            clock.withLock { $0 += .milliseconds(3_999) }
            await #expect(throws: LeaseFailure.held(by: "a", remaining: 1)) {
                _ = try await contend()
            }
            clock.withLock { $0 += .milliseconds(1) }
            #expect(try await contend().epoch == renewed.epoch + 1)
            await #expect(throws: LeaseFailure.lost(current: 2)) {
                _ = try await renewed.renewed(for: .seconds(4), in: database)
            }
        }
    }

    @Test("a lease that is over but not taken can be renewed", arguments: TestEngine.allCases)
    func lateRenewal(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let lease = try await Lease.acquire("m", by: "a", for: .zero, in: database)
            let renewed = try await lease.renewed(for: .seconds(60), in: database)
            #expect(renewed.epoch == lease.epoch)
        }
    }

    @Test("of many that want a lease one gets it", arguments: TestEngine.allCases)
    func race(engine: TestEngine) async throws {
        try await withDatabase(on: engine) { place in
            let databases = [try await place.open(), try await place.open()]
            defer { for database in databases { database.close() } }
            try await databases[0].migrate(Migration.storage)
            for round in 1...5 {
                let winners = await withTaskGroup(of: Lease?.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            try? await Lease.acquire(
                                "m",
                                by: "\(round) \(number)",
                                for: .seconds(60),
                                in: databases[number % 2]
                            )
                        }
                    }
                    return await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
                }
                #expect(winners.map(\.epoch) == [Int64(round)])
                try await winners.first?.release(in: databases[0])
            }
        }
    }
}
