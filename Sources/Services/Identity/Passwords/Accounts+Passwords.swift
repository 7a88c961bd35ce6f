package import Chronology
import Storage

extension Accounts {
    /// Sends a link to a person who has forgotten the password (R100).
    ///
    /// The result is the same whether or not the account exists; the mail goes to the address on
    /// record, not to the text typed. A pending registration gets a new confirmation link.
    ///
    /// - Parameters:
    ///   - name: the user name or e-mail address.
    ///   - address: the network address of the request.
    ///   - now: the current time.
    /// - Throws: `tooManyFromNetwork`; any database error.
    package func forgotPassword(
        of name: String,
        from address: ClientAddress,
        at now: Moment
    ) async throws {
        try await countMessageRequest(from: address, at: now)
        let typed = String(name.prefix(320))
        let person = try await data.read { transaction in
            try PersonRecord.find(typed: typed, secret, in: transaction)
        }
        let key = try await keys.key(of: person?.number ?? .random())
        let holder = try await holderKey(ofEmail: person?.emailKey ?? [])
        try await data.write { transaction in
            if EmailAddress(typed) != nil, let person, person.holdsEmail {
                try useLink(ofEmail: person.emailKey, at: now, in: transaction)
            }
            guard let person, let key,
                let record = try PersonRecord.find(person.number, in: transaction),
                !record.isSuspended
            else {
                return try Self.pretendToken(at: now, in: transaction)
            }
            guard record.isConfirmed else {
                try sendFirstLink(record, key, heldBy: holder, at: now, in: transaction)
                return
            }
            let token = try OneTimeToken.make(
                .reset,
                for: person.number,
                lasting: settings.linkLasts,
                at: now,
                in: transaction
            )
            guard let token else { return try Self.pretendToken(at: now, in: transaction) }
            let fields = try Fields.all(key, in: transaction)
            let facts = token.facts(until: now.adding(seconds: settings.linkLasts))
            try tell(.resetPassword, key, fields, facts, at: now, in: transaction)
        }
    }

    /// Starts the choice of a new password with the link from an e-mail.
    ///
    /// The old password and all sessions become invalid at once, which locks out anybody who had
    /// obtained them. The new session permits nothing but the choice of a password.
    ///
    /// - Parameters:
    ///   - token: the token of the link for a forgotten password, or of an invitation.
    ///   - device: the description of the device.
    ///   - old: the previous session of the browser, which is ended.
    ///   - now: the current time.
    /// - Returns: a session that must choose a password.
    /// - Throws: `badToken`.
    package func beginReset(
        _ token: SecretToken,
        device: String,
        replacing old: SecretToken? = nil,
        at now: Moment
    ) async throws -> SessionGrant {
        let owner = try await data.read { try Self.resetOwner(token, at: now, in: $0) }
        let key = try await key(of: owner.person)
        return try await data.write { transaction in
            let (person, purpose) = try Self.resetOwner(token, at: now, in: transaction)
            guard person == key.person else { throw AccountFailure.badToken }
            try OneTimeToken.withdraw(purpose, of: person, in: transaction)
            let record = try PersonRecord.get(person, in: transaction)
            guard !record.isSuspended else { throw AccountFailure.badToken }
            try Self.endSessions(of: person, in: transaction)
            // The link was received, which proves the address of a person whom the city entered.
            try transaction.execute([
                Fields.remove(.password, of: person),
                """
                UPDATE person SET must_change = 1, confirmed = 1, password_changed = NULL
                WHERE number = \(person)
                """,
            ])
            return try makeSession(
                key,
                device: device,
                isFromReset: true,
                replacing: old,
                at: now,
                in: transaction
            )
        }
    }

    /// Changes the password, given the old one and the new one twice (R102, SB13).
    ///
    /// All other sessions end, and this one gets a new secret.
    ///
    /// - Parameters:
    ///   - token: the secret of the session.
    ///   - old: the old password; ignored in a session that began with a link from an e-mail.
    ///   - new: the new password.
    ///   - again: the repetition of the new password.
    ///   - address: the network address of the request.
    ///   - now: the current time.
    /// - Returns: the renewed session.
    /// - Throws: `invalid`, `wrongCredentials` for a wrong old password, `wait`, `busy`.
    package func changePassword(
        _ token: SecretToken,
        old: String,
        new: String,
        again: String,
        from address: ClientAddress,
        at now: Moment
    ) async throws -> SessionGrant {
        guard let session = try await session(of: token, at: now), let person = session.person
        else { throw AccountFailure.wrongCredentials }
        var problems = PasswordRule.problems(of: new, again: again)
        if !session.isFromReset {
            if old.isEmpty { problems.append(FieldProblem(.oldPassword, .missing)) }
            if old.composed == new.composed { problems.append(FieldProblem(.password, .unchanged)) }
        }
        if !problems.isEmpty { throw AccountFailure.invalid(problems) }
        if !session.isFromReset {
            try await confirmPassword(old, of: person, from: address, at: now) { _ in }
        }
        let key = try await key(of: person)
        let hash = try await workers.hash(new, for: address.group)
        return try await data.write { transaction in
            // The session may have ended while the password was hashed.
            guard let current = try Self.session(of: token, at: now, in: transaction),
                current.person == person
            else { throw AccountFailure.wrongCredentials }
            let device: [UInt8]? =
                try transaction.row(
                    "SELECT device FROM session WHERE hash = \(token.hash)"
                )?.value("device") ?? nil
            try transaction.execute(
                Fields.store([.password: hash], key) + [
                    """
                    UPDATE person
                    SET must_change = 0, password_changed = \(now), password_reminded = NULL
                    WHERE number = \(person)
                    """
                ]
            )
            for purpose in [OneTimeToken.Purpose.reset, .invitation, .proof] {
                try OneTimeToken.withdraw(purpose, of: person, in: transaction)
            }
            try Self.endSessions(of: person, in: transaction)
            try tell(
                .passwordChanged,
                key,
                try Fields.all(key, in: transaction),
                at: now,
                in: transaction
            )
            return try makeSession(
                key,
                device: try device.map { try key.open($0, as: "device") } ?? "",
                language: current.language,
                at: now,
                in: transaction
            )
        }
    }

    private static func resetOwner(
        _ token: SecretToken,
        at now: Moment,
        in transaction: Transaction
    ) throws -> (person: PersonNumber, purpose: OneTimeToken.Purpose) {
        do {
            let person = try OneTimeToken.owner(of: token, .reset, at: now, in: transaction)
            return (person, .reset)
        } catch AccountFailure.badToken {
            let person = try OneTimeToken.owner(of: token, .invitation, at: now, in: transaction)
            return (person, .invitation)
        }
    }

    /// Uses up a link of a pending registration that gets no mail because its address belongs to
    /// another account: the number of remaining links must not reveal that account.
    private func useLink(
        ofEmail email: [UInt8],
        at now: Moment,
        in transaction: Transaction
    ) throws {
        guard let waiting = try PersonRecord.waiting(withEmail: email, in: transaction) else {
            return
        }
        _ = try OneTimeToken.make(
            .registration,
            for: waiting,
            lasting: settings.confirmationLasts,
            at: now,
            in: transaction
        )
    }

    /// Does about the same work as creating a token, so that the response time reveals nothing.
    private static func pretendToken(at now: Moment, in transaction: Transaction) throws {
        let token = try OneTimeToken.make(
            .reset,
            for: nil,
            lasting: 0,
            at: now,
            in: transaction
        )
        guard let token else { return }
        try transaction.execute("DELETE FROM one_time_token WHERE hash = \(token.hash)")
    }
}
