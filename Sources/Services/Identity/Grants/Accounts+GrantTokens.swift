package import Chronology
import Storage

/// Access tokens and refresh tokens: issued, rotated, looked up and taken back.
extension Accounts {
    /// How long an access token is valid, in seconds.
    package static let accessSeconds: Int64 = 600
    /// How long a refresh token is valid, in seconds: a grant that is unused for this long ends.
    package static let refreshSeconds: Int64 = 30 * 86_400
    /// The most valid tokens that an application has for itself.
    private static let ownTokenLimit = 100

    /// New secrets of a grant, generated before the transaction that stores them.
    struct FreshTokens: Sendable {
        /// The number of a new grant.
        let number = Int64.random(in: 1...(1 << 53))
        let access = GrantSecret.random(.access)
        let refresh = GrantSecret.random(.refresh)
    }

    /// Stores the tokens of a grant.
    func store(
        _ fresh: FreshTokens,
        of application: Int64,
        under grant: Int64,
        _ scopes: Set<Scope>,
        at now: Moment,
        in transaction: Transaction
    ) throws -> IssuedTokens {
        let changed = try transaction.execute([
            stored(fresh.access, of: application, grant, scopes, Self.accessSeconds, now),
            stored(fresh.refresh, of: application, grant, scopes, Self.refreshSeconds, now),
        ])
        precondition(changed == [1, 1], "Tokens were issued that were not stored.")
        return IssuedTokens(
            access: fresh.access,
            refresh: fresh.refresh,
            scopes: scopes,
            seconds: Self.accessSeconds
        )
    }

    private func stored(
        _ token: GrantSecret,
        of application: Int64,
        _ grant: Int64?,
        _ scopes: Set<Scope>,
        _ seconds: Int64,
        _ now: Moment
    ) -> SQL {
        let kind = token.kind == .access ? "access" : "refresh"
        return """
            INSERT INTO grant_token (hash, kind, application, granted, scopes, made, expires)
            VALUES (
                \(token.digest(under: secret)), \(kind), \(application), \(grant),
                \(Scope.text(of: scopes)), \(now), \(now.adding(seconds: seconds))
            )
            """
    }

    /// Issues a token with which an application acts for itself (RFC 6749, 4.4).
    ///
    /// - Parameters:
    ///   - application: the application, which proved its key.
    ///   - scopes: the permissions that it asks for; nil for all that it has.
    ///   - now: the current time.
    /// - Returns: an access token alone.
    /// - Throws: ``GrantRefusal/invalidScope``.
    package func issueOwn(
        to application: Application,
        _ scopes: Set<Scope>?,
        at now: Moment
    ) async throws -> IssuedTokens {
        let scopes = scopes ?? application.form.scopes
        guard !scopes.isEmpty, scopes.isSubset(of: application.form.scopes) else {
            throw GrantRefusal.invalidScope
        }
        let token = GrantSecret.random(.access)
        let number = application.number
        try await data.write { transaction in
            try transaction.execute([
                """
                DELETE FROM grant_token WHERE hash IN (
                    SELECT hash FROM grant_token WHERE application = \(number) AND granted IS NULL
                    ORDER BY made DESC, hash LIMIT 1000 OFFSET \(Self.ownTokenLimit - 1)
                )
                """,
                stored(token, of: number, nil, scopes, Self.accessSeconds, now),
            ])
        }
        return IssuedTokens(
            access: token,
            refresh: nil,
            scopes: scopes,
            seconds: Self.accessSeconds
        )
    }

    /// Exchanges a refresh token, which works once.
    ///
    /// A refresh token that comes a second time is in two hands: the whole grant ends (RFC 9700,
    /// 4.14.2).
    ///
    /// - Parameters:
    ///   - token: the token as it was sent.
    ///   - application: the application that sends it.
    ///   - scopes: fewer permissions for the new tokens; nil for those of the old one.
    ///   - now: the current time.
    /// - Returns: the new tokens.
    /// - Throws: ``GrantRefusal/invalidGrant``, ``GrantRefusal/invalidScope``.
    package func refresh(
        _ token: GrantSecret,
        for application: Application,
        _ scopes: Set<Scope>? = nil,
        at now: Moment
    ) async throws -> IssuedTokens {
        guard token.kind == .refresh else { throw GrantRefusal.invalidGrant }
        let hash = token.digest(under: secret)
        let fresh = FreshTokens()
        let issued = try await data.write { transaction -> IssuedTokens? in
            let row = try transaction.row(
                """
                SELECT t.granted AS granted, t.scopes AS scopes, t.expires AS expires,
                    t.replaced AS replaced, p.suspended AS suspended
                FROM grant_token t JOIN access_grant g ON g.number = t.granted
                    JOIN person p ON p.number = g.person
                WHERE t.hash = \(hash) AND t.kind = 'refresh'
                    AND t.application = \(application.number)
                """
            )
            guard let row else { return nil }
            let grant: Int64 = try row.value("granted")
            if try row.optionalMoment("replaced") != nil {
                try endReused(grant, at: now, in: transaction)
                return nil
            }
            let isSuspended: Bool = try row.value("suspended")
            guard now < (try row.moment("expires")), !isSuspended else { return nil }
            let old = Scope.all(in: try row.value("scopes")) ?? []
            let new = scopes ?? old
            guard !new.isEmpty, new.isSubset(of: old) else { throw GrantRefusal.invalidScope }
            let changed = try transaction.execute([
                "UPDATE grant_token SET replaced = \(now) WHERE hash = \(hash)",
                """
                UPDATE access_grant SET ends = \(now.adding(seconds: Self.refreshSeconds))
                WHERE number = \(grant)
                """,
            ])
            precondition(changed == [1, 1], "A token was exchanged that is not stored, or twice.")
            return try store(
                fresh,
                of: application.number,
                under: grant,
                new,
                at: now,
                in: transaction
            )
        }
        guard let issued else { throw GrantRefusal.invalidGrant }
        return issued
    }

    /// Ends a grant whose code or refresh token came twice.
    func endReused(_ grant: Int64, at now: Moment, in transaction: Transaction) throws {
        let row = try transaction.row(
            "SELECT application FROM access_grant WHERE number = \(grant)"
        )
        guard let application: Int64 = try row?.value("application") else { return }
        try transaction.execute("DELETE FROM access_grant WHERE number = \(grant)")
        let note = AuditNote(by: nil, .endReusedGrant, object: "application \(application)")
        try AuditTrail.append(note, under: nil, at: now, in: transaction)
    }

    /// Returns who acts with an access token, and records the use.
    ///
    /// - Parameters:
    ///   - token: the token as it was sent.
    ///   - now: the current time.
    ///   - isUse: whether the token is used, rather than looked at.
    /// - Returns: nil if the token was never issued, has expired or was taken back, or if its
    ///   application is revoked or its person suspended.
    /// - Throws: any database error.
    package func access(
        with token: GrantSecret,
        at now: Moment,
        isUse: Bool = true
    ) async throws -> TokenAccess? {
        guard token.kind == .access else { return nil }
        return try await access(to: "access", token, at: now, isUse: isUse)
    }

    /// Describes a token to the application that has it (RFC 7662).
    ///
    /// - Returns: nil if the token is not valid, or is not the application's.
    package func introspect(
        _ token: GrantSecret,
        for application: Application,
        at now: Moment
    ) async throws -> TokenAccess? {
        let kind = token.kind == .refresh ? "refresh" : "access"
        let found = try await access(to: kind, token, at: now, isUse: false)
        return found?.application.number == application.number ? found : nil
    }

    private func access(
        to kind: String,
        _ token: GrantSecret,
        at now: Moment,
        isUse: Bool
    ) async throws -> TokenAccess? {
        let hash = token.digest(under: secret)
        let found = try await data.read(isBrief: true) { transaction in
            try transaction.row(
                """
                SELECT t.application AS application, t.granted AS granted, t.scopes AS scopes,
                    t.made AS made, t.expires AS expires, g.scopes AS most, g.person AS person,
                    g.used AS used
                FROM grant_token t LEFT JOIN access_grant g ON g.number = t.granted
                    LEFT JOIN person p ON p.number = g.person
                WHERE t.hash = \(hash) AND t.kind = \(kind) AND t.expires > \(now)
                    AND t.replaced IS NULL AND (t.granted IS NULL OR p.suspended = 0)
                """
            ).flatMap { try FoundToken($0, in: transaction) }
        }
        guard let found else { return nil }
        // Recorded with a resolution of one minute, as the use of keys is.
        if isUse, (found.used?.milliseconds ?? 0) <= now.milliseconds - 60_000 {
            let number = found.access.application.number
            try await data.write { transaction in
                try transaction.execute([
                    """
                    UPDATE access_grant SET used = \(now)
                    WHERE number = \(found.access.grant ?? 0)
                    """,
                    "UPDATE application SET used = \(now) WHERE number = \(number)",
                ])
            }
        }
        return found.access
    }

    /// Takes a token back (RFC 7009): an access token alone, or with a refresh token the grant.
    ///
    /// Nothing happens for a token that is not the application's.
    ///
    /// - Parameters:
    ///   - token: the token as it was sent.
    ///   - application: the application that sends it.
    /// - Throws: any database error.
    package func revoke(_ token: GrantSecret, for application: Application) async throws {
        let hash = token.digest(under: secret)
        let number = application.number
        try await data.write { transaction in
            switch token.kind {
            case .code, .device: break
            case .access:
                try transaction.execute(
                    """
                    DELETE FROM grant_token
                    WHERE hash = \(hash) AND kind = 'access' AND application = \(number)
                    """
                )
            case .refresh:
                try transaction.execute(
                    """
                    DELETE FROM access_grant WHERE number IN (
                        SELECT granted FROM grant_token
                        WHERE hash = \(hash) AND kind = 'refresh' AND application = \(number)
                    )
                    """
                )
            }
        }
    }
}

/// A valid token as it is stored.
private struct FoundToken: Sendable {
    let access: TokenAccess
    /// When the grant, or else the application, was last used.
    let used: Moment?

    /// Returns nil if the application is revoked.
    init?(_ row: Row, in transaction: Transaction) throws {
        let number: Int64 = try row.value("application")
        guard let found = try Application.find(number, in: transaction), found.revoked == nil else {
            return nil
        }
        let grant: Int64? = try row.value("granted")
        var scopes = found.form.scopes.intersection(Scope.all(in: try row.value("scopes")) ?? [])
        if grant != nil {
            let most: String? = try row.value("most")
            scopes.formIntersection(Scope.all(in: most ?? "") ?? [])
            scopes.formIntersection(Scope.personal)
        }
        used = grant == nil ? found.used : try row.optionalMoment("used")
        access = TokenAccess(
            application: found.restricted(to: scopes),
            person: try row.value("person"),
            grant: grant,
            made: try row.moment("made"),
            expires: try row.moment("expires")
        )
    }
}
