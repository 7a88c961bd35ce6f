import Crypto

/// What was answered to a caller's command, to be said again when the command comes again.
///
/// It is written with the command's entries, in `LogBatch.answers`.
package struct CommandAnswer: Sendable, Equatable {
    /// Whose key it is; callers do not see each other's.
    package let caller: String
    /// The idempotency key that came with the command.
    package let key: String
    /// SHA-256 of the command, to tell a repetition from another command under the same key.
    package let request: [UInt8]
    /// What was answered.
    package let answer: [UInt8]

    /// An answer to a command.
    ///
    /// - Parameters:
    ///   - caller: whose key it is.
    ///   - key: the idempotency key.
    ///   - request: the bytes of the command.
    ///   - answer: what was answered.
    package init(caller: String, key: String, request: [UInt8], answer: [UInt8]) {
        self.caller = caller
        self.key = key
        self.request = Array(SHA256.hash(data: request))
        self.answer = answer
    }

    /// The same command with its answer.
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

/// The answers to commands with idempotency keys.
package struct CommandAnswers: Sendable {
    private let database: Database

    /// The answers in a database.
    package init(in database: Database) {
        self.database = database
    }

    /// What is known of a key.
    package enum Finding: Sendable, Equatable {
        /// The command is new.
        case unknown
        /// The same command was answered so.
        case answered([UInt8])
        /// The key was used for another command.
        case otherRequest
    }

    /// Looks a command up before it is applied.
    ///
    /// - Parameters:
    ///   - key: the idempotency key.
    ///   - caller: whose key it is.
    ///   - request: the bytes of the command.
    /// - Returns: what is known.
    /// - Throws: `DatabaseFailure`.
    package func find(
        key: String,
        of caller: String,
        request: [UInt8]
    ) async throws -> Finding {
        let digest = Array(SHA256.hash(data: request))
        return try await database.read { transaction in
            let row = try transaction.row(
                """
                SELECT request, answer FROM command_answer
                WHERE caller = \(caller) AND key = \(key)
                """
            )
            guard let row else { return .unknown }
            guard try row.value("request") == digest else { return .otherRequest }
            return .answered(try row.value("answer"))
        }
    }

    /// What the command under a key was answered, whichever command it was; nil where there is
    /// no answer.
    ///
    /// - Throws: `DatabaseFailure`.
    package func answer(to key: String, of caller: String) async throws -> [UInt8]? {
        let answer = try await database.read { transaction in
            try transaction.row(
                "SELECT answer FROM command_answer WHERE caller = \(caller) AND key = \(key)"
            ).map { try $0.value("answer", as: [UInt8].self) }
        }
        return answer.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What comes of claiming a key.
    package enum Claim: Sendable, Equatable {
        /// The command is the caller's to do: `settle` or `giveUp` ends the claim.
        case mine
        /// The command has been begun, and nobody has said how it ended.
        case begun
        /// The same command was answered so.
        case answered([UInt8])
        /// The key was used for another command.
        case otherRequest
    }

    /// Claims a key for a command that is not one of a log, before it is done.
    ///
    /// - Parameters:
    ///   - claim: the command, with an empty answer.
    ///   - replaces: whether another command may take the key over, which then is remembered in
    ///     place of the first; else it is `otherRequest`.
    ///   - limit: how many answers of the caller are kept; the oldest beyond them are forgotten.
    /// - Returns: whether to do it.
    /// - Throws: `DatabaseFailure`.
    package func claim(
        _ claim: CommandAnswer,
        replaces: Bool = false,
        keeping limit: Int = 100
    ) async throws -> Claim {
        try await database.write { transaction in
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
            guard let row, try row.value("request") == claim.request else {
                guard replaces else { return .otherRequest }
                try transaction.execute(
                    """
                    UPDATE command_answer
                    SET request = \(claim.request), answer = \(claim.answer), answered = \(.now)
                    WHERE caller = \(caller) AND key = \(claim.key)
                    """
                )
                return .mine
            }
            let answer: [UInt8] = try row.value("answer")
            return answer.isEmpty ? .begun : .answered(answer)
        }
    }

    /// Remembers the answer to a command that was claimed; it is not empty.
    package func settle(_ answer: CommandAnswer) async throws {
        try await database.write { transaction in
            try transaction.execute(
                """
                UPDATE command_answer SET answer = \(answer.answer)
                WHERE caller = \(answer.caller) AND key = \(answer.key)
                    AND request = \(answer.request)
                """
            )
        }
    }

    /// Gives a claim up, so that the command can be sent again: nothing was done.
    package func giveUp(_ claim: CommandAnswer) async throws {
        try await database.write { transaction in
            try transaction.execute(
                """
                DELETE FROM command_answer WHERE caller = \(claim.caller) AND key = \(claim.key)
                    AND request = \(claim.request)
                """
            )
        }
    }

    /// Forgets answers that are older than any caller still repeats its commands.
    ///
    /// - Returns: how many were forgotten.
    @discardableResult
    package func forget(olderThan age: Duration) async throws -> Int {
        try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM command_answer WHERE answered < \(.now) - \(age.milliseconds)"
            )
        }
    }
}
