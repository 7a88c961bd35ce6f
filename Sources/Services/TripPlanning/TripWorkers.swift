import CScheduling
import Dispatch
import Foundation
import Journeys
import Synchronization

/// Threads that answer questions, the cheapest first.
///
/// A thread starts when a question finds all others at work. It has its own ``TripSearch``, and
/// stays as long as the planner is used, since the memory of a search is worth keeping. The threads
/// give way to all others of the process. At most ``waitingLimit`` questions wait; any other is
/// refused at once. Questions are ordered by their arrival plus a multiple of the time that their
/// answers are expected to take: cheap questions overtake expensive ones, but none waits forever.
final class TripWorkers: Sendable {
    /// The greatest number of waiting questions: some tenths of a second of work.
    static let waitingLimit = 64
    /// The multiple of its expected time by which a question is put back.
    private static let patience = 20
    /// The nice value of the threads, from 0 to 19.
    private static let niceness: Int32 = 10
    /// How long a thread runs before another may preempt it, in nanoseconds: otherwise a page would
    /// wait for a usual slice (3 ms) at each switch of threads.
    private static let slice: UInt64 = 100_000

    /// Finds an answer with a thread's search; calls the check where it may stop.
    typealias Finder<Answer> =
        @Sendable (_ search: inout TripSearch, _ check: TripSearch.Check) throws(TripFailure)
        -> Answer
    /// Receives the answer, once.
    typealias Receiver<Answer> = @Sendable (Result<Answer, TripFailure>) -> Void

    private struct Job: Sendable {
        var ticket: TripTicket
        var turn: ContinuousClock.Instant
        /// Finds the answer and passes it on.
        var answer: @Sendable (inout TripSearch) -> Void
        /// Reports why there is no answer.
        var refuse: @Sendable (TripFailure) -> Void
    }

    private struct State {
        var isClosed = false
        /// The number of existing threads.
        var threads = 0
        /// The number of threads that are answering a question.
        var working = 0
        var waiting: [Job] = []
    }

    private let snapshot: CitySnapshot
    private let limit: Int
    private let state = Mutex(State())
    /// Wakes an idle thread for each new question.
    private let reliability: TripReliability?
    private let bell = DispatchSemaphore(value: 0)

    /// Creates workers; their threads start with the first questions.
    init(_ snapshot: CitySnapshot, limit: Int, _ reliability: TripReliability? = nil) {
        self.snapshot = snapshot
        self.reliability = reliability
        self.limit = limit
    }

    /// The number of waiting questions.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Queues a question, or refuses it.
    ///
    /// - Parameters:
    ///   - ticket: the question.
    ///   - find: finds the answer on one of the threads.
    ///   - receive: receives the answer, or why there is none, on any thread.
    func accept<Answer: Sendable>(
        _ ticket: TripTicket,
        _ find: @escaping Finder<Answer>,
        _ receive: @escaping Receiver<Answer>
    ) {
        let now = ContinuousClock.now
        let job = Job(
            ticket: ticket,
            turn: now.advanced(by: ticket.expected * Self.patience),
            answer: { search in receive(Self.result(of: ticket, find, &search)) },
            refuse: { receive(.failure($0)) }
        )
        let expired = expired(at: now)
        for job in expired { job.refuse(job.ticket.failure(at: now) ?? .deadline) }
        if let failure = ticket.failure(at: now) ?? place(job) { job.refuse(failure) }
    }

    /// Withdraws a question.
    func withdraw(_ ticket: TripTicket) {
        ticket.withdraw()
        let job = state.withLock { state in
            state.waiting.firstIndex { $0.ticket === ticket }.map { state.waiting.remove(at: $0) }
        }
        job?.refuse(.cancelled)
    }

    /// Ends the threads once they have finished their current questions.
    func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return (jobs: state.waiting, threads: state.threads)
        }
        for job in left.jobs { job.refuse(.cancelled) }
        for _ in 0..<left.threads { bell.signal() }
    }

    /// Assigns a question to a thread or to the queue; the failure if both are full.
    private func place(_ job: Job) -> TripFailure? {
        state.withLock { state in
            guard !state.isClosed else { return .cancelled }
            guard state.waiting.count < Self.waitingLimit else { return .busy }
            if state.waiting.count < state.threads - state.working {
                bell.signal()
            } else if state.threads < limit {
                state.threads += 1
                Thread.detachNewThread { self.work() }
            }
            state.waiting.append(job)
            return nil
        }
    }

    /// Removes the questions that have expired or were withdrawn.
    private func expired(at now: ContinuousClock.Instant) -> [Job] {
        state.withLock { state in
            guard state.waiting.contains(where: { $0.ticket.failure(at: now) != nil }) else {
                return []
            }
            let expired = state.waiting.filter { $0.ticket.failure(at: now) != nil }
            state.waiting.removeAll { $0.ticket.failure(at: now) != nil }
            return expired
        }
    }

    /// Lets the calling thread give way to all others.
    static func giveWay() {
        // If the system refuses, planning is only less considerate.
        _ = viavai_give_way(niceness, slice)
    }

    /// The main function of a thread.
    private func work() {
        Self.giveWay()
        var search = TripSearch(snapshot, reliability: reliability)
        while true {
            while let job = next() {
                job.answer(&search)
                state.withLock { $0.working -= 1 }
            }
            if state.withLock({ $0.isClosed }) { return }
            bell.wait()
        }
    }

    /// The next question; nil if none waits.
    private func next() -> Job? {
        state.withLock { state in
            precondition(
                0..<max(state.threads, 1) ~= state.working,
                "a thread that looks for work has none"
            )
            let turns = state.waiting.indices
            guard let first = turns.min(by: { state.waiting[$0].turn < state.waiting[$1].turn })
            else { return nil }
            state.working += 1
            return state.waiting.remove(at: first)
        }
    }

    private static func result<Answer>(
        of ticket: TripTicket,
        _ find: Finder<Answer>,
        _ search: inout TripSearch
    ) -> Result<Answer, TripFailure> {
        do throws(TripFailure) {
            try ticket.check()
            return .success(try find(&search, ticket.check))
        } catch {
            return .failure(error)
        }
    }
}
