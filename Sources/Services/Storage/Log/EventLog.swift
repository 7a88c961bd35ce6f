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
