package import Chronology
import Storage

extension Accounts {
    /// Sends a link to who has forgotten the password (R100).
    ///
    /// It ends in the same way whether or not there is such an account; the mail goes to the
    /// address on record, not to what was typed. A registration that waits gets its own link.
    ///
    /// - Parameters:
    ///   - name: the user name or e-mail address.
    ///   - now: the moment.
    /// - Throws: what the databases throw.
    package func forgotPassword(of name: String, at now: Moment) async throws {
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

    /// Begins the choice of a new password by the link of a mail.
    ///
    /// From then on the old password and all sessions are void: whoever had them is out. The
    /// session that is given can do nothing but choose the new password.
    ///
    /// - Parameters:
    ///   - token: of the link for a forgotten password, or of an invitation.
    ///   - device: words for the device.
    ///   - old: the session that the browser had, which ends.
    ///   - now: the moment.
    /// - Returns: the session that must choose a password.
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
            // The mail has arrived, which proves the address of whom the city entered.
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

    /// Chooses a new password: the old one, and the new one twice (R102, SB13).
    ///
    /// All other sessions end, and this one gets a new secret.
    ///
    /// - Parameters:
    ///   - token: the session.
    ///   - old: the old password; not looked at in a session that comes from a mail's link.
    ///   - new: the new password.
    ///   - again: the new password a second time.
    ///   - address: the network address.
    ///   - now: the moment.
    /// - Returns: the session that goes on.
    /// - Throws: `invalid`, `wrongCredentials` for the old password, `wait`, `busy`.
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

    /// Uses up a link of the registration that would have got it if nobody held its address: who
    /// made it must not see by how many are left that somebody does.
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

    /// Does about the work of making a token, so that nobody can tell by the time.
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
