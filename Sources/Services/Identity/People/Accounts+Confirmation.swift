package import Chronology
import Storage

extension Accounts {
    /// Returns whether a person has consented to the text in force (R97, R105).
    package func hasConsented(_ person: PersonNumber) async throws -> Bool {
        try await data.read { transaction in
            try transaction.row(
                """
                SELECT 1 AS one FROM consent
                WHERE person = \(person) AND version = \(settings.consentVersion)
                """
            ) != nil
        }
    }

    /// Records a person's consent to the text in force; the alternative is to delete the account.
    ///
    /// - Throws: `invalid` for any other version, `noSuchPerson`.
    package func consent(
        to version: String,
        by person: PersonNumber,
        at now: Moment
    ) async throws {
        guard version == settings.consentVersion else {
            throw AccountFailure.invalid([FieldProblem(.consent, .badFormat)])
        }
        try await data.write { transaction in
            _ = try PersonRecord.get(person, in: transaction)
            try transaction.execute(
                """
                INSERT INTO consent (person, version, moment)
                VALUES (\(person), \(version), \(now)) ON CONFLICT DO NOTHING
                """
            )
        }
    }

    /// Confirms a registration with the link from its e-mail (R98).
    ///
    /// The link does not log anybody in, since only the person who registered knows the password.
    /// Other registrations with the same address can no longer be confirmed; they remain until
    /// their regular deletion, because an earlier end would reveal that the address has an account.
    ///
    /// A person whom an application registered has no password yet, and no provider to sign in
    /// with: the owner of the mailbox chooses the first password.
    ///
    /// - Returns: the token with which the person chooses the first password; nil if there is one.
    /// - Throws: `badToken`; `invalid` if somebody else has confirmed the address meanwhile.
    @discardableResult
    package func confirmRegistration(
        _ token: SecretToken,
        at now: Moment
    ) async throws -> SecretToken? {
        try await data.write { transaction in
            let person = try OneTimeToken.use(token, .registration, at: now, in: transaction)
            let record = try PersonRecord.get(person, in: transaction)
            guard try PersonRecord.holder(ofEmail: record.emailKey, in: transaction) == nil else {
                throw AccountFailure.invalid([FieldProblem(.email, .taken)])
            }
            try transaction.execute(
                "UPDATE person SET holds_email = 1, confirmed = 1 WHERE number = \(person)"
            )
            let isConnected = try transaction.row(
                "SELECT 1 AS one FROM connected_identity WHERE person = \(person)"
            )
            guard record.passwordChanged == nil, isConnected == nil else { return nil }
            return try OneTimeToken.make(
                .invitation,
                for: person,
                lasting: settings.linkLasts,
                at: now,
                in: transaction
            )
        }
    }

    /// Returns whether a link can still confirm a registration, for the page that asks first.
    package func isConfirmation(_ token: SecretToken, at now: Moment) async throws -> Bool {
        try await data.read { transaction in
            do {
                _ = try OneTimeToken.owner(of: token, .registration, at: now, in: transaction)
                return true
            } catch AccountFailure.badToken {
                return false
            }
        }
    }

    /// Aborts a registration with the link from its e-mail and deletes all its data (R97).
    package func abortRegistration(_ token: SecretToken, at now: Moment) async throws {
        let person = try await data.read { transaction in
            let person = try OneTimeToken.owner(
                of: token,
                .registration,
                at: now,
                in: transaction
            )
            guard try PersonRecord.find(person, in: transaction)?.isConfirmed == false else {
                throw AccountFailure.badToken
            }
            return person
        }
        try await destroy([person], at: now)
    }

    /// Sends the confirmation link again to a person who knows the password of a
    /// pending registration.
    ///
    /// - Throws: as `logIn`; `tooManyMessages` if enough links are pending; `tooManyFromNetwork`.
    package func resendConfirmation(_ form: LogInForm, at now: Moment) async throws {
        try await countMessageRequest(from: form.address, at: now)
        let check = try await checkPassword(
            form.password,
            of: .typed(String(form.name.prefix(320))),
            from: form.address,
            at: now
        )
        let holder = try await holderKey(ofEmail: check.person?.emailKey ?? [])
        let failure = try await data.write { transaction -> AccountFailure? in
            guard check.isRight, try check.stillHolds(in: transaction), let key = check.key,
                check.person?.isConfirmed == false
            else {
                try check.log.record(.wrong, at: now, in: transaction)
                return .wrongCredentials
            }
            try check.log.record(.unconfirmed, at: now, in: transaction)
            try check.log.release(in: transaction)
            let record = try PersonRecord.get(key.person, in: transaction)
            let isSent = try sendFirstLink(record, key, heldBy: holder, at: now, in: transaction)
            return isSent ? nil : .tooManyMessages
        }
        if let failure { throw failure }
    }
}
