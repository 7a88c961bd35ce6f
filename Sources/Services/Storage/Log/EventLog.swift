import Crypto

/// An append-only log of entries with one writer at a time.
///
/// Entries have consecutive sequence numbers, and each record's hash covers the previous one, so
/// that no record before the head can be altered, removed or inserted unnoticed. A head stored
/// elsewhere later proves that the log still contains it.
package struct EventLog: Sendable {
    /// The name of the log and of the lease that its writer must hold.
    package let name: String
    let database: Database

    /// Creates access to a log in a database with the schema `Migration.storage`.
    package init(_ name: String, in database: Database) {
        self.name = name
        self.database = database
    }

    /// Creates the log if it does not exist.
    ///
    /// - Parameter founding: bytes that distinguish this log from others with its name.
    /// - Returns: the head of the log.
    /// - Throws: `otherFounding` if it exists with other founding bytes.
    @discardableResult
    package func found(with founding: [UInt8] = []) async throws -> LogHead {
        try await database.write { [name] transaction in
            let genesis = LogHead.genesis(log: name, founding: founding)
            try transaction.execute(
                """
                INSERT INTO log (name, founding, genesis, sequence, hash)
                VALUES (\(name), \(founding), \(genesis.hash), 0, \(genesis.hash))
                ON CONFLICT DO NOTHING
                """
            )
            let state = try LogState(of: name, in: transaction)
            guard state.genesis == genesis else { throw LogFailure.otherFounding(log: name) }
            return state.head
        }
    }

    /// Returns the head of the log, which is its last record.
    ///
    /// - Throws: `noSuchLog`, `wrongGenesis`.
    package func head() async throws -> LogHead {
        try await database.read { [name] in try LogState(of: name, in: $0).head }
    }

    /// Appends a batch to the log in one transaction, which is durable on return.
    ///
    /// - Parameters:
    ///   - batch: the entries with their effects.
    ///   - head: the head that the writer expects.
    ///   - lease: the writer's lease.
    ///   - limit: the time limit of the call.
    /// - Returns: the new head.
    /// - Throws: `LogFailure` or `DatabaseFailure`; nothing was written, except possibly after
    ///   `outcomeUnknown`: then read `head()` and continue from there.
    package func append(
        _ batch: LogBatch,
        after head: LogHead,
        under lease: Lease,
        within limit: Duration = Database.usualLimit
    ) async throws -> LogHead {
        let appending = try Appending(batch, to: name, after: head, epoch: lease.epoch)
        return try await database.write(within: limit) { try appending.run(in: $0) }
    }
}

/// The row of a log: its genesis and its head.
struct LogState {
    let genesis: LogHead
    let head: LogHead

    /// Reads the row of a log.
    ///
    /// - Throws: `noSuchLog`; `wrongGenesis` if it does not match the name.
    init(of name: String, in transaction: Transaction) throws {
        try self.init(of: name, in: transaction.row(Self.query(name)))
    }

    /// The statement that reads the row.
    static func query(_ name: String) -> SQL {
        "SELECT founding, genesis, sequence, hash FROM log WHERE name = \(name)"
    }

    /// Decodes the row found by the statement.
    init(of name: String, in found: Row?) throws {
        guard let found else { throw LogFailure.noSuchLog(name) }
        genesis = LogHead.genesis(log: name, founding: try found.value("founding"))
        guard try found.value("genesis") == genesis.hash else {
            throw LogFailure.wrongGenesis(log: name)
        }
        head = LogHead(sequence: try found.value("sequence"), hash: try found.value("hash"))
    }
}

/// A batch to be appended to a log: hashed once, then written as often as retries require.
private struct Appending: Sendable {
    private let log: String
    private let batch: LogBatch
    private let expected: LogHead
    private let epoch: Int64
    private let writes: [Write]
    private let head: LogHead

    /// Validates and hashes a batch.
    ///
    /// - Throws: `LogFailure` if it exceeds a limit.
    init(
        _ batch: LogBatch,
        to log: String,
        after expected: LogHead,
        epoch: Int64
    ) throws(LogFailure) {
        try batch.check()
        self.log = log
        self.batch = batch
        self.expected = expected
        self.epoch = epoch
        var head = expected
        var records: [SQL] = []
        for entry in batch.entries {
            head = head.adding(entry)
            records.append("(\(log), \(head.sequence), \(epoch), \(head.hash), \(entry))")
        }
        self.head = head
        let items = Self.outboxItems(batch, of: log, after: expected.sequence)
        let end: SQL = """
            UPDATE log SET sequence = \(head.sequence), hash = \(head.hash) WHERE name = \(log)
            """
        writes =
            Self.insertions("log_record (log, sequence, epoch, hash, entry)", records)
            + [Write(statement: end, rows: 1)]
            + Self.insertions(
                "outbox (log, sequence, ordinal, kind, payload, due, attempts)",
                items
            )
    }

    /// A statement with the number of rows that it must change.
    private struct Write: Sendable {
        var statement: SQL
        var rows: Int
    }

    /// The numbers of rows per statement: larger statements cost less, and few distinct sizes let
    /// an engine prepare each of them once.
    private static let sizes = [64, 8, 1]

    /// The statements that insert rows, in order.
    private static func insertions(_ table: SQL, _ rows: [SQL]) -> [Write] {
        var writes: [Write] = []
        var rest = rows[...]
        for size in sizes {
            while rest.count >= size {
                var list = SQL.Interpolation(literalCapacity: 0, interpolationCount: size)
                for (number, row) in rest.prefix(size).enumerated() {
                    if number > 0 { list.appendLiteral(", ") }
                    list.appendInterpolation(row)
                }
                let values = SQL(stringInterpolation: list)
                let statement: SQL = "INSERT INTO \(table) VALUES \(values) ON CONFLICT DO NOTHING"
                writes.append(Write(statement: statement, rows: size))
                rest = rest.dropFirst(size)
            }
        }
        return writes
    }

    /// Writes the whole batch.
    ///
    /// - Returns: the new head.
    func run(in transaction: Transaction) throws -> LogHead {
        // The lock delays a takeover until this transaction ends, and a later transaction finds the
        // new epoch here. The writes are sent together with the checks, because a round trip is
        // most of the cost of an append; if a check fails, they are rolled back.
        let answers = try transaction.answers(
            ["SELECT epoch FROM lease WHERE name = \(log) \(.forUpdate)", LogState.query(log)]
                + writes.map(\.statement) + batch.answers.map(\.insertion)
        )
        let current: Int64 = try answers[0].rows.first?.value("epoch") ?? 0
        guard current == epoch else { throw LogFailure.fenced(epoch: epoch, current: current) }
        let end = try LogState(of: log, in: answers[1].rows.first).head
        guard end == expected else { throw LogFailure.headMoved(expected: expected, found: end) }
        let changed = answers.dropFirst(2).map(\.changed)
        guard zip(changed, writes).allSatisfy({ $0 == $1.rows }) else {
            throw LogFailure.beyondHead(log: log, sequence: expected.sequence + 1)
        }
        for (answer, count) in zip(batch.answers, changed.dropFirst(writes.count)) where count == 0
        {
            throw LogFailure.keyTaken(caller: answer.caller, key: answer.key)
        }
        try transaction.execute(batch.statements)
        try transaction.announce()
        return head
    }

    /// Items are numbered within their entry, so that an id does not depend on the batch.
    private static func outboxItems(
        _ batch: LogBatch,
        of log: String,
        after sequence: Int64
    ) -> [SQL] {
        var counts: [Int: Int64] = [:]
        return batch.effects.map { effect in
            let ordinal = counts[effect.entry, default: 0]
            counts[effect.entry] = ordinal + 1
            let cause = sequence + 1 + Int64(effect.entry)
            // What is not delayed is due whatever the clock says: set back, it keeps nobody
            // waiting, and the order of such items is that of their entries.
            let due: SQL =
                effect.delay == .zero ? "0" : "\(.now) + \(effect.delay.milliseconds)"
            return """
                (\(log), \(cause), \(ordinal), \(effect.kind), \(effect.payload), \(due), 0)
                """
        }
    }
}

extension CommandAnswers {
    /// The result of looking up a key.
    package enum Finding: Sendable, Equatable {
        /// The key was not used before.
        case unknown
        /// The same command has been answered.
        case answered([UInt8])
        /// The key was used for another command.
        case otherRequest
    }

    /// Looks up a command before it is performed.
    ///
    /// - Parameters:
    ///   - key: the idempotency key.
    ///   - caller: the owner of the key.
    ///   - request: the encoded command.
    /// - Returns: the result of the look-up.
    /// - Throws: `DatabaseFailure`.
    package func find(
        key: String,
        of caller: String,
        request: [UInt8]
    ) async throws -> Finding {
        let digest = Array(SHA256.hash(data: request))
        return try await database.read { transaction in
            let row = try transaction.row(
                """
                SELECT request, answer FROM command_answer
                WHERE caller = \(caller) AND key = \(key)
                """
            )
            guard let row else { return .unknown }
            guard try row.value("request") == digest else { return .otherRequest }
            return .answered(try row.value("answer"))
        }
    }

    /// What the command under a key was answered, whichever command it was; nil if there is
    /// no answer.
    ///
    /// - Throws: `DatabaseFailure`.
    package func answer(to key: String, of caller: String) async throws -> [UInt8]? {
        let answer = try await database.read { transaction in
            try transaction.row(
                "SELECT answer FROM command_answer WHERE caller = \(caller) AND key = \(key)"
            ).map { try $0.value("answer", as: [UInt8].self) }
        }
        return answer.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up so that nothing is early, and limited
    /// to some millennia.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = min(max(seconds, -(1 << 47)), 1 << 47) * 1_000
        let step: Int64 = 1_000_000_000_000_000
        return whole + attoseconds / step + (attoseconds % step > 0 ? 1 : 0)
    }
}
