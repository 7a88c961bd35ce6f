package import Chronology
package import Localization
import Storage

/// The state of an account.
package enum Standing: Equatable, Sendable {
    /// The e-mail address is not confirmed yet.
    case unconfirmed
    case active
    case suspended(reason: String)
    /// All data except the number has been destroyed.
    case erased
}

/// The data of an account as its owner sees it (R101).
package struct Profile: Equatable, Sendable {
    package let number: PersonNumber
    package let roles: Set<Role>
    /// Whether the person may use the account.
    package let standing: Standing
    /// The name for log-in; nil if none was chosen.
    package let userName: String?
    /// The address in use until a new one is confirmed.
    package let email: String
    package let name: String
    package let surname: String
    /// The postal address; may be empty.
    package let address: String
    /// The number in the international form; may be empty.
    package let phone: String
    /// The date of birth; nil if it is not stated.
    package let birthDate: BirthDate?
    /// The gender; nil if it is not stated.
    package let gender: Gender?
    /// The language of e-mails.
    package let language: Language
    package let preferences: Preferences
    /// A new address that awaits confirmation.
    package let pendingEmail: String?
    /// A new user name that awaits confirmation.
    package let pendingUserName: String?
    /// When the person registered or was entered.
    package let made: Moment
    /// When the password was chosen; nil if there is none yet.
    package let passwordChanged: Moment?

    init(_ record: PersonRecord, _ fields: [PersonField: String]) {
        number = record.number
        roles = record.roles
        standing =
            if record.isSuspended {
                .suspended(reason: fields[.suspension] ?? "")
            } else {
                record.isConfirmed ? .active : .unconfirmed
            }
        userName = fields[.userName]
        email = fields[.email] ?? ""
        name = fields[.name] ?? ""
        surname = fields[.surname] ?? ""
        address = fields[.address] ?? ""
        phone = fields[.phone] ?? ""
        birthDate = fields[.birthDate].flatMap { CivilDate(iso8601: $0) }.map(BirthDate.init(day:))
        gender = fields[.gender].flatMap(Gender.init)
        language = fields[.language].flatMap(Language.init) ?? .usual
        preferences = fields[.preferences].flatMap { Preferences($0) } ?? Preferences()
        pendingEmail = fields[.pendingEmail]
        pendingUserName = fields[.pendingUserName]
        made = record.made
        passwordChanged = record.passwordChanged
    }
}

/// The profile fields to change together; nil leaves a field as it is, an empty text removes it.
package struct ProfileChange: Equatable, Sendable {
    package var name: String?
    package var surname: String?
    package var address: String?
    package var phone: String?
    /// The date of birth as typed.
    package var birthDate: String?
    /// The raw value of a ``Gender``.
    package var gender: String?
    /// The language of e-mails.
    package var language: Language?
    package var preferences: Preferences?

    /// Creates a change without effect.
    package init() {}
}

/// A field whose old value stays in force until the new one is confirmed (R102).
package enum ConfirmedField: String, Sendable {
    case email
    case userName = "user_name"

    var pending: PersonField { self == .email ? .pendingEmail : .pendingUserName }
    var purpose: OneTimeToken.Purpose { self == .email ? .email : .userName }

    func lookUp(of text: String, _ secret: ServerSecret) -> [UInt8]? {
        switch self {
        case .email: LookUps([.email: text], secret).email
        case .userName: LookUps([.userName: text], secret).userName
        }
    }
}
