import GRDB
import GRDBSQLite

/// A session on a connection of the pool, valid while the pool lends it.
final class SQLiteSession: Session {
    private let database: GRDB.Database
    private let watch: DeadlineWatch
    /// What the clock said when the transaction first asked; nil while it has not.
    private var now: Int64?

    init(_ database: GRDB.Database) {
        self.database = database
        watch = DeadlineWatch(database)
    }

    var isInTransaction: Bool { database.isInsideTransaction }

    func begin(_ access: Access, deadline: ContinuousClock.Instant) throws(DatabaseFailure) {
        let left = deadline - ContinuousClock.now
        guard left > .zero else { throw .deadlineExceeded }
        guard unsafe database.sqliteConnection != nil else { throw .closed }
        now = nil
        watch.start(deadline: deadline)
        watch.waitForLocks(atMost: left)
        // Locks immediately, because a reader that starts to write later could not
        // wait for the lock.
        _ = try run(access == .writing ? "BEGIN IMMEDIATE" : "BEGIN")
    }

    func limit(to deadline: ContinuousClock.Instant) {
        watch.start(deadline: deadline)
    }

    func run(_ statements: [SQL]) throws(DatabaseFailure) -> [Answer] {
        var answers: [Answer] = []
        answers.reserveCapacity(statements.count)
        for statement in statements { answers.append(try run(statement)) }
        return answers
    }

    func queue(_ statement: SQL) throws(DatabaseFailure) {
        _ = try run(statement)
    }

    func commit() throws(DatabaseFailure) {
        watch.stop()
        do {
            _ = try run("COMMIT")
        } catch .inputOutput(let message) {
            // The last write or sync of the commit failed; after a crash it may be present or not.
            throw .outcomeUnknown(message)
        }
    }

    func endReading() { rollback() }

    func rollback() {
        watch.stop()
        guard database.isInsideTransaction else { return }
        // If this fails, SQLite has already rolled back or will when the connection is closed.
        _ = try? run("ROLLBACK")
    }

    private func run(_ statement: SQL) throws(DatabaseFailure) -> Answer {
        let moment = statement.asksForTime ? try transactionTime() : nil
        let (text, values) = statement.rendered(for: .sqlite, at: moment)
        do {
            let before = database.totalChangesCount
            var answer = try Answer(database.cachedStatement(sql: text), binding: values)
            answer.changed = database.totalChangesCount - before
            return answer
        } catch {
            throw DatabaseFailure(error)
        }
    }

    /// The time of the transaction: SQLite's own clock, read by the first statement that asks.
    private func transactionTime() throws(DatabaseFailure) -> Int64 {
        if let now { return now }
        do {
            let clock = try database.cachedStatement(
                sql: "SELECT \(SQLWord.statementClock) AS now"
            )
            guard let row = try Answer(clock, binding: []).rows.first else {
                throw DatabaseFailure.noColumn("now")
            }
            let read: Int64 = try row.value("now")
            now = read
            return read
        } catch {
            throw DatabaseFailure(error)
        }
    }
}

/// Interrupts the statements of a connection after their deadline.
@safe
private final class DeadlineWatch {
    /// The number of virtual machine steps between two looks at the clock, about 0.1 ms.
    private static let stepsBetweenLooks: CInt = 10_000

    private let connection: OpaquePointer?
    private var deadline: ContinuousClock.Instant?

    init(_ database: GRDB.Database) {
        unsafe connection = database.sqliteConnection
    }

    deinit {
        stop()
    }

    func start(deadline: ContinuousClock.Instant) {
        self.deadline = deadline
        // The connection calls back only while this object lives, because `deinit`
        // removes the handler.
        unsafe sqlite3_progress_handler(
            connection,
            Self.stepsBetweenLooks,
            { context in
                guard let context = unsafe context else { return 0 }
                let watch = unsafe Unmanaged<DeadlineWatch>.fromOpaque(context)
                return unsafe watch.takeUnretainedValue().isOver ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    func stop() {
        guard deadline != nil else { return }
        deadline = nil
        unsafe sqlite3_progress_handler(connection, 0, nil, nil)
    }

    func waitForLocks(atMost limit: Duration) {
        let milliseconds = limit / .milliseconds(1)
        let waiting = CInt(min(max(milliseconds, 1), Double(CInt.max / 2)))
        unsafe sqlite3_busy_timeout(connection, waiting)
    }

    private var isOver: Bool {
        deadline.map { $0 <= ContinuousClock.now } ?? false
    }
}
