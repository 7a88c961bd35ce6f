package import Chronology
import Localization
import Storage

extension Accounts {
    /// How many registrations of one e-mail address are taken within ``waitingWindow``.
    private static let waitingLimit = 3
    /// For how many seconds a registration counts for the limit: a day, so that whoever takes up
    /// another person's address keeps its owner out for no longer.
    private static let waitingWindow: Int64 = 86_400

    /// Registers a passenger, who must then confirm by mail (R94, R96 to R98).
    ///
    /// The same is stored, and waits, whether or not somebody holds that e-mail address: neither
    /// this answer nor a later one tells. The mail tells its owner. That a user name is taken is
    /// told, because nobody could choose one otherwise.
    ///
    /// - Throws: `invalid` with all that is wrong, `busy`.
    package func register(
        _ form: Registration,
        from address: ClientAddress,
        at now: Moment
    ) async throws {
        var checked = CheckedFields()
        check(form, &checked)
        let fields = try checked.get()
        try await register(form, fields, roles: [.traveller], from: address, at: now) { _, _ in }
    }

    /// Checks the fields of a registration, the password and the consent.
    func check(_ form: Registration, _ checked: inout CheckedFields) {
        checked.userName(form.userName, isRequired: settings.required.contains(.userName))
        checked.email(form.email)
        checked.add(PasswordRule.problems(of: form.password, again: form.passwordAgain))
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
            settings.formats.phone,
            isRequired: settings.required.contains(.phone)
        )
        checked.accept(form.language.rawValue, .language)
        if form.consent == nil {
            checked.add([FieldProblem(.consent, .missing)])
        } else if form.consent != settings.consentVersion {
            checked.add([FieldProblem(.consent, .badFormat)])
        }
    }

    /// Registers a person whose fields are in order.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - fields: its fields, normalised.
    ///   - roles: the roles that the person will have.
    ///   - address: where it came from.
    ///   - now: the moment.
    ///   - more: what else belongs to the registration.
    /// - Throws: `invalid`, `busy`.
    func register(
        _ form: Registration,
        _ fields: [PersonField: String],
        roles: [Role],
        from address: ClientAddress,
        at now: Moment,
        also more: @escaping @Sendable (PersonKey, Transaction) throws -> Void
    ) async throws {
        let lookUps = LookUps(fields, secret)
        let hash = try await workers.hash(form.password, for: address.group)
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

    /// Whether so few registrations of an address wait that another one may.
    ///
    /// - Throws: `invalid` where somebody has the user name.
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

    /// The key of who holds an e-mail address, looked for where nobody does too: it takes as long.
    func holderKey(ofEmail email: [UInt8]) async throws -> PersonKey? {
        let holder = try await data.read { try PersonRecord.holder(ofEmail: email, in: $0) }
        return try await keys.key(of: holder ?? .random())
    }

    /// The statements that store a person's row, roles and fields.
    func insertion(
        of key: PersonKey,
        _ fields: [PersonField: String],
        _ lookUps: LookUps,
        roles: [Role],
        holdsEmail: Bool = false,
        isConfirmed: Bool = false,
        at now: Moment
    ) throws -> [SQL] {
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

    /// Sends a link that confirms a registration; not where enough of them are on their way.
    ///
    /// Where somebody holds the address, the link counts all the same but goes to nobody: who
    /// registered must not learn of the holder by what he gets or how often.
    ///
    /// - Parameters:
    ///   - kind: the first mail or the reminder.
    ///   - key: of who registered.
    ///   - fields: of who registered.
    ///   - holder: the key of who holds the address, to tell him of it; nil to tell him nothing.
    ///   - now: the moment.
    ///   - transaction: where it is written.
    /// - Returns: whether there was one more to send.
    /// - Throws: what the database or the queue throws.
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
        // A reminder's link is good as long as there is something to confirm.
        let facts = token.facts(until: record.made.adding(seconds: settings.confirmationLasts))
        try tell(kind, key, fields, facts, at: now, in: transaction)
        return true
    }

    /// Sends who has not confirmed yet the link to do it: an invitation to whom the city entered.
    ///
    /// - Returns: whether there was one more to send.
    @discardableResult
    func sendFirstLink(
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
}

/// The digests by which a person is found.
struct LookUps: Sendable {
    /// Of the user name; nil where there is none.
    let userName: [UInt8]?
    /// Of the e-mail address.
    let email: [UInt8]

    init(_ fields: [PersonField: String], _ secret: ServerSecret) {
        userName = fields[.userName].flatMap(UserName.init).map {
            secret.digest($0.normalised, of: .userName)
        }
        let address = fields[.email].flatMap(EmailAddress.init)?.normalised ?? ""
        email = secret.digest(address, of: .email)
    }
}
