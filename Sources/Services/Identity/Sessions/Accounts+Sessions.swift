package import Chronology
package import Localization
import Storage

extension Accounts {
    /// How seldom the last use of a session is written, in seconds.
    private static let useInterval: Int64 = 300
    /// How many characters describe a device.
    private static let deviceLimit = 120

    /// Begins a session of nobody in particular.
    ///
    /// - Parameters:
    ///   - language: the language chosen; nil where nobody chose.
    ///   - now: the moment.
    /// - Returns: the session and its secret.
    /// - Throws: what the database throws.
    package func beginGuestSession(
        language: Language?,
        at now: Moment
    ) async throws -> SessionGrant {
        try await data.write { transaction in
            try makeSession(nil, language: language, at: now, in: transaction)
        }
    }

    /// The session of a secret.
    ///
    /// - Parameters:
    ///   - token: what the browser sent.
    ///   - now: the moment.
    ///   - isUse: whether somebody did something; a page that looks again by itself keeps no
    ///     session from ending.
    /// - Returns: nil where it has ended, or its person is suspended or gone.
    /// - Throws: what the database throws.
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

    /// Chooses the language of a session.
    package func setLanguage(_ language: Language, of token: SecretToken) async throws {
        try await data.write { transaction in
            try transaction.execute(
                """
                UPDATE session SET language = \(language.rawValue) WHERE hash = \(token.hash)
                """
            )
        }
    }

    /// Ends a session; one that has ended stays so.
    package func endSession(_ token: SecretToken) async throws {
        try await data.write { try Self.end(token, in: $0) }
    }

    /// A person's sessions, the last used first.
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

    /// Ends one of a person's sessions, named by its number; those of others are left alone.
    package func endSession(_ number: Int64, of person: PersonNumber) async throws {
        try await data.write { transaction in
            try transaction.execute(
                "DELETE FROM session WHERE number = \(number) AND person = \(person)"
            )
        }
    }

    /// Ends all of a person's sessions but one.
    package func endOtherSessions(
        of person: PersonNumber,
        but token: SecretToken
    ) async throws {
        try await data.write { transaction in
            try Self.endSessions(of: person, but: token, in: transaction)
        }
    }

    /// Makes a session with a new secret.
    ///
    /// - Parameters:
    ///   - key: the key of the person; nil for a guest.
    ///   - device: words for the device.
    ///   - language: the language chosen.
    ///   - isFromReset: whether it comes from the link for a forgotten password.
    ///   - old: the session that it replaces, which ends: nobody can lay a session under another
    ///     person's log-in.
    ///   - now: the moment.
    ///   - transaction: where it is stored.
    /// - Returns: the session and its secret.
    /// - Throws: what the database throws.
    func makeSession(
        _ key: PersonKey?,
        device: String = "",
        language: Language? = nil,
        isFromReset: Bool = false,
        replacing old: SecretToken? = nil,
        at now: Moment,
        in transaction: Transaction
    ) throws -> SessionGrant {
        if let old { try Self.end(old, in: transaction) }
        let token = SecretToken.random()
        let words = device.isOneLine ? String(device.prefix(Self.deviceLimit)) : ""
        let roles = try key.map { try PersonRecord.roles(of: $0.person, in: transaction) } ?? []
        let isStaff = roles.contains(where: \.isStaff)
        var idle = settings.idle.seconds(isPerson: key != nil, isStaff: isStaff)
        var absolute = settings.absolute.seconds(isPerson: key != nil, isStaff: isStaff)
        if isFromReset {
            // It chooses a password without the old one: it lasts no longer than its link.
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
        guard let session = try Self.session(of: token, at: now, in: transaction) else {
            throw AccountFailure.noSuchPerson
        }
        return SessionGrant(token: token, session: session)
    }

    /// The session of a secret as it is stored.
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

    /// Ends all of a person's sessions, but one where it is given.
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
