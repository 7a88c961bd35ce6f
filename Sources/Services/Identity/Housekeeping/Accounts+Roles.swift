package import Chronology
package import Storage

extension Accounts {
    /// Creates an administrator from the command line of the server.
    ///
    /// The password must be changed at the first log-in; the e-mail address counts as proved.
    ///
    /// - Parameters:
    ///   - form: the registration form; its consent is ignored.
    ///   - now: the current time.
    /// - Returns: the new person.
    /// - Throws: `invalid`, also if the user name or the address is already in use.
    @discardableResult
    package func createAdministrator(
        _ form: Registration,
        at now: Moment
    ) async throws -> PersonNumber {
        var checked = CheckedFields()
        var form = form
        form.consent = settings.consentVersion
        check(form, at: now, &checked)
        let fields = try checked.get()
        let lookUps = LookUps(fields, secret)
        let hash = try await workers.hash(form.password, for: "")
        let key = try await keys.makeKey(for: .random(), at: now)
        do {
            try await data.write { transaction in
                try checkFree(lookUps, in: transaction)
                var stored = fields
                stored[.password] = hash
                let person = try insertion(
                    of: key,
                    stored,
                    lookUps,
                    roles: [.administrator],
                    holdsEmail: true,
                    isConfirmed: true,
                    at: now
                )
                try transaction.execute(
                    person + ["UPDATE person SET must_change = 1 WHERE number = \(key.person)"]
                )
                let note = AuditNote(by: nil, .createAdministrator)
                try AuditTrail.append(note, under: key, at: now, in: transaction)
            }
        } catch {
            await giveUp([key.person], after: error)
            throw error
        }
        return key.person
    }

    /// Replaces the roles of a person.
    ///
    /// The person's sessions end, so that the next one has the new permissions.
    ///
    /// - Parameters:
    ///   - roles: the new roles, at least one; those that nobody assigns stay as they are.
    ///   - person: the person whose roles change.
    ///   - session: an administrator's session with a recent password check.
    ///   - now: the current time.
    /// - Throws: `notAllowed`, `passwordNeeded`, `lastAdministrator`, `noSuchPerson`.
    package func setRoles(
        _ roles: Set<Role>,
        of person: PersonNumber,
        by session: Session,
        at now: Moment
    ) async throws {
        let administrator = try grave(session, at: now)
        let key = try await key(of: person)
        try await data.write { transaction in
            try Self.check(administrator, is: .administrator, in: transaction)
            let record = try PersonRecord.get(person, in: transaction)
            let old = record.roles
            let new = roles.filter(\.isAssigned).union(old.filter { !$0.isAssigned })
            guard new != old else { return }
            if !new.contains(.administrator) {
                try Self.checkNotLast(person, in: transaction)
            }
            try transaction.execute(
                ["DELETE FROM person_role WHERE person = \(person)"]
                    + new.sorted().map { role -> SQL in
                        "INSERT INTO person_role VALUES (\(person), \(role.rawValue))"
                    }
            )
            try Self.endSessions(of: person, in: transaction)
            let words = { (roles: Set<Role>) in
                roles.sorted().map(\.rawValue).joined(separator: " ")
            }
            let note = AuditNote(
                by: administrator,
                .setRoles,
                before: words(old),
                after: words(new)
            )
            try AuditTrail.append(note, under: key, at: now, in: transaction)
            // Only links are sent to an address that nobody has proved.
            guard record.holdsEmail else { return }
            let fields = try Fields.all(key, in: transaction)
            let facts = ["roles": words(new)]
            try tell(.rolesChanged, key, fields, facts, at: now, in: transaction)
        }
    }

    /// Suspends a person with a reason, or lifts the suspension; the person's sessions end.
    ///
    /// - Parameters:
    ///   - reason: the reason; nil to lift the suspension.
    ///   - person: the person to suspend or reinstate.
    ///   - session: an administrator's or operator's session.
    ///   - now: the current time.
    /// - Throws: `invalid` for an empty reason, `notAllowed`, `lastAdministrator`, `noSuchPerson`.
    package func setSuspension(
        _ reason: String?,
        of person: PersonNumber,
        by session: Session,
        at now: Moment
    ) async throws {
        let actor = try active(session)
        var checked = CheckedFields()
        if let reason {
            let most = CheckedFields.addressLimit
            checked.line(reason, .suspension, .reason, most: most, isRequired: true)
        } else {
            checked.accept("", .suspension)
        }
        let fields = try checked.get()
        let key = try await key(of: person)
        try await data.write { transaction in
            let record = try PersonRecord.get(person, in: transaction)
            // An operator must not suspend staff, who could remove the operator's role.
            let isStaff = record.roles.contains(where: \.isStaff)
            try Self.check(actor, is: isStaff ? .administrator : .serviceOperator, in: transaction)
            if reason != nil { try Self.checkNotLast(person, in: transaction) }
            let old = try Fields.all(key, in: transaction)
            let isSuspended = reason != nil
            try transaction.execute(
                Fields.store(fields, key) + [
                    "UPDATE person SET suspended = \(isSuspended) WHERE number = \(person)"
                ]
            )
            try Self.endSessions(of: person, in: transaction)
            let note = AuditNote(
                by: actor,
                isSuspended ? .suspend : .resume,
                before: old[.suspension] ?? "",
                after: fields[.suspension] ?? ""
            )
            try AuditTrail.append(note, under: key, at: now, in: transaction)
            guard record.holdsEmail else { return }
            let facts = isSuspended ? ["reason": fields[.suspension] ?? ""] : [:]
            let kind = isSuspended ? MessageKind.suspended : .resumed
            try tell(kind, key, old, facts, at: now, in: transaction)
        }
    }

    /// Finds a person by user name or e-mail address.
    package func findPerson(_ name: String) async throws -> PersonNumber? {
        try await data.read { transaction in
            try PersonRecord.find(typed: String(name.prefix(320)), secret, in: transaction)?.number
        }
    }

    /// Lists the people who have a role.
    package func people(with role: Role) async throws -> [PersonNumber] {
        try await data.read { transaction in
            try transaction.rows(
                "SELECT person FROM person_role WHERE role = \(role.rawValue) ORDER BY person"
            ).map { try $0.value("person") }
        }
    }

    /// Returns the full names of people; erased people are left out.
    package func names(of people: [PersonNumber]) async throws -> [PersonNumber: String] {
        let keys = try await keys.keys(of: people)
        return try await data.read { transaction in
            var names: [PersonNumber: String] = [:]
            for key in keys.values {
                let fields = try Fields.all(key, in: transaction)
                let parts = [fields[.name], fields[.surname]].compactMap(\.self)
                if !parts.isEmpty { names[key.person] = parts.joined(separator: " ") }
            }
            return names
        }
    }

    /// Returns first names as other users see them; people who are erased or have no
    /// name are left out.
    package func firstNames(of people: [PersonNumber]) async throws -> [PersonNumber: String] {
        let keys = try await keys.keys(of: people)
        return try await data.read(isBrief: true) { transaction in
            var names: [PersonNumber: String] = [:]
            for key in keys.values {
                names[key.person] = try Self.name(of: key, in: transaction)
            }
            return names
        }
    }

    /// Returns the first name of a person; nil if none is on record.
    package static func name(of key: PersonKey, in transaction: Transaction) throws -> String? {
        try Fields.sealed(.name, of: key.person, in: transaction).map {
            try key.open($0, as: PersonField.name.rawValue)
        }
    }

    /// Returns the person of a session that is allowed to act.
    package func active(_ session: Session) throws(AccountFailure) -> PersonNumber {
        guard let person = session.person else { throw .notAllowed(needs: .traveller) }
        if session.mustChangePassword { throw .mustChangePassword }
        return person
    }

    /// Checks that a person has a role now; administrators have all permissions of operators.
    package static func check(
        _ person: PersonNumber,
        is role: Role,
        in transaction: Transaction
    ) throws {
        let record = try PersonRecord.find(person, in: transaction)
        let has =
            record?.roles.contains(role) == true
            || role == .serviceOperator && record?.roles.contains(.administrator) == true
        guard let record, has, record.isConfirmed, !record.isSuspended, !record.mustChange else {
            throw AccountFailure.notAllowed(needs: role)
        }
    }

    /// Checks that the city keeps an active administrator without this person.
    static func checkNotLast(_ person: PersonNumber, in transaction: Transaction) throws {
        let others = try transaction.count(
            """
            SELECT count(*) AS count FROM person_role r JOIN person p ON p.number = r.person
            WHERE r.role = 'administrator' AND p.number <> \(person)
                AND p.suspended = 0 AND p.confirmed = 1
            """
        )
        let isOne = try PersonRecord.roles(of: person, in: transaction).contains(.administrator)
        if isOne, others == 0 { throw AccountFailure.lastAdministrator }
    }

    /// Checks that a user name and an e-mail address are not in use.
    func checkFree(_ lookUps: LookUps, in transaction: Transaction) throws {
        var problems: [FieldProblem] = []
        if let name = lookUps.userName,
            try PersonRecord.find(userName: name, in: transaction) != nil
        {
            problems.append(FieldProblem(.userName, .taken))
        }
        if try PersonRecord.holder(ofEmail: lookUps.email, in: transaction) != nil {
            problems.append(FieldProblem(.email, .taken))
        }
        if !problems.isEmpty { throw AccountFailure.invalid(problems) }
    }
}
