package import Chronology
import Storage
import Synchronization

extension Courier {
    /// After how many milliseconds it looks again though nothing was announced: another server may
    /// have died with what it held.
    private static var longestWait: Int64 { 60_000 }
    /// For how many milliseconds changes are gathered: a busy database changes a thousand times a
    /// second, mostly without a message.
    private static var shortestWait: Int64 { 50 }

    /// Where a courier that runs gets its time from.
    package struct Clock: Sendable {
        /// The moment that it is now.
        package let now: @Sendable () -> Moment
        /// Returns when that moment has come, or throws when cancelled before.
        package let sleep: @Sendable (_ until: Moment) async throws -> Void

        /// A clock made of two functions.
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

    /// Delivers until it is cancelled, each lane by itself.
    ///
    /// - Parameters:
    ///   - clock: the clock.
    ///   - report: is told of every round that did something, and of what kept a round from its
    ///     work; that is tried again after some seconds.
    package func run(
        _ clock: Clock,
        report: @escaping @Sendable (Result<Round, any Error>) -> Void
    ) async {
        // Before the first look, so that nothing is posted between the two.
        let changes = queue.database.changes()
        let bell = Bell()
        var lanes: [(NotificationQueue.Lane, Bell)] = []
        for lane in NotificationQueue.Lane.allCases { lanes.append((lane, Bell())) }
        let bells = lanes
        await withTaskGroup { group in
            for (lane, own) in bells {
                group.addTask {
                    for await _ in own.rings {
                        await work(lane, clock, report: report)
                        // What it has put off is to be seen.
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

    /// Rings for each lane when it has something to do.
    private func watch(
        _ bell: Bell,
        _ lanes: [(NotificationQueue.Lane, Bell)],
        _ clock: Clock,
        report: @Sendable (Result<Round, any Error>) -> Void
    ) async {
        bell.ring()
        for await _ in bell.rings {
            let now = clock.now()
            var next = now.adding(milliseconds: Self.longestWait)
            do {
                let due = try await queue.nextDue()
                for (lane, own) in lanes {
                    guard let moment = due[lane] else { continue }
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
        _ lane: NotificationQueue.Lane,
        _ clock: Clock,
        report: @Sendable (Result<Round, any Error>) -> Void
    ) async {
        do {
            var round: Round
            repeat {
                round = try await self.round(lane, at: clock.now())
                if round.taken > 0 { report(.success(round)) }
            } while round.taken == NotificationQueue.claimLimit && !Task.isCancelled
        } catch {
            if Task.isCancelled { return }
            report(.failure(error))
            try? await clock.pause(Retrying.pause(after: 1))
        }
    }
}

/// Wakes who waits for it; rings that nobody hears become one.
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

    /// Rings at a moment, in place of the one that was set before.
    func ring(at moment: Moment, by clock: Courier.Clock) {
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
