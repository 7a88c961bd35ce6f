import Storage
import Taxi

/// Receives the items of the outbox: it records each item once, however often it is delivered.
struct Receiver: Sendable {
    let log: EventLog
    let database: Database

    /// The table has no unique key, so that an item recorded twice would be detected.
    static let migration = Migration(
        "9001-create-delivered",
        [
            """
            CREATE TABLE delivered (id \(.text) NOT NULL, payload \(.bytes) NOT NULL) \(.strict)
            """
        ]
    )

    private var outbox: Outbox { Outbox(of: log) }

    /// Delivers the pending items, and again whenever something has become durable.
    func run(_ published: AsyncStream<DispatchService.Published>) async {
        await deliverAll()
        for await _ in published { await deliverAll() }
    }

    /// Waits until all items are delivered.
    func finish(patience: Int) async throws {
        for attempt in 0... {
            do {
                guard try await outbox.count() > 0 else { return }
                await deliverAll()
                if attempt > patience { throw Undelivered() }
            } catch {
                if attempt > patience { throw error }
            }
            try await Task.sleep(for: Plan.pause)
        }
    }

    private func deliverAll() async {
        do {
            while try await outbox.count() > 0, !Task.isCancelled {
                let items = try await outbox.claim(100, for: .zero)
                try await deliver(items)
                try await outbox.complete(items.map(\.id))
            }
        } catch {
            // The database may come back; otherwise the service ends. The items stay in either
            // case.
            say("undelivered \(error)")
        }
    }

    private func deliver(_ items: [Outbox.Item]) async throws {
        try await database.write { transaction in
            for item in items {
                let id = "\(item.id)"
                if try Inbox.accept(id, by: "receiver", in: transaction) {
                    try transaction.execute(
                        "INSERT INTO delivered (id, payload) VALUES (\(id), \(item.payload))"
                    )
                }
            }
        }
        for item in items { say("got \(item.id)") }
    }
}

/// Items stayed in the outbox after all attempts.
struct Undelivered: Error {}
