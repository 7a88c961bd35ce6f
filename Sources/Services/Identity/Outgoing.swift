package import Chronology
import Foundation
import Localization
package import Storage

/// The outgoing message queue, which is written in the transaction that causes a message.
package struct Outgoing: Sendable {
    let append: @Sendable (OutgoingMessage, Transaction) throws -> Void

    /// Creates a queue from a function that appends to it.
    ///
    /// - Parameter append: writes the message with the given transaction and has no other effect,
    ///   because the transaction may be retried or rolled back.
    package init(_ append: @escaping @Sendable (OutgoingMessage, Transaction) throws -> Void) {
        self.append = append
    }
}

/// A message to one person, sealed so that neither the queue nor its backups reveal its contents.
package struct OutgoingMessage: Equatable, Sendable {
    package let kind: MessageKind
    /// The pseudonym of the recipient.
    package let person: PersonNumber
    /// When the message was written.
    package let moment: Moment
    /// The ciphertext that ``Accounts/open(_:)`` decrypts.
    package let sealed: [UInt8]

    /// Restores a message from a queue.
    package init(kind: MessageKind, person: PersonNumber, moment: Moment, sealed: [UInt8]) {
        self.kind = kind
        self.person = person
        self.moment = moment
        self.sealed = sealed
    }
}

/// A kind of message to a person, with the facts that it contains; other modules add their own.
///
/// `token` and `code` come with `until`, the time of their expiry in milliseconds since 1970 UTC.
package struct MessageKind: RawRepresentable, Hashable, Sendable {
    /// The name under which messages of this kind are sealed; it never changes.
    package let rawValue: String

    /// Creates a kind from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The link to confirm a registration (`token`).
    package static let confirmRegistration = Self(rawValue: "confirm_registration")
    /// The reminder to confirm a registration, sent two days later (`token`).
    package static let remindConfirmation = Self(rawValue: "remind_confirmation")
    /// Somebody tried to register with this person's e-mail address; nothing was changed.
    package static let alreadyRegistered = Self(rawValue: "already_registered")
    /// The city entered this person, who may choose a password with the link (`token`).
    package static let invitation = Self(rawValue: "invitation")
    /// The link to replace a forgotten password (`token`).
    package static let resetPassword = Self(rawValue: "reset_password")
    /// The password was changed; explains what to do if somebody else did it.
    package static let passwordChanged = Self(rawValue: "password_changed")
    /// To the new address: the link to confirm it (`token`).
    package static let confirmNewEmail = Self(rawValue: "confirm_new_email")
    /// To the old address: a new address awaits confirmation.
    package static let emailChanging = Self(rawValue: "email_changing")
    /// The link to confirm a new user name (`token`, `new_user_name`).
    package static let confirmNewUserName = Self(rawValue: "confirm_new_user_name")
    /// The code for a log-in from a new address (`code`).
    package static let logInCode = Self(rawValue: "log_in_code")
    /// The password is at least `days` days old.
    package static let passwordAge = Self(rawValue: "password_age")
    /// The account was suspended (`reason`).
    package static let suspended = Self(rawValue: "suspended")
    /// The account is no longer suspended.
    package static let resumed = Self(rawValue: "resumed")
    /// The person's roles have changed (`roles`).
    package static let rolesChanged = Self(rawValue: "roles_changed")
    /// A test of mail delivery, requested by an administrator during setup.
    package static let testMail = Self(rawValue: "test_mail")
    /// An application was allowed to act on the person's behalf (`application`).
    package static let applicationConnected = Self(rawValue: "application_connected")
    /// An identity at a provider was connected, with which its owner can sign in (`provider`).
    package static let signInConnected = Self(rawValue: "sign_in_connected")
    /// To administrators: nothing is sent to a webhook of an application any more (`application`,
    /// `host`, `number`).
    package static let webhookShut = Self(rawValue: "webhook_shut")
    /// The code by which a guest proves a telephone number or an e-mail address (`code`).
    package static let guestCode = Self(rawValue: "guest_code")
}

/// The decrypted contents of a message.
package struct MessageContents: Codable, Equatable, Sendable {
    /// The recipient's e-mail address.
    package var to: String
    /// The ISO 639-1 code: `en` or `it`.
    package var language: String
    /// The facts of the message: `name`, `user_name` if there is one, and those of its kind.
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

    /// Creates contents for a person from the person's fields.
    init(to fields: [PersonField: String], facts: [String: String]) {
        to = fields[.email] ?? ""
        language = fields[.language] ?? Language.usual.rawValue
        self.facts = facts
        self.facts["name"] = fields[.name]
        self.facts["user_name"] = fields[.userName]
    }
}

extension Accounts {
    /// Decrypts a message of the queue.
    ///
    /// - Returns: nil if the recipient has been erased.
    package func open(_ message: OutgoingMessage) async throws -> MessageContents? {
        guard let key = try await keys.key(of: message.person) else { return nil }
        return try MessageContents(of: message, under: key)
    }

    /// Queues a message to a person in the transaction that causes it.
    ///
    /// - Parameters:
    ///   - kind: the kind of message.
    ///   - key: the key of the recipient.
    ///   - fields: the fields of the recipient.
    ///   - facts: the facts of this kind of message.
    ///   - now: the current time.
    ///   - transaction: the transaction to write in.
    /// - Throws: any error of the queue.
    package func tell(
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
