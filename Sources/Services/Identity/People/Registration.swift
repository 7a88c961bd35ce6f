package import Localization

/// The form of a passenger's registration (R94), or the common part of a driver's.
package struct Registration: Sendable {
    /// The user name; empty where the city does not ask for one.
    package var userName: String
    /// The e-mail address.
    package var email: String
    /// The password.
    package var password: String
    /// The password a second time.
    package var passwordAgain: String
    /// The given name.
    package var name: String
    /// The family name.
    package var surname: String
    /// The postal address, or empty.
    package var address: String
    /// The mobile number, or empty.
    package var phone: String
    /// The language of mails to the person.
    package var language: Language
    /// The version of the text that the person consented to; nil without consent (R97).
    package var consent: String?

    /// A form.
    package init(
        userName: String,
        email: String,
        password: String,
        passwordAgain: String,
        name: String,
        surname: String,
        address: String = "",
        phone: String = "",
        language: Language = .usual,
        consent: String?
    ) {
        self.userName = userName
        self.email = email
        self.password = password
        self.passwordAgain = passwordAgain
        self.name = name
        self.surname = surname
        self.address = address
        self.phone = phone
        self.language = language
        self.consent = consent
    }
}

/// Values that were found to be in order, normalised, and what was wrong with others.
struct CheckedFields {
    /// How many characters a name may have.
    static let nameLimit = 80
    /// How many characters a postal address may have.
    static let addressLimit = 300

    private(set) var values: [PersonField: String] = [:]
    private(set) var problems: [FieldProblem] = []

    /// Checks a user name.
    mutating func userName(_ text: String, isRequired: Bool) {
        let trimmed = text.trimmed
        if trimmed.isEmpty {
            if isRequired { problems.append(FieldProblem(.userName, .missing)) }
        } else if let name = UserName(trimmed) {
            values[.userName] = name.text
        } else {
            problems.append(FieldProblem(.userName, .badFormat))
        }
    }

    /// Checks an e-mail address.
    mutating func email(_ text: String) {
        if text.trimmed.isEmpty {
            problems.append(FieldProblem(.email, .missing))
        } else if let email = EmailAddress(text) {
            values[.email] = email.text
        } else {
            problems.append(FieldProblem(.email, .badFormat))
        }
    }

    /// Checks a line of free text.
    mutating func line(
        _ text: String,
        _ field: PersonField,
        _ name: FormField,
        most: Int,
        isRequired: Bool
    ) {
        let trimmed = text.trimmed.composed
        if trimmed.isEmpty {
            if isRequired { problems.append(FieldProblem(name, .missing)) }
            values[field] = ""
        } else if trimmed.count > most || trimmed.utf8.count > most * 4 {
            problems.append(FieldProblem(name, .tooLong(most: most)))
        } else if !trimmed.isOneLine {
            problems.append(FieldProblem(name, .badFormat))
        } else {
            values[field] = trimmed
        }
    }

    /// Checks a value whose form the country's file gives.
    mutating func formatted(
        _ text: String,
        _ field: PersonField,
        _ name: FormField,
        _ format: (String) -> String?,
        isRequired: Bool
    ) {
        if text.trimmed.isEmpty {
            if isRequired { problems.append(FieldProblem(name, .missing)) }
            values[field] = ""
        } else if let value = format(text) {
            values[field] = value
        } else {
            problems.append(FieldProblem(name, .badFormat))
        }
    }

    /// Checks the language of a table's line; where none is given it is Italian.
    mutating func language(_ text: String) {
        let name = text.trimmed.lowercased()
        if let language = name.isEmpty ? .italian : Language(rawValue: name) {
            values[.language] = language.rawValue
        } else {
            problems.append(FieldProblem(.language, .badFormat))
        }
    }

    /// Stores a value that is in order by its type.
    mutating func accept(_ text: String, _ field: PersonField) {
        values[field] = text
    }

    /// Adds problems that were found elsewhere.
    mutating func add(_ found: [FieldProblem]) {
        problems += found
    }

    /// The values.
    ///
    /// - Throws: `invalid` where anything is wrong.
    func get() throws(AccountFailure) -> [PersonField: String] {
        if !problems.isEmpty { throw .invalid(problems) }
        return values
    }
}
