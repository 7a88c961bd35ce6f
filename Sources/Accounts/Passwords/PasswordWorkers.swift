import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Hashes and checks passwords on two threads of its own, so that nothing else waits for them.
///
/// At most ``running`` at once (19 MiB each), at most ``waitingLimit`` waiting in the order of
/// their arrival, and of these at most ``waitingOfOne`` from one network address: a storm of
/// log-ins from one place is turned away while others are served. Who finds no place is told so
/// at once and has cost nothing. The threads give way to all others, so that pages stay quick
/// while many log in.
package final class PasswordWorkers: Sendable {
    /// How many hashes run at once.
    private static let running = 2
    /// How many may wait: about a second's work for two threads.
    private static let waitingLimit = 32
    /// How many of those may come from one address.
    private static let waitingOfOne = 8
    /// How much the threads give way, from 0 to 19 (setpriority).
    private static let niceness: Int32 = 10
    /// When those who were turned away may try again, in seconds.
    static let retryAfterSeconds = 2

    private struct Job: Sendable {
        var source: String
        var work: @Sendable () -> Void
    }

    private struct State {
        var running = 0
        var waiting: [Job] = []
    }

    let parameters: PasswordHash.Parameters
    private let decoy: String
    private let state = Mutex(State())

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

    init(_ parameters: PasswordHash.Parameters) throws(AccountFailure) {
        self.parameters = parameters
        guard let decoy = PasswordHash.make("nobody's", parameters) else {
            throw .busy(retryAfterSeconds: Self.retryAfterSeconds)
        }
        self.decoy = decoy
    }

    /// Hashes a password.
    func hash(_ password: String, for source: String) async throws -> String {
        let parameters = parameters
        let hash = try await run(for: source) { PasswordHash.make(password, parameters) }
        guard let hash else {
            throw AccountFailure.busy(retryAfterSeconds: Self.retryAfterSeconds)
        }
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
        let fits = try await run(for: source) { PasswordHash.verify(typed, hash ?? decoy) }
        return fits && hash != nil
    }

    /// Runs work on the threads, in its turn.
    ///
    /// - Throws: `busy`.
    func run<Value: Sendable>(
        for source: String,
        _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(source: source) { continuation.resume(returning: work()) }
            let accepted = state.withLock { state -> Bool in
                if state.running < Self.running {
                    state.running += 1
                    start(job)
                    return true
                }
                let ofSource = state.waiting.count { $0.source == source }
                guard state.waiting.count < Self.waitingLimit, ofSource < Self.waitingOfOne
                else { return false }
                state.waiting.append(job)
                return true
            }
            if !accepted {
                continuation.resume(
                    throwing: AccountFailure.busy(retryAfterSeconds: Self.retryAfterSeconds)
                )
            }
        }
    }

    /// Starts a thread that works until nobody waits.
    private func start(_ job: Job) {
        Thread.detachNewThread {
            Self.giveWay()
            var next: Job? = job
            while let job = next {
                job.work()
                next = self.next()
            }
        }
    }

    /// Lets every other thread of the machine go first; on Linux, 0 is the calling thread.
    private static func giveWay() {
        #if canImport(Glibc)
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        #else
        _ = setpriority(PRIO_PROCESS, 0, niceness)
        #endif
    }

    /// Whose turn it is; nil where nobody waits, and the thread is over.
    private func next() -> Job? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
