/// A log of entries that is only ever added to, by one writer at a time.
///
/// Entries have consecutive sequence numbers, and each record's hash covers the one before it, so
/// that nothing can be altered, left out or put in unnoticed before the head. Whoever keeps a head
/// elsewhere can later prove that the log still contains it.
package struct EventLog: Sendable {
    /// The name of the log, and of the lease that its writer must hold.
    package let name: String
    let database: Database

    /// A log of a database whose schema has `Migration.storage`.
    package init(_ name: String, in database: Database) {
        self.name = name
        self.database = database
    }

    /// Founds the log where there is none.
    ///
    /// - Parameter founding: what makes this log different from others of its name.
    /// - Returns: the head of the log.
    /// - Throws: `otherFounding` where it exists and was founded otherwise.
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

    /// The head of the log: its last record.
    ///
    /// - Throws: `noSuchLog`, `wrongGenesis`.
    package func head() async throws -> LogHead {
        try await database.read { [name] in try LogState(of: name, in: $0).head }
    }

    /// Writes a batch at the end of the log, in one transaction; durable when it returns.
    ///
    /// - Parameters:
    ///   - batch: what to write.
    ///   - head: where the writer thinks that the log ends.
    ///   - lease: the writer's lease.
    ///   - limit: how long it may take.
    /// - Returns: the new head.
    /// - Throws: `LogFailure` or `DatabaseFailure`; then nothing was written, except that after
    ///   `outcomeUnknown` it may have been: read `head()` and go on from there.
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

/// The row of a log: where it began and where it ends.
struct LogState {
    let genesis: LogHead
    let head: LogHead

    /// Reads the row.
    ///
    /// - Throws: `noSuchLog`; `wrongGenesis` where it does not fit the name.
    init(of name: String, in transaction: Transaction) throws {
        try self.init(of: name, in: transaction.row(Self.query(name)))
    }

    /// The statement that reads the row.
    static func query(_ name: String) -> SQL {
        "SELECT founding, genesis, sequence, hash FROM log WHERE name = \(name)"
    }

    /// Reads the row that the statement gave.
    init(of name: String, in found: Row?) throws {
        guard let found else { throw LogFailure.noSuchLog(name) }
        genesis = LogHead.genesis(log: name, founding: try found.value("founding"))
        guard try found.value("genesis") == genesis.hash else {
            throw LogFailure.wrongGenesis(log: name)
        }
        head = LogHead(sequence: try found.value("sequence"), hash: try found.value("hash"))
    }
}
