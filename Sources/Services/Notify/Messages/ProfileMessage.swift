import Localization

/// Messages about a person's profile, which are always sent by mail.
package enum ProfileMessage: Sendable, Equatable, Codable {
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

    var kind: Kind {
        switch self {
        case .invitation: .invitation
        case .alreadyRegistered: .alreadyRegistered
        case .confirmNewUserName: .confirmNewUserName
        case .rolesChanged: .rolesChanged
        case .resumed: .accountResumed
        }
    }

    func letter(in language: Language, from city: City) -> Letter {
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
                ProfileMessageTexts.alreadyRegisteredText2
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
