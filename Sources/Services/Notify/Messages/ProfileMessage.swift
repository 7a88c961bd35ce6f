package import Localization

/// Messages about a person's profile, which are always sent by mail.
package enum ProfileMessage: Message {
    /// The city entered this person, who should choose a password.
    case invitation(page: Link)
    /// Somebody tried to register with an address that already has an account.
    case alreadyRegistered(logIn: Link)
    /// A new user name awaits confirmation (R102).
    case confirmNewUserName(name: String, page: Link)
    /// The roles have changed; they are given in the recipient's language.
    case rolesChanged(roles: [String])
    /// The suspension of the account was lifted.
    case resumed(page: Link)

    /// The kind of the message.
    package var kind: any NotificationKind {
        switch self {
        case .invitation: AccountNotificationKind.invitation
        case .alreadyRegistered: AccountNotificationKind.alreadyRegistered
        case .confirmNewUserName: AccountNotificationKind.confirmNewUserName
        case .rolesChanged: AccountNotificationKind.rolesChanged
        case .resumed: AccountNotificationKind.accountResumed
        }
    }

    /// The message in a language.
    package func letter(in language: Language, from city: City) -> Letter {
        switch self {
        case .invitation(let page):
            Letter(
                language,
                ProfileMessageTexts.invitationSubject,
                ProfileMessageTexts.invitationAction,
                page,
                ProfileMessageTexts.invitationText(city.name)
            )
        case .alreadyRegistered(let logIn):
            Letter(
                language,
                ProfileMessageTexts.alreadyRegisteredSubject,
                ProfileMessageTexts.alreadyRegisteredAction,
                logIn,
                ProfileMessageTexts.alreadyRegisteredText(city.name),
                ProfileMessageTexts.alreadyRegisteredIfYou
            )
        case .confirmNewUserName(let name, let page):
            Letter(
                language,
                ProfileMessageTexts.confirmNewUserNameSubject,
                ProfileMessageTexts.confirmNewUserNameAction,
                page,
                ProfileMessageTexts.confirmNewUserNameText(name, city.name)
            )
        case .rolesChanged(let roles):
            Letter(
                language,
                ProfileMessageTexts.rolesChangedSubject,
                roles.isEmpty
                    ? ProfileMessageTexts.rolesChangedTextNone(city.name)
                    : ProfileMessageTexts.rolesChangedText(city.name, roles.joined(separator: ", "))
            )
        case .resumed(let page):
            Letter(
                language,
                ProfileMessageTexts.resumedSubject,
                ProfileMessageTexts.resumedAction,
                page,
                ProfileMessageTexts.resumedText(city.name)
            )
        }
    }
}
