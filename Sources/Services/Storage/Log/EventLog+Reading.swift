extension EventLog {
    /// The most records of a page.
    package static let pageLimit = 10_000

    /// Reads and verifies up to `limit` records after a head.
    ///
    /// - Parameters:
    ///   - head: the genesis, the head of a snapshot, or that of the last record read.
    ///   - limit: the most records, up to `pageLimit`.
    /// - Returns: consecutive records; empty at the end of the log.
    /// - Throws: `LogFailure` with the first invalid record.
    package func records(after head: LogHead, limit: Int = 1_000) async throws -> [LogRecord] {
        let count = Swift.min(Swift.max(limit, 1), Self.pageLimit)
        return try await database.read { [name] transaction in
            let state = try LogState(of: name, in: transaction)
            let rows = try transaction.rows(
                """
                SELECT sequence, epoch, hash, entry FROM log_record
                WHERE log = \(name) AND sequence > \(head.sequence)
                ORDER BY sequence LIMIT \(count)
                """
            )
            return try ChainCheck(log: name, end: state.head)
                .records(rows, after: head, isLast: rows.count < count)
        }
    }

    /// Reads single entries without verifying them.
    ///
    /// - Parameter sequences: the sequence numbers of the entries.
    /// - Returns: the entries by their numbers; those that do not exist are left out.
    /// - Throws: any `DatabaseFailure` of the engine.
    package func entries(_ sequences: [Int64]) async throws -> [Int64: [UInt8]] {
        let wanted = Set(sequences).sorted()
        return try await database.read(isBrief: true) { [name] transaction in
            let rows = try transaction.rows(
                wanted.map { sequence in
                    """
                    SELECT entry FROM log_record WHERE log = \(name) AND sequence = \(sequence)
                    """
                }
            )
            var entries: [Int64: [UInt8]] = [:]
            for (sequence, rows) in zip(wanted, rows) {
                entries[sequence] = try rows.first?.value("entry")
            }
            return entries
        }
    }

    /// Returns the head of the empty log, from which the whole log can be read.
    package func genesis() async throws -> LogHead {
        try await database.read { [name] in try LogState(of: name, in: $0).genesis }
    }

    /// Reads and verifies the whole log.
    ///
    /// - Returns: its head.
    /// - Throws: `LogFailure` with the first invalid record.
    /// - Complexity: O(log), at several hundred thousand records a second.
    @discardableResult
    package func verify() async throws -> LogHead {
        var head = try await genesis()
        while let last = try await records(after: head).last { head = last.head }
        return head
    }
}

/// Verifies records against the hash chain.
private struct ChainCheck {
    let log: String
    /// The stored head of the log.
    let end: LogHead

    /// Decodes and verifies rows.
    ///
    /// - Parameters:
    ///   - rows: rows of `log_record` after the head, in order.
    ///   - head: the head before them.
    ///   - isLast: whether there are no more rows.
    /// - Returns: the records.
    /// - Throws: `LogFailure` with the first invalid record.
    func records(_ rows: [Row], after head: LogHead, isLast: Bool) throws -> [LogRecord] {
        var head = head
        guard head.sequence <= end.sequence else {
            throw LogFailure.missing(log: log, sequence: end.sequence + 1)
        }
        var records: [LogRecord] = []
        records.reserveCapacity(rows.count)
        for row in rows {
            let sequence: Int64 = try row.value("sequence")
            guard sequence == head.sequence + 1 else {
                throw LogFailure.missing(log: log, sequence: head.sequence + 1)
            }
            guard sequence <= end.sequence else {
                throw LogFailure.beyondHead(log: log, sequence: sequence)
            }
            let entry: [UInt8] = try row.value("entry")
            head = head.adding(entry)
            guard try row.value("hash") == head.hash else {
                throw LogFailure.altered(log: log, sequence: sequence)
            }
            let epoch: Int64 = try row.value("epoch")
            records.append(LogRecord(sequence: sequence, epoch: epoch, entry: entry, head: head))
        }
        if isLast, head.sequence < end.sequence {
            throw LogFailure.missing(log: log, sequence: head.sequence + 1)
        }
        if head.sequence == end.sequence, head != end {
            throw LogFailure.wrongHead(log: log, sequence: head.sequence)
        }
        return records
    }
}
