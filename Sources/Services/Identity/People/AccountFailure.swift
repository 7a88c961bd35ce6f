package import Chronology

/// Why an operation on accounts was refused; nothing was changed.
///
/// The cases carry what a kind message needs, in whatever language.
package enum AccountFailure: Error, Equatable, Sendable {
    /// Fields are missing or not as they should be; all of them at once.
    case invalid([FieldProblem])
    /// No such account or not its password: the two are never told apart (R99).
    case wrongCredentials
    /// A wrong password was given; the next attempt counts from that moment on (R99).
    case wait(until: Moment)
    /// The right password, but the e-mail address was not yet confirmed (R98).
    case unconfirmed
    /// The right password, but the account is suspended, with the reason on record.
    case suspended(reason: String)
    /// Too many passwords are being checked: try again after so many seconds.
    case busy(retryAfterSeconds: Int)
    /// A link or code that was never given, was used, or has expired; the three look alike.
    case badToken
    /// Too many links were asked for lately.
    case tooManyMessages
    /// The person must choose a new password before anything else (R100).
    case mustChangePassword
    /// The password must be given again first: it is too long ago (R8).
    case passwordNeeded
    /// The person who asks does not have the role.
    case notAllowed(needs: Role)
    /// The city would be left without an administrator.
    case lastAdministrator
    /// Nobody of that number, or erased.
    case noSuchPerson
    /// The driver may not drive, and why.
    case mayNotDrive(DrivingObstacle)
    /// What was decided about is no longer what is on record: look again.
    case changedMeanwhile
    /// Deleting an account needs the word of its owner (R103).
    case notProceeded
    /// Part of the stored data cannot be opened: the key store does not belong to this database.
    case sealBroken
}

/// What is wrong with one field of a form or of a line.
package struct FieldProblem: Hashable, Sendable {
    /// Which field.
    package let field: FormField
    /// What is wrong.
    package let kind: Kind

    /// A problem of a field.
    package init(_ field: FormField, _ kind: Kind) {
        self.field = field
        self.kind = kind
    }

    /// What can be wrong with a field.
    package enum Kind: Hashable, Sendable {
        /// It is required.
        case missing
        /// It has fewer characters than that.
        case tooShort(least: Int)
        /// It has more characters, or a password more bytes, than that.
        case tooLong(most: Int)
        /// It is not of the form that the field, or the country's format file, asks for.
        case badFormat
        /// There is no digit in it.
        case noDigit
        /// There is no capital letter in it.
        case noCapital
        /// It is not the same as the first time.
        case differs
        /// It is the same as the old one.
        case unchanged
        /// Somebody else has it.
        case taken
        /// The same value stands in an earlier line of the same file.
        case repeated(line: Int)
        /// The day has passed.
        case expired
    }
}

/// A field of a form or a column of a table.
package enum FormField: String, CaseIterable, Sendable {
    case userName = "user_name"
    case email
    case password
    case passwordAgain = "password_again"
    case oldPassword = "old_password"
    case name
    case surname
    case address
    case phone
    case language
    case preferences
    case consent
    case taxiCode = "taxi_code"
    case plate
    case taxiLicence = "taxi_licence"
    case taxiLicenceExpires = "taxi_licence_expires"
    case drivingLicence = "driving_licence"
    case drivingLicenceExpires = "driving_licence_expires"
    case seats
    case wheelchair
    case reason
    /// The line of a table as a whole: too few or too many columns, or broken quotes.
    case line
}
