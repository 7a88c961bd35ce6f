package import Chronology
import Localization
import Storage

/// The origin of a request that signs somebody in with a provider.
package struct ProviderLogIn: Sendable {
    /// The name of the provider in the settings.
    package var provider: String
    /// The network address of the request.
    package var address: ClientAddress
    /// The description of the device for the list of sessions.
    package var device: String
    /// The previous session of the browser, which is ended.
    package var session: SecretToken?

    /// Creates an origin from its fields.
    package init(
        provider: String,
        address: ClientAddress,
        device: String = "",
        session: SecretToken? = nil
    ) {
        self.provider = provider
        self.address = address
        self.device = device
        self.session = session
    }
}

/// Signing in with a provider instead of a password (V7).
extension Accounts {
    /// How many answers of a provider that could not be used one network address may bring within
    /// ``failedWindow``; hundreds of telephones share the address of a mobile network.
    private static let failedAnswers = 30
    /// How long such an answer counts, in seconds.
    private static let failedWindow: Int64 = 600

    /// Spends the answer of a provider, which counts once, and limits how often one network address
    /// may bring answers that cannot be used.
    ///
    /// - Parameters:
    ///   - state: what the answer belongs to.
    ///   - end: when the attempt expires; later answers are refused without a record.
    ///   - origin: where the answer came from.
    ///   - now: the current time.
    /// - Throws: `badToken` if it came before, `wait` if too many could not be used.
    package func spendAnswer(
        _ state: String,
        until end: Moment,
        from origin: ProviderLogIn,
        at now: Moment
    ) async throws {
        guard now < end else { throw AccountFailure.badToken }
        let digest = secret.digest(state, of: .signInState)
        let log = answerLog(origin)
        let failure = try await data.write { transaction -> AccountFailure? in
            let spent = try transaction.execute(
                """
                INSERT INTO spent_sign_in (state, expires) VALUES (\(digest), \(end))
                ON CONFLICT DO NOTHING
                """
            )
            guard spent == 1 else { return .badToken }
            let since = now.adding(seconds: -Self.failedWindow)
            guard try log.hasFailed(moreThan: Self.failedAnswers, since: since, in: transaction)
            else { return nil }
            try log.record(.early, at: now, in: transaction)
            return .wait(until: now.adding(seconds: settings.waitAfterWrong))
        }
        if let failure { throw failure }
    }

    /// Records that the answer of a provider could not be used (R129).
    package func noteBadAnswer(from origin: ProviderLogIn, at now: Moment) async throws {
        let log = answerLog(origin)
        try await data.write { try log.record(.wrong, at: now, in: $0) }
    }

    /// The log of answers that belong to no person: one for each provider and network address.
    private func answerLog(_ origin: ProviderLogIn) -> AttemptLog {
        let subject = "provider \(origin.provider) \(origin.address.group)"
        return AttemptLog(
            subject: secret.digest(subject, of: .attempt),
            address: origin.address,
            addressKey: secret.digest(origin.address.group, of: .address)
        )
    }

    /// Signs in the person to whom an identity is connected.
    ///
    /// The session counts as one with a recent password check only if the provider says that the
    /// person has proved who they are just now.
    ///
    /// - Parameters:
    ///   - identity: the identity, which the provider has proved.
    ///   - proved: when the person last proved who they are; nil if the provider does not say.
    ///   - origin: where the request came from.
    ///   - now: the current time.
    /// - Returns: the new session; nil if the identity is connected to nobody.
    /// - Throws: `unconfirmed`, `suspended`.
    package func logIn(
        with identity: OutsideIdentity,
        proved: Moment?,
        _ origin: ProviderLogIn,
        at now: Moment
    ) async throws -> SessionGrant? {
        let owner = try await data.read { transaction in
            try ConnectedIdentity.owner(of: identity, under: secret, in: transaction)
        }
        guard let owner, let key = try await keys.key(of: owner) else { return nil }
        let outcome = try await data.write { transaction -> Result<SessionGrant, AccountFailure>? in
            guard
                try ConnectedIdentity.owner(of: identity, under: secret, in: transaction) == owner,
                let person = try PersonRecord.find(owner, in: transaction)
            else { return nil }
            let log = personLog(owner, origin)
            guard person.isConfirmed else {
                try log.record(.unconfirmed, at: now, in: transaction)
                return .failure(.unconfirmed)
            }
            guard !person.isSuspended else {
                let fields = try Fields.all(key, in: transaction)
                try log.record(.suspended, at: now, in: transaction)
                return .failure(.suspended(reason: fields[.suspension] ?? ""))
            }
            try transaction.execute(
                """
                UPDATE connected_identity SET used = \(now)
                WHERE identity = \(identity.digest(under: secret))
                """
            )
            return .success(try begin(key, origin, log, proved, at: now, in: transaction))
        }
        return try outcome?.get()
    }

    /// Creates the session of a person whom a provider has proved.
    func begin(
        _ key: PersonKey,
        _ origin: ProviderLogIn,
        _ log: AttemptLog,
        _ proved: Moment?,
        at now: Moment,
        in transaction: Transaction
    ) throws -> SessionGrant {
        let form = LogInForm(
            name: "",
            password: "",
            address: origin.address,
            device: origin.device,
            session: origin.session
        )
        let hasPassword = try Fields.sealed(.password, of: key.person, in: transaction) != nil
        // A person who must choose a password and has none cannot enter the old one.
        let isChoosing =
            try !hasPassword && PersonRecord.get(key.person, in: transaction).mustChange
        let grant = try admit(key, form, log, isFromReset: isChoosing, at: now, in: transaction)
        guard !isChoosing else { return grant }
        try transaction.execute(
            """
            UPDATE session SET authenticated = \(proved.map { min($0, now) })
            WHERE hash = \(grant.token.hash)
            """
        )
        guard let session = try Self.session(of: grant.token, at: now, in: transaction) else {
            throw AccountFailure.noSuchPerson
        }
        return SessionGrant(token: grant.token, session: session)
    }

    /// The log of attempts of a person.
    func personLog(_ person: PersonNumber, _ origin: ProviderLogIn) -> AttemptLog {
        AttemptLog(
            subject: secret.digest("person \(person.rawValue)", of: .attempt),
            address: origin.address,
            addressKey: secret.digest(origin.address.group, of: .address)
        )
    }

    /// Records in a session that its person has just proved who they are, at a provider.
    ///
    /// - Parameters:
    ///   - token: the secret of the session.
    ///   - identity: the identity that the provider has proved.
    ///   - proved: when the person proved it.
    ///   - now: the current time.
    /// - Throws: ``IdentityRefusal/notYours`` if it is connected to another account or to none.
    package func reauthenticate(
        _ token: SecretToken,
        with identity: OutsideIdentity,
        proved: Moment,
        at now: Moment
    ) async throws {
        try await data.write { transaction in
            let session = try Self.session(of: token, at: now, in: transaction)
            let owner = try ConnectedIdentity.owner(of: identity, under: secret, in: transaction)
            guard let person = session?.person, owner == person else {
                throw IdentityRefusal.notYours
            }
            try transaction.execute(
                """
                UPDATE session SET authenticated = \(min(proved, now)) WHERE hash = \(token.hash)
                """
            )
        }
    }

    /// The statement that forgets answers which can come no more.
    static func sweepingAnswers(at now: Moment) -> SQL {
        "DELETE FROM spent_sign_in WHERE expires <= \(now)"
    }
}
