package import Chronology
package import Dispatching
package import Storage

/// A policy in the history, with its author and reason.
package struct AdoptedPolicy: Hashable, Sendable {
    /// The sequence number of its log entry, which identifies it.
    package let sequence: Int64
    /// When it came into force.
    package let moment: Moment
    /// The number of the author; nil if unknown.
    package let author: Int64?
    /// The reason in the author's words.
    package let note: String
    /// The policy in the format of a policy file, including its name.
    package let text: String

    /// The parsed policy; nil if this version of the program cannot parse it.
    package var policy: Policy? { try? Policy(text: text, isStored: true) }
}

extension TaxiService {
    /// Puts a policy into force and records it in the history, atomically.
    ///
    /// - Parameters:
    ///   - policy: the new policy.
    ///   - author: the number of the person who adopts it.
    ///   - note: the reason, one line of plain text.
    ///   - replaced: the hash of the policy that it was compared with.
    ///   - key: the idempotency key.
    ///   - further: statements of the same transaction.
    /// - Returns: the receipt of the command.
    /// - Throws: ``Failure/planOutdated`` if another policy came into force meanwhile; otherwise as
    ///   `DispatchService.give`.
    package func adopt(
        _ policy: Policy,
        by author: Int64?,
        note: String,
        replacing replaced: UInt64,
        key: DispatchService.Key? = nil,
        with further: [SQL] = []
    ) async throws -> DispatchService.Receipt {
        try checkServing()
        guard try await dispatch.read({ $0.policyHash }) == replaced else {
            throw Failure.planOutdated
        }
        let (now, text) = (clock.now(), policy.fileText)
        return try await dispatch.give(.adopt(policy), key: key) { [city] receipt in
            [
                """
                INSERT INTO taxi_policy (log, sequence, moment, author, note, policy)
                VALUES (\(city.name), \(receipt.sequence), \(now.milliseconds), \(author),
                    \(note), \(text))
                """
            ] + further
        }
    }

    /// Lists the adopted policies, newest first.
    ///
    /// - Parameter limit: the largest number of results.
    /// - Returns: the policies; empty while the initial policy is in force.
    /// - Throws: any `DatabaseFailure`.
    package func adoptedPolicies(limit: Int = 100) async throws -> [AdoptedPolicy] {
        try await store.adoptedPolicies("sequence > 0", limit: limit)
    }

    /// Returns the policy adopted by an entry of the log; nil if there is none.
    package func adoptedPolicy(_ sequence: Int64) async throws -> AdoptedPolicy? {
        try await store.adoptedPolicies("sequence = \(sequence)", limit: 1).first
    }

    /// Returns the policy in force, also on a standby server.
    package func policyInForce() async throws -> Policy {
        try await adoptedPolicies(limit: 1).first?.policy ?? .viavai
    }
}

extension RideStore {
    fileprivate func adoptedPolicies(_ condition: SQL, limit: Int) async throws -> [AdoptedPolicy] {
        try await database.read { [name = log.name] transaction in
            try transaction.rows(
                """
                SELECT * FROM taxi_policy WHERE log = \(name) AND \(condition)
                ORDER BY sequence DESC LIMIT \(limit)
                """
            ).map { row in
                AdoptedPolicy(
                    sequence: try row.value("sequence"),
                    moment: Moment(milliseconds: try row.value("moment")),
                    author: try row.value("author"),
                    note: try row.value("note"),
                    text: try row.value("policy")
                )
            }
        }
    }
}
