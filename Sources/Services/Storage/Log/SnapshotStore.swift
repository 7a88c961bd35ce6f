import Crypto

/// The state of a service at a head of its log, which saves reading the log from the beginning.
package struct Snapshot: Sendable, Equatable {
    /// The log position that the state includes.
    package let head: LogHead
    /// The bytes that the service wrote.
    package let state: [UInt8]

    package init(head: LogHead, state: [UInt8]) {
        self.head = head
        self.state = state
    }

    /// SHA-256 over the head and the state.
    fileprivate var digest: [UInt8] {
        var hash = SHA256()
        hash.update(data: head.hash)
        hash.update(data: state)
        return Array(hash.finalize())
    }
}

/// The snapshots of a log, of which the newest few are kept.
package struct SnapshotStore: Sendable {
    /// The largest state in bytes; both engines support a column of this size.
    package static let stateLimit = 256 << 20

    private let log: String
    private let database: Database
    private let kept: Int

    /// Creates access to the snapshots of a log.
    ///
    /// - Parameters:
    ///   - log: the log.
    ///   - kept: the number of snapshots to keep, at least 1; more than one, in
    ///     case one is damaged.
    package init(of log: EventLog, keeping kept: Int = 3) {
        precondition(kept >= 1, "a snapshot that is not kept is of no use")
        self.log = log.name
        database = log.database
        self.kept = kept
    }

    /// Stores a snapshot and deletes old ones.
    ///
    /// - Parameters:
    ///   - snapshot: a state at a head of the log.
    ///   - limit: the time limit of the call.
    /// - Throws: `LogFailure.tooLarge`; `headMoved` if the log has another record at that position.
    package func save(
        _ snapshot: Snapshot,
        within limit: Duration = Database.usualLimit
    ) async throws {
        guard snapshot.state.count <= Self.stateLimit else {
            throw LogFailure.tooLarge(
                what: "snapshot",
                size: snapshot.state.count,
                limit: Self.stateLimit
            )
        }
        let digest = snapshot.digest
        try await database.write(within: limit) { [log, kept] transaction in
            let found = try Self.hash(of: log, at: snapshot.head.sequence, in: transaction)
            guard found == snapshot.head.hash else {
                let there = LogHead(sequence: snapshot.head.sequence, hash: found ?? [])
                throw LogFailure.headMoved(expected: snapshot.head, found: there)
            }
            let saved = try transaction.execute(
                """
                INSERT INTO snapshot (log, sequence, head, digest, state)
                VALUES (\(log), \(snapshot.head.sequence), \(snapshot.head.hash), \(digest),
                    \(snapshot.state))
                ON CONFLICT (log, sequence) DO UPDATE SET head = excluded.head,
                    digest = excluded.digest, state = excluded.state
                """
            )
            precondition(saved == 1, "A snapshot was not stored as exactly one row.")
            try transaction.execute(
                """
                DELETE FROM snapshot WHERE log = \(log) AND sequence NOT IN (
                    SELECT sequence FROM snapshot WHERE log = \(log)
                    ORDER BY sequence DESC LIMIT \(kept))
                """
            )
        }
    }

    /// Returns the newest valid snapshot.
    ///
    /// - Parameter sequence: the highest permitted sequence number; nil for any.
    /// - Returns: the snapshot, nil if there is none, and the sequence numbers of newer ones that
    ///   were skipped because they are damaged or do not match the log: worth a warning.
    /// - Throws: `LogFailure` if there is no such log, or `DatabaseFailure`.
    package func newest(
        atOrBelow sequence: Int64? = nil
    ) async throws -> (snapshot: Snapshot?, damaged: [Int64]) {
        try await database.read { [log] transaction in
            var damaged: [Int64] = []
            // Read one by one: states are large, and the first is nearly always valid.
            let places = try transaction.rows(
                """
                SELECT sequence FROM snapshot
                WHERE log = \(log) AND sequence <= \(sequence ?? Int64.max)
                ORDER BY sequence DESC
                """
            )
            for place in places {
                let number: Int64 = try place.value("sequence")
                if let found = try Self.sound(log: log, sequence: number, in: transaction) {
                    return (found, damaged)
                }
                damaged.append(number)
            }
            return (nil, damaged)
        }
    }

    private static func sound(
        log: String,
        sequence: Int64,
        in transaction: Transaction
    ) throws -> Snapshot? {
        let row = try transaction.row(
            """
            SELECT head, digest, state FROM snapshot
            WHERE log = \(log) AND sequence = \(sequence)
            """
        )
        guard let row else { return nil }
        let head = LogHead(sequence: sequence, hash: try row.value("head"))
        let snapshot = Snapshot(head: head, state: try row.value("state"))
        guard try row.value("digest") == snapshot.digest,
            try hash(of: log, at: sequence, in: transaction) == head.hash
        else { return nil }
        return snapshot
    }

    /// The hash of the log after a record, or of its genesis for 0.
    private static func hash(
        of log: String,
        at sequence: Int64,
        in transaction: Transaction
    ) throws -> [UInt8]? {
        if sequence == 0 { return try LogState(of: log, in: transaction).genesis.hash }
        return try transaction.row(
            "SELECT hash FROM log_record WHERE log = \(log) AND sequence = \(sequence)"
        )?.value("hash")
    }
}
