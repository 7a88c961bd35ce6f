package import Chronology
import Localization

/// Messages about a registration or an e-mail address, which are always sent by mail.
package enum RegistrationMessage: Sendable, Equatable, Codable {
    /// The first mail after a registration (R98).
    case confirmRegistration(page: Link, until: Moment)
    /// The reminder after two days without confirmation (R98).
    case confirmReminder(page: Link, until: Moment)
    /// The registration was deleted after seven days without confirmation (R98).
    case registrationDeleted
    /// To a new address, which takes effect once confirmed (R102).
    case confirmNewAddress(page: Link)
    /// To the old address, when a change is requested (R102).
    case addressChanging(stop: Link)

    var kind: Kind {
        switch self {
        case .confirmRegistration: .confirmRegistration
        case .confirmReminder: .confirmReminder
        case .registrationDeleted: .registrationDeleted
        case .confirmNewAddress: .confirmNewAddress
        case .addressChanging: .addressChanging
        }
    }

    func letter(_ time: WrittenTime) -> Letter {
        time.language.pick(english, italian)(time)
    }

    private func english(_ time: WrittenTime) -> Letter {
        let city = time.city.name
        return switch self {
        case .confirmRegistration(let page, let until):
            Letter(
                "Confirm your e-mail address",
                "Confirm my address",
                page,
                "You registered with the taxi service of \(city). Confirm your address by "
                    + "\(time.moment(until)), or the registration is deleted.",
                "If it was not you, do nothing."
            )
        case .confirmReminder(let page, let until):
            Letter(
                "Your registration is not confirmed yet",
                "Confirm my address",
                page,
                "You registered with the taxi service of \(city) and have not confirmed your "
                    + "address. Without that, the registration is deleted on "
                    + "\(time.moment(until)).",
                "If it was not you, do nothing."
            )
        case .registrationDeleted:
            Letter(
                "Your registration was deleted",
                "The registration with the taxi service of \(city) was not confirmed within "
                    + "seven days. It was deleted with all its data.",
                "You can register again whenever you like."
            )
        case .confirmNewAddress(let page):
            Letter(
                "Confirm your new e-mail address",
                "Confirm my new address",
                page,
                "You want the taxi service of \(city) to write to this address. Until you "
                    + "confirm, the old one counts."
            )
        case .addressChanging(let stop):
            Letter(
                "Your e-mail address is about to change",
                "Stop the change",
                stop,
                "Somebody who is logged in to your account with the taxi service of \(city) "
                    + "gave another e-mail address. It counts once that address is confirmed.",
                "If it was not you, stop the change and choose a new password."
            )
        }
    }

    private func italian(_ time: WrittenTime) -> Letter {
        let city = time.city.name
        return switch self {
        case .confirmRegistration(let page, let until):
            Letter(
                "Conferma il tuo indirizzo e-mail",
                "Conferma l'indirizzo",
                page,
                "Ti sei registrato al servizio taxi di \(city). Conferma l'indirizzo entro "
                    + "\(time.moment(until)), altrimenti la registrazione viene cancellata.",
                "Se non sei stato tu, non fare nulla."
            )
        case .confirmReminder(let page, let until):
            Letter(
                "La tua registrazione non è ancora confermata",
                "Conferma l'indirizzo",
                page,
                "Ti sei registrato al servizio taxi di \(city) e non hai confermato il tuo "
                    + "indirizzo. Senza conferma la registrazione viene cancellata "
                    + "\(time.moment(until)).",
                "Se non sei stato tu, non fare nulla."
            )
        case .registrationDeleted:
            Letter(
                "La tua registrazione è stata cancellata",
                "La registrazione al servizio taxi di \(city) non è stata confermata entro "
                    + "sette giorni. È stata cancellata con tutti i suoi dati.",
                "Puoi registrarti di nuovo quando vuoi."
            )
        case .confirmNewAddress(let page):
            Letter(
                "Conferma il tuo nuovo indirizzo e-mail",
                "Conferma il nuovo indirizzo",
                page,
                "Vuoi che il servizio taxi di \(city) ti scriva a questo indirizzo. Finché non "
                    + "confermi, vale quello vecchio."
            )
        case .addressChanging(let stop):
            Letter(
                "Il tuo indirizzo e-mail sta per cambiare",
                "Ferma il cambio",
                stop,
                "Qualcuno che ha accesso al tuo account del servizio taxi di \(city) ha indicato "
                    + "un altro indirizzo e-mail. Varrà quando sarà confermato.",
                "Se non sei stato tu, ferma il cambio e scegli una nuova password."
            )
        }
    }
}
