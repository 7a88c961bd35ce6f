/// The right to write, for a while, as it was given.
///
/// No wall clock decides when a lease is over, since one that is set back would keep it for ever
/// and one that is set forward would take it from a writer that lives. A contender that has seen no
/// renewal for a whole term, by its own monotonic clock, takes the lease over with the next epoch;
/// all who contend for a lease ask for it for the same term.
package struct Lease: Sendable, Hashable {
    /// What may be written: the name of a log.
    package let name: String
    /// Who holds it; no two programs that run at once have the same name.
    package let holder: String
    /// Grows by one at each change of hands.
    package let epoch: Int64
    /// A number that grows with each renewal; 0 if the lease is over.
    ///
    /// It is when the lease ends unless renewed, in milliseconds since 1970 UTC, if the database's
    /// clock is right; nothing depends on that.
    package let expires: Int64

    /// A lease as it was given.
    package init(name: String, holder: String, epoch: Int64, expires: Int64) {
        self.name = name
        self.holder = holder
        self.epoch = epoch
        self.expires = expires
    }

    /// A name for a holder that no other run of a program has, whatever machine or container it is
    /// in.
    ///
    /// - Parameter label: what tells an operator where it runs; it need not be unique.
    /// - Returns: the label with 128 random bits.
    package static func holder(labelled label: String) -> String {
        let bits = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)]
        return ([label] + bits.map { String($0, radix: 16) }).joined(separator: " ")
    }
}

/// Why a lease is not given.
package enum LeaseFailure: Error, Sendable, Equatable {
    /// Another server holds it, for at most this many more milliseconds unless it renews it.
    case held(by: String, remaining: Int64)
    /// Somebody else has taken it over: the holder must stop writing.
    case lost(current: Int64)
}

/// A lease as a contender last saw it in other hands.
package struct LeaseSighting: Sendable, Hashable {
    fileprivate let holder: String
    fileprivate let epoch: Int64
    fileprivate let expires: Int64
    /// Since when the contender knows it as it is, by its own clock.
    fileprivate var since: Duration

    /// How many milliseconds of a term are left at a reading of the contender's clock.
    fileprivate func remaining(of term: Duration, at now: Duration) -> Int64 {
        expires == 0 ? 0 : (term - (now - since)).milliseconds
    }

    /// Whether it was neither renewed nor taken over between two sightings.
    fileprivate func isSame(as other: LeaseSighting) -> Bool {
        holder == other.holder && epoch == other.epoch && expires == other.expires
    }
}

extension Lease {
    /// Takes a lease that is free, over, or held under the same name by an earlier run.
    ///
    /// A lease in other hands is over when what this call saw of it, and kept in `sighting` for
    /// the next, has stayed the same for a term.
    ///
    /// - Parameters:
    ///   - name: what may be written.
    ///   - holder: the name of the server that wants it.
    ///   - term: how long it holds without renewal.
    ///   - database: where it is kept.
    ///   - sighting: what the last call saw; nil at first.
    ///   - clock: a clock of the caller that nothing sets.
    ///   - limit: how long the call may take; a writer that stalls half-way can hold it up until
    ///     the server ends its transaction.
    /// - Returns: the lease, with an epoch that nobody had before.
    /// - Throws: `LeaseFailure.held`.
    package static func acquire(
        _ name: String,
        by holder: String,
        for term: Duration,
        in database: Database,
        seen sighting: inout LeaseSighting?,
        clock: @Sendable () -> Duration,
        within limit: Duration = Database.usualLimit
    ) async throws -> Lease {
        precondition(!holder.isEmpty, "Two servers without a name would share a lease.")
        let known = sighting
        // Read before the row is, so that it has been unchanged for at least as long.
        let now = clock()
        let outcome = try await database.write(within: limit) { transaction in
            try attempt(name, by: holder, for: term, after: known, at: now, in: transaction)
        }
        switch outcome {
        case .given(let lease): return lease
        case .held(var seen):
            if let known, known.isSame(as: seen) {
                seen.since = known.since
            } else {
                // Read after the row was, for the same reason.
                seen.since = clock()
            }
            sighting = seen
            let remaining = max(seen.remaining(of: term, at: clock()), 1)
            throw LeaseFailure.held(by: seen.holder, remaining: remaining)
        }
    }

    /// Takes a lease that is free, released, or held under the same name by an earlier run.
    ///
    /// - Throws: `LeaseFailure.held`.
    package static func acquire(
        _ name: String,
        by holder: String,
        for term: Duration,
        in database: Database,
        within limit: Duration = Database.usualLimit
    ) async throws -> Lease {
        var sighting: LeaseSighting?
        return try await acquire(
            name,
            by: holder,
            for: term,
            in: database,
            seen: &sighting,
            clock: { .zero },
            within: limit
        )
    }

    private enum Outcome: Sendable {
        case given(Lease)
        case held(LeaseSighting)
    }

    private static func attempt(
        _ name: String,
        by holder: String,
        for term: Duration,
        after known: LeaseSighting?,
        at now: Duration,
        in transaction: Transaction
    ) throws -> Outcome {
        let row = try transaction.row(
            "SELECT holder, epoch, expires FROM lease WHERE name = \(name) \(.forUpdate)"
        )
        var epoch: Int64 = 1
        if let row {
            let seen = LeaseSighting(
                holder: try row.value("holder"),
                epoch: try row.value("epoch"),
                expires: try row.value("expires"),
                since: now
            )
            let since = known.flatMap { $0.isSame(as: seen) ? $0 : nil } ?? seen
            guard seen.holder == holder || since.remaining(of: term, at: now) <= 0 else {
                return .held(seen)
            }
            epoch = seen.epoch + 1
        }
        let given = try transaction.row(
            """
            INSERT INTO lease (name, holder, epoch, expires)
            VALUES (\(name), \(holder), \(epoch), \(end(after: term)))
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder,
                epoch = excluded.epoch, expires = excluded.expires
            RETURNING expires
            """
        )
        guard let given else { preconditionFailure("A lease was taken that does not exist.") }
        let expires: Int64 = try given.value("expires")
        return .given(Lease(name: name, holder: holder, epoch: epoch, expires: expires))
    }

    /// When a lease ends that is given for a term from now; at once for none.
    private static func end(after term: Duration) -> SQL {
        term > .zero ? "\(.now) + \(term.milliseconds)" : "0"
    }

    /// Holds on to the lease, also when it is over but nobody has taken it.
    ///
    /// - Parameters:
    ///   - term: how long it holds from now.
    ///   - database: where it is kept.
    ///   - limit: how long the call may take.
    /// - Returns: the lease with another end and the same epoch.
    /// - Throws: `LeaseFailure.lost`.
    package func renewed(
        for term: Duration,
        in database: Database,
        within limit: Duration = Database.usualLimit
    ) async throws -> Lease {
        try await database.write(within: limit) { [self] transaction in
            let given = try transaction.row(
                """
                UPDATE lease SET expires = CASE
                    WHEN \(.now) + \(term.milliseconds) > expires
                    THEN \(.now) + \(term.milliseconds) ELSE expires + 1 END
                WHERE name = \(name) AND epoch = \(epoch) RETURNING expires
                """
            )
            guard let given else { throw LeaseFailure.lost(current: try current(in: transaction)) }
            let end: Int64 = try given.value("expires")
            precondition(end > 0, "A lease was renewed that counts as released.")
            return Lease(name: name, holder: holder, epoch: epoch, expires: end)
        }
    }

    /// Lets go of the lease, so that others need not wait for its end.
    ///
    /// Nothing happens where somebody else has it already.
    package func release(in database: Database) async throws {
        try await database.write { [self] transaction in
            let released = try transaction.execute(
                "UPDATE lease SET expires = 0 WHERE name = \(name) AND epoch = \(epoch)"
            )
            precondition(released <= 1, "Two leases had the same name.")
        }
    }

    private func current(in transaction: Transaction) throws -> Int64 {
        try transaction.row("SELECT epoch FROM lease WHERE name = \(name)")?.value("epoch") ?? 0
    }
}
