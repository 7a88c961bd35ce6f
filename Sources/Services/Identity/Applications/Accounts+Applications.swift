package import Chronology
import Storage

extension Accounts {
    /// The most applications that a city may register.
    package static let applicationLimit = 1_000

    /// Lists all third-party applications, including revoked ones, in order of registration.
    package func applications() async throws -> [Application] {
        try await data.read { transaction in
            try transaction.rows("SELECT * FROM application ORDER BY made, number")
                .map { try Application($0, in: transaction) }
        }
    }

    /// Returns an application by number; nil if there is none.
    package func application(_ number: Int64) async throws -> Application? {
        try await data.read { try Application.find(number, in: $0) }
    }

    /// Registers a third-party application (R5).
    ///
    /// - Parameters:
    ///   - form: the completed form.
    ///   - session: an administrator's session with a recent password check.
    ///   - now: the current time.
    /// - Returns: the application's number and its key, which cannot be shown again.
    /// - Throws: ``ApplicationRefusal`` with all problems of the form; `notAllowed`,
    ///   `passwordNeeded`.
    package func registerApplication(
        _ form: ApplicationForm,
        by session: Session,
        at now: Moment
    ) async throws -> (number: Int64, key: SecretToken) {
        let form = try form.checked()
        let number = Int64.random(in: 1...(1 << 53))
        let key = SecretToken.random()
        try await change(session, .registerApplication, number, at: now) { transaction in
            let count = try transaction.count("SELECT count(*) AS count FROM application")
            guard count < Self.applicationLimit else {
                throw ApplicationRefusal(problems: [.tooManyApplications])
            }
            try transaction.execute(
                """
                INSERT INTO application (
                    number, name, contact, scopes, rate, is_native, has_devices, key_hash, made,
                    key_made
                ) VALUES (
                    \(number), \(form.name), \(form.contact), \(form.scopeText),
                    \(form.requestsPerMinute), \(form.isNative ? 1 : 0),
                    \(form.hasDevices ? 1 : 0), \(key.hash), \(now), \(now)
                )
                """
            )
            try transaction.execute(form.redirectStatements(of: number))
            return ("", form.words)
        }
        return (number, key)
    }

    /// Changes the registered data of an application; its key stays the same.
    ///
    /// - Parameters:
    ///   - number: the application to change.
    ///   - form: the completed form.
    ///   - session: an administrator's session with a recent password check.
    ///   - now: the current time.
    /// - Throws: ``ApplicationRefusal`` with all problems of the form; `notAllowed`,
    ///   `passwordNeeded`, `changedMeanwhile` if it is gone or revoked.
    package func changeApplication(
        _ number: Int64,
        to form: ApplicationForm,
        by session: Session,
        at now: Moment
    ) async throws {
        let form = try form.checked()
        try await change(session, .changeApplication, number, at: now) { transaction in
            let old = try Application.active(number, in: transaction)
            try transaction.execute(
                [
                    """
                    UPDATE application SET name = \(form.name), contact = \(form.contact),
                        scopes = \(form.scopeText), rate = \(form.requestsPerMinute),
                        is_native = \(form.isNative ? 1 : 0),
                        has_devices = \(form.hasDevices ? 1 : 0)
                    WHERE number = \(number)
                    """,
                    "DELETE FROM application_redirect WHERE application = \(number)",
                ] + form.redirectStatements(of: number)
            )
            return (old.form.words, form.words)
        }
    }

    /// Replaces the key of an application; the old key is invalid from then on.
    ///
    /// - Parameters:
    ///   - number: the application whose key is replaced.
    ///   - session: an administrator's session with a recent password check.
    ///   - now: the current time.
    /// - Returns: the new key, which cannot be shown again.
    /// - Throws: `notAllowed`, `passwordNeeded`, `changedMeanwhile` if it is gone or revoked.
    package func rotateKey(
        of number: Int64,
        by session: Session,
        at now: Moment
    ) async throws -> SecretToken {
        let key = SecretToken.random()
        try await change(session, .rotateApplicationKey, number, at: now) { transaction in
            _ = try Application.active(number, in: transaction)
            try transaction.execute([
                """
                UPDATE application SET key_hash = \(key.hash), key_made = \(now)
                WHERE number = \(number)
                """,
                // Tokens from the old key may be in the same wrong hands.
                "DELETE FROM grant_token WHERE application = \(number) AND granted IS NULL",
            ])
            return ("", "")
        }
        return key
    }

    /// Revokes an application's key for good, and all that people let it do; its registered data
    /// stays on record.
    ///
    /// - Parameters:
    ///   - number: the application to revoke.
    ///   - session: an administrator's session with a recent password check.
    ///   - now: the current time.
    /// - Throws: `notAllowed`, `passwordNeeded`, `changedMeanwhile` if it is gone or revoked.
    package func revokeApplication(
        _ number: Int64,
        by session: Session,
        at now: Moment
    ) async throws {
        try await change(session, .revokeApplication, number, at: now) { transaction in
            let old = try Application.active(number, in: transaction)
            try transaction.execute(
                [
                    """
                    UPDATE application SET key_hash = NULL, revoked = \(now)
                    WHERE number = \(number)
                    """
                ] + Self.endingGrants(of: number)
            )
            return (old.form.words, "")
        }
    }

    /// Returns the application that a key belongs to and records the use of the key.
    ///
    /// - Parameters:
    ///   - key: the key as it was sent.
    ///   - now: the current time.
    /// - Returns: nil for a key that was never issued, was replaced or is revoked.
    /// - Throws: any database error.
    package func application(withKey key: SecretToken, at now: Moment) async throws -> Application?
    {
        let hash = key.hash
        let found = try await data.read { transaction in
            try transaction.row("SELECT * FROM application WHERE key_hash = \(hash)")
                .map { try Application($0, in: transaction) }
        }
        guard let found else { return nil }
        // Recorded with a resolution of one minute, so that a busy application does not cause a
        // write for each request.
        if (found.used?.milliseconds ?? 0) <= now.milliseconds - 60_000 {
            try await data.write { transaction in
                try transaction.execute(
                    "UPDATE application SET used = \(now) WHERE key_hash = \(hash)"
                )
            }
        }
        return found
    }

    /// Changes an application and appends a note to the audit trail in one transaction.
    private func change(
        _ session: Session,
        _ act: AuditAct,
        _ number: Int64,
        at now: Moment,
        _ body: @escaping @Sendable (Transaction) throws -> (before: String, after: String)
    ) async throws {
        let administrator = try grave(session, at: now)
        try await data.write { transaction in
            try Self.check(administrator, is: .administrator, in: transaction)
            let words = try body(transaction)
            let note = AuditNote(
                by: administrator,
                act,
                object: "application \(number)",
                before: words.before,
                after: words.after
            )
            try AuditTrail.append(note, under: nil, at: now, in: transaction)
        }
    }
}

extension ApplicationForm {
    /// The scopes in the format of the database.
    fileprivate var scopeText: String { Scope.text(of: scopes) }

    /// The description for the audit trail, which omits the contact.
    fileprivate var words: String {
        "\(name); \(scopeText); \(requestsPerMinute)/min; \(isNative ? "native; " : "")"
            + (hasDevices ? "devices; " : "") + redirects.joined(separator: " ")
    }

    fileprivate func redirectStatements(of number: Int64) -> [SQL] {
        redirects.enumerated().map { place, address in
            """
            INSERT INTO application_redirect (application, place, address)
            VALUES (\(number), \(place), \(address))
            """
        }
    }
}

extension Application {
    fileprivate init(_ row: Row, in transaction: Transaction) throws {
        number = try row.value("number")
        let scopes: String = try row.value("scopes")
        let redirects = try transaction.rows(
            """
            SELECT address FROM application_redirect WHERE application = \(number) ORDER BY place
            """
        )
        form = ApplicationForm(
            name: try row.value("name"),
            contact: try row.value("contact"),
            redirects: try redirects.map { try $0.value("address") },
            scopes: Set(scopes.split(separator: " ").compactMap { Scope(rawValue: String($0)) }),
            requestsPerMinute: try row.value("rate"),
            isNative: try row.value("is_native"),
            hasDevices: try row.value("has_devices")
        )
        made = try row.moment("made")
        keyMade = try row.moment("key_made")
        used = try row.optionalMoment("used")
        revoked = try row.optionalMoment("revoked")
    }

    static func find(
        _ number: Int64,
        in transaction: Transaction
    ) throws -> Application? {
        try transaction.row("SELECT * FROM application WHERE number = \(number)")
            .map { try Application($0, in: transaction) }
    }

    /// Returns an application by number if it is not revoked.
    fileprivate static func active(
        _ number: Int64,
        in transaction: Transaction
    ) throws -> Application {
        guard let found = try find(number, in: transaction), found.revoked == nil else {
            throw AccountFailure.changedMeanwhile
        }
        return found
    }
}
