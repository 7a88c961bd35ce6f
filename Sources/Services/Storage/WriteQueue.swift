import Synchronization

/// A write that waits to be executed.
struct WriteTicket: Sendable {
    let deadline: ContinuousClock.Instant
    let body: @Sendable (Transaction) throws -> Void
    let finish: @Sendable (Result<Void, any Error>) -> Void
}

/// Combines waiting writes into one transaction, so that they share one commit.
///
/// Each runs within a savepoint, sees the writes before it, and is rolled back alone if it throws.
/// All are answered after the commit, including those that threw, because they may have read
/// changes that were rolled back later.
final class WriteQueue: Sendable {
    /// The most waiting writes; more would only exceed their deadlines.
    static let waitingLimit = 10_000
    /// The most writes per transaction; more would delay the first without much gain.
    static let gatheringLimit = 64
    /// The most attempts of a write when connections break.
    static let attemptLimit = 8

    private struct State {
        var waiting: [WriteTicket] = []
        var isServed = false
    }

    private let engine: any Engine
    private let availability: Availability
    private let state = Mutex(State())

    init(engine: any Engine, _ availability: Availability) {
        self.engine = engine
        self.availability = availability
    }

    func add(_ ticket: WriteTicket) {
        let (isFull, isFirst) = state.withLock { state in
            guard state.waiting.count < Self.waitingLimit else { return (true, false) }
            state.waiting.append(ticket)
            defer { state.isServed = true }
            return (false, !state.isServed)
        }
        if isFull {
            let failure = DatabaseFailure.tooManyWaiting(limit: Self.waitingLimit)
            ticket.finish(.failure(failure))
        }
        if isFirst { serve() }
    }

    /// Executes one group of writes, then queues again behind other work.
    private func serve() {
        engine.withWriter { session in
            let tickets = self.state.withLock { state in
                let taken = Array(state.waiting.prefix(Self.gatheringLimit))
                state.waiting.removeFirst(taken.count)
                return taken
            }
            switch session {
            case .success(let session):
                WriteGroup(tickets, self.availability).run(on: session)
            case .failure(let failure): for ticket in tickets { ticket.finish(.failure(failure)) }
            }
            let isLeft = self.state.withLock { state in
                state.isServed = !state.waiting.isEmpty
                return state.isServed
            }
            if isLeft { self.serve() }
        }
    }
}
