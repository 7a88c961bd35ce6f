import Chronology
import Storage
import Synchronization

extension WebhookWorker {
    /// The longest wait between two looks at the queue, in milliseconds, in case another server
    /// died while it held messages.
    private static var longestWait: Int64 { 15_000 }
    /// How long changes are collected before a look, in milliseconds.
    private static var shortestWait: Int64 { 20 }
    /// The wait if a due message could not be claimed, in milliseconds: attempts become slow and
    /// then leave their places to others.
    private static var waitForCapacity: Int64 { 250 }
    /// The pause after a failure of the database, in milliseconds.
    private static var pauseAfterFailure: Int64 { 5_000 }

    /// Sends messages until it is cancelled.
    ///
    /// - Parameter report: receives what became of each message, and each error that stopped a
    ///   look at the queue, which is repeated after a few seconds.
    package func run(
        report: @escaping @Sendable (Result<Report, any Error>) -> Void
    ) async {
        // Subscribed before the first look, so that no message is missed between the two.
        let changes = queue.register.database.changes()
        let alarm = Alarm(clock)
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in changes { alarm.ring() } }
            alarm.ring()
            for await _ in alarm.rings {
                do {
                    for claim in try await claim() {
                        group.addTask { await attempt(claim, alarm, report: report) }
                    }
                    try await clock.sleep(clock.now().adding(milliseconds: Self.shortestWait))
                    alarm.ring(at: try await nextLook())
                } catch {
                    if Task.isCancelled { break }
                    report(.failure(error))
                    alarm.ring(at: clock.now().adding(milliseconds: Self.pauseAfterFailure))
                }
                if Task.isCancelled { break }
            }
            group.cancelAll()
        }
    }

    private func attempt(
        _ claim: WebhookQueue.Claim,
        _ alarm: Alarm,
        report: @Sendable (Result<Report, any Error>) -> Void
    ) async {
        do {
            report(.success(try await deliver(claim)))
        } catch {
            if !Task.isCancelled { report(.failure(error)) }
        }
        alarm.ring()
    }

    /// When the next message may be sent.
    private func nextLook() async throws -> Moment {
        let now = clock.now()
        let waiting = try await queue.waiting()
        let isLeft = waiting.contains { $0.due <= now }
        let longest = isLeft ? Self.waitForCapacity : Self.longestWait
        let next = waiting.map(\.due).first { $0 > now }
        return min(next ?? .never, now.adding(milliseconds: longest))
    }
}

/// Wakes a waiting task; several rings before the task runs count as one.
private final class Alarm: Sendable {
    let rings: AsyncStream<Void>
    private let ringer: AsyncStream<Void>.Continuation
    private let clock: WebhookWorker.Clock
    private let next = Mutex<Task<Void, any Error>?>(nil)

    init(_ clock: WebhookWorker.Clock) {
        self.clock = clock
        (rings, ringer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        next.withLock { $0 }?.cancel()
    }

    func ring() {
        ringer.yield()
    }

    /// Schedules a ring, replacing the one scheduled before.
    func ring(at moment: Moment) {
        let (ringer, clock) = (ringer, clock)
        let task = Task {
            try await clock.sleep(moment)
            ringer.yield()
        }
        let last = next.withLock { next in
            defer { next = task }
            return next
        }
        last?.cancel()
    }
}
