package import Chronology
import Storage

/// The accounts of people who come from a provider and have no password yet.
extension Accounts {
    /// Registers a person whose e-mail address the provider has verified, and signs them in.
    ///
    /// - Parameters:
    ///   - form: the form, without a password, with the address that the provider verified.
    ///   - identity: the identity, which the provider has proved.
    ///   - proved: when the person last proved who they are; nil if the provider does not say.
    ///   - origin: where the request came from.
    ///   - now: the current time.
    /// - Returns: the new session.
    /// - Throws: `invalid` with all problems, ``IdentityRefusal/emailTaken`` if an account has the
    ///   address, ``IdentityRefusal/taken``, `tooManyFromNetwork`.
    package func registerVerified(
        _ form: Registration,
        as identity: OutsideIdentity,
        proved: Moment?,
        _ origin: ProviderLogIn,
        at now: Moment
    ) async throws -> SessionGrant {
        precondition(form.isWithoutPassword, "a provider vouches for the person")
        let fields = try checked(form, at: now)
        try await countMessageRequest(from: origin.address, at: now)
        let lookUps = LookUps(fields, secret)
        let key = try await keys.makeKey(for: .random(), at: now)
        do {
            return try await data.write { transaction in
                try checkFree(identity, in: transaction)
                guard try PersonRecord.holder(ofEmail: lookUps.email, in: transaction) == nil else {
                    throw IdentityRefusal.emailTaken
                }
                if let name = lookUps.userName,
                    try PersonRecord.find(userName: name, in: transaction) != nil
                {
                    throw AccountFailure.invalid([FieldProblem(.userName, .taken)])
                }
                let consent: SQL = """
                    INSERT INTO consent (person, version, moment)
                    VALUES (\(key.person), \(settings.consentVersion), \(now))
                    """
                let statements = try insertion(
                    of: key,
                    fields,
                    lookUps,
                    roles: [.traveller],
                    holdsEmail: true,
                    isConfirmed: true,
                    at: now
                )
                let connected = try ConnectedIdentity.insertion(
                    identity,
                    key,
                    under: secret,
                    at: now
                )
                try transaction.execute(statements + [consent, connected])
                let log = personLog(key.person, origin)
                return try begin(key, origin, log, proved, at: now, in: transaction)
            }
        } catch {
            await giveUp([key.person], after: error)
            throw error
        }
    }

    /// Registers a person whose e-mail address nobody has verified: they confirm it by mail, as
    /// everybody else.
    ///
    /// - Throws: `invalid` with all problems, ``IdentityRefusal/taken``, `tooManyFromNetwork`.
    package func registerUnverified(
        _ form: Registration,
        as identity: OutsideIdentity,
        _ origin: ProviderLogIn,
        at now: Moment
    ) async throws {
        precondition(form.isWithoutPassword, "a provider vouches for the person")
        let fields = try checked(form, at: now)
        try await register(
            form,
            fields,
            roles: [.traveller],
            from: origin.address,
            at: now
        ) { key, transaction in
            try checkFree(identity, in: transaction)
            try transaction.execute(
                try ConnectedIdentity.insertion(identity, key, under: secret, at: now)
            )
        }
    }

    /// Returns whether an account has an e-mail address.
    ///
    /// Only a person who has proved to own the address may learn this.
    package func hasAccount(withEmail email: String) async throws -> Bool {
        let lookUp = LookUps([.email: email], secret).email
        return try await data.read { try PersonRecord.holder(ofEmail: lookUp, in: $0) } != nil
    }

    private func checked(
        _ form: Registration,
        at now: Moment
    ) throws -> [PersonField: String] {
        var checked = CheckedFields()
        check(form, at: now, &checked)
        return try checked.get()
    }

    private func checkFree(_ identity: OutsideIdentity, in transaction: Transaction) throws {
        let owner = try ConnectedIdentity.owner(of: identity, under: secret, in: transaction)
        if owner != nil { throw IdentityRefusal.taken }
    }
}
