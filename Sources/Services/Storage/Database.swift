import Synchronization

/// A database on SQLite or PostgreSQL.
///
/// It is safe to use concurrently. Each call has a deadline, after which it fails with
/// `deadlineExceeded` and nothing was written.
package final class Database: Sendable {
    /// The default time limit of a call.
    package static let usualLimit = Duration.seconds(10)

    /// The longest read on a calling thread that also has other work.
    private static let briefLimit = Duration.milliseconds(20)

    /// The most attempts of a read when connections break.
    private static let readAttempts = 3

    private let engine: any Engine
    private let writes: WriteQueue
    private let availability: Availability
    private let isClosed = Mutex(false)

    init(engine: any Engine, _ availability: Availability) {
        self.engine = engine
        self.availability = availability
        writes = WriteQueue(engine: engine, availability)
    }

    /// Why the database cannot be used at the moment; nil if it can, as far as is known.
    ///
    /// A database that accepted no changes is taken to accept them again after a transaction that
    /// changed rows.
    package var trouble: DatabaseTrouble? { availability.trouble }

    /// Registers a listener that is called when trouble begins, and with nil when it ends.
    ///
    /// - Parameter tell: called on any thread; it replaces the one registered before.
    package func whenTroubled(_ tell: @escaping @Sendable (DatabaseTrouble?) -> Void) {
        availability.whenTroubled(tell)
    }

    /// Reads a consistent snapshot of the database.
    ///
    /// - Parameters:
    ///   - limit: the time limit of the call.
    ///   - isBrief: whether the read takes microseconds, such as a few rows by their keys. If the
    ///     database is a file and a connection is free, it then runs on the calling thread, which
    ///     avoids the much higher cost of a thread switch. It blocks that thread, so a read that
    ///     may take milliseconds is not brief; if it takes too long, it is repeated
    ///     on another thread.
    ///   - body: the queries; they may run again after a broken connection, so the body must
    ///     have no side effects.
    /// - Returns: the result of the body.
    /// - Throws: an error of the body, or a `DatabaseFailure`.
    package func read<Value: Sendable>(
        within limit: Duration = usualLimit,
        isBrief: Bool = false,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        try checkOpen()
        let deadline = ContinuousClock.now + limit
        if isBrief {
            let soon = min(deadline, ContinuousClock.now + Self.briefLimit)
            var found: Result<Value, any Error>?
            engine.withReaderHere { session in
                found = Result { try Self.read(body, on: session.get(), deadline: soon) }
            }
            do {
                if let found { return try found.get() }
            } catch DatabaseFailure.deadlineExceeded, DatabaseFailure.busy {
                // The read must wait and runs on another thread below.
            }
        }
        return try await withCheckedThrowingContinuation { continuation in
            engine.withReader { session in
                continuation.resume(
                    with: Result { try Self.read(body, on: session.get(), deadline: deadline) }
                )
            }
        }
    }

    /// Changes the database in one transaction, which is durable on return.
    ///
    /// - Parameters:
    ///   - limit: the time limit of the call.
    ///   - body: the statements; they may run more than once, so the body must have no side
    ///     effects. If it throws, its changes are rolled back.
    /// - Returns: the result of the body.
    /// - Throws: an error of the body, or a `DatabaseFailure`.
    @discardableResult
    package func write<Value: Sendable>(
        within limit: Duration = usualLimit,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        try ModuleAccess.check(writes: .rows)
        try checkOpen()
        let value = Mutex<Value?>(nil)
        try await withCheckedThrowingContinuation { continuation in
            writes.add(
                WriteTicket(
                    deadline: ContinuousClock.now + limit,
                    body: { transaction in
                        let found = try body(transaction)
                        value.withLock { $0 = found }
                    },
                    finish: { continuation.resume(with: $0) }
                )
            )
        }
        guard let found = value.withLock({ $0 }) else {
            preconditionFailure("A write succeeded without having run.")
        }
        return found
    }

    /// Returns a stream with an element whenever the database may have changed, also
    /// by other programs.
    ///
    /// Pending elements are merged: a change is a hint to look, not a promise of news. The stream
    /// ends when the database is closed.
    package func changes() -> AsyncStream<Void> {
        engine.changes()
    }

    /// Removes the remains of deleted rows from the disk.
    ///
    /// SQLite overwrites deleted rows in its file, and this call empties its write-ahead log.
    /// PostgreSQL does so at its own times (autovacuum, recycling of its log).
    ///
    /// - Throws: `busy` if a long read prevents emptying the log.
    package func scrub() async throws {
        try checkOpen()
        try await withCheckedThrowingContinuation { continuation in
            engine.scrub { continuation.resume(with: $0) }
        }
    }

    /// Closes connections and files after running calls end; waiting calls fail.
    package func close() {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if !wasClosed { engine.close() }
    }

    private func checkOpen() throws(DatabaseFailure) {
        if isClosed.withLock({ $0 }) { throw .closed }
    }

    private static func read<Value>(
        _ body: (Transaction) throws -> Value,
        on session: any Session,
        deadline: ContinuousClock.Instant
    ) throws -> Value {
        var attempt = 1
        while true {
            do {
                try session.begin(.reading, deadline: deadline)
                let transaction = Transaction(session)
                let value = try body(transaction)
                if let failure = transaction.failure { throw failure }
                session.endReading()
                return value
            } catch let failure as DatabaseFailure {
                session.rollback()
                guard failure.isWorthAnotherTry, attempt < readAttempts else { throw failure }
                attempt += 1
            } catch {
                session.rollback()
                throw error
            }
        }
    }
}

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
