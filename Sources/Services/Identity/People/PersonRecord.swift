import Chronology
package import Storage

/// The row of a person: the unencrypted data, which does not reveal the identity.
package struct PersonRecord: Equatable, Sendable {
    /// The number of the person.
    package let number: PersonNumber
    /// The digest of the e-mail address.
    package let emailKey: [UInt8]
    let roles: Set<Role>
    /// Whether the e-mail address is proved, or was entered by the city.
    package let holdsEmail: Bool
    /// Whether the person opened the link that confirms the account.
    package let isConfirmed: Bool
    /// Whether the account is suspended.
    package let isSuspended: Bool
    let mustChange: Bool
    let made: Moment
    let passwordChanged: Moment?

    private static let columns: SQL = """
        number, email_key, holds_email, confirmed, suspended, must_change, made, password_changed
        """

    /// Finds a person by number.
    ///
    /// - Returns: nil if nobody has that number.
    package static func find(_ number: PersonNumber, in transaction: Transaction) throws -> Self? {
        try transaction.row("SELECT \(columns) FROM person WHERE number = \(number)")
            .map { try PersonRecord($0, in: transaction) }
    }

    /// Reads a person who must exist.
    package static func get(_ number: PersonNumber, in transaction: Transaction) throws -> Self {
        guard let found = try find(number, in: transaction) else {
            throw AccountFailure.noSuchPerson
        }
        return found
    }

    /// Finds a person by the digest of the user name.
    package static func find(userName: [UInt8], in transaction: Transaction) throws -> Self? {
        try transaction.row("SELECT \(columns) FROM person WHERE user_name_key = \(userName)")
            .map { try PersonRecord($0, in: transaction) }
    }

    /// Finds the owner of an e-mail address or, failing that, the last person who
    /// registered with it.
    static func find(email: [UInt8], in transaction: Transaction) throws -> Self? {
        try transaction.row(
            """
            SELECT \(columns) FROM person WHERE email_key = \(email)
            ORDER BY holds_email DESC, made DESC, number LIMIT 1
            """
        ).map { try PersonRecord($0, in: transaction) }
    }

    /// Finds the person for the text typed into a log-in form.
    ///
    /// User names contain no @ and every address does, so the two cannot be confused (R99).
    package static func find(
        typed text: String,
        _ secret: ServerSecret,
        in transaction: Transaction
    ) throws -> Self? {
        if let email = EmailAddress(text) {
            return try find(email: secret.digest(email.normalised, of: .email), in: transaction)
        }
        let name = text.trimmed.lowercased()
        return try find(userName: secret.digest(name, of: .userName), in: transaction)
    }

    /// Finds the owner of an e-mail address.
    package static func holder(
        ofEmail email: [UInt8],
        in transaction: Transaction
    ) throws -> PersonNumber? {
        try transaction.row(
            "SELECT number FROM person WHERE email_key = \(email) AND holds_email = 1"
        )?.value("number")
    }

    /// Finds the last person who registered with an e-mail address and has not confirmed it.
    static func waiting(
        withEmail email: [UInt8],
        in transaction: Transaction
    ) throws -> PersonNumber? {
        try transaction.row(
            """
            SELECT number FROM person WHERE email_key = \(email) AND holds_email = 0
            ORDER BY made DESC, number LIMIT 1
            """
        )?.value("number")
    }

    private init(_ row: Row, in transaction: Transaction) throws {
        let number: PersonNumber = try row.value("number")
        self.number = number
        emailKey = try row.value("email_key")
        holdsEmail = try row.value("holds_email")
        isConfirmed = try row.value("confirmed")
        isSuspended = try row.value("suspended")
        mustChange = try row.value("must_change")
        made = try row.moment("made")
        passwordChanged = try row.optionalMoment("password_changed")
        roles = try Self.roles(of: number, in: transaction)
    }

    /// Returns the roles of a person.
    static func roles(of number: PersonNumber, in transaction: Transaction) throws -> Set<Role> {
        let rows = try transaction.rows("SELECT role FROM person_role WHERE person = \(number)")
        return Set(try rows.compactMap { Role(rawValue: try $0.value("role")) })
    }
}

/// The sealed fields of people.
package enum Fields {
    /// Decrypts all fields of a person.
    package static func all(
        _ key: PersonKey,
        in transaction: Transaction
    ) throws -> [PersonField: String] {
        var fields: [PersonField: String] = [:]
        for row in try transaction.rows(
            "SELECT field, sealed FROM person_field WHERE person = \(key.person)"
        ) {
            let name: String = try row.value("field")
            fields[PersonField(rawValue: name)] = try key.open(row.value("sealed"), as: name)
        }
        return fields
    }

    /// Returns the sealed value of one field.
    package static func sealed(
        _ field: PersonField,
        of person: PersonNumber,
        in transaction: Transaction
    ) throws -> [UInt8]? {
        try transaction.row(
            """
            SELECT sealed FROM person_field
            WHERE person = \(person) AND field = \(field.rawValue)
            """
        )?.value("sealed")
    }

    /// The statements that store fields; an empty text deletes the field.
    package static func store(_ fields: [PersonField: String], _ key: PersonKey) throws -> [SQL] {
        try fields.sorted { $0.key.rawValue < $1.key.rawValue }.map { field, text in
            if text.isEmpty { return remove(field, of: key.person) }
            let sealed = try key.seal(text, as: field.rawValue)
            return """
                INSERT INTO person_field (person, field, sealed)
                VALUES (\(key.person), \(field.rawValue), \(sealed))
                ON CONFLICT (person, field) DO UPDATE SET sealed = excluded.sealed
                """
        }
    }

    /// The statement that deletes a field.
    static func remove(_ field: PersonField, of person: PersonNumber) -> SQL {
        "DELETE FROM person_field WHERE person = \(person) AND field = \(field.rawValue)"
    }
}
