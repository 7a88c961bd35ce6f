package import Chronology
import Localization

/// Messages about a person's account, which are always sent by mail.
package enum AccountMessage: Sendable, Equatable, Codable {
    /// The link to replace a forgotten password (R100).
    case passwordForgotten(page: Link, until: Moment)
    /// A notice after each change of the password.
    case passwordChanged(at: Moment, recover: Link)
    /// A reminder that the password is at least `days` days old.
    case passwordOld(days: Int, page: Link)
    /// The code for a log-in from a new address after many failures.
    case loginCode(code: String, until: Moment)
    /// The code that proves the telephone number or e-mail address of a guest (G9).
    case guestCode(code: String, until: Moment)
    /// An administrator has suspended the account.
    case suspended(reason: String)
    /// All data of the account was destroyed (R103).
    case erased

    var kind: Kind {
        switch self {
        case .passwordForgotten: .passwordForgotten
        case .passwordChanged: .passwordChanged
        case .passwordOld: .passwordOld
        case .loginCode: .loginCode
        case .guestCode: .guestCode
        case .suspended: .accountSuspended
        case .erased: .accountErased
        }
    }

    func letter(_ time: WrittenTime) -> Letter {
        time.language.pick(english, italian)(time)
    }

    private func english(_ time: WrittenTime) -> Letter {
        let city = time.city.name
        return switch self {
        case .passwordForgotten(let page, let until):
            Letter(
                "Choose a new password",
                "Choose a new password",
                page,
                "Somebody asked for a new password for your account with the taxi service of "
                    + "\(city). The link works once, until \(time.moment(until)).",
                "If it was not you, do nothing: the old password still counts."
            )
        case .passwordChanged(let moment, let recover):
            Letter(
                "Your password was changed",
                "It was not me",
                recover,
                "The password of your account with the taxi service of \(city) was changed on "
                    + "\(time.moment(moment)). If it was you, there is nothing to do."
            )
        case .passwordOld(let days, let page):
            Letter(
                "Your password is \(days) days old",
                "Change my password",
                page,
                "You have had the same password with the taxi service of \(city) for "
                    + "\(days) days. We advise you to change it."
            )
        case .loginCode(let code, let until):
            Letter(
                "Your log-in code is \(code)",
                "Enter \(code) on the log-in page of the taxi service of \(city), by "
                    + "\(time.clock(until)). Tell it to nobody.",
                "If you are not logging in, somebody else is trying to: change your password."
            )
        case .guestCode(let code, let until):
            Letter(
                "Your code is \(code)",
                short: "Your code is \(code). Enter it by \(time.clock(until)) to call a taxi.",
                "Enter \(code) on the page of the taxi service of \(city), by "
                    + "\(time.clock(until)), to call a taxi. Tell it to nobody.",
                "If you are not calling a taxi, do nothing: nothing will happen."
            )
        case .suspended(let reason):
            Letter(
                "Your account is suspended",
                "The taxi service of \(city) has suspended your account. The reason: \(reason)",
                "To object, answer the office of the service."
            )
        case .erased:
            Letter(
                "Your account was deleted",
                "Your account with the taxi service of \(city) was deleted, and all that "
                    + "belonged to it was destroyed. This is the last message to you."
            )
        }
    }

    private func italian(_ time: WrittenTime) -> Letter {
        let city = time.city.name
        return switch self {
        case .passwordForgotten(let page, let until):
            Letter(
                "Scegli una nuova password",
                "Scegli una nuova password",
                page,
                "Qualcuno ha chiesto una nuova password per il tuo account del servizio taxi di "
                    + "\(city). Il link vale una volta, fino a \(time.moment(until)).",
                "Se non sei stato tu, non fare nulla: vale ancora la vecchia password."
            )
        case .passwordChanged(let moment, let recover):
            Letter(
                "La tua password è cambiata",
                "Non sono stato io",
                recover,
                "La password del tuo account del servizio taxi di \(city) è stata cambiata "
                    + "\(time.moment(moment)). Se sei stato tu, non devi fare nulla."
            )
        case .passwordOld(let days, let page):
            Letter(
                "La tua password ha \(days) giorni",
                "Cambia la password",
                page,
                "Usi la stessa password con il servizio taxi di \(city) da \(days) giorni. "
                    + "Ti consigliamo di cambiarla."
            )
        case .loginCode(let code, let until):
            Letter(
                "Il tuo codice di accesso è \(code)",
                "Scrivi \(code) nella pagina di accesso del servizio taxi di \(city) entro le "
                    + "\(time.clock(until)). Non dirlo a nessuno.",
                "Se non stai entrando tu, ci sta provando qualcun altro: cambia la password."
            )
        case .guestCode(let code, let until):
            Letter(
                "Il tuo codice è \(code)",
                short: "Il tuo codice è \(code). Inseriscilo entro le \(time.clock(until)) per "
                    + "chiamare un taxi.",
                "Inserisci \(code) nella pagina del servizio taxi di \(city), entro le "
                    + "\(time.clock(until)), per chiamare un taxi. Non dirlo a nessuno.",
                "Se non stai chiamando un taxi, non fare nulla: non succederà niente."
            )
        case .suspended(let reason):
            Letter(
                "Il tuo account è sospeso",
                "Il servizio taxi di \(city) ha sospeso il tuo account. Il motivo: \(reason)",
                "Per opporti, rivolgiti all'ufficio del servizio."
            )
        case .erased:
            Letter(
                "Il tuo account è stato cancellato",
                "Il tuo account del servizio taxi di \(city) è stato cancellato e tutto ciò che "
                    + "ne faceva parte è stato distrutto. Questo è l'ultimo messaggio."
            )
        }
    }
}
