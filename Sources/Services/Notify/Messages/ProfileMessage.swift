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

    func letter(_ time: WrittenTime) -> Letter {
        time.language.pick(english, italian)(time)
    }

    private func english(_ time: WrittenTime) -> Letter {
        let city = time.city.name
        return switch self {
        case .invitation(let page):
            Letter(
                "Choose a password to begin",
                "Choose a password",
                page,
                "The office of the taxi service of \(city) has made an account for you. Choose a "
                    + "password to use it."
            )
        case .alreadyRegistered(let logIn):
            Letter(
                "You have an account already",
                "Log in",
                logIn,
                "Somebody registered with your e-mail address at the taxi service of \(city). "
                    + "You have an account there, so nothing has changed.",
                "If it was you, log in, or ask for a new password."
            )
        case .confirmNewUserName(let name, let page):
            Letter(
                "Confirm your new user name",
                "Confirm my new name",
                page,
                "You want to be \(name) at the taxi service of \(city). Until you confirm, the "
                    + "old name counts."
            )
        case .rolesChanged(let roles):
            Letter(
                "What you may do has changed",
                roles.isEmpty
                    ? "You have no tasks at the taxi service of \(city) any more."
                    : "Your tasks at the taxi service of \(city): "
                        + roles.joined(separator: ", ") + "."
            )
        case .resumed(let page):
            Letter(
                "Your account is no longer suspended",
                "Log in",
                page,
                "You can use the taxi service of \(city) again."
            )
        }
    }

    private func italian(_ time: WrittenTime) -> Letter {
        let city = time.city.name
        return switch self {
        case .invitation(let page):
            Letter(
                "Scegli una password per cominciare",
                "Scegli una password",
                page,
                "L'ufficio del servizio taxi di \(city) ha creato un account per te. Scegli una "
                    + "password per usarlo."
            )
        case .alreadyRegistered(let logIn):
            Letter(
                "Hai già un account",
                "Entra",
                logIn,
                "Qualcuno si è registrato al servizio taxi di \(city) con il tuo indirizzo "
                    + "e-mail. Hai già un account, quindi non è cambiato nulla.",
                "Se sei stato tu, entra oppure chiedi una nuova password."
            )
        case .confirmNewUserName(let name, let page):
            Letter(
                "Conferma il tuo nuovo nome utente",
                "Conferma il nuovo nome",
                page,
                "Vuoi chiamarti \(name) nel servizio taxi di \(city). Finché non confermi, vale "
                    + "il vecchio nome."
            )
        case .rolesChanged(let roles):
            Letter(
                "È cambiato quello che puoi fare",
                roles.isEmpty
                    ? "Non hai più compiti nel servizio taxi di \(city)."
                    : "I tuoi compiti nel servizio taxi di \(city): "
                        + roles.joined(separator: ", ") + "."
            )
        case .resumed(let page):
            Letter(
                "Il tuo account non è più sospeso",
                "Entra",
                page,
                "Puoi usare di nuovo il servizio taxi di \(city)."
            )
        }
    }
}
