package import Chronology
package import Localization
import Storage

/// Whether a person may use the account.
package enum Standing: Equatable, Sendable {
    /// The e-mail address was not confirmed yet.
    case unconfirmed
    case active
    case suspended(reason: String)
    /// Nothing is known of the person any more but the number.
    case erased
}

/// What a person sees of the own account (R101).
package struct Profile: Equatable, Sendable {
    /// The person.
    package let number: PersonNumber
    /// What the person may do.
    package let roles: Set<Role>
    /// Whether the person may use the account.
    package let standing: Standing
    /// Name to log in with; nil where none was chosen.
    package let userName: String?
    /// The address that holds until a new one is confirmed.
    package let email: String
    /// The given name.
    package let name: String
    /// The family name.
    package let surname: String
    /// The postal address; empty where none was given.
    package let address: String
    /// The number in the international form; empty where none was given.
    package let phone: String
    /// The language of mails.
    package let language: Language
    /// How the person wants to be told of things.
    package let preferences: Preferences
    /// A new address that waits for its confirmation.
    package let pendingEmail: String?
    /// A new user name that waits for its confirmation.
    package let pendingUserName: String?
    /// When the person registered or was entered.
    package let made: Moment
    /// When the password was chosen; nil where there is none yet.
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
        language = fields[.language].flatMap(Language.init) ?? .usual
        preferences = fields[.preferences].flatMap { Preferences($0) } ?? Preferences()
        pendingEmail = fields[.pendingEmail]
        pendingUserName = fields[.pendingUserName]
        made = record.made
        passwordChanged = record.passwordChanged
    }
}

/// Fields of a profile that change at once; nil leaves a field as it is, empty removes it.
package struct ProfileChange: Equatable, Sendable {
    /// The given name.
    package var name: String?
    /// The family name.
    package var surname: String?
    /// The postal address.
    package var address: String?
    /// The mobile number.
    package var phone: String?
    /// The language of mails.
    package var language: Language?
    /// How the person wants to be told of things.
    package var preferences: Preferences?

    /// A change of nothing.
    package init() {}
}

/// A field whose old value holds until the new one is confirmed (R102).
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
