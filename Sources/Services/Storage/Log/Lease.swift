/// A time-limited exclusive right to write.
package struct Lease: Sendable, Hashable {
    /// The subject of the lease: the name of a log.
    package let name: String
    /// The holder; programs that run at the same time have different names.
    package let holder: String
    /// The fencing token, which grows by one at each change of the holder.
    package let epoch: Int64
    /// The expiry unless renewed: milliseconds since 1970 UTC by the database's clock.
    package let expires: Int64

    /// Creates a lease from stored values.
    package init(name: String, holder: String, epoch: Int64, expires: Int64) {
        self.name = name
        self.holder = holder
        self.epoch = epoch
        self.expires = expires
    }
}

/// The error when a lease is refused.
package enum LeaseFailure: Error, Sendable, Equatable {
    /// Another holder has the lease for `remaining` more milliseconds.
    case held(by: String, remaining: Int64)
    /// Another holder has taken over the lease, so this one must stop writing.
    case lost(current: Int64)
}

extension Lease {
    /// Acquires a lease that is free, expired, or held under the same name by an earlier run.
    ///
    /// - Parameters:
    ///   - name: the subject of the lease.
    ///   - holder: the name of the new holder.
    ///   - term: how long the lease is valid without renewal.
    ///   - database: the database that stores the lease.
    ///   - limit: the time limit of the call; a writer that stalls within a transaction can delay
    ///     it until the server ends that transaction.
    /// - Returns: the lease with a new, unique epoch.
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

    /// Renews the lease, even an expired one that nobody has taken over.
    ///
    /// - Parameters:
    ///   - term: the validity from now on.
    ///   - database: the database that stores the lease.
    ///   - limit: the time limit of the call.
    /// - Returns: the lease with its new expiry and the same epoch.
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

    /// Releases the lease, so that others need not wait for its expiry.
    ///
    /// It has no effect if another holder already has the lease.
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
