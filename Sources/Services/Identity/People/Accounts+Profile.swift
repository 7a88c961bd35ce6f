package import Chronology
import Localization
package import Storage

extension Accounts {
    /// Returns the profile of a person (R101).
    ///
    /// - Throws: `noSuchPerson`.
    package func profile(of person: PersonNumber) async throws -> Profile {
        try ModuleAccess.check(reads: .profiles)
        let key = try await key(of: person)
        return try await data.read(isBrief: true) { transaction in
            Profile(
                try PersonRecord.get(person, in: transaction),
                try Fields.all(key, in: transaction)
            )
        }
    }

    /// Returns whether a person may use the account; `erased` also for a number
    /// that was never used.
    package func standing(of person: PersonNumber) async throws -> Standing {
        do {
            return try await profile(of: person).standing
        } catch AccountFailure.noSuchPerson {
            return .erased
        }
    }

    /// Changes profile fields that need no confirmation (R102).
    ///
    /// - Throws: `invalid`, also for a value that another module does not permit.
    package func change(
        _ change: ProfileChange,
        of person: PersonNumber,
        at now: Moment
    ) async throws {
        try await self.change(change, of: person, at: now) { _, _ in }
    }

    /// Changes profile fields together with other work in the same transaction.
    package func change(
        _ change: ProfileChange,
        of person: PersonNumber,
        at now: Moment,
        alongside: @escaping @Sendable (PersonKey, Transaction) throws -> Void
    ) async throws {
        let fields = try check(change, at: now).get()
        let key = try await key(of: person)
        try await data.write { transaction in
            _ = try PersonRecord.get(person, in: transaction)
            for record in records {
                try record.change(fields, of: person, in: self, transaction)
            }
            try transaction.execute(Fields.store(fields, key))
            try alongside(key, transaction)
        }
    }

    /// Validates a change and returns the fields as they would be stored.
    ///
    /// - Parameters:
    ///   - change: the fields to change.
    ///   - now: the current time.
    ///   - needsPhone: whether the telephone number is mandatory in any case.
    /// - Returns: the normalised values, and the problems of the invalid ones.
    package func check(
        _ change: ProfileChange,
        at now: Moment,
        needsPhone: Bool = false
    ) -> CheckedFields {
        var checked = CheckedFields()
        let most = CheckedFields.nameLimit
        if let name = change.name {
            checked.line(name, .name, .name, most: most, isRequired: true)
        }
        if let surname = change.surname {
            checked.line(surname, .surname, .surname, most: most, isRequired: true)
        }
        if let address = change.address {
            let isRequired = settings.required.contains(.address)
            let most = CheckedFields.addressLimit
            checked.line(address, .address, .address, most: most, isRequired: isRequired)
        }
        if let phone = change.phone {
            let isRequired = needsPhone || settings.required.contains(.phone)
            checked.formatted(
                phone,
                .phone,
                .phone,
                settings.phones.number,
                isRequired: isRequired
            )
        }
        checked.statements(
            birthDate: change.birthDate,
            gender: change.gender,
            on: settings.today(now)
        )
        if let language = change.language { checked.accept(language.rawValue, .language) }
        if let preferences = change.preferences {
            checked.accept(preferences.text, .preferences)
            if !preferences.isSound {
                checked.add([FieldProblem(.preferences, .badFormat)])
            }
        }
        return checked
    }

    /// Starts the change of the e-mail address; it takes effect when the link in
    /// the mail is opened.
    ///
    /// The result is the same if another person has that address; its owner is notified instead.
    ///
    /// - Parameters:
    ///   - text: the new address.
    ///   - session: the person's session with a recent password check.
    ///   - address: the network address of the request.
    ///   - now: the current time.
    /// - Throws: `invalid`, `passwordNeeded`, `tooManyMessages`, `tooManyFromNetwork`.
    package func changeEmail(
        to text: String,
        by session: Session,
        from address: ClientAddress,
        at now: Moment
    ) async throws {
        let person = try grave(session, at: now)
        var checked = CheckedFields()
        checked.email(text)
        let fields = try checked.get()
        try await countMessageRequest(from: address, at: now)
        let lookUp = LookUps(fields, secret).email
        let key = try await key(of: person)
        let holder = try await holderKey(ofEmail: lookUp)
        try await data.write { transaction in
            // The link counts towards the limit even if it is not sent.
            let token = try changeToken(.email, lookUp, person, at: now, in: transaction)
            let old = try Fields.all(key, in: transaction)
            let new = fields[.email] ?? ""
            try transaction.execute(Fields.store([.pendingEmail: new], key))
            try tell(.emailChanging, key, old, at: now, in: transaction)
            if let holder, holder.person != person {
                let theirs = try Fields.all(holder, in: transaction)
                return try tell(.alreadyRegistered, holder, theirs, at: now, in: transaction)
            }
            var reached = old
            reached[.email] = new
            let facts = token.facts(until: now.adding(seconds: settings.linkLasts))
            try tell(.confirmNewEmail, key, reached, facts, at: now, in: transaction)
        }
    }

    /// Starts the change of the user name; it takes effect when the link in the mail is opened.
    ///
    /// - Throws: `invalid`, also if another person has that name; `passwordNeeded`,
    ///   `tooManyMessages`, `tooManyFromNetwork`.
    package func changeUserName(
        to text: String,
        by session: Session,
        from address: ClientAddress,
        at now: Moment
    ) async throws {
        let person = try grave(session, at: now)
        var checked = CheckedFields()
        checked.userName(text, isRequired: true)
        let fields = try checked.get()
        try await countMessageRequest(from: address, at: now)
        let lookUp = LookUps(fields, secret).userName ?? []
        let key = try await key(of: person)
        try await data.write { transaction in
            try checkUserName(lookUp, for: person, in: transaction)
            let new = fields[.userName] ?? ""
            try transaction.execute(Fields.store([.pendingUserName: new], key))
            let token = try changeToken(.userName, lookUp, person, at: now, in: transaction)
            var facts = token.facts(until: now.adding(seconds: settings.linkLasts))
            facts["new_user_name"] = new
            let old = try Fields.all(key, in: transaction)
            try tell(.confirmNewUserName, key, old, facts, at: now, in: transaction)
        }
    }

    /// Completes the change of an e-mail address or user name with the link from the mail.
    ///
    /// - Returns: the person whose field changed.
    /// - Throws: `badToken`; `invalid` if another person has taken the value meanwhile.
    @discardableResult
    package func confirmChange(
        _ field: ConfirmedField,
        _ token: SecretToken,
        at now: Moment
    ) async throws -> PersonNumber {
        let owner = try await data.read { transaction in
            try OneTimeToken.owner(of: token, field.purpose, at: now, in: transaction)
        }
        let key = try await key(of: owner)
        try await data.write { transaction in
            let value = try OneTimeToken.code(of: token, in: transaction)
            let person = try OneTimeToken.use(token, field.purpose, at: now, in: transaction)
            // The link proves the value it was sent for, not one that was typed later.
            guard person == key.person,
                let new = try Fields.all(key, in: transaction)[field.pending],
                value == field.lookUp(of: new, secret)
            else { throw AccountFailure.badToken }
            try transaction.execute([Fields.remove(field.pending, of: person)])
            switch field {
            case .email: try setEmail(new, key, in: transaction)
            case .userName: try setUserName(new, key, in: transaction)
            }
        }
        return owner
    }

    /// Cancels a change that awaits confirmation (R102).
    package func abortChange(_ field: ConfirmedField, of person: PersonNumber) async throws {
        try await data.write { transaction in
            // The links become useless without the value but still count towards the limit.
            try transaction.execute(Fields.remove(field.pending, of: person))
        }
    }

    /// Returns the person of a session with a recent password check.
    package func grave(_ session: Session, at now: Moment) throws(AccountFailure) -> PersonNumber {
        guard let person = session.person else { throw .notAllowed(needs: .traveller) }
        if session.mustChangePassword { throw .mustChangePassword }
        guard session.isAuthenticated(within: settings.graveMinutes, at: now) else {
            throw .passwordNeeded
        }
        return person
    }

    private func changeToken(
        _ field: ConfirmedField,
        _ value: [UInt8],
        _ person: PersonNumber,
        at now: Moment,
        in transaction: Transaction
    ) throws -> SecretToken {
        let token = try OneTimeToken.make(
            field.purpose,
            for: person,
            lasting: settings.linkLasts,
            at: now,
            code: value,
            in: transaction
        )
        guard let token else { throw AccountFailure.tooManyMessages }
        return token
    }

    private func checkUserName(
        _ lookUp: [UInt8],
        for person: PersonNumber,
        in transaction: Transaction
    ) throws {
        let holder = try PersonRecord.find(userName: lookUp, in: transaction)?.number
        guard holder == nil || holder == person else {
            throw AccountFailure.invalid([FieldProblem(.userName, .taken)])
        }
    }

    private func setEmail(_ text: String, _ key: PersonKey, in transaction: Transaction) throws {
        let lookUp = LookUps([.email: text], secret).email
        let holder = try PersonRecord.holder(ofEmail: lookUp, in: transaction)
        guard holder == nil || holder == key.person else {
            throw AccountFailure.invalid([FieldProblem(.email, .taken)])
        }
        // Links sent to the old address become void, because that mailbox may belong
        // to somebody else.
        for purpose in [OneTimeToken.Purpose.reset, .invitation, .proof, .userName] {
            try OneTimeToken.withdraw(purpose, of: key.person, in: transaction)
        }
        try transaction.execute(
            Fields.store([.email: text], key) + [
                "UPDATE person SET email_key = \(lookUp) WHERE number = \(key.person)"
            ]
        )
    }

    private func setUserName(_ text: String, _ key: PersonKey, in transaction: Transaction) throws {
        let lookUp = LookUps([.userName: text], secret).userName ?? []
        try checkUserName(lookUp, for: key.person, in: transaction)
        try transaction.execute(
            Fields.store([.userName: text], key) + [
                "UPDATE person SET user_name_key = \(lookUp) WHERE number = \(key.person)"
            ]
        )
    }
}
