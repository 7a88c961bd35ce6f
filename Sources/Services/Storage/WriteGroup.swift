/// A group of writes that share a transaction, until each has its result.
struct WriteGroup {
    private var tickets: [WriteTicket]
    private let availability: Availability
    private var attempt = 1

    init(_ tickets: [WriteTicket], _ availability: Availability) {
        self.tickets = tickets
        self.availability = availability
    }

    /// Runs all writes and answers each exactly once.
    consuming func run(on session: any Session) {
        while !tickets.isEmpty {
            dropLate()
            guard let last = tickets.map(\.deadline).max() else { return }
            do throws(GroupFailure) {
                let outcomes = try runOnce(on: session, deadline: last)
                for (ticket, outcome) in zip(tickets, outcomes) { ticket.finish(outcome) }
                return
            } catch {
                session.rollback()
                availability.writeFailed(error.cause)
                settle(error)
            }
        }
    }

    /// Makes one attempt at all remaining writes.
    ///
    /// - Returns: the result of each, to be delivered once the transaction is durable.
    private func runOnce(
        on session: any Session,
        deadline: ContinuousClock.Instant
    ) throws(GroupFailure) -> [Result<Void, any Error>] {
        do throws(DatabaseFailure) {
            try session.begin(.writing, deadline: deadline)
        } catch {
            throw GroupFailure(cause: error, culprit: nil)
        }
        var outcomes: [Result<Void, any Error>] = []
        var changed = 0
        for place in tickets.indices {
            do throws(DatabaseFailure) {
                outcomes.append(try outcome(of: tickets[place], on: session, &changed))
            } catch {
                throw GroupFailure(cause: error, culprit: place)
            }
        }
        do throws(DatabaseFailure) {
            try session.commit()
        } catch {
            throw GroupFailure(cause: error, culprit: nil)
        }
        if changed > 0 { availability.wrote() }
        return outcomes
    }

    /// Runs one write within a savepoint and counts the rows that it changes.
    ///
    /// - Throws: an error that ends the transaction for all.
    private func outcome(
        of ticket: WriteTicket,
        on session: any Session,
        _ changed: inout Int
    ) throws(DatabaseFailure) -> Result<Void, any Error> {
        session.limit(to: ticket.deadline)
        try session.queue("SAVEPOINT body")
        let transaction = Transaction(session)
        let thrown: any Error
        do {
            try ticket.body(transaction)
            guard let failure = transaction.failure else {
                try session.queue("RELEASE SAVEPOINT body")
                changed += transaction.changed
                return .success(())
            }
            thrown = failure
        } catch {
            thrown = error
        }
        // The engine's error decides, even if the body has handled it.
        if let failure = transaction.failure, failure.isWorthAnotherTry || !session.isInTransaction
        {
            throw failure
        }
        if let failure = transaction.failure { availability.writeFailed(failure) }
        try session.queue("ROLLBACK TO SAVEPOINT body")
        try session.queue("RELEASE SAVEPOINT body")
        return .failure(thrown)
    }

    /// Answers the writes affected by a failed attempt; the others remain for the next one.
    private mutating func settle(_ failure: GroupFailure) {
        if case .conflict = failure.cause {
            // After a conflict, retry until the deadline: each attempt waits for the
            // other transaction.
        } else if failure.cause.isWorthAnotherTry, attempt < WriteQueue.attemptLimit {
            attempt += 1
        } else if let culprit = failure.culprit {
            tickets.remove(at: culprit).finish(.failure(failure.cause))
        } else {
            for ticket in tickets { ticket.finish(.failure(failure.cause)) }
            tickets = []
        }
    }

    private mutating func dropLate() {
        let now = ContinuousClock.now
        for ticket in tickets where ticket.deadline <= now {
            ticket.finish(.failure(DatabaseFailure.deadlineExceeded))
        }
        tickets.removeAll { $0.deadline <= now }
    }

    /// The error that ended a transaction, and the write in which it occurred.
    private struct GroupFailure: Error {
        var cause: DatabaseFailure
        var culprit: Int?
    }
}

extension DatabaseFailure {
    /// Whether a retry of the transaction may succeed; nothing was written.
    var isWorthAnotherTry: Bool {
        switch self {
        case .conflict, .connectionLost: true
        default: false
        }
    }
}
