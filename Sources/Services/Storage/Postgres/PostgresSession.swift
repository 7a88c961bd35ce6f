/// A session that connects on demand and reconnects after a loss.
final class PostgresSession: Session {
    /// How long to wait for a commit beyond the deadline, because giving up leaves
    /// its outcome unknown.
    private static let commitGrace = Duration.seconds(10)
    /// How long to wait for the server to enforce a deadline itself.
    private static let statementGrace = Duration.seconds(1)
    /// How long to wait for a rollback before the connection is dropped instead.
    private static let rollbackLimit = Duration.seconds(2)
    /// The time in milliseconds after which the server ends the transaction of a stalled writer, so
    /// that its locks do not delay a successor.
    private static let idleLimit = 5_000

    private let address: String
    private let watch: PostgresWatch
    private var connection: PostgresConnection?
    private var queued: [Command] = []
    private var access = Access.reading
    private var deadline = ContinuousClock.now
    private var isClosed = false
    /// When the current call was made; any snapshot taken later is new enough for it.
    var asked = ContinuousClock.now
    /// The snapshot of the current transaction; nil until a statement was sent.
    private var snapshot: Snapshot?
    /// The open snapshot that the previous call left for the next one, if any.
    private var kept: Snapshot?
    /// The server's time limit for each statement, in milliseconds.
    private var limit: Int64 = 0

    /// The snapshot that a reading transaction sees.
    private struct Snapshot {
        /// A time before the snapshot was taken.
        var after: ContinuousClock.Instant
        /// The server's time limit for each statement, in milliseconds.
        var limit: Int64

        /// Returns whether another call may use the snapshot: it was made earlier, and the time
        /// limit of statements is about the wanted one.
        func serves(_ asked: ContinuousClock.Instant, _ wanted: Int64) -> Bool {
            asked < after && limit >= wanted - wanted / 10
                && limit < wanted + PostgresSession.statementGrace.milliseconds
        }
    }

    init(address: String, _ watch: PostgresWatch) {
        self.address = address
        self.watch = watch
    }

    var isInTransaction: Bool {
        guard let connection, connection.isWell else { return false }
        return !queued.isEmpty || connection.isInTransaction
    }

    func begin(_ access: Access, deadline: ContinuousClock.Instant) throws(DatabaseFailure) {
        guard !isClosed else { throw .closed }
        let left = deadline - ContinuousClock.now
        guard left > .zero else { throw .deadlineExceeded }
        try watch.check()
        self.access = access
        self.deadline = deadline
        if connection?.isWell != true {
            (connection, kept) = (nil, nil)
            connection = try connect()
        }
        limit = max(left.milliseconds, 1)
        let open = kept
        (snapshot, kept, queued) = (nil, nil, [])
        // Of several waiting reads, only the first needs a transaction of its own.
        if access == .reading, let open, open.serves(asked, limit) { return snapshot = open }
        let isolation = access == .writing ? "SERIALIZABLE" : "REPEATABLE READ READ ONLY"
        if open != nil { queued.append(Command(control: "ROLLBACK")) }
        queued += [
            Command(control: "BEGIN ISOLATION LEVEL \(isolation)"),
            Command(control: "SET LOCAL statement_timeout = \(limit)"),
        ]
    }

    func limit(to deadline: ContinuousClock.Instant) {
        self.deadline = deadline
    }

    func run(_ statements: [SQL]) throws(DatabaseFailure) -> [Answer] {
        guard !statements.isEmpty else { return [] }
        let before = queued.count
        queued += statements.map { Command($0) }
        if snapshot == nil { snapshot = Snapshot(after: .now, limit: limit) }
        return Array(try flush(until: deadline + Self.statementGrace).dropFirst(before))
    }

    func queue(_ statement: SQL) throws(DatabaseFailure) {
        queued.append(Command(statement))
    }

    func commit() throws(DatabaseFailure) {
        precondition(access == .writing, "A transaction that only reads was committed.")
        // A timeout during the commit would only stop the wait for a standby, not the commit.
        queued += [
            Command(control: "SET LOCAL statement_timeout = 0"), Command(control: "COMMIT"),
        ]
        let answers: [Answer]
        do {
            answers = try flush(until: max(deadline, ContinuousClock.now) + Self.commitGrace)
        } catch .connectionLost(let message) {
            throw .outcomeUnknown(message)
        } catch .deadlineExceeded {
            throw .outcomeUnknown("the server did not confirm the commit in time")
        }
        // When asked to commit a failed transaction, the server reports a rollback, not an error.
        if answers.last?.isUndone == true { throw .conflict }
    }

    func endReading() {
        precondition(access == .reading, "A transaction that writes ended without a commit.")
        guard let snapshot, queued.isEmpty, connection?.unread == 0 else { return rollback() }
        kept = snapshot
    }

    /// Ends the snapshot left open by the last call, because no other call waits.
    func release() {
        if kept != nil { rollback() }
    }

    func rollback() {
        (queued, kept) = ([], nil)
        guard let connection else { return }
        guard connection.isWell, connection.isInTransaction else {
            if !connection.isWell { self.connection = nil }
            return
        }
        // Until the end of the last transaction was read, nothing else was sent.
        guard connection.unread == 0 else { return }
        let command = Command(control: "ROLLBACK")
        do {
            if access == .reading {
                // Nothing depends on the result, so the next call need not wait for a round trip.
                try connection.post(command)
            } else {
                let limit = ContinuousClock.now + Self.rollbackLimit
                _ = try connection.run([command], deadline: limit)
            }
        } catch {
            self.connection = nil
        }
    }

    func close() {
        isClosed = true
        connection = nil
    }

    /// Sends the queued statements as one pipeline.
    private func flush(
        until limit: ContinuousClock.Instant
    ) throws(DatabaseFailure) -> [Answer] {
        guard let connection else { throw .connectionLost("there is no connection") }
        let commands = queued
        queued = []
        let outcome: PipelineOutcome
        do {
            outcome = try connection.run(commands, deadline: limit)
        } catch {
            self.connection = nil
            throw error
        }
        if let failure = outcome.failure { throw failure }
        precondition(
            outcome.answers.count == commands.count,
            "The server has not answered each statement exactly once."
        )
        return outcome.answers
    }

    private func connect() throws(DatabaseFailure) -> PostgresConnection {
        let limit = deadline - .now
        do throws(DatabaseFailure) {
            let connection = try Self.connect(
                to: address,
                deadline: watch.connecting(before: deadline),
                isRepeated: { [watch] in !watch.isAway }
            )
            connection.watch = watch
            return connection
        } catch {
            watch.missed(error, within: limit)
            throw error
        }
    }

    /// Connects and checks that the server's commits are durable.
    ///
    /// - Parameters:
    ///   - address: the address of the database.
    ///   - deadline: when to give up.
    ///   - isRepeated: whether to try again while the server is not ready.
    /// - Returns: an open connection.
    /// - Throws: `unavailable`, `notDurable`; the error of the first statement.
    static func connect(
        to address: String,
        deadline: ContinuousClock.Instant,
        isRepeated: () -> Bool
    ) throws(DatabaseFailure) -> PostgresConnection {
        let connection = try PostgresConnection.open(
            address,
            deadline: deadline,
            isRepeated: isRepeated
        )
        let outcome = try connection.run(
            [
                Command(control: "SET idle_in_transaction_session_timeout = \(Self.idleLimit)"),
                Command(
                    """
                    SELECT current_setting('fsync') AS fsync,
                        current_setting('synchronous_commit') AS commits,
                        current_setting('server_encoding') AS encoding
                    """
                ),
            ],
            deadline: deadline
        )
        if let failure = outcome.failure { throw failure }
        guard let settings = outcome.answers.last?.rows.first else {
            throw .unavailable("the server does not tell its settings")
        }
        guard try settings.value("fsync") == "on" else {
            throw .notDurable("the server runs with fsync = off")
        }
        guard try settings.value("encoding") == "UTF8" else {
            throw .unavailable("the database's encoding is not UTF8")
        }
        if try settings.value("commits") == "off" {
            let command = Command(control: "SET synchronous_commit = on")
            let outcome = try connection.run([command], deadline: deadline)
            if let failure = outcome.failure { throw failure }
        }
        return connection
    }
}
