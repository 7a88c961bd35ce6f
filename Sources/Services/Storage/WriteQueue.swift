import Synchronization

/// A write that waits for its turn.
struct WriteTicket: Sendable {
    let deadline: ContinuousClock.Instant
    let body: @Sendable (Transaction) throws -> Void
    let finish: @Sendable (Result<Void, any Error>) -> Void
}

/// Gathers writes that wait together into one transaction, so that they share one commit.
///
/// Each runs behind a savepoint, sees what those before it wrote, and is undone alone where it
/// throws. All are answered after the commit, also those that threw: what they saw may have come
/// from writes that did not last.
final class WriteQueue: Sendable {
    /// How many writes may wait; more would only wait in vain for their deadlines.
    static let waitingLimit = 10_000
    /// How many writes share a transaction; more would delay the first without much gain.
    static let gatheringLimit = 64
    /// How often a write is tried when connections break.
    static let attemptLimit = 8

    private struct State {
        var waiting: [WriteTicket] = []
        var isServed = false
    }

    private let engine: any Engine
    private let state = Mutex(State())

    init(engine: any Engine) {
        self.engine = engine
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

    /// Serves one transaction's worth of tickets, then queues again behind what else waits.
    private func serve() {
        engine.withWriter { session in
            let tickets = self.state.withLock { state in
                let taken = Array(state.waiting.prefix(Self.gatheringLimit))
                state.waiting.removeFirst(taken.count)
                return taken
            }
            switch session {
            case .success(let session): WriteGroup(tickets).run(on: session)
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
