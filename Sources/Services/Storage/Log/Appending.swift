/// A batch to be appended to a log: hashed once, then written as often as retries require.
struct Appending: Sendable {
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
