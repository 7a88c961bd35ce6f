@testable import Storage

/// A connection that can break at any statement and at the commit.
final class SimulatedSession: Session {
    private let inner: SQLiteSession
    private let database: SimulatedDatabase
    private let process: SimulatedProcess
    /// The statements of the transaction so far.
    private var statements: [SQL] = []

    init(_ inner: SQLiteSession, _ database: SimulatedDatabase, _ process: SimulatedProcess) {
        self.inner = inner
        self.database = database
        self.process = process
    }

    var isInTransaction: Bool { inner.isInTransaction }

    func begin(
        _ access: Access,
        deadline: ContinuousClock.Instant
    ) throws(DatabaseFailure) {
        if process.isDead { throw .unavailable("killed") }
        if database.fails(10, "no connection") { throw .unavailable("no connection") }
        if database.fails(10, "no answer in time") { throw .deadlineExceeded }
        statements = []
        try inner.begin(access, deadline: deadline)
    }

    func limit(to deadline: ContinuousClock.Instant) { inner.limit(to: deadline) }

    func run(_ statements: [SQL]) throws(DatabaseFailure) -> [Storage.Answer] {
        if database.fails(5, "a broken connection") { throw .connectionLost("simulated") }
        if database.fails(3, "a full disk") { throw .diskFull("simulated") }
        self.statements += statements
        if database.defect == .answersForgotten, statements.count == 1,
            statements[0].rendered(for: .sqlite).text.contains("FROM command_answer")
        {
            return [Storage.Answer()]
        }
        return try inner.run(statements)
    }

    func queue(_ statement: SQL) throws(DatabaseFailure) {
        statements.append(statement)
        try inner.queue(statement)
    }

    func commit() throws(DatabaseFailure) {
        if database.fails(15, "a commit lost") {
            inner.rollback()
            throw .outcomeUnknown("lost")
        }
        if database.fails(10, "a late commit") {
            inner.rollback()
            database.commitLate(statements, of: process)
            throw .outcomeUnknown("late")
        }
        if database.fails(10, "a conflict") {
            inner.rollback()
            throw .conflict
        }
        if database.fails(4, "killed before the commit") {
            inner.rollback()
            process.kill()
            throw .outcomeUnknown("killed")
        }
        if database.defect == .commitForgotten, database.fails(20, "a commit forgotten") {
            return inner.rollback()
        }
        try inner.commit()
        database.truth.look(inner, process.number)
        if database.fails(15, "an answer lost") { throw .outcomeUnknown("answer lost") }
        if database.fails(4, "killed after the commit") {
            process.kill()
            throw .outcomeUnknown("killed")
        }
    }

    func endReading() { inner.endReading() }

    func rollback() { inner.rollback() }
}
