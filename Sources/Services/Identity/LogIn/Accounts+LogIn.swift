package import Chronology
import Localization
import Storage

/// The result of a log-in that was not refused.
package enum LogInOutcome: Equatable, Sendable {
    /// The person is logged in.
    case session(SessionGrant)
    /// After many failures: if the password was right, a code was sent to the e-mail address.
    ///
    /// Wrong passwords get this result too, so that it does not help guessing.
    case proof(challenge: SecretToken)
}

/// A log-in form and the origin of the request.
package struct LogInForm: Sendable {
    /// The user name or the e-mail address (R99).
    package var name: String
    package var password: String
    /// The network address of the request.
    package var address: ClientAddress
    /// The description of the device for the list of sessions.
    package var device: String
    /// The previous session of the browser, which is ended.
    package var session: SecretToken?

    /// Creates a form from its fields.
    package init(
        name: String,
        password: String,
        address: ClientAddress,
        device: String = "",
        session: SecretToken? = nil
    ) {
        self.name = name
        self.password = password
        self.address = address
        self.device = device
        self.session = session
    }
}

extension Accounts {
    /// How many attempts a log-in code allows.
    private static let codeTries = 5

    /// Logs a person in by user name or e-mail address (R99).
    ///
    /// Each attempt is logged (R129). After a wrong password the same address must wait before it
    /// tries the same account again; of several simultaneous attempts only the first counts. After
    /// many failures, new addresses must also prove control of the e-mail account; an address that
    /// succeeded before is not affected by the failures of others.
    ///
    /// - Throws: `wrongCredentials`, `wait`, `busy`; `unconfirmed` and `suspended` only if the
    ///   password is right.
    package func logIn(_ form: LogInForm, at now: Moment) async throws -> LogInOutcome {
        let check = try await checkPassword(
            form.password,
            of: .typed(String(form.name.prefix(320))),
            from: form.address,
            at: now
        )
        var renewed: String?
        if check.isRight, let hash = check.hash,
            PasswordHash.isOutdated(hash, workers.parameters)
        {
            // If no worker is free, the old hash is kept until the next log-in.
            renewed = try? await workers.hash(form.password, for: form.address.group)
        }
        let outcome = try await data.write { [renewed] transaction in
            try finish(form, check, renewed, at: now, in: transaction)
        }
        return try outcome.get()
    }

    /// Completes a log-in with the code that was sent by e-mail.
    ///
    /// - Parameters:
    ///   - code: the code from the e-mail.
    ///   - challenge: the challenge that the browser received.
    ///   - form: the address and device; name and password are ignored.
    ///   - now: the current time.
    /// - Returns: the new session.
    /// - Throws: `badToken`, also for a wrong code; the code is void after five attempts.
    package func proveEmail(
        _ code: String,
        challenge: SecretToken,
        _ form: LogInForm,
        at now: Moment
    ) async throws -> SessionGrant {
        let person = try await data.read { transaction in
            try OneTimeToken.owner(of: challenge, .proof, at: now, in: transaction)
        }
        let key = try await key(of: person)
        let digest = codeDigest(code.trimmed, challenge)
        let outcome = try await data.write { transaction -> Result<SessionGrant, AccountFailure> in
            let isRight = try takeTry(of: challenge, digest, at: now, in: transaction)
            let log = AttemptLog(
                subject: secret.digest("person \(person.rawValue)", of: .attempt),
                address: form.address,
                addressKey: secret.digest(form.address.group, of: .address)
            )
            guard isRight, try PersonRecord.find(person, in: transaction)?.isSuspended == false
            else {
                try log.record(.wrongCode, at: now, in: transaction)
                return .failure(.badToken)
            }
            try OneTimeToken.withdraw(.proof, of: person, in: transaction)
            try log.release(in: transaction)
            return .success(try admit(key, form, log, at: now, in: transaction))
        }
        return try outcome.get()
    }

    /// Checks the password of a logged-in person and records the time in the session.
    ///
    /// - Throws: as `logIn`.
    package func reauthenticate(
        _ token: SecretToken,
        password: String,
        from address: ClientAddress,
        at now: Moment
    ) async throws {
        guard let person = try await session(of: token, at: now)?.person else {
            throw AccountFailure.wrongCredentials
        }
        try await confirmPassword(password, of: person, from: address, at: now) { transaction in
            try transaction.execute(
                "UPDATE session SET authenticated = \(now) WHERE hash = \(token.hash)"
            )
        }
    }

    /// Checks a person's password and, if it is right, runs a closure in the same transaction.
    func confirmPassword(
        _ password: String,
        of person: PersonNumber,
        from address: ClientAddress,
        at now: Moment,
        then body: @escaping @Sendable (Transaction) throws -> Void
    ) async throws {
        let check = try await checkPassword(password, of: .person(person), from: address, at: now)
        let isRight = try await data.write { transaction -> Bool in
            guard check.isRight, try check.stillHolds(in: transaction) else {
                try check.log.record(.wrong, at: now, in: transaction)
                return false
            }
            try check.log.release(in: transaction)
            try check.log.record(.success, at: now, in: transaction)
            try body(transaction)
            return true
        }
        if !isRight { throw AccountFailure.wrongCredentials }
    }

    /// Lists the log-in attempts of a period, oldest first.
    ///
    /// - Parameters:
    ///   - moments: the period.
    ///   - limit: the largest number of results.
    /// - Returns: the attempts.
    /// - Throws: any database error.
    package func attempts(
        in moments: Range<Moment>,
        limit: Int = 1_000
    ) async throws -> [Attempt] {
        try await writeAttempts()
        return try await data.read { transaction in
            try transaction.rows(
                """
                SELECT subject, moment, address, outcome FROM attempt
                WHERE moment >= \(moments.lowerBound) AND moment < \(moments.upperBound)
                ORDER BY moment, id LIMIT \(limit)
                """
            ).compactMap { row in
                guard let outcome = AttemptOutcome(rawValue: try row.value("outcome")) else {
                    return nil
                }
                return Attempt(
                    moment: try row.moment("moment"),
                    subject: try row.value("subject"),
                    address: try row.value("address"),
                    outcome: outcome
                )
            }
        }
    }

    /// Writes buffered log-in attempts; called when the server stops.
    ///
    /// - Throws: any database error.
    package func writeAttempts() async throws {
        try await early.write()
    }

    // Returns failures instead of throwing them, because throwing would roll back the log entries.
    private func finish(
        _ form: LogInForm,
        _ check: PasswordCheck,
        _ renewed: String?,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Result<LogInOutcome, AccountFailure> {
        let person = try check.person.flatMap { try PersonRecord.find($0.number, in: transaction) }
        let isRight = try check.isRight && check.stillHolds(in: transaction)
        if check.needsProof {
            let isWelcome = isRight && person?.isConfirmed == true && person?.isSuspended == false
            let key = isWelcome ? check.key : nil
            let outcome: AttemptOutcome = isRight ? .proof : .wrong
            try check.log.record(outcome, at: now, in: transaction)
            return .success(.proof(challenge: try challenge(key, at: now, in: transaction)))
        }
        guard isRight, let person, let key = check.key else {
            try check.log.record(.wrong, at: now, in: transaction)
            return .failure(.wrongCredentials)
        }
        try check.log.release(in: transaction)
        guard person.isConfirmed else {
            try check.log.record(.unconfirmed, at: now, in: transaction)
            return .failure(.unconfirmed)
        }
        let fields = try Fields.all(key, in: transaction)
        guard !person.isSuspended else {
            try check.log.record(.suspended, at: now, in: transaction)
            return .failure(.suspended(reason: fields[.suspension] ?? ""))
        }
        if let renewed {
            try transaction.execute(Fields.store([.password: renewed], key))
        }
        return .success(.session(try admit(key, form, check.log, at: now, in: transaction)))
    }

    /// Creates a session and remembers the address as one that succeeded.
    func admit(
        _ key: PersonKey,
        _ form: LogInForm,
        _ log: AttemptLog,
        isFromReset: Bool = false,
        at now: Moment,
        in transaction: Transaction
    ) throws -> SessionGrant {
        try log.record(.success, at: now, in: transaction)
        try transaction.execute(
            """
            INSERT INTO known_address (person, address, used)
            VALUES (\(key.person), \(log.addressKey), \(now))
            ON CONFLICT (person, address) DO UPDATE SET used = excluded.used
            """
        )
        let language = try Fields.sealed(.language, of: key.person, in: transaction)
            .map { try key.open($0, as: PersonField.language.rawValue) }
        return try makeSession(
            key,
            device: form.device,
            language: language.flatMap(Language.init),
            isFromReset: isFromReset,
            replacing: form.session,
            at: now,
            in: transaction
        )
    }

    /// Sends a log-in code; without a key it creates a decoy that looks the same and
    /// is never accepted.
    private func challenge(
        _ key: PersonKey?,
        at now: Moment,
        in transaction: Transaction
    ) throws -> SecretToken {
        let token = try OneTimeToken.make(
            .proof,
            for: key?.person,
            lasting: settings.codeLasts,
            at: now,
            tries: Self.codeTries,
            in: transaction
        )
        // Beyond the limit of codes a decoy is created, so that nobody can flood the mailbox.
        guard let token else { return try challenge(nil, at: now, in: transaction) }
        guard let key else { return token }
        let digits = String(Int.random(in: 100_000_000..<200_000_000)).dropFirst()
        let digest = codeDigest(String(digits), token)
        try transaction.execute(
            "UPDATE one_time_token SET code = \(digest) WHERE hash = \(token.hash)"
        )
        let fields = try Fields.all(key, in: transaction)
        let until = now.adding(seconds: settings.codeLasts)
        let facts = ["code": String(digits), "until": "\(until.milliseconds)"]
        try tell(.logInCode, key, fields, facts, at: now, in: transaction)
        return token
    }

    /// Uses up one attempt of a challenge.
    ///
    /// - Returns: whether the code is right.
    private func takeTry(
        of challenge: SecretToken,
        _ digest: [UInt8],
        at now: Moment,
        in transaction: Transaction
    ) throws -> Bool {
        let taken = try transaction.execute(
            """
            UPDATE one_time_token SET tries_left = tries_left - 1
            WHERE hash = \(challenge.hash) AND expires > \(now) AND tries_left > 0
            """
        )
        return try taken == 1 && OneTimeToken.code(of: challenge, in: transaction) == digest
    }

    private func codeDigest(_ code: String, _ challenge: SecretToken) -> [UInt8] {
        secret.digest("\(challenge.text) \(code)", of: .code)
    }
}
