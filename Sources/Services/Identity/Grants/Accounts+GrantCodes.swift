package import Chronology
import Crypto
import Storage

/// Consent, and the code that an application redeems for tokens (RFC 6749, 4.1; RFC 7636).
extension Accounts {
    /// How long a code is valid, in seconds: it only travels through the person's browser.
    package static let codeSeconds: Int64 = 60
    /// How long a used code is remembered, in seconds, to notice that it comes twice.
    static let codeMemory: Int64 = 86_400
    /// The most grants that one person gives to one application; the one unused longest goes.
    private static let grantLimit = 20

    /// Records that a person lets an application act on their behalf.
    ///
    /// - Parameters:
    ///   - request: what the person was shown.
    ///   - session: the session of the person.
    ///   - now: the current time.
    /// - Returns: the code for the application.
    /// - Throws: ``GrantRefusal`` if the application may not ask this any more; `notAllowed`,
    ///   `mustChangePassword`.
    package func consent(
        to request: GrantRequest,
        by session: Session,
        at now: Moment
    ) async throws -> GrantSecret {
        let person = try active(session)
        precondition(request.challenge.count == 32, "a challenge is a SHA-256")
        let code = GrantSecret.random(.code)
        let hash = code.digest(under: secret)
        try await data.write { transaction in
            guard let application = try Application.find(request.application, in: transaction),
                application.revoked == nil, application.mayRedirect(to: request.redirect)
            else { throw GrantRefusal.unknownClient }
            guard !request.scopes.isEmpty, request.scopes.isSubset(of: application.askable) else {
                throw GrantRefusal.invalidScope
            }
            try transaction.execute(
                """
                INSERT INTO grant_code (
                    hash, application, person, scopes, redirect, challenge, expires, is_tried
                ) VALUES (
                    \(hash), \(application.number), \(person), \(Scope.text(of: request.scopes)),
                    \(request.redirect), \(request.challenge),
                    \(now.adding(seconds: Self.codeSeconds)), 0
                )
                """
            )
        }
        return code
    }

    /// Redeems a code, which works once, whether it succeeds or not.
    ///
    /// A code that comes a second time was stolen, or its first bearer stole it: what it gave is
    /// taken back (RFC 6749, 4.1.2).
    ///
    /// - Parameters:
    ///   - code: the code as it was sent.
    ///   - application: the application that sends it.
    ///   - redirect: the redirect address, if the application repeats it.
    ///   - verifier: the secret whose SHA-256 the application sent before.
    ///   - now: the current time.
    /// - Returns: the tokens.
    /// - Throws: ``GrantRefusal/invalidGrant``.
    package func redeem(
        _ code: GrantSecret,
        for application: Application,
        redirect: String?,
        verifier: String,
        at now: Moment
    ) async throws -> IssuedTokens {
        guard code.kind == .code else { throw GrantRefusal.invalidGrant }
        let hash = code.digest(under: secret)
        let person = try await data.read { transaction in
            try transaction.row("SELECT person FROM grant_code WHERE hash = \(hash)")?
                .value("person", as: PersonNumber.self)
        }
        guard let person, let key = try await keys.key(of: person) else {
            throw GrantRefusal.invalidGrant
        }
        let fresh = FreshTokens()
        let issued = try await data.write { transaction -> IssuedTokens? in
            let row = try transaction.row(
                """
                SELECT * FROM grant_code
                WHERE hash = \(hash) AND application = \(application.number) \(.forUpdate)
                """
            )
            guard let stored = try row.map(StoredCode.init) else { return nil }
            if stored.isTried {
                if let granted = stored.granted {
                    try endReused(granted, at: now, in: transaction)
                }
                return nil
            }
            let proof = Array(SHA256.hash(data: Array(verifier.utf8)))
            let isRight =
                proof == stored.challenge && now < stored.expires
                && (redirect == nil || redirect == stored.redirect)
            let granted = isRight ? fresh.number : nil
            let tried = try transaction.execute(
                "UPDATE grant_code SET is_tried = 1, granted = \(granted) WHERE hash = \(hash)"
            )
            precondition(tried == 1, "A code was redeemed that is not stored, or twice.")
            guard isRight else { return nil }
            return try begin(
                stored.scopes,
                application,
                fresh,
                key,
                at: now,
                in: transaction
            )
        }
        guard let issued else { throw GrantRefusal.invalidGrant }
        return issued
    }

    /// Begins the grant of a redeemed code of a browser or a device, and tells the person.
    ///
    /// - Returns: nil if the person may not act any more.
    func begin(
        _ scopes: Set<Scope>,
        _ application: Application,
        _ fresh: FreshTokens,
        _ key: PersonKey,
        at now: Moment,
        in transaction: Transaction
    ) throws -> IssuedTokens? {
        guard let record = try PersonRecord.find(key.person, in: transaction),
            !record.isSuspended
        else { return nil }
        let changed = try transaction.execute([
            """
            DELETE FROM access_grant WHERE number IN (
                SELECT number FROM access_grant
                WHERE person = \(key.person) AND application = \(application.number)
                ORDER BY COALESCE(used, made) DESC, number
                LIMIT 1000 OFFSET \(Self.grantLimit - 1)
            )
            """,
            """
            INSERT INTO access_grant (number, application, person, scopes, made, ends)
            VALUES (
                \(fresh.number), \(application.number), \(key.person),
                \(Scope.text(of: scopes)), \(now),
                \(now.adding(seconds: Self.refreshSeconds))
            )
            """,
        ])
        precondition(changed.last == 1, "A grant began that was not stored.")
        let note = AuditNote(
            by: key.person,
            .connectApplication,
            object: "application \(application.number)",
            after: "\(application.form.name): \(Scope.text(of: scopes))"
        )
        try AuditTrail.append(note, under: key, at: now, in: transaction)
        let fields = try Fields.all(key, in: transaction)
        let facts = ["application": application.form.name]
        try tell(.applicationConnected, key, fields, facts, at: now, in: transaction)
        return try store(
            fresh,
            of: application.number,
            under: fresh.number,
            scopes.intersection(application.askable),
            at: now,
            in: transaction
        )
    }
}

/// A code as it is stored.
private struct StoredCode {
    let scopes: Set<Scope>
    let redirect: String
    let challenge: [UInt8]
    let expires: Moment
    let isTried: Bool
    /// The grant that the code began.
    let granted: Int64?

    init(_ row: Row) throws {
        scopes = Scope.all(in: try row.value("scopes")) ?? []
        redirect = try row.value("redirect")
        challenge = try row.value("challenge")
        expires = try row.moment("expires")
        isTried = try row.value("is_tried")
        granted = try row.value("granted")
    }
}
