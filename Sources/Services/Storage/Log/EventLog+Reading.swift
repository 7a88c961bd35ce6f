extension EventLog {
    /// How many records a page has at most.
    package static let pageLimit = 10_000

    /// The records after a head, at most `limit` of them, checked as they are read.
    ///
    /// - Parameters:
    ///   - head: the genesis, the head of a snapshot, or that of the last record read.
    ///   - limit: how many records at most; no more than `pageLimit`.
    /// - Returns: consecutive records; none at the end of the log.
    /// - Throws: `LogFailure` naming the first bad record.
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

    /// The head of the empty log, where reading all of it begins.
    package func genesis() async throws -> LogHead {
        try await database.read { [name] in try LogState(of: name, in: $0).genesis }
    }

    /// Reads the whole log and checks that it is what was written.
    ///
    /// - Returns: its head.
    /// - Throws: `LogFailure` naming the first bad record.
    /// - Complexity: O(log), some hundred thousand records a second.
    @discardableResult
    package func verify() async throws -> LogHead {
        var head = try await genesis()
        while let last = try await records(after: head).last { head = last.head }
        return head
    }
}

/// Checks records against the chain.
private struct ChainCheck {
    let log: String
    /// Where the log says that it ends.
    let end: LogHead

    /// Rows as records.
    ///
    /// - Parameters:
    ///   - rows: rows of `log_record` after the head, in order.
    ///   - head: the head before them.
    ///   - isLast: whether there are no more.
    /// - Returns: the records.
    /// - Throws: `LogFailure` naming the first bad one.
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
