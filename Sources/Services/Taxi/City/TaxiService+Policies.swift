package import Chronology
package import Dispatching
package import Storage

/// A policy that was put into force, with who did it and why.
package struct AdoptedPolicy: Hashable, Sendable {
    /// The number of its entry in the log, which names it.
    package let sequence: Int64
    /// When.
    package let moment: Moment
    /// The number of the person who adopted it; nil where it was nobody's.
    package let author: Int64?
    /// Why, in that person's words.
    package let note: String
    /// The policy as a policy file states it, with its name.
    package let text: String

    /// The policy; nil where this version of the program no longer understands it.
    package var policy: Policy? { try? Policy(text: text) }
}

extension Policy {
    /// The policy as a file that `Policy(text:)` reads.
    package var fileText: String { "name: \(name)\n\(canonicalText)" }
}

extension TaxiService {
    /// Puts a policy into force and keeps it in the history, both or neither.
    ///
    /// - Parameters:
    ///   - policy: the policy.
    ///   - author: the number of the person who adopts it.
    ///   - note: why, a line of plain text.
    ///   - replaced: the hash of the policy with which it was compared.
    ///   - key: lets the caller repeat it.
    ///   - further: what is written in the same transaction.
    /// - Returns: what came of it.
    /// - Throws: ``Failure/planOutdated`` where another policy came into force meanwhile; else as
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

    /// The policies that were adopted, the newest first.
    ///
    /// - Parameter limit: how many at most.
    /// - Returns: the policies; empty where the service runs by the one it came with.
    /// - Throws: any `DatabaseFailure`.
    package func adoptedPolicies(limit: Int = 100) async throws -> [AdoptedPolicy] {
        try await store.adoptedPolicies("sequence > 0", limit: limit)
    }

    /// The policy that was adopted by that entry of the log; nil where there is none.
    package func adoptedPolicy(_ sequence: Int64) async throws -> AdoptedPolicy? {
        try await store.adoptedPolicies("sequence = \(sequence)", limit: 1).first
    }

    /// The rules in force as any server of the city knows them, also one that stands by.
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
