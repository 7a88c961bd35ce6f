package import Chronology
import Foundation
import Localization
package import Storage

/// Where messages to people go, in the transaction of what they tell of.
package struct Outgoing: Sendable {
    let append: @Sendable (OutgoingMessage, Transaction) throws -> Void

    /// A way out.
    ///
    /// - Parameter append: writes the message into a queue by the transaction it is given, and
    ///   has no other effect: the transaction may run again or be undone.
    package init(_ append: @escaping @Sendable (OutgoingMessage, Transaction) throws -> Void) {
        self.append = append
    }
}

/// A message to one person, sealed: a queue and its backups tell nobody what is in it.
package struct OutgoingMessage: Equatable, Sendable {
    /// Which message.
    package let kind: MessageKind
    /// Whom it tells.
    package let person: PersonNumber
    /// When it was written.
    package let moment: Moment
    /// What ``Accounts/open(_:)`` opens.
    package let sealed: [UInt8]

    /// A message as a queue kept it.
    package init(kind: MessageKind, person: PersonNumber, moment: Moment, sealed: [UInt8]) {
        self.kind = kind
        self.person = person
        self.moment = moment
        self.sealed = sealed
    }
}

/// The messages of this room, with the facts of each.
///
/// `token` and `code` come with `until`, the moment they end, in milliseconds since 1970 UTC.
package enum MessageKind: String, CaseIterable, Sendable {
    /// Open the link to confirm the registration (`token`).
    case confirmRegistration = "confirm_registration"
    /// The same, two days later (`token`).
    case remindConfirmation = "remind_confirmation"
    /// Somebody registered with this person's e-mail; nothing happened.
    case alreadyRegistered = "already_registered"
    /// The city entered this person: choose a password by the link (`token`).
    case invitation
    /// The link for a forgotten password (`token`).
    case resetPassword = "reset_password"
    /// The password was changed; if it was somebody else, here is what to do.
    case passwordChanged = "password_changed"
    /// To the new address: the link that confirms it (`token`).
    case confirmNewEmail = "confirm_new_email"
    /// To the old address: a new one waits for confirmation.
    case emailChanging = "email_changing"
    /// The link that confirms a new user name (`token`, `new_user_name`).
    case confirmNewUserName = "confirm_new_user_name"
    /// The code that a log-in from a new address needs (`code`).
    case logInCode = "log_in_code"
    /// The password is so many `days` old or older.
    case passwordAge = "password_age"
    /// A licence expires in three months or less (`licence`, `day`).
    case licenceExpires = "licence_expires"
    /// A licence has expired: no driving until a new one is entered (`licence`, `day`).
    case licenceExpired = "licence_expired"
    /// The administrator has verified the licences.
    case driverVerified = "driver_verified"
    /// The administrator has not accepted the driver (`reason`).
    case driverRefused = "driver_refused"
    /// The account was suspended (`reason`).
    case suspended
    /// The account is no longer suspended.
    case resumed
    /// Roles were given or taken (`roles`).
    case rolesChanged = "roles_changed"
    /// Mail works: asked for by an administrator who sets the city up.
    case testMail = "test_mail"
    /// The code by which a guest proves a telephone number or an e-mail address (`code`).
    case guestCode = "guest_code"
}

/// What a message says, once opened.
package struct MessageContents: Codable, Equatable, Sendable {
    /// The e-mail address to write to.
    package var to: String
    /// `en` or `it`.
    package var language: String
    /// The facts of the message: `name`, `user_name` where there is one, and those of its kind.
    package var facts: [String: String]

    private static let field = "message"

    func sealed(_ kind: MessageKind, under key: PersonKey) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        return try key.seal(text, as: "\(Self.field) \(kind.rawValue)")
    }

    init(of message: OutgoingMessage, under key: PersonKey) throws {
        let field = "\(Self.field) \(message.kind.rawValue)"
        let text = try key.open(message.sealed, as: field)
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }

    /// Contents for a person whose fields are known.
    init(to fields: [PersonField: String], facts: [String: String]) {
        to = fields[.email] ?? ""
        language = fields[.language] ?? Language.usual.rawValue
        self.facts = facts
        self.facts["name"] = fields[.name]
        self.facts["user_name"] = fields[.userName]
    }
}

extension Accounts {
    /// Opens a message of the queue.
    ///
    /// - Returns: nil where its person has been erased: there is nobody to tell.
    package func open(_ message: OutgoingMessage) async throws -> MessageContents? {
        guard let key = try await keys.key(of: message.person) else { return nil }
        return try MessageContents(of: message, under: key)
    }

    /// Writes a message to a person, in the transaction of what it tells of.
    ///
    /// - Parameters:
    ///   - kind: which message.
    ///   - key: the key of the person.
    ///   - fields: the fields of the person.
    ///   - facts: the facts of this kind of message.
    ///   - now: the moment.
    ///   - transaction: where it is written.
    /// - Throws: what the queue throws.
    func tell(
        _ kind: MessageKind,
        _ key: PersonKey,
        _ fields: [PersonField: String],
        _ facts: [String: String] = [:],
        at now: Moment,
        in transaction: Transaction
    ) throws {
        let contents = MessageContents(to: fields, facts: facts)
        let message = OutgoingMessage(
            kind: kind,
            person: key.person,
            moment: now,
            sealed: try contents.sealed(kind, under: key)
        )
        try outgoing.append(message, transaction)
    }
}
