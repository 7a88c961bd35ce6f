/// The right to write, for a while, as it was given.
package struct Lease: Sendable, Hashable {
    /// What may be written: the name of a log.
    package let name: String
    /// Who holds it; no two programs that run at once have the same name.
    package let holder: String
    /// Grows by one at each change of hands.
    package let epoch: Int64
    /// When it ends unless renewed: milliseconds since 1970 UTC by the database's clock.
    package let expires: Int64

    /// A lease as it was given.
    package init(name: String, holder: String, epoch: Int64, expires: Int64) {
        self.name = name
        self.holder = holder
        self.epoch = epoch
        self.expires = expires
    }
}

/// Why a lease is not given.
package enum LeaseFailure: Error, Sendable, Equatable {
    /// Somebody else holds it for so many more milliseconds.
    case held(by: String, remaining: Int64)
    /// Somebody else has taken it over: the holder must stop writing.
    case lost(current: Int64)
}

extension Lease {
    /// Takes a lease that is free, over, or held under the same name by an earlier run.
    ///
    /// - Parameters:
    ///   - name: what may be written.
    ///   - holder: who wants it.
    ///   - term: how long it holds without renewal.
    ///   - database: where it is kept.
    ///   - limit: how long the call may take; a writer that stalls half-way can hold it up until
    ///     the server ends its transaction.
    /// - Returns: the lease, with an epoch that nobody had before.
    /// - Throws: `LeaseFailure.held`.
    package static func acquire(
        _ name: String,
        by holder: String,
        for term: Duration,
        in database: Database,
        within limit: Duration = Database.usualLimit
    ) async throws -> Lease {
        try await database.write(within: limit) { transaction in
            let row = try transaction.row(
                """
                SELECT holder, epoch, expires, \(.now) AS now FROM lease
                WHERE name = \(name) \(.forUpdate)
                """
            )
            var epoch: Int64 = 1
            if let row {
                let before: String = try row.value("holder")
                let remaining =
                    try row.value("expires", as: Int64.self)
                    - row.value("now", as: Int64.self)
                guard before == holder || remaining <= 0 else {
                    throw LeaseFailure.held(by: before, remaining: remaining)
                }
                epoch = try row.value("epoch", as: Int64.self) + 1
            }
            let given = try transaction.row(
                """
                INSERT INTO lease (name, holder, epoch, expires)
                VALUES (\(name), \(holder), \(epoch), \(.now) + \(term.milliseconds))
                ON CONFLICT (name) DO UPDATE SET holder = excluded.holder,
                    epoch = excluded.epoch, expires = excluded.expires
                RETURNING expires
                """
            )
            let expires: Int64 = try given?.value("expires") ?? 0
            return Lease(name: name, holder: holder, epoch: epoch, expires: expires)
        }
    }

    /// Holds on to the lease, also when it is over but nobody has taken it.
    ///
    /// - Parameters:
    ///   - term: how long it holds from now.
    ///   - database: where it is kept.
    ///   - limit: how long the call may take.
    /// - Returns: the lease with its new end and the same epoch.
    /// - Throws: `LeaseFailure.lost`.
    package func renewed(
        for term: Duration,
        in database: Database,
        within limit: Duration = Database.usualLimit
    ) async throws -> Lease {
        try await database.write(within: limit) { [self] transaction in
            let given = try transaction.row(
                """
                UPDATE lease SET expires = \(.now) + \(term.milliseconds)
                WHERE name = \(name) AND epoch = \(epoch) RETURNING expires
                """
            )
            guard let given else { throw LeaseFailure.lost(current: try current(in: transaction)) }
            let expires: Int64 = try given.value("expires")
            return Lease(name: name, holder: holder, epoch: epoch, expires: expires)
        }
    }

    /// Lets go of the lease, so that others need not wait for its end.
    ///
    /// Nothing happens where somebody else has it already.
    package func release(in database: Database) async throws {
        try await database.write { [self] transaction in
            _ = try transaction.execute(
                "UPDATE lease SET expires = 0 WHERE name = \(name) AND epoch = \(epoch)"
            )
        }
    }

    private func current(in transaction: Transaction) throws -> Int64 {
        try transaction.row("SELECT epoch FROM lease WHERE name = \(name)")?.value("epoch") ?? 0
    }
}
