package import Chronology
package import Localization

/// The registration form of a person (R94).
package struct Registration: Sendable {
    /// The user name; empty if the city does not require one.
    package var userName: String
    package var email: String
    package var password: String
    /// The repetition of the password.
    package var passwordAgain: String
    package var name: String
    package var surname: String
    /// The postal address; may be empty.
    package var address: String
    /// The mobile number; may be empty.
    package var phone: String
    /// The date of birth as typed; may be empty (V2).
    package var birthDate: String
    /// The raw value of a ``Gender``; may be empty (V2).
    package var gender: String
    /// The language of e-mails to the person.
    package var language: Language
    /// The version of the text that the person consented to; nil without consent (R97).
    package var consent: String?
    /// Whether the person signs in with a provider and has no password yet.
    package var isWithoutPassword = false

    /// Creates a form from its fields.
    package init(
        userName: String,
        email: String,
        password: String,
        passwordAgain: String,
        name: String,
        surname: String,
        address: String = "",
        phone: String = "",
        birthDate: String = "",
        gender: String = "",
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
        self.birthDate = birthDate
        self.gender = gender
        self.language = language
        self.consent = consent
    }
}

/// The normalised values of valid fields, and the problems of invalid ones.
package struct CheckedFields: Sendable {
    /// The longest name, in characters.
    package static let nameLimit = 80
    /// The longest postal address, in characters.
    package static let addressLimit = 300

    /// The valid values in normalised form.
    package private(set) var values: [PersonField: String] = [:]
    /// The problems found so far.
    package private(set) var problems: [FieldProblem] = []

    /// Begins without any field.
    package init() {}

    /// Validates a user name.
    package mutating func userName(_ text: String, isRequired: Bool) {
        let trimmed = text.trimmed
        if trimmed.isEmpty {
            if isRequired { problems.append(FieldProblem(.userName, .missing)) }
        } else if let name = UserName(trimmed) {
            values[.userName] = name.text
        } else {
            problems.append(FieldProblem(.userName, .badFormat))
        }
    }

    /// Validates an e-mail address.
    package mutating func email(_ text: String) {
        if text.trimmed.isEmpty {
            problems.append(FieldProblem(.email, .missing))
        } else if let email = EmailAddress(text) {
            values[.email] = email.text
        } else {
            problems.append(FieldProblem(.email, .badFormat))
        }
    }

    /// Validates a single line that one person types and others read.
    package mutating func line(
        _ text: String,
        _ field: PersonField,
        _ name: FormField,
        most: Int,
        isRequired: Bool
    ) {
        let trimmed = text.trimmed.composed
        switch FieldProblem.Kind(ofLine: trimmed, most: most) {
        case .missing where !isRequired: values[field] = ""
        // The staff give reasons, and may say where more is written.
        case .webAddress where name == .reason: values[field] = trimmed
        case .some(let problem): problems.append(FieldProblem(name, problem))
        case nil: values[field] = trimmed
        }
    }

    /// Validates a value whose format the country's format file defines.
    package mutating func formatted(
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

    /// Validates what nobody has to state of oneself (V2).
    ///
    /// - Parameters:
    ///   - birthDate: the date of birth as typed; nil leaves the stored one.
    ///   - gender: the raw value of a ``Gender``; nil leaves the stored one.
    ///   - today: the date in the city.
    package mutating func statements(
        birthDate: String?,
        gender: String?,
        on today: CivilDate
    ) {
        if let birthDate {
            formatted(
                birthDate,
                .birthDate,
                .birthDate,
                { BirthDate($0, on: today)?.day.iso8601 },
                isRequired: false
            )
        }
        if let gender {
            formatted(
                gender,
                .gender,
                .gender,
                { Gender(rawValue: $0.trimmed)?.rawValue },
                isRequired: false
            )
        }
    }

    /// Validates the language of a table line; the default is Italian.
    package mutating func language(_ text: String) {
        let name = text.trimmed.lowercased()
        if let language = name.isEmpty ? .italian : Language(rawValue: name) {
            values[.language] = language.rawValue
        } else {
            problems.append(FieldProblem(.language, .badFormat))
        }
    }

    /// Stores a value that is already known to be valid.
    package mutating func accept(_ text: String, _ field: PersonField) {
        values[field] = text
    }

    /// Adds problems that were found elsewhere.
    package mutating func add(_ found: [FieldProblem]) {
        problems += found
    }

    /// Returns the normalised values.
    ///
    /// - Throws: `invalid` if there is any problem.
    package func get() throws(AccountFailure) -> [PersonField: String] {
        if !problems.isEmpty { throw .invalid(problems) }
        return values
    }
}
