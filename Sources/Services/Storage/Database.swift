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

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - address: `sqlite:FILE`, which creates the file if it does not exist, or a PostgreSQL
    ///     address in libpq's format, `postgres://user:password@host:port/name?…`.
    ///   - limit: how long to wait for a server that is starting.
    ///   - failsFast: whether later calls fail after about two seconds without an answer and, from
    ///     then on, at once, until a trial in the background finds the server back. Otherwise each
    ///     call waits until its own deadline.
    /// - Returns: the database after a successful first query.
    /// - Throws: `badAddress`, `unavailable`, `damaged`, `notDurable`.
    package static func open(
        _ address: String,
        within limit: Duration = usualLimit,
        failsFast: Bool = false
    ) async throws(DatabaseFailure) -> Database {
        let availability = Availability()
        let engine: any Engine
        let file = "sqlite:"
        if address.hasPrefix(file), address.count > file.count {
            engine = try SQLiteEngine(path: String(address.dropFirst(file.count)))
        } else if ["postgres://", "postgresql://"].contains(where: address.hasPrefix) {
            engine = PostgresEngine(address: address, availability)
        } else {
            throw .badAddress(address)
        }
        let database = Database(engine: engine, availability)
        do {
            _ = try await database.read(within: limit) { try $0.row("SELECT 1 AS one") }
        } catch let failure as DatabaseFailure {
            database.close()
            throw failure
        } catch {
            throw .unavailable("\(error)")
        }
        if failsFast { engine.failFast() }
        return database
    }

    /// Why the database cannot be used at the moment; nil if it can, as far as is known.
    ///
    /// A database that accepted no changes is taken to accept them again after a transaction that
    /// changed rows.
    package var trouble: DatabaseTrouble? { availability.trouble }

    /// Registers who is told when trouble begins, and with nil when it is over.
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
