package import Chronology
import Storage

extension Courier {
    /// After how many milliseconds a lane looks again though nothing was announced: another server
    /// may have died with what it held.
    private static var longestWait: Int64 { 60_000 }

    /// Delivers until it is cancelled, each lane by itself.
    ///
    /// - Parameters:
    ///   - now: the clock.
    ///   - sleep: returns when that moment has come, or throws when cancelled before.
    ///   - report: is told of every round that did something, and of what kept a round from its
    ///     work; that is tried again after the longest wait at the latest.
    package func run(
        now: @escaping @Sendable () -> Moment,
        sleep: @escaping @Sendable (_ until: Moment) async throws -> Void,
        report: @escaping @Sendable (Result<Round, any Error>) -> Void
    ) async {
        await withTaskGroup { group in
            for lane in NotificationQueue.Lane.allCases {
                group.addTask { await run(lane, now: now, sleep: sleep, report: report) }
            }
        }
    }

    private func run(
        _ lane: NotificationQueue.Lane,
        now: @escaping @Sendable () -> Moment,
        sleep: @escaping @Sendable (_ until: Moment) async throws -> Void,
        report: @escaping @Sendable (Result<Round, any Error>) -> Void
    ) async {
        let (wakes, waker) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        // Both end with the loop below: the one by cancellation, the other with the database.
        let listener = Task {
            for await _ in queue.database.changes() { waker.yield() }
        }
        defer { listener.cancel() }
        var wake = wakes.makeAsyncIterator()
        while !Task.isCancelled {
            let moment = now()
            var next = moment.adding(milliseconds: Self.longestWait)
            do {
                let round = try await round(lane, at: moment)
                if round.taken > 0 { report(.success(round)) }
                if round.taken == NotificationQueue.claimLimit { continue }
                next = min(next, round.next ?? next)
            } catch {
                report(.failure(error))
                next = moment.adding(milliseconds: Retrying.pause(after: 1))
            }
            let until = next
            let sleeper = Task {
                try await sleep(until)
                waker.yield()
            }
            await withTaskCancellationHandler {
                _ = await wake.next()
            } onCancel: {
                waker.finish()
            }
            sleeper.cancel()
        }
    }
}
