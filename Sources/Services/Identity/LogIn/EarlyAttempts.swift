import Chronology
import Dispatch
import Storage
import Synchronization

/// Buffers attempts that came during a waiting time and writes them in batches.
///
/// In a flood of log-ins almost all attempts are of this kind, and a transaction for each would
/// keep the disk so busy that pages wait. Nothing depends on these entries, so a crash may lose
/// those of the last moment.
final class EarlyAttempts: Sendable {
    /// How long the first entry waits for others.
    private static let pause = DispatchTimeInterval.milliseconds(100)
    /// How many entries are buffered while the database is unavailable; the oldest are dropped.
    private static let most = 10_000

    private struct Line: Sendable {
        var log: AttemptLog
        var moment: Moment
        /// Kept until the entry is written, so that a retry after an unknown outcome is idempotent.
        var number = AttemptLog.anyNumber()
    }

    private struct State {
        var lines: [Line] = []
        var isWaiting = false
    }

    private let data: Database
    private let state = Mutex(State())

    init(in data: Database) {
        self.data = data
    }

    /// Schedules an attempt to be logged.
    func note(_ log: AttemptLog, at now: Moment) {
        state.withLock { $0.lines.append(Line(log: log, moment: now)) }
        writeSoon()
    }

    /// Writes the buffered entries now.
    ///
    /// Entries that cannot be written are retried later.
    ///
    /// - Throws: any database error.
    func write() async throws {
        let lines = state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
        guard !lines.isEmpty else { return }
        do {
            try await data.write { transaction in
                for line in lines {
                    try line.log.record(
                        .early,
                        at: line.moment,
                        as: line.number,
                        in: transaction
                    )
                }
            }
        } catch {
            state.withLock { $0.lines = (lines + $0.lines).suffix(Self.most) }
            throw error
        }
    }

    private func writeSoon() {
        let isWaiting = state.withLock { state in
            defer { state.isWaiting = true }
            return state.isWaiting
        }
        if isWaiting { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { [weak self] in
            Task { await self?.writeAtLast() }
        }
    }

    private func writeAtLast() async {
        state.withLock { $0.isWaiting = false }
        do {
            try await write()
        } catch DatabaseFailure.closed {
            // The server is stopping.
        } catch {
            writeSoon()
        }
    }
}
