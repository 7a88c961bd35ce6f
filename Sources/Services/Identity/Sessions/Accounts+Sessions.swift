package import Chronology
package import Localization
import Storage

extension Accounts {
    /// The minimum interval between writes of a session's last use, in seconds.
    private static let useInterval: Int64 = 300
    /// The longest description of a device, in characters.
    private static let deviceLimit = 120

    /// Creates a session without a person.
    ///
    /// - Parameters:
    ///   - language: the chosen language; nil if none was chosen.
    ///   - now: the current time.
    /// - Returns: the session and its secret.
    /// - Throws: any database error.
    package func beginGuestSession(
        language: Language?,
        at now: Moment
    ) async throws -> SessionGrant {
        try await data.write { transaction in
            try makeSession(nil, language: language, at: now, in: transaction)
        }
    }

    /// Returns the session of a secret.
    ///
    /// - Parameters:
    ///   - token: the secret that the browser sent.
    ///   - now: the current time.
    ///   - isUse: whether the request is an action of the user; automatic polling does not
    ///     extend a session.
    /// - Returns: nil if the session has ended, or its person is suspended or erased.
    /// - Throws: any database error.
    package func session(
        of token: SecretToken,
        at now: Moment,
        isUse: Bool = true
    ) async throws -> Session? {
        let found = try await data.read(isBrief: true) {
            try Self.session(of: token, at: now, in: $0)
        }
        guard let session = found, isUse else { return found }
        guard !session.isFromReset, now >= session.used.adding(seconds: Self.useInterval)
        else { return session }
        let idle = settings.idle.seconds(
            isPerson: session.person != nil,
            isStaff: session.roles.contains(where: \.isStaff)
        )
        let end = now.adding(seconds: idle)
        try await data.write { transaction in
            try transaction.execute(
                """
                UPDATE session SET used = \(now), idle_end = CASE
                    WHEN absolute_end < \(end) THEN absolute_end ELSE \(end) END
                WHERE hash = \(token.hash) AND used < \(now)
                """
            )
        }
        return session
    }

    /// Sets the language of a session.
    package func setLanguage(_ language: Language, of token: SecretToken) async throws {
        try await data.write { transaction in
            try transaction.execute(
                """
                UPDATE session SET language = \(language.rawValue) WHERE hash = \(token.hash)
                """
            )
        }
    }

    /// Ends a session; safe to repeat.
    package func endSession(_ token: SecretToken) async throws {
        try await data.write { try Self.end(token, in: $0) }
    }

    /// Lists a person's sessions, most recently used first.
    package func sessions(of person: PersonNumber, at now: Moment) async throws -> [SessionEntry] {
        let key = try await key(of: person)
        return try await data.read { transaction in
            try transaction.rows(
                """
                SELECT number, device, made, used FROM session
                WHERE person = \(person) AND idle_end > \(now)
                ORDER BY used DESC, number
                """
            ).map { row in
                let device: [UInt8]? = try row.value("device")
                return SessionEntry(
                    number: try row.value("number"),
                    device: try device.map { try key.open($0, as: "device") } ?? "",
                    made: try row.moment("made"),
                    used: try row.moment("used")
                )
            }
        }
    }

    /// Ends one of a person's sessions by number; sessions of other people are not affected.
    package func endSession(_ number: Int64, of person: PersonNumber) async throws {
        try await data.write { transaction in
            try transaction.execute(
                "DELETE FROM session WHERE number = \(number) AND person = \(person)"
            )
        }
    }

    /// Ends all sessions of a person except one.
    package func endOtherSessions(
        of person: PersonNumber,
        but token: SecretToken
    ) async throws {
        try await data.write { transaction in
            try Self.endSessions(of: person, but: token, in: transaction)
        }
    }

    /// Creates a session with a new secret.
    ///
    /// - Parameters:
    ///   - key: the key of the person; nil for a guest.
    ///   - device: the description of the device.
    ///   - language: the chosen language.
    ///   - isFromReset: whether it was opened by the link for a forgotten password.
    ///   - old: the previous session of the browser, which is ended to prevent session fixation.
    ///   - now: the current time.
    ///   - transaction: the transaction to write in.
    /// - Returns: the session and its secret.
    /// - Throws: any database error.
    func makeSession(
        _ key: PersonKey?,
        device: String = "",
        language: Language? = nil,
        isFromReset: Bool = false,
        replacing old: SecretToken? = nil,
        at now: Moment,
        in transaction: Transaction
    ) throws -> SessionGrant {
        precondition(key != nil || !isFromReset, "only a person resets a password")
        if let old { try Self.end(old, in: transaction) }
        let token = SecretToken.random()
        let words = device.isOneLine ? String(device.prefix(Self.deviceLimit)) : ""
        let roles = try key.map { try PersonRecord.roles(of: $0.person, in: transaction) } ?? []
        let isStaff = roles.contains(where: \.isStaff)
        var idle = settings.idle.seconds(isPerson: key != nil, isStaff: isStaff)
        var absolute = settings.absolute.seconds(isPerson: key != nil, isStaff: isStaff)
        if isFromReset {
            // The session may choose a password without the old one, so it lasts no
            // longer than its link.
            absolute = min(absolute, settings.linkLasts)
        }
        idle = min(idle, absolute)
        let authenticated = key == nil || isFromReset ? nil : now
        try transaction.execute(
            """
            INSERT INTO session (
                hash, number, person, device, language, made, used, authenticated, from_reset,
                idle_end, absolute_end
            ) VALUES (
                \(token.hash), \(Int64.random(in: 1..<(1 << 53))), \(key?.person),
                \(try key?.seal(words, as: "device")), \(language?.rawValue), \(now), \(now),
                \(authenticated), \(isFromReset),
                \(now.adding(seconds: idle)), \(now.adding(seconds: absolute))
            )
            """
        )
        precondition(idle > 0, "a new session lasts some time")
        guard let session = try Self.session(of: token, at: now, in: transaction) else {
            throw AccountFailure.noSuchPerson
        }
        return SessionGrant(token: token, session: session)
    }

    /// Reads the stored session of a secret.
    static func session(
        of token: SecretToken,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Session? {
        try transaction.row(
            """
            SELECT s.number AS number, s.person AS person, s.language AS language,
                s.made AS made, s.used AS used, s.authenticated AS authenticated,
                s.from_reset AS from_reset, p.must_change AS must_change
            FROM session s LEFT JOIN person p ON p.number = s.person
            WHERE s.hash = \(token.hash) AND s.idle_end > \(now)
                AND (s.person IS NULL OR p.suspended = 0)
            """
        ).map { try Session($0, in: transaction) }
    }

    static func end(_ token: SecretToken, in transaction: Transaction) throws {
        try transaction.execute("DELETE FROM session WHERE hash = \(token.hash)")
    }

    /// Ends all sessions of a person, optionally except one.
    static func endSessions(
        of person: PersonNumber,
        but token: SecretToken? = nil,
        in transaction: Transaction
    ) throws {
        let kept = token?.hash ?? []
        try transaction.execute(
            "DELETE FROM session WHERE person = \(person) AND hash <> \(kept)"
        )
    }
}
