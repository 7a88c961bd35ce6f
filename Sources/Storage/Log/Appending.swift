/// A batch on its way into a log: hashed once, then written as often as it takes.
struct Appending: Sendable {
    private let log: String
    private let batch: LogBatch
    private let expected: LogHead
    private let epoch: Int64
    private let writes: [SQL]
    private let head: LogHead

    /// Prepares a batch.
    ///
    /// - Throws: `LogFailure` where it is over a limit.
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
        var writes: [SQL] = []
        for entry in batch.entries {
            head = head.adding(entry)
            writes.append(
                """
                INSERT INTO log_record (log, sequence, epoch, hash, entry)
                VALUES (\(log), \(head.sequence), \(epoch), \(head.hash), \(entry))
                """
            )
        }
        writes.append(
            """
            UPDATE log SET sequence = \(head.sequence), hash = \(head.hash) WHERE name = \(log)
            """
        )
        self.head = head
        self.writes = writes + Self.outboxItems(batch, of: log, after: expected.sequence)
    }

    /// Writes all of it.
    ///
    /// - Returns: the new head.
    func run(in transaction: Transaction) throws -> LogHead {
        // The lock keeps a take-over waiting until this transaction has ended; what comes after
        // the take-over finds the new epoch here.
        let found = try transaction.rows([
            "SELECT epoch FROM lease WHERE name = \(log) \(.forUpdate)", LogState.query(log),
        ])
        let current: Int64 = try found[0].first?.value("epoch") ?? 0
        guard current == epoch else { throw LogFailure.fenced(epoch: epoch, current: current) }
        let end = try LogState(of: log, in: found[1].first).head
        guard end == expected else { throw LogFailure.headMoved(expected: expected, found: end) }
        try transaction.execute(writes)
        let kept = try transaction.execute(batch.answers.map(\.insertion))
        for (answer, count) in zip(batch.answers, kept) where count == 0 {
            throw LogFailure.keyTaken(caller: answer.caller, key: answer.key)
        }
        try transaction.execute(batch.statements)
        try transaction.announce()
        return head
    }

    /// Items are numbered within their entry, so that an id never depends on the batch.
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
            return """
                INSERT INTO outbox (log, sequence, ordinal, kind, payload, due, attempts)
                VALUES (\(log), \(cause), \(ordinal), \(effect.kind), \(effect.payload),
                    \(.now) + \(effect.delay.milliseconds), 0)
                """
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up so that nothing is early; at most some millennia.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = min(max(seconds, -(1 << 47)), 1 << 47) * 1_000
        let step: Int64 = 1_000_000_000_000_000
        return whole + attoseconds / step + (attoseconds % step > 0 ? 1 : 0)
    }
}
