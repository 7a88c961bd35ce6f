import Chronology
import Dispatch
import Storage
import Synchronization

/// Writes down attempts that came too early, those of a moment together.
///
/// In a storm of log-ins nearly all are such, and a transaction for each, or for each few, would
/// keep the disk so busy that pages wait. Nobody waits for these lines: such an attempt changes
/// nothing and is told nothing but to wait, so a crash may take those of the last moment with it.
final class EarlyAttempts: Sendable {
    /// How long the first of them waits for others.
    private static let pause = DispatchTimeInterval.milliseconds(100)
    /// How many are kept while the database is away; then the oldest go.
    private static let most = 10_000

    private struct Line: Sendable {
        var log: AttemptLog
        var moment: Moment
        /// Kept until it is written: where nobody knows whether it was, it is written again.
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

    /// Sees to it that an attempt is written down.
    func note(_ log: AttemptLog, at now: Moment) {
        state.withLock { $0.lines.append(Line(log: log, moment: now)) }
        writeSoon()
    }

    /// Writes down what has been noted, now.
    ///
    /// What cannot be written is tried again later.
    ///
    /// - Throws: what the database throws.
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
            // The server has ended.
        } catch {
            writeSoon()
        }
    }
}
