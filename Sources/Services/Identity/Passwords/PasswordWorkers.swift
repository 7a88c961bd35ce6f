import CScheduling
import Dispatch
import Foundation
import Synchronization

/// Hashes and checks passwords on two threads of its own, so that nothing else waits for them.
///
/// At most ``running`` at once (19 MiB each), at most ``waitingLimit`` waiting in the order of
/// their arrival, and of these at most ``waitingOfOne`` from one network address: a storm of
/// log-ins from one place is turned away while others are served. Who finds no place is told so
/// at once and has cost nothing. The threads give way to all others, so that pages stay quick
/// while many log in. Each has its ``HashMemory`` for its life, and ends when nobody has come for
/// a while: an idle server holds none.
package final class PasswordWorkers: Sendable {
    /// How many hashes run at once.
    private static let running = 2
    /// How many may wait: about a second's work for two threads.
    private static let waitingLimit = 32
    /// How many of those may come from one address.
    private static let waitingOfOne = 8
    /// How much the threads give way, from 0 to 19.
    private static let niceness: Int32 = 10
    /// How long a thread runs on before a page may take its place, in nanoseconds: a page passes
    /// from thread to thread some six times, and would wait for a usual slice (3 ms) each time.
    private static let slice: UInt64 = 100_000
    /// When those who were turned away may try again, in seconds.
    static let retryAfterSeconds = 2
    private static let busy = AccountFailure.busy(retryAfterSeconds: retryAfterSeconds)

    private struct Job: Sendable {
        var source: String
        /// Does it, or refuses where there is no memory.
        var work: @Sendable (HashMemory?) -> Void
    }

    private struct State {
        /// How many threads there are.
        var threads = 0
        /// How many of them are at a job.
        var working = 0
        var waiting: [Job] = []
        /// Whether the system refused that a thread gives way.
        var isRefused = false
        /// Who wants to know that; nil where nobody does, or once it was told.
        var tell: (@Sendable () -> Void)?
    }

    let parameters: PasswordHash.Parameters
    private let decoy: String
    /// How long a thread without work stays: its memory is not mapped and unmapped for each of
    /// those who log in one after the other.
    private let stay: DispatchTimeInterval
    /// Lets the thread that calls it give way; false where the system refuses.
    private let giveWay: @Sendable () -> Bool
    private let state = Mutex(State())
    /// Rings for each job that finds a thread without work.
    private let bell = DispatchSemaphore(value: 0)

    /// Workers for passwords.
    ///
    /// - Throws: `AccountFailure.busy` where there is no memory for a single hash.
    package convenience init() throws(AccountFailure) {
        try self.init(.usual)
    }

    /// Workers that do a tiny part of the usual work: for tests that are not about passwords.
    package static func quick() throws(AccountFailure) -> PasswordWorkers {
        try PasswordWorkers(.least)
    }

    init(
        _ parameters: PasswordHash.Parameters,
        stay: DispatchTimeInterval = .seconds(2),
        giveWay: @escaping @Sendable () -> Bool = { viavai_give_way(niceness, slice) == 0 }
    ) throws(AccountFailure) {
        self.parameters = parameters
        self.stay = stay
        self.giveWay = giveWay
        guard let memory = HashMemory(),
            let decoy = PasswordHash.make("nobody's", parameters, in: memory)
        else { throw Self.busy }
        self.decoy = decoy
    }

    /// How many wait for a thread.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Hashes a password.
    func hash(_ password: String, for source: String) async throws -> String {
        let parameters = parameters
        let hash = try await run(for: source) { memory in
            PasswordHash.make(password, parameters, in: memory)
        }
        guard let hash else { throw Self.busy }
        return hash
    }

    /// Whether a password is right.
    ///
    /// - Parameters:
    ///   - password: what was typed.
    ///   - hash: the hash on record; nil where there is none, for which the work is the same.
    ///   - source: the network address that asks.
    /// - Returns: false also for a password that is longer than any can be.
    /// - Throws: `busy`.
    func verify(_ password: String, _ hash: String?, for source: String) async throws -> Bool {
        let typed = password.utf8.count <= PasswordRule.mostBytes ? password : ""
        let decoy = decoy
        let fits = try await run(for: source) { memory in
            PasswordHash.verify(typed, hash ?? decoy, in: memory)
        }
        return fits && hash != nil
    }

    /// Runs work on the threads, in its turn.
    ///
    /// - Throws: `busy`.
    func run<Value: Sendable>(
        for source: String,
        _ work: @escaping @Sendable (HashMemory) -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(source: source) { memory in
                if let memory {
                    continuation.resume(returning: work(memory))
                } else {
                    continuation.resume(throwing: Self.busy)
                }
            }
            if !accept(job) { continuation.resume(throwing: Self.busy) }
        }
    }

    /// Finds a thread or a place to wait for a job; false where there is none.
    private func accept(_ job: Job) -> Bool {
        state.withLock { state in
            if state.waiting.count < state.threads - state.working {
                bell.signal()
            } else if state.threads < Self.running {
                state.threads += 1
                Thread.detachNewThread { self.work() }
            } else {
                let ofSource = state.waiting.count { $0.source == job.source }
                guard state.waiting.count < Self.waitingLimit, ofSource < Self.waitingOfOne
                else { return false }
            }
            state.waiting.append(job)
            return true
        }
    }

    /// What a thread does: it works until nobody has come for a while.
    private func work() {
        // Mapped before the thread gives way: nobody shall wait for a thread that waits.
        var memory = HashMemory()
        if !giveWay() { tellRefused() }
        repeat {
            var job = next(after: nil)
            while let current = job {
                memory = memory ?? HashMemory()
                current.work(memory)
                job = next(after: current)
            }
        } while bell.wait(timeout: .now() + stay) == .success || !leave()
    }

    /// Has somebody told, once, that the system does not let the threads give way: then pages wait
    /// while many log in.
    package func whenRefused(_ tell: @escaping @Sendable () -> Void) {
        let isRefused = state.withLock { state in
            if !state.isRefused { state.tell = tell }
            return state.isRefused
        }
        if isRefused { tell() }
    }

    private func tellRefused() {
        let tell = state.withLock { state in
            defer { state.tell = nil }
            state.isRefused = true
            return state.tell
        }
        tell?()
    }

    /// Whose turn it is once a job is done; nil where nobody waits.
    private func next(after job: Job?) -> Job? {
        state.withLock { state in
            if job != nil { state.working -= 1 }
            guard !state.waiting.isEmpty else { return nil }
            state.working += 1
            return state.waiting.removeFirst()
        }
    }

    /// Takes leave of the others; false where somebody has just come.
    private func leave() -> Bool {
        state.withLock { state in
            guard state.waiting.isEmpty else { return false }
            state.threads -= 1
            return true
        }
    }
}
