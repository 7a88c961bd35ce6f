package import Chronology
import Localization
package import Storage

extension Accounts {
    /// The most registrations of one e-mail address that are accepted within ``waitingWindow``.
    private static let waitingLimit = 3
    /// How long a registration counts towards the limit, in seconds: one day, so that somebody who
    /// uses another person's address blocks its owner for no longer.
    private static let waitingWindow: Int64 = 86_400

    /// Registers a passenger, who must then confirm by mail (R94, R96 to R98).
    ///
    /// The same is stored whether or not the e-mail address has an account, so that neither this
    /// response nor a later one reveals it; only the owner of the address is told, by mail. A user
    /// name that is taken is reported, because nobody could choose one otherwise.
    ///
    /// - Parameters:
    ///   - form: the registration form.
    ///   - address: the network address of the request.
    ///   - now: the current time.
    ///   - more: further work in the transaction that stores the person; there is none if too many
    ///     registrations of the e-mail address wait.
    /// - Throws: `invalid` with all problems, `busy`, `tooManyFromNetwork`.
    package func register(
        _ form: Registration,
        from address: ClientAddress,
        at now: Moment,
        also more: @escaping @Sendable (Transaction) throws -> Void = { _ in }
    ) async throws {
        var checked = CheckedFields()
        check(form, at: now, &checked)
        let fields = try checked.get()
        try await register(
            form,
            fields,
            roles: [.traveller],
            from: address,
            at: now
        ) { _, transaction in
            try more(transaction)
        }
    }

    /// Validates the fields of a registration, the password and the consent.
    package func check(
        _ form: Registration,
        at now: Moment,
        _ checked: inout CheckedFields
    ) {
        checked.userName(form.userName, isRequired: settings.required.contains(.userName))
        checked.email(form.email)
        if !form.isWithoutPassword {
            checked.add(PasswordRule.problems(of: form.password, again: form.passwordAgain))
        }
        let most = CheckedFields.nameLimit
        checked.line(form.name, .name, .name, most: most, isRequired: true)
        checked.line(form.surname, .surname, .surname, most: most, isRequired: true)
        checked.line(
            form.address,
            .address,
            .address,
            most: CheckedFields.addressLimit,
            isRequired: settings.required.contains(.address)
        )
        checked.formatted(
            form.phone,
            .phone,
            .phone,
            settings.phones.number,
            isRequired: settings.required.contains(.phone)
        )
        let today = settings.today(now)
        checked.statements(birthDate: form.birthDate, gender: form.gender, on: today)
        checked.accept(form.language.rawValue, .language)
        if form.consent == nil {
            checked.add([FieldProblem(.consent, .missing)])
        } else if form.consent != settings.consentVersion {
            checked.add([FieldProblem(.consent, .badFormat)])
        }
    }

    /// Registers a person with validated fields.
    ///
    /// - Parameters:
    ///   - form: the registration form.
    ///   - fields: the normalised fields of the form.
    ///   - roles: the roles of the new person.
    ///   - address: the network address of the request.
    ///   - now: the current time.
    ///   - more: further statements of the same transaction.
    /// - Throws: `invalid`, `busy`, `tooManyFromNetwork`.
    package func register(
        _ form: Registration,
        _ fields: [PersonField: String],
        roles: [Role],
        from address: ClientAddress,
        at now: Moment,
        also more: @escaping @Sendable (PersonKey, Transaction) throws -> Void
    ) async throws {
        try await countMessageRequest(from: address, at: now)
        let lookUps = LookUps(fields, secret)
        let hash =
            form.isWithoutPassword
            ? nil : try await workers.hash(form.password, for: address.group)
        let mayWait = try await data.read { try hasRoom(for: lookUps, at: now, in: $0) }
        guard mayWait else { return try await keys.pretend(at: now) }
        let holder = try await holderKey(ofEmail: lookUps.email)
        let key = try await keys.makeKey(for: .random(), at: now)
        do {
            try await data.write { transaction in
                var stored = fields
                stored[.password] = hash
                let consent: SQL = """
                    INSERT INTO consent (person, version, moment)
                    VALUES (\(key.person), \(settings.consentVersion), \(now))
                    """
                try transaction.execute(
                    insertion(of: key, stored, lookUps, roles: roles, at: now) + [consent]
                )
                try more(key, transaction)
                try sendConfirmation(
                    .confirmRegistration,
                    key,
                    fields,
                    heldBy: holder,
                    at: now,
                    in: transaction
                )
            }
        } catch {
            await giveUp([key.person], after: error)
            if case DatabaseFailure.constraint(.unique, _) = error {
                throw AccountFailure.invalid([FieldProblem(.userName, .taken)])
            }
            throw error
        }
    }

    /// Returns whether another registration of an address may be accepted.
    ///
    /// - Throws: `invalid` if the user name is taken.
    private func hasRoom(
        for lookUps: LookUps,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Bool {
        if let name = lookUps.userName,
            try PersonRecord.find(userName: name, in: transaction) != nil
        {
            throw AccountFailure.invalid([FieldProblem(.userName, .taken)])
        }
        let waiting = try transaction.count(
            """
            SELECT count(*) AS count FROM person
            WHERE email_key = \(lookUps.email) AND holds_email = 0
                AND made > \(now.adding(seconds: -Self.waitingWindow))
            """
        )
        return waiting < Self.waitingLimit
    }

    /// Returns the key of an address's owner, and takes as long if there is no owner.
    package func holderKey(ofEmail email: [UInt8]) async throws -> PersonKey? {
        let holder = try await data.read { try PersonRecord.holder(ofEmail: email, in: $0) }
        return try await keys.key(of: holder ?? .random())
    }

    /// The statements that store a person's row, roles and fields.
    package func insertion(
        of key: PersonKey,
        _ fields: [PersonField: String],
        _ lookUps: LookUps,
        roles: [Role],
        holdsEmail: Bool = false,
        isConfirmed: Bool = false,
        at now: Moment
    ) throws -> [SQL] {
        precondition(!roles.isEmpty, "a person has a role")
        precondition(holdsEmail || !isConfirmed, "a confirmed person holds the e-mail address")
        let passwordChanged: Moment? = fields[.password] == nil ? nil : now
        let person: SQL = """
            INSERT INTO person (
                number, user_name_key, email_key, holds_email, confirmed, suspended, must_change,
                made, password_changed
            ) VALUES (
                \(key.person), \(lookUps.userName), \(lookUps.email), \(holdsEmail),
                \(isConfirmed), 0, 0, \(now), \(passwordChanged)
            )
            """
        let given = roles.map { role -> SQL in
            """
            INSERT INTO person_role (person, role) VALUES (\(key.person), \(role.rawValue))
            """
        }
        let kept = fields.filter { !$0.value.isEmpty }
        return try [person] + given + Fields.store(kept, key)
    }

    /// Sends a link that confirms a registration, unless enough links are pending.
    ///
    /// If the address already has an owner, the link counts but is not sent: the number of mails
    /// must not reveal the owner to the person who registered.
    ///
    /// - Parameters:
    ///   - kind: the first mail or the reminder.
    ///   - key: the key of the person who registered.
    ///   - fields: the fields of the person who registered.
    ///   - holder: the key of the address's owner, who is notified; nil to notify nobody.
    ///   - now: the current time.
    ///   - transaction: the transaction to write in.
    /// - Returns: whether the limit allowed another link.
    /// - Throws: any error of the database or the queue.
    @discardableResult
    func sendConfirmation(
        _ kind: MessageKind,
        _ key: PersonKey,
        _ fields: [PersonField: String],
        heldBy holder: PersonKey?,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Bool {
        let token = try OneTimeToken.make(
            .registration,
            for: key.person,
            lasting: settings.confirmationLasts,
            at: now,
            in: transaction
        )
        guard let token else { return false }
        let record = try PersonRecord.get(key.person, in: transaction)
        if let owner = try PersonRecord.holder(ofEmail: record.emailKey, in: transaction) {
            if let holder, holder.person == owner {
                let theirs = try Fields.all(holder, in: transaction)
                try tell(.alreadyRegistered, holder, theirs, at: now, in: transaction)
            }
            return true
        }
        // The link of a reminder is valid as long as the registration exists.
        let facts = token.facts(until: record.made.adding(seconds: settings.confirmationLasts))
        try tell(kind, key, fields, facts, at: now, in: transaction)
        return true
    }

    /// Sends the confirmation link to an unconfirmed person; an invitation if the city
    /// entered the person.
    ///
    /// - Returns: whether the limit allowed another link.
    @discardableResult
    package func sendFirstLink(
        _ record: PersonRecord,
        _ key: PersonKey,
        heldBy holder: PersonKey?,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Bool {
        let fields = try Fields.all(key, in: transaction)
        if record.holdsEmail { return try sendInvitation(key, fields, at: now, in: transaction) }
        return try sendConfirmation(
            .confirmRegistration,
            key,
            fields,
            heldBy: holder,
            at: now,
            in: transaction
        )
    }

    /// Sends a link to choose the first password, unless enough links are pending.
    ///
    /// - Returns: whether a link was sent.
    package func sendInvitation(
        _ key: PersonKey,
        _ fields: [PersonField: String],
        at now: Moment,
        in transaction: Transaction
    ) throws -> Bool {
        let token = try OneTimeToken.make(
            .invitation,
            for: key.person,
            lasting: settings.invitationLasts,
            at: now,
            in: transaction
        )
        guard let token else { return false }
        let facts = token.facts(until: now.adding(seconds: settings.invitationLasts))
        try tell(.invitation, key, fields, facts, at: now, in: transaction)
        return true
    }
}

/// The digests by which a person is found.
package struct LookUps: Sendable {
    /// The digest of the user name; nil if there is none.
    package let userName: [UInt8]?
    /// The digest of the e-mail address.
    package let email: [UInt8]

    /// Computes the digests of the user name and the address among some fields.
    package init(_ fields: [PersonField: String], _ secret: ServerSecret) {
        userName = fields[.userName].flatMap(UserName.init).map {
            secret.digest($0.normalised, of: .userName)
        }
        let address = fields[.email].flatMap(EmailAddress.init)?.normalised ?? ""
        email = secret.digest(address, of: .email)
    }
}
