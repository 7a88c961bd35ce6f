package import Chronology
import Storage
import Synchronization

extension DeliveryWorker {
    /// The longest wait between two looks at the queue, in milliseconds, in case another server
    /// died while it held rows.
    private static var longestWait: Int64 { 60_000 }
    /// How long changes are collected before a look, in milliseconds: a busy database changes a
    /// thousand times a second, mostly without a message.
    private static var shortestWait: Int64 { 50 }

    /// The source of time for a running worker.
    package struct Clock: Sendable {
        package let now: @Sendable () -> Moment
        /// Returns at the given time, or throws if cancelled earlier.
        package let sleep: @Sendable (_ until: Moment) async throws -> Void

        /// Creates a clock from two functions.
        package init(
            now: @escaping @Sendable () -> Moment,
            sleep: @escaping @Sendable (_ until: Moment) async throws -> Void
        ) {
            self.now = now
            self.sleep = sleep
        }

        func pause(_ milliseconds: Int64) async throws {
            try await sleep(now().adding(milliseconds: milliseconds))
        }
    }

    /// Delivers messages until it is cancelled, each channel in its own task.
    ///
    /// - Parameters:
    ///   - clock: the source of time.
    ///   - report: receives the result of each round that did something, and each error that
    ///     stopped a round; the round is repeated after a few seconds.
    package func run(
        _ clock: Clock,
        report: @escaping @Sendable (Result<Round, any Error>) -> Void
    ) async {
        // Subscribed before the first look, so that no message is missed between the two.
        let changes = queue.database.changes()
        let bell = Bell()
        var channels: [(NotificationQueue.DeliveryChannel, Bell)] = []
        for channel in NotificationQueue.DeliveryChannel.allCases {
            channels.append((channel, Bell()))
        }
        let bells = channels
        await withTaskGroup { group in
            for (channel, own) in bells {
                group.addTask {
                    for await _ in own.rings {
                        await work(channel, clock, report: report)
                        // Makes the watcher consider the rows that were postponed.
                        bell.ring()
                    }
                }
            }
            group.addTask {
                for await _ in changes { bell.ring() }
            }
            group.addTask { await watch(bell, bells, clock, report: report) }
        }
    }

    /// Wakes each channel when it has work to do.
    private func watch(
        _ bell: Bell,
        _ channels: [(NotificationQueue.DeliveryChannel, Bell)],
        _ clock: Clock,
        report: @Sendable (Result<Round, any Error>) -> Void
    ) async {
        bell.ring()
        for await _ in bell.rings {
            let now = clock.now()
            var next = now.adding(milliseconds: Self.longestWait)
            do {
                let due = try await queue.nextDue()
                for (channel, own) in channels {
                    guard let moment = due[channel] else { continue }
                    if moment <= now { own.ring() } else { next = min(next, moment) }
                }
                try await clock.pause(Self.shortestWait)
            } catch {
                if Task.isCancelled { return }
                report(.failure(error))
                next = now.adding(milliseconds: Retrying.pause(after: 1))
            }
            bell.ring(at: next, by: clock)
        }
    }

    private func work(
        _ channel: NotificationQueue.DeliveryChannel,
        _ clock: Clock,
        report: @Sendable (Result<Round, any Error>) -> Void
    ) async {
        do {
            var round: Round
            repeat {
                round = try await self.round(channel, at: clock.now())
                if round.taken > 0 { report(.success(round)) }
            } while round.taken == NotificationQueue.claimLimit && !Task.isCancelled
        } catch {
            if Task.isCancelled { return }
            report(.failure(error))
            try? await clock.pause(Retrying.pause(after: 1))
        }
    }
}

/// Wakes a waiting task; several rings before the task runs count as one.
private final class Bell: Sendable {
    let rings: AsyncStream<Void>
    private let ringer: AsyncStream<Void>.Continuation
    private let alarm = Mutex<Task<Void, any Error>?>(nil)

    init() {
        (rings, ringer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        alarm.withLock { $0 }?.cancel()
    }

    func ring() {
        ringer.yield()
    }

    /// Schedules a ring, replacing the one scheduled before.
    func ring(at moment: Moment, by clock: DeliveryWorker.Clock) {
        let ringer = ringer
        let next = Task {
            try await clock.sleep(moment)
            ringer.yield()
        }
        let last = alarm.withLock { alarm in
            defer { alarm = next }
            return alarm
        }
        last?.cancel()
    }
}
