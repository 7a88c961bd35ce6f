import CalendarPages
import Chronology
import Drivers
package import Identity
import Localization
package import Notify
package import Storage

/// Connects the accounts to the message queue.
///
/// Messages sealed by the accounts are queued unchanged, and are opened and composed at delivery
/// time.
package struct AccountMessages: Directory {
    private let accounts: @Sendable () -> Accounts?
    private let home: Link
    private let rides: RideLetters?

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
        self.rides = rides
        self.accounts = accounts
    }

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
        if message.sealed.first == RideLetter.mark {
            return try await rides?.resolve(message) ?? .erased
        }
        if message.sealed.first == DriverLetter.mark {
            return try await rides?.resolveDriver(message) ?? .erased
        }
        if message.sealed.first == DepartureReminder.mark {
            return try await rides?.resolveDeparture(message) ?? .erased
        }
        if message.sealed.first == UnreachableNotice.mark {
            return try await rides?.resolveUnreachable(message) ?? .erased
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
    ) -> Message? {
        let (facts, token) = (contents.facts, contents.facts["token"] ?? "")
        func page(_ path: String..., query: [(String, String)] = []) -> Link {
            home.page(path, query: query) ?? home
        }
        func until(_ seconds: Int64) -> Moment { posted.adding(seconds: seconds) }
        let confirm = page("confirm", query: [("token", token)])
        switch kind {
        case .confirmRegistration:
            let end = until(settings.confirmationLasts)
            return .registration(.confirmRegistration(page: confirm, until: end))
        case .remindConfirmation:
            let end = until(settings.confirmationLasts - settings.confirmationReminder)
            return .registration(.confirmReminder(page: confirm, until: end))
        case .alreadyRegistered: return .profile(.alreadyRegistered(logIn: page("login")))
        case .invitation:
            return .profile(
                .invitation(page: page("password", "new", query: [("token", token)]))
            )
        case .resetPassword:
            let link = page("password", "new", query: [("token", token)])
            return .account(.passwordForgotten(page: link, until: until(settings.linkLasts)))
        case .passwordChanged:
            return .account(
                .passwordChanged(at: posted, recover: page("password", "forgotten"))
            )
        case .confirmNewEmail:
            let query = [("field", ConfirmedField.email.rawValue), ("token", token)]
            return .registration(.confirmNewAddress(page: page("account", "confirm", query: query)))
        case .emailChanging: return .registration(.addressChanging(stop: page("account")))
        case .confirmNewUserName:
            let query = [("field", ConfirmedField.userName.rawValue), ("token", token)]
            return .profile(
                .confirmNewUserName(
                    name: facts["new_user_name"] ?? "",
                    page: page("account", "confirm", query: query)
                )
            )
        case .logInCode:
            return .account(
                .loginCode(code: facts["code"] ?? "", until: until(settings.codeLasts))
            )
        case .guestCode:
            return .account(
                .guestCode(code: facts["code"] ?? "", until: until(settings.guestCodeLasts))
            )
        case .passwordAge:
            let days = Int(settings.passwordAge / 86_400)
            return .account(.passwordOld(days: days, page: page("account", "password")))
        case .licenceExpires, .licenceExpired:
            return licence(kind, facts["day"], page: page("account"))
        case .driverVerified: return .driver(.verified(page: page("dashboard")))
        case .driverRefused:
            return .driver(.rejected(reason: facts["reason"] ?? "", page: page("account")))
        case .applicationConnected, .signInConnected: return connected(kind, facts, posted)
        case .suspended: return .account(.suspended(reason: facts["reason"] ?? ""))
        case .resumed: return .profile(.resumed(page: page("login")))
        case .webhookShut: return shut(facts, page("console", "apps", facts["number"] ?? ""))
        case .testMail: return .service(.testMail(page: page("console", "setup")))
        case .rolesChanged:
            let roles = (facts["roles"] ?? "").split(separator: " ").map(String.init)
            return .profile(.rolesChanged(roles: roles))
        default: preconditionFailure("no text for messages of the kind \(kind.rawValue)")
        }
    }

    private func connected(
        _ kind: MessageKind,
        _ facts: [String: String],
        _ moment: Moment
    ) -> Message {
        if kind == .signInConnected {
            let page = home.page(["account", "sign-ins"]) ?? home
            let name = facts["provider"] ?? ""
            return .account(.signInConnected(name: name, at: moment, page: page))
        }
        let page = home.page(["account", "apps"]) ?? home
        let name = facts["application"] ?? ""
        return .account(.applicationConnected(name: name, at: moment, page: page))
    }

    private func shut(_ facts: [String: String], _ page: Link) -> Message {
        let (application, host) = (facts["application"] ?? "", facts["host"] ?? "")
        return .service(.webhookShut(application: application, host: host, page: page))
    }

    private func licence(_ kind: MessageKind, _ day: String?, page: Link) -> Message? {
        guard let day = day.flatMap(CivilDate.init(iso8601:)) else { return nil }
        return .driver(
            kind == .licenceExpires
                ? .licenceExpires(last: day, page: page)
                : .licenceExpired(last: day, page: page)
        )
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
    fileprivate var kind: Kind {
        switch self {
        case .confirmRegistration: .confirmRegistration
        case .remindConfirmation: .confirmReminder
        case .alreadyRegistered: .alreadyRegistered
        case .invitation: .invitation
        case .resetPassword: .passwordForgotten
        case .passwordChanged: .passwordChanged
        case .confirmNewEmail: .confirmNewAddress
        case .emailChanging: .addressChanging
        case .confirmNewUserName: .confirmNewUserName
        case .logInCode: .loginCode
        case .passwordAge: .passwordOld
        case .licenceExpires: .licenceExpires
        case .licenceExpired: .licenceExpired
        case .driverVerified: .driverVerified
        case .driverRefused: .driverRejected
        case .suspended: .accountSuspended
        case .resumed: .accountResumed
        case .rolesChanged: .rolesChanged
        case .testMail: .testMail
        case .webhookShut: .webhookShut
        case .guestCode: .guestCode
        case .applicationConnected: .applicationConnected
        case .signInConnected: .signInConnected
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
