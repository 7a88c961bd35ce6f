import Crypto

/// The stored answer to a command, returned again when the command is repeated.
///
/// It is written together with the command's entries, in `LogBatch.answers`.
package struct CommandAnswer: Sendable, Equatable {
    /// The owner of the key; callers do not see each other's keys.
    package let caller: String
    /// The idempotency key that was sent with the command.
    package let key: String
    /// SHA-256 of the command, to detect another command with the same key.
    package let request: [UInt8]
    /// The encoded answer.
    package let answer: [UInt8]

    /// Creates an answer to a command.
    ///
    /// - Parameters:
    ///   - caller: the owner of the key.
    ///   - key: the idempotency key.
    ///   - request: the encoded command.
    ///   - answer: the encoded answer.
    package init(caller: String, key: String, request: [UInt8], answer: [UInt8]) {
        self.caller = caller
        self.key = key
        self.request = Array(SHA256.hash(data: request))
        self.answer = answer
    }

    /// Returns the same command with an answer.
    package func answered(_ answer: [UInt8]) -> CommandAnswer {
        CommandAnswer(self, answer: answer)
    }

    private init(_ command: CommandAnswer, answer: [UInt8]) {
        caller = command.caller
        key = command.key
        request = command.request
        self.answer = answer
    }

    var insertion: SQL {
        """
        INSERT INTO command_answer (caller, key, request, answer, answered)
        VALUES (\(caller), \(key), \(request), \(answer), \(.now)) ON CONFLICT DO NOTHING
        """
    }
}

/// The store of answers to commands with idempotency keys.
package struct CommandAnswers: Sendable {
    let database: Database

    package init(in database: Database) {
        self.database = database
    }

    /// What comes of claiming a key.
    package enum Claim: Sendable, Equatable {
        /// The caller must perform the command and end the claim with `settle` or `giveUp`.
        case mine
        /// The command was started, and its outcome is unknown.
        case begun
        /// The same command has been answered.
        case answered([UInt8])
        /// The key was used for another command.
        case otherRequest
    }

    /// Claims a key before performing a command that does not belong to a log.
    ///
    /// - Parameters:
    ///   - claim: the command with an empty answer.
    ///   - replaces: whether another command may take over the key and replace the first; otherwise
    ///     the result is `otherRequest`.
    ///   - limit: the number of answers kept per caller; older ones are deleted.
    /// - Returns: whether to perform the command.
    /// - Throws: `DatabaseFailure`.
    package func claim(
        _ claim: CommandAnswer,
        replaces: Bool = false,
        keeping limit: Int = 100
    ) async throws -> Claim {
        precondition(claim.answer.isEmpty, "A command was claimed that already has an answer.")
        precondition(limit > 0, "A claim would be deleted as soon as it is made.")
        return try await database.write { transaction in
            let caller = claim.caller
            if try transaction.execute(claim.insertion) == 1 {
                try transaction.execute(
                    """
                    DELETE FROM command_answer WHERE caller = \(caller) AND key IN (
                        SELECT key FROM command_answer WHERE caller = \(caller)
                        ORDER BY answered DESC, key LIMIT 1000000 OFFSET \(limit)
                    )
                    """
                )
                return .mine
            }
            let row = try transaction.row(
                """
                SELECT request, answer FROM command_answer
                WHERE caller = \(caller) AND key = \(claim.key)
                """
            )
            guard let row else {
                preconditionFailure("A key is taken, and no command has it.")
            }
            guard try row.value("request") == claim.request else {
                guard replaces else { return .otherRequest }
                let replaced = try transaction.execute(
                    """
                    UPDATE command_answer
                    SET request = \(claim.request), answer = \(claim.answer), answered = \(.now)
                    WHERE caller = \(caller) AND key = \(claim.key)
                    """
                )
                precondition(replaced == 1, "A claim did not replace exactly one other.")
                return .mine
            }
            let answer: [UInt8] = try row.value("answer")
            return answer.isEmpty ? .begun : .answered(answer)
        }
    }

    /// Stores the answer to a claimed command, which must not be empty.
    package func settle(_ answer: CommandAnswer) async throws {
        precondition(!answer.answer.isEmpty, "An empty answer would leave the claim open.")
        try await database.write { transaction in
            let settled = try transaction.execute(
                """
                UPDATE command_answer SET answer = \(answer.answer)
                WHERE caller = \(answer.caller) AND key = \(answer.key)
                    AND request = \(answer.request)
                """
            )
            precondition(settled <= 1, "Two commands had the same key.")
        }
    }

    /// A command has an answer already, so that the transaction which would do it again is undone.
    package struct AnsweredBefore: Error {}

    /// Stores the answer to a claimed command, which must not be empty, in the transaction of its
    /// change.
    ///
    /// If the writer crashes, a claim without an answer then means that nothing was changed. If two
    /// writers perform the same command, only one of them changes anything.
    ///
    /// - Throws: ``AnsweredBefore`` if there is an answer, or the key was used for another command;
    ///   the transaction must be rolled back. Any database error.
    package static func settle(_ answer: CommandAnswer, in transaction: Transaction) throws {
        precondition(!answer.answer.isEmpty, "An empty answer would leave the claim open.")
        let settled = try transaction.execute(
            """
            INSERT INTO command_answer (caller, key, request, answer, answered)
            VALUES (\(answer.caller), \(answer.key), \(answer.request), \(answer.answer), \(.now))
            ON CONFLICT (caller, key) DO UPDATE SET answer = excluded.answer
            WHERE command_answer.request = excluded.request AND length(command_answer.answer) = 0
            """
        )
        precondition(settled <= 1, "Two commands had the same key.")
        guard settled == 1 else { throw AnsweredBefore() }
    }

    /// Releases a claim without effect, so that the command can be sent again.
    ///
    /// Nothing happens if it has been answered meanwhile, by another writer.
    package func giveUp(_ claim: CommandAnswer) async throws {
        try await database.write { transaction in
            try transaction.execute(
                """
                DELETE FROM command_answer WHERE caller = \(claim.caller) AND key = \(claim.key)
                    AND request = \(claim.request) AND length(answer) = 0
                """
            )
        }
    }

    /// Deletes answers that are too old for any caller to repeat the command.
    ///
    /// - Returns: the number of deleted answers.
    @discardableResult
    package func forget(olderThan age: Duration) async throws -> Int {
        try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM command_answer WHERE answered < \(.now) - \(age.milliseconds)"
            )
        }
    }
}
