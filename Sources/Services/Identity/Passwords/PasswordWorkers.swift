import CScheduling
import Dispatch
import Foundation
import Synchronization

/// Hashes and verifies passwords on two threads of their own, so that nothing else waits for them.
///
/// At most ``running`` jobs run at once (19 MiB each), at most ``waitingLimit`` wait in order of
/// arrival, and at most ``waitingOfOne`` of those come from one network address, so that a flood of
/// log-ins from one place is rejected while others are served. A job without a free place is
/// refused at once and at no cost. The threads have a low priority, so that pages stay fast while
/// many people log in. Each keeps its ``HashMemory`` for its lifetime and ends after a period
/// without work: an idle server holds none.
package final class PasswordWorkers: Sendable {
    /// The number of hashes that run at once.
    private static let running = 2
    /// The most jobs that may wait: about one second of work for two threads.
    private static let waitingLimit = 32
    /// The most waiting jobs from one network address.
    private static let waitingOfOne = 8
    /// The nice value of the threads, from 0 to 19.
    private static let niceness: Int32 = 10
    /// How long a thread runs before another may preempt it, in nanoseconds.
    ///
    /// A page switches threads about six times and would otherwise wait for a usual slice
    /// (3 ms) each time.
    private static let slice: UInt64 = 100_000
    /// How long rejected clients should wait before they retry, in seconds.
    static let retryAfterSeconds = 2
    private static let busy = AccountFailure.busy(retryAfterSeconds: retryAfterSeconds)

    private struct Job: Sendable {
        var source: String
        /// Does the work, or reports failure if there is no memory.
        var work: @Sendable (HashMemory?) -> Void
    }

    private struct State {
        /// The number of existing threads.
        var threads = 0
        /// The number of threads that are working on a job.
        var working = 0
        var waiting: [Job] = []
        /// Whether the system refused to lower the priority of a thread.
        var isRefused = false
        /// The callback for that refusal; nil before it is set and after it was called.
        var tell: (@Sendable () -> Void)?
    }

    let parameters: PasswordHash.Parameters
    private let decoy: String
    /// How long an idle thread stays, so that its memory is not mapped and unmapped for each of
    /// several consecutive log-ins.
    private let stay: DispatchTimeInterval
    /// Lowers the priority of the calling thread; false if the system refuses.
    private let giveWay: @Sendable () -> Bool
    private let state = Mutex(State())
    /// Signals an idle thread for each new job.
    private let bell = DispatchSemaphore(value: 0)

    /// Creates workers with the usual cost parameters.
    ///
    /// - Throws: `AccountFailure.busy` if there is no memory for a single hash.
    package convenience init() throws(AccountFailure) {
        try self.init(.usual)
    }

    /// Creates workers with the lowest cost, for tests that are not about passwords.
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

    /// The number of jobs that wait for a thread.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Hashes a password on one of the threads.
    func hash(_ password: String, for source: String) async throws -> String {
        let parameters = parameters
        let hash = try await run(for: source) { memory in
            PasswordHash.make(password, parameters, in: memory)
        }
        guard let hash else { throw Self.busy }
        return hash
    }

    /// Verifies a password against a hash.
    ///
    /// - Parameters:
    ///   - password: the text typed.
    ///   - hash: the hash on record; nil if there is none, for which the same work is done.
    ///   - source: the network address of the request.
    /// - Returns: false also for a password longer than the permitted maximum.
    /// - Throws: `busy`.
    func verify(_ password: String, _ hash: String?, for source: String) async throws -> Bool {
        let typed = password.utf8.count <= PasswordRule.mostBytes ? password : ""
        let decoy = decoy
        let fits = try await run(for: source) { memory in
            PasswordHash.verify(typed, hash ?? decoy, in: memory)
        }
        return fits && hash != nil
    }

    /// Runs work on the threads, in order of arrival.
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

    /// Assigns a job to a thread or the queue; false if both are full.
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

    /// The main function of a thread: works until it has been idle for ``stay``.
    private func work() {
        // Map the memory before lowering the priority, because mapping holds a lock others need.
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

    /// Sets a callback that is called once if the system refuses to lower the priority of the
    /// threads; pages are then slow while many people log in.
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

    /// Returns the next waiting job after one is done; nil if none waits.
    private func next(after job: Job?) -> Job? {
        state.withLock { state in
            if job != nil { state.working -= 1 }
            precondition(
                0..<max(state.threads, 1) ~= state.working,
                "a thread that looks for work has none"
            )
            guard !state.waiting.isEmpty else { return nil }
            state.working += 1
            return state.waiting.removeFirst()
        }
    }

    /// Removes an idle thread from the pool; false if a job has just arrived.
    private func leave() -> Bool {
        state.withLock { state in
            guard state.waiting.isEmpty else { return false }
            state.threads -= 1
            precondition(state.threads >= state.working, "each working thread is counted")
            return true
        }
    }
}
