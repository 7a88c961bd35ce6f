import Synchronization

/// A database on SQLite or PostgreSQL.
///
/// It may be used from anywhere at once. Each call has a deadline; where it passes, the call fails
/// with `deadlineExceeded` and nothing was written.
package final class Database: Sendable {
    /// How long a call may take where the caller says nothing.
    package static let usualLimit = Duration.seconds(10)

    /// How long a thread that has something else to do reads at most.
    private static let briefLimit = Duration.milliseconds(20)

    /// How often a reading transaction is tried when connections break.
    private static let readAttempts = 3

    private let engine: any Engine
    private let writes: WriteQueue
    private let isClosed = Mutex(false)

    init(engine: any Engine) {
        self.engine = engine
        writes = WriteQueue(engine: engine)
    }

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - address: `sqlite:FILE`, which makes the file where there is none, or a PostgreSQL
    ///     address, `postgres://user:password@host:port/name?…`, as libpq reads it.
    ///   - limit: how long to wait for a server that is starting.
    /// - Returns: the database, which has answered once.
    /// - Throws: `badAddress`, `unavailable`, `damaged`, `notDurable`.
    package static func open(
        _ address: String,
        within limit: Duration = usualLimit
    ) async throws(DatabaseFailure) -> Database {
        let engine: any Engine
        let file = "sqlite:"
        if address.hasPrefix(file), address.count > file.count {
            engine = try SQLiteEngine(path: String(address.dropFirst(file.count)))
        } else if ["postgres://", "postgresql://"].contains(where: address.hasPrefix) {
            engine = PostgresEngine(address: address)
        } else {
            throw .badAddress(address)
        }
        let database = Database(engine: engine)
        do {
            _ = try await database.read(within: limit) { try $0.row("SELECT 1 AS one") }
        } catch let failure as DatabaseFailure {
            database.close()
            throw failure
        } catch {
            throw .unavailable("\(error)")
        }
        return database
    }

    /// Reads one unchanging state of the database.
    ///
    /// - Parameters:
    ///   - limit: how long it may take.
    ///   - isBrief: whether it takes microseconds, such as a few rows by their keys. Where the
    ///     database is a file and a connection is free, the calling thread itself then reads: the
    ///     way to another thread and back costs several times as much. It does nothing else
    ///     meanwhile, so what may take milliseconds is not brief; what does all the same is read
    ///     once more elsewhere.
    ///   - body: reads; it may run again after a broken connection, so it has no other effects.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, or a `DatabaseFailure`.
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
                // It has to be waited for.
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

    /// Changes the database in one transaction, durable when it returns.
    ///
    /// - Parameters:
    ///   - limit: how long it may take.
    ///   - body: reads and writes; it may run more than once, so it has no other effects. Where it
    ///     throws, its changes are undone.
    /// - Returns: what the body returns.
    /// - Throws: what the body throws, or a `DatabaseFailure`.
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
            throw DatabaseFailure.unavailable("a write was answered without having run")
        }
        return found
    }

    /// A stream with an element whenever something may have changed, also by other programs.
    ///
    /// Elements that are not taken become one: a change is a hint to look, never a promise that
    /// there is something. It ends when the database is closed.
    package func changes() -> AsyncStream<Void> {
        engine.changes()
    }

    /// Removes from the disk what remains of rows that were deleted.
    ///
    /// SQLite overwrites them in its file when they are deleted and here empties its write-ahead
    /// log; PostgreSQL does so in its own time (autovacuum, recycling of its log).
    ///
    /// - Throws: `busy` where somebody reads for so long that the log cannot be emptied.
    package func scrub() async throws {
        try checkOpen()
        try await withCheckedThrowingContinuation { continuation in
            engine.scrub { continuation.resume(with: $0) }
        }
    }

    /// Gives back connections and files once what runs has ended; what waits fails.
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
