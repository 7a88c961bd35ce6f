import Dispatching
import Storage
import StorageTestSupport
import TestClock
import TestSupport
import Testing

@testable import Taxi

/// spec/taxi.md F4: a service that is asked to stop does so, despite any number of commands.
@Suite("The end of a service")
struct ShutdownTests {
    @Test("it ends in the middle of a stream of commands, and keeps a snapshot (F4)")
    func underLoad() async throws {
        try await withStorage(on: .sqlite) { database in
            let service = DispatchService(
                city: "town",
                in: database,
                clock: SettableClock.atMidnight().clock,
                settings: DispatchService.Settings(holder: "one")
            )
            let running = Task { try await service.run() }
            try await eventually(within: Probe.limit) { await service.serves }
            // Commands are sent without waiting for earlier ones.
            let stream = Task {
                var number = 0
                while !Task.isCancelled {
                    await service.note { [number] in [.register(TaxiForm(code: "\(number)"))] }
                    number += 1
                }
            }
            defer { stream.cancel() }
            try await eventually(within: Probe.limit) {
                try await EventLog("town", in: database).head().sequence > 500
            }
            running.cancel()
            let ending = Task { _ = await running.result }
            // If the service does not stop, the stream is ended first, then the service.
            let limit = Task {
                try await Task.sleep(for: .seconds(60))
                stream.cancel()
            }
            await ending.value
            limit.cancel()
            #expect(!stream.isCancelled, "it ended only when nothing came any more")
            try await Self.checkSnapshot(in: database)
        }
    }

    @Test("what it keeps at its end is what its log says, even if asked at that moment (F4, I22)")
    func snapshots() async throws {
        try await withStorage(on: .sqlite) { database in
            for round in 0..<Effort.instances(8) {
                let service = DispatchService(
                    city: "town",
                    in: database,
                    clock: SettableClock.atMidnight().clock,
                    settings: DispatchService.Settings(holder: "one")
                )
                let running = Task { try await service.run() }
                try await eventually(within: Probe.limit) { await service.serves }
                await withTaskGroup(of: Void.self) { group in
                    for client in 0..<20 {
                        group.addTask {
                            for number in 0...1_000_000 {
                                if number == round, client == 0 { running.cancel() }
                                let form = TaxiForm(code: "\(round) \(client) \(number)")
                                let receipt = try? await service.give(.register(form))
                                if receipt == nil { return }
                            }
                        }
                    }
                }
                _ = await running.result
                try await Self.checkSnapshot(in: database)
            }
        }
    }

    @Test("a writer that was fenced shows nobody what it could not make durable (F5)")
    func fenced() async throws {
        try await withStorage(on: .sqlite) { database in
            for _ in 0..<Effort.instances(4) {
                let service = DispatchService(
                    city: "town",
                    in: database,
                    clock: SettableClock.atMidnight().clock,
                    settings: DispatchService.Settings(holder: "one")
                )
                let running = Task { try await service.run() }
                try await eventually(within: Probe.limit) { await service.serves }
                _ = try await Lease.acquire("town", by: "one", for: .zero, in: database)
                let seen = await withTaskGroup(of: Int?.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            let form = TaxiForm(code: "\(number)")
                            _ = try? await service.give(.register(form))
                            return nil
                        }
                        group.addTask { try? await service.read { $0.taxis.count } }
                    }
                    return await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
                }
                #expect(seen.allSatisfy { $0 == 0 }, "\(seen)")
                running.cancel()
                _ = await running.result
            }
        }
    }

    /// Checks that the newest snapshot has the position and the state of the end of the log.
    private static func checkSnapshot(in database: Database) async throws {
        let log = EventLog("town", in: database)
        var state = Dispatcher()
        var head = try await log.genesis()
        while true {
            let records = try await log.records(after: head)
            guard let last = records.last else { break }
            for record in records { try state.replay(try Entry(bytes: record.entry)) }
            head = last.head
        }
        let snapshot = try #require(try await SnapshotStore(of: log).newest().snapshot)
        #expect(snapshot.head == head)
        #expect(try Dispatcher(snapshot: snapshot.state).stateHash == state.stateHash)
    }
}
