import CalendarPages
import Chronology
import Drivers
package import Identity
import Localization
package import Notify
package import Storage
import TaxiPages

/// Connects the accounts and the products to the message queue.
///
/// Messages sealed by the accounts are queued unchanged, and are opened and composed at delivery
/// time. What a product has queued begins with a byte by which the product's decoder is found.
package struct AccountMessages: Directory {
    private let accounts: @Sendable () -> Accounts?
    private let home: Link
    private let decoders: [UInt8: MessageDecoder]

    /// Determines the recipient and text of a stored message.
    package typealias MessageDecoder = @Sendable (SealedMessage) async throws -> Resolution

    /// The kinds of messages of the accounts and of all products.
    package static let kinds = NotificationKinds([
        AccountNotificationKind.self, TaxiNotificationKind.self, CalendarNotificationKind.self,
        ServiceNotificationKind.self,
    ])

    /// Creates a message directory.
    ///
    /// - Parameters:
    ///   - home: the address of the start page, the base of all links in messages.
    ///   - rides: composes messages about rides; nil if there are none.
    ///   - accounts: the accounts, once they are open.
    package init(
        home: Link,
        rides: RideLetters? = nil,
        accounts: @escaping @Sendable () -> Accounts?
    ) {
        self.home = home
        decoders = rides?.decoders ?? [:]
        self.accounts = accounts
    }

    /// All kinds of messages that this directory can decode.
    package var kinds: NotificationKinds { Self.kinds }

    /// The queue that receives the accounts' messages.
    package static var outgoing: Outgoing {
        Outgoing { try post($0, in: $1) }
    }

    /// Queues a message of the accounts in the transaction that causes it.
    package static func post(_ message: OutgoingMessage, in transaction: Transaction) throws {
        let posting = Posting(
            to: String(message.person.rawValue),
            kind: message.kind.kind,
            sealed: [message.kind.code] + message.sealed
        )
        try transaction.post(posting, at: message.moment)
    }

    /// Opens a message and determines its recipient and text.
    package func resolve(_ message: SealedMessage) async throws -> Resolution {
        if let mark = message.sealed.first, let decode = decoders[mark] {
            return try await decode(message)
        }
        guard let accounts = accounts() else { throw DatabaseFailure.closed }
        guard let person = Int64(message.person).map(PersonNumber.init),
            let code = message.sealed.first, let kind = MessageKind(code: code)
        else { return .erased }
        let sealed = OutgoingMessage(
            kind: kind,
            person: person,
            moment: message.posted,
            sealed: Array(message.sealed.dropFirst())
        )
        guard let contents = try await accounts.open(sealed) else { return .erased }
        let settings = accounts.settings
        guard let words = words(kind, contents, posted: message.posted, settings) else {
            return .erased
        }
        if kind == .guestCode { return .found(Recipient(guest: contents), words) }
        let profile: Profile
        do {
            profile = try await accounts.profile(of: person)
        } catch AccountFailure.noSuchPerson {
            return .erased
        }
        let recipient = Recipient(
            profile,
            name: contents.facts["name"] ?? "",
            language: Language(rawValue: contents.language) ?? .english,
            mail: contents.to
        )
        return .found(recipient, words)
    }

    private func words(
        _ kind: MessageKind,
        _ contents: MessageContents,
        posted: Moment,
        _ settings: AccountSettings
    ) -> (any Message)? {
        let facts = contents.facts
        let (token, code) = (facts["token"] ?? "", facts["code"] ?? "")
        func page(_ path: String..., query: [(String, String)] = []) -> Link {
            home.page(path, query: query) ?? home
        }
        func until(_ seconds: Int64) -> Moment { posted.adding(seconds: seconds) }
        let confirm = page("confirm", query: [("token", token)])
        let newPassword = page("password", "new", query: [("token", token)])
        switch kind {
        case .confirmRegistration:
            let end = until(settings.confirmationLasts)
            return RegistrationMessage.confirmRegistration(page: confirm, until: end)
        case .remindConfirmation:
            let end = until(settings.confirmationLasts - settings.confirmationReminder)
            return RegistrationMessage.confirmReminder(page: confirm, until: end)
        case .alreadyRegistered: return ProfileMessage.alreadyRegistered(logIn: page("login"))
        case .invitation: return ProfileMessage.invitation(page: newPassword)
        case .resetPassword:
            let end = until(settings.linkLasts)
            return AccountMessage.passwordForgotten(page: newPassword, until: end)
        case .passwordChanged:
            return AccountMessage.passwordChanged(
                at: posted,
                recover: page("password", "forgotten")
            )
        case .confirmNewEmail:
            let query = [("field", ConfirmedField.email.rawValue), ("token", token)]
            return RegistrationMessage.confirmNewAddress(
                page: page("account", "confirm", query: query)
            )
        case .emailChanging: return RegistrationMessage.addressChanging(stop: page("account"))
        case .confirmNewUserName:
            let query = [("field", ConfirmedField.userName.rawValue), ("token", token)]
            return ProfileMessage.confirmNewUserName(
                name: facts["new_user_name"] ?? "",
                page: page("account", "confirm", query: query)
            )
        case .logInCode:
            return AccountMessage.loginCode(code: code, until: until(settings.codeLasts))
        case .guestCode:
            return AccountMessage.guestCode(code: code, until: until(settings.guestCodeLasts))
        case .passwordAge:
            let days = Int(settings.passwordAge / 86_400)
            return AccountMessage.passwordOld(days: days, page: page("account", "password"))
        case .licenceExpires, .licenceExpired:
            return licence(kind, facts["day"], page: page("account"))
        case .driverVerified: return DriverMessage.verified(page: page("dashboard"))
        case .driverRefused:
            return DriverMessage.rejected(reason: facts["reason"] ?? "", page: page("account"))
        case .applicationConnected, .signInConnected: return connected(kind, facts, posted)
        case .suspended: return AccountMessage.suspended(reason: facts["reason"] ?? "")
        case .resumed: return ProfileMessage.resumed(page: page("login"))
        case .webhookShut: return shut(facts, page("console", "apps", facts["number"] ?? ""))
        case .testMail: return ServiceMessage.testMail(page: page("console", "setup"))
        case .rolesChanged:
            let roles = (facts["roles"] ?? "").split(separator: " ").map(String.init)
            return ProfileMessage.rolesChanged(roles: roles)
        default: preconditionFailure("no text for messages of the kind \(kind.rawValue)")
        }
    }

    private func connected(
        _ kind: MessageKind,
        _ facts: [String: String],
        _ moment: Moment
    ) -> any Message {
        if kind == .signInConnected {
            let page = home.page(["account", "sign-ins"]) ?? home
            let name = facts["provider"] ?? ""
            return AccountMessage.signInConnected(name: name, at: moment, page: page)
        }
        let page = home.page(["account", "apps"]) ?? home
        let name = facts["application"] ?? ""
        return AccountMessage.applicationConnected(name: name, at: moment, page: page)
    }

    private func shut(_ facts: [String: String], _ page: Link) -> any Message {
        let (application, host) = (facts["application"] ?? "", facts["host"] ?? "")
        return ServiceMessage.webhookShut(application: application, host: host, page: page)
    }

    private func licence(_ kind: MessageKind, _ day: String?, page: Link) -> (any Message)? {
        guard let day = day.flatMap(CivilDate.init(iso8601:)) else { return nil }
        return kind == .licenceExpires
            ? DriverMessage.licenceExpires(last: day, page: page)
            : DriverMessage.licenceExpired(last: day, page: page)
    }
}

extension Set<Preferences.Channel> {
    /// The message queue's equivalents of the channels.
    var carried: Set<Channel> {
        Set<Channel>(compactMap { Channel(rawValue: $0.rawValue) })
    }
}

extension MessageKind {
    /// The message kind in the delivery queue.
    fileprivate var kind: any NotificationKind {
        switch self {
        case .confirmRegistration: AccountNotificationKind.confirmRegistration
        case .remindConfirmation: AccountNotificationKind.confirmReminder
        case .alreadyRegistered: AccountNotificationKind.alreadyRegistered
        case .invitation: AccountNotificationKind.invitation
        case .resetPassword: AccountNotificationKind.passwordForgotten
        case .passwordChanged: AccountNotificationKind.passwordChanged
        case .confirmNewEmail: AccountNotificationKind.confirmNewAddress
        case .emailChanging: AccountNotificationKind.addressChanging
        case .confirmNewUserName: AccountNotificationKind.confirmNewUserName
        case .logInCode: AccountNotificationKind.loginCode
        case .passwordAge: AccountNotificationKind.passwordOld
        case .licenceExpires: TaxiNotificationKind.licenceExpires
        case .licenceExpired: TaxiNotificationKind.licenceExpired
        case .driverVerified: TaxiNotificationKind.driverVerified
        case .driverRefused: TaxiNotificationKind.driverRejected
        case .suspended: AccountNotificationKind.accountSuspended
        case .resumed: AccountNotificationKind.accountResumed
        case .rolesChanged: AccountNotificationKind.rolesChanged
        case .testMail: ServiceNotificationKind.testMail
        case .webhookShut: ServiceNotificationKind.webhookShut
        case .guestCode: AccountNotificationKind.guestCode
        case .applicationConnected: AccountNotificationKind.applicationConnected
        case .signInConnected: AccountNotificationKind.signInConnected
        default: preconditionFailure("the queue knows no message of the kind \(rawValue)")
        }
    }

    /// All kinds in the order of their codes; append new kinds at the end.
    static let allCases: [MessageKind] = [
        .confirmRegistration, .remindConfirmation, .alreadyRegistered, .invitation, .resetPassword,
        .passwordChanged, .confirmNewEmail, .emailChanging, .confirmNewUserName, .logInCode,
        .passwordAge, .licenceExpires, .licenceExpired, .driverVerified, .driverRefused,
        .suspended, .resumed, .rolesChanged, .testMail, .guestCode, .applicationConnected,
        .webhookShut, .signInConnected,
    ]

    /// The byte before the sealed contents, which identifies the account message.
    var code: UInt8 {
        guard let place = Self.allCases.firstIndex(of: self) else {
            preconditionFailure("no code for messages of the kind \(rawValue)")
        }
        return UInt8(place)
    }

    /// Creates the kind with the given code.
    init?(code: UInt8) {
        guard Int(code) < Self.allCases.count else { return nil }
        self = Self.allCases[Int(code)]
    }
}

extension Recipient {
    /// Creates a recipient who is verifying a telephone number or an e-mail address; nothing else
    /// is known yet.
    fileprivate init(guest contents: MessageContents) {
        self.init(
            name: "",
            language: Language(rawValue: contents.language) ?? .usual,
            mail: MailAddress(contents.to),
            phone: PhoneNumber(contents.to)
        )
    }
}
