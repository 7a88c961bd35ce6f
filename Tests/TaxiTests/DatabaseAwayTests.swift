import Chronology
import Dispatching
import Storage
import StorageTestSupport
import TestSupport
import Testing

@testable import Taxi

/// Issue 29, fault 6: nobody waits for a dispatcher whose database is unavailable.
@Suite("A dispatcher without its database", .serialized)
struct DatabaseAwayTests {
    private static func register(_ code: String) -> Command { .register(TaxiForm(code: code)) }

    @Test("callers fail soon while the database is away, and nothing of theirs is done (fault 6)")
    func away() async throws {
        try PostgresCluster.requireInstalled()
        let cluster = try await onThread { try PostgresCluster() }
        let place = try TestDatabase(of: cluster)
        let database = try await Database.open(place.address, failsFast: true)
        defer { database.close() }
        try await database.migrate(Migration.storage)
        let service = DispatchService(
            city: "town",
            in: database,
            clock: .system(startingAt: Moment(milliseconds: 1_800_000_000_000)),
            settings: DispatchService.Settings(holder: "one")
        )
        let running = Task { try await service.run() }
        try await service.started()
        _ = try await service.give(.adopt(.viavai))
        _ = try await service.give(Self.register("before"))
        try await onThread { try cluster.kill() }
        let clock = ContinuousClock()
        let first = try await clock.measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        await #expect(throws: DispatchService.Failure.self) {
                            _ = try await service.give(Self.register("lost \(number)"))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(first < .seconds(5), "the first callers find out")
        try await eventually(within: 5) { await service.outage != nil }
        let later = await clock.measure {
            for number in 0..<20 {
                await #expect(throws: DispatchService.Failure.self) {
                    _ = try await service.give(Self.register("late \(number)"))
                }
                // Services that read wait for the database, and do not end.
                await #expect(throws: DatabaseFailure.self) {
                    _ = try await service.read { $0.taxis.count }
                }
            }
        }
        #expect(later < .seconds(1), "all others are told at once")
        // Longer than the term of the lease.
        try await Task.sleep(for: .seconds(5))
        try await onThread { try cluster.startAgain() }
        let back = clock.now
        try await eventually(within: 20) {
            (try? await service.give(Self.register("after"))) != nil
        }
        #expect(back.duration(to: .now) < .seconds(3))
        let codes = try await service.read { $0.taxis.map(\.code) }
        #expect(codes == ["before", "after"])
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }
}
