import Dispatching
import Storage
import StorageTestSupport
import Testing

@testable import Taxi

/// spec/taxi.md F4: a service that is asked to end, ends, however much it is asked for meanwhile.
@Suite("The end of a service")
struct ShutdownTests {
    @Test("it ends in the middle of a stream of commands, and keeps a snapshot (F4)")
    func underLoad() async throws {
        try await withStorage(on: .sqlite) { database in
            let service = DispatchService(
                city: "town",
                in: database,
                clock: TestClock().clock,
                settings: DispatchService.Settings(holder: "one")
            )
            let running = Task { try await service.run() }
            try await eventually(within: 10) { await service.serves }
            // They come whether or not those before them are done.
            let stream = Task {
                for number in 0... where !Task.isCancelled {
                    await service.note([.register(TaxiForm(code: "\(number)"))])
                }
            }
            defer { stream.cancel() }
            try await eventually(within: 30) {
                try await EventLog("town", in: database).head().sequence > 500
            }
            running.cancel()
            let ending = Task {
                _ = await running.result
                return ContinuousClock.now
            }
            // Should it not end, the stream does, and then the service.
            let limit = Task {
                try await Task.sleep(for: .seconds(8))
                stream.cancel()
            }
            let asked = ContinuousClock.now
            let ended = await ending.value
            limit.cancel()
            #expect(ended - asked < .seconds(8), "it ended only when nothing came any more")
            let head = try await EventLog("town", in: database).verify()
            #expect(
                try await SnapshotStore(of: EventLog("town", in: database)).newest().snapshot?.head
                    == head
            )
        }
    }
}
