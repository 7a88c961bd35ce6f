package import Chronology

/// The reason why an operation on accounts was refused; nothing was changed.
///
/// The cases carry the facts that an error message needs in any language.
package enum AccountFailure: Error, Equatable, Sendable {
    /// Fields are missing or invalid; lists all of them.
    case invalid([FieldProblem])
    /// No such account or not its password; the two are never distinguished (R99).
    case wrongCredentials
    /// A wrong password was given; no attempt counts before `until` (R99).
    case wait(until: Moment)
    /// The password is right, but the e-mail address is not yet confirmed (R98).
    case unconfirmed
    /// The password is right, but the account is suspended for the reason on record.
    case suspended(reason: String)
    /// Too many passwords are being checked; the client should retry later.
    case busy(retryAfterSeconds: Int)
    /// A link or code that was never issued, is used up or has expired; these look alike.
    case badToken
    /// Too many links were requested recently.
    case tooManyMessages
    /// Too many messages, or guests without a contact, were requested from this network recently.
    case tooManyFromNetwork
    /// The person must choose a new password before anything else (R100).
    case mustChangePassword
    /// The password must be entered again first, because the last time is too long ago (R8).
    case passwordNeeded
    /// The person does not have the required role.
    case notAllowed(needs: Role)
    /// The city would have no administrator left.
    case lastAdministrator
    /// No person has that number, or the person was erased.
    case noSuchPerson
    /// The record changed after it was displayed, so the decision must be made again.
    case changedMeanwhile
    /// The owner must confirm the deletion of an account explicitly (R103).
    case notProceeded
    /// Stored data cannot be decrypted: the key store does not belong to this database.
    case sealBroken
}

/// A problem with one field of a form or of a table line.
package struct FieldProblem: Hashable, Sendable {
    package let field: FormField
    package let kind: Kind

    /// Creates a problem of a field.
    package init(_ field: FormField, _ kind: Kind) {
        self.field = field
        self.kind = kind
    }

    /// The possible problems of a field.
    package enum Kind: Hashable, Sendable {
        /// The field is required but empty.
        case missing
        /// The text has fewer than `least` characters.
        case tooShort(least: Int)
        /// The text has more than `most` characters, or bytes for a password.
        case tooLong(most: Int)
        /// The text does not have the format of the field or of the country's format file.
        case badFormat
        /// The password contains no digit.
        case noDigit
        /// The password contains no capital letter.
        case noCapital
        /// The repetition differs from the first text.
        case differs
        /// The value is the same as the old one.
        case unchanged
        /// Another person already uses the value.
        case taken
        /// The same value occurs in an earlier line of the same file.
        case repeated(line: Int)
        /// The date has passed.
        case expired
        /// The text contains a web address, or something that is taken for one.
        case webAddress

        /// Finds the problem of a name, or another line that one person types and others read.
        ///
        /// Nil if there is none. Pages and messages show such a line to strangers: it must not
        /// lead anywhere, nor look like another line.
        package init?(ofLine text: String, most: Int) {
            let text = text.trimmed.composed
            if text.isEmpty {
                self = .missing
            } else if text.count > most || text.utf8.count > most * 4 {
                self = .tooLong(most: most)
            } else if !text.isOneLine || text.unicodeScalars.contains(where: \.isInvisible) {
                self = .badFormat
            } else if text.holdsLink {
                self = .webAddress
            } else {
                return nil
            }
        }
    }
}

/// A field of a form or a column of a table; other modules add fields of their own.
package struct FormField: RawRepresentable, Hashable, Sendable {
    /// The name of the field in forms and reports.
    package let rawValue: String

    /// Creates a field from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let userName = Self(rawValue: "user_name")
    package static let email = Self(rawValue: "email")
    package static let password = Self(rawValue: "password")
    package static let passwordAgain = Self(rawValue: "password_again")
    package static let oldPassword = Self(rawValue: "old_password")
    package static let name = Self(rawValue: "name")
    package static let surname = Self(rawValue: "surname")
    package static let address = Self(rawValue: "address")
    package static let phone = Self(rawValue: "phone")
    package static let birthDate = Self(rawValue: "birth_date")
    package static let gender = Self(rawValue: "gender")
    package static let language = Self(rawValue: "language")
    package static let preferences = Self(rawValue: "preferences")
    package static let consent = Self(rawValue: "consent")
    package static let reason = Self(rawValue: "reason")
    /// A whole table line that has the wrong number of columns or unbalanced quotes.
    package static let line = Self(rawValue: "line")
}
