package import Chronology
import Localization

/// Messages to drivers and operators.
package enum DriverMessage: Sendable, Equatable, Codable {
    /// An administrator has verified the driver's registration (R95).
    case verified(page: Link)
    /// An administrator has refused the driver's registration.
    case rejected(reason: String, page: Link)
    /// A licence expires in three months (R104).
    case licenceExpires(last: CivilDate, page: Link)
    /// A licence expired yesterday.
    case licenceExpired(last: CivilDate, page: Link)
    /// A ride is offered to this driver (R50).
    case offer(place: String, until: Moment, page: Link)
    /// An assigned ride was withdrawn; replaces the offer, being of the same kind.
    case rideLost(page: Link)
    /// A passenger joined or left the shared ride; `people` is the current number (R87).
    case sharingChanged(people: Int, place: String, page: Link)

    var kind: Kind {
        switch self {
        case .verified: .driverVerified
        case .rejected: .driverRejected
        case .licenceExpires: .licenceExpires
        case .licenceExpired: .licenceExpired
        case .offer, .rideLost: .offer
        case .sharingChanged: .sharingChanged
        }
    }

    func letter(_ time: WrittenTime) -> Letter {
        time.language.pick(english, italian)(time)
    }

    private func english(_ time: WrittenTime) -> Letter {
        let city = time.city.name
        return switch self {
        case .verified(let page):
            Letter(
                "You may drive",
                "Begin",
                page,
                "The taxi service of \(city) has checked your licence. You may say that you "
                    + "are available whenever you are in the city."
            )
        case .rejected(let reason, let page):
            Letter(
                "Your registration as a driver was not accepted",
                "Correct my data",
                page,
                "The taxi service of \(city) could not accept your registration. The reason: "
                    + reason,
                "Correct your data, and it is checked again."
            )
        case .licenceExpires(let last, let page):
            Letter(
                "Your licence ends on \(time.day(last))",
                "Enter the new licence",
                page,
                "Your taxi licence, as the taxi service of \(city) knows it, ends on "
                    + "\(time.day(last)). After that day you get no requests.",
                "Enter the new one when you have it."
            )
        case .licenceExpired(let last, let page):
            Letter(
                "Your licence has ended: you get no requests",
                "Enter the new licence",
                page,
                "Your taxi licence, as the taxi service of \(city) knows it, ended on "
                    + "\(time.day(last)). Enter the new one to drive again."
            )
        case .offer(let place, let until, let page):
            Letter(
                "New ride from \(place)",
                "See the ride",
                page,
                "A passenger waits at \(place). Answer by \(time.clock(until)), or the ride goes "
                    + "to the next driver."
            )
        case .rideLost(let page):
            Letter(
                "Your ride was cancelled",
                "See where you stand",
                page,
                "Nobody waits for you any more. You are back in the queue."
            )
        case .sharingChanged(let people, let place, let page):
            Letter(
                people == 1 ? "Your ride: 1 person now" : "Your ride: \(people) people now",
                "See the ride",
                page,
                "Somebody has joined the shared ride from \(place), or left it. You meet all of "
                    + "them there and wait for nobody who comes late."
            )
        }
    }

    private func italian(_ time: WrittenTime) -> Letter {
        let city = time.city.name
        return switch self {
        case .verified(let page):
            Letter(
                "Puoi guidare",
                "Comincia",
                page,
                "Il servizio taxi di \(city) ha controllato la tua licenza. Puoi dichiararti "
                    + "disponibile ogni volta che sei in città."
            )
        case .rejected(let reason, let page):
            Letter(
                "La tua registrazione come tassista non è stata accettata",
                "Correggi i dati",
                page,
                "Il servizio taxi di \(city) non ha potuto accettare la tua registrazione. Il "
                    + "motivo: \(reason)",
                "Correggi i dati e verranno controllati di nuovo."
            )
        case .licenceExpires(let last, let page):
            Letter(
                "La tua licenza scade \(time.day(last))",
                "Inserisci la nuova licenza",
                page,
                "La tua licenza taxi, come risulta al servizio taxi di \(city), scade "
                    + "\(time.day(last)). Dopo quel giorno non ricevi più chiamate.",
                "Inserisci quella nuova quando l'avrai."
            )
        case .licenceExpired(let last, let page):
            Letter(
                "La tua licenza è scaduta: non ricevi chiamate",
                "Inserisci la nuova licenza",
                page,
                "La tua licenza taxi, come risulta al servizio taxi di \(city), è scaduta "
                    + "\(time.day(last)). Inserisci quella nuova per guidare di nuovo."
            )
        case .offer(let place, let until, let page):
            Letter(
                "Nuova corsa da \(place)",
                "Vedi la corsa",
                page,
                "Un passeggero aspetta in \(place). Rispondi entro le \(time.clock(until)), "
                    + "altrimenti la corsa va al tassista successivo."
            )
        case .rideLost(let page):
            Letter(
                "La tua corsa è stata annullata",
                "Vedi la tua situazione",
                page,
                "Nessuno ti aspetta più. Sei di nuovo in coda."
            )
        case .sharingChanged(let people, let place, let page):
            Letter(
                people == 1 ? "La tua corsa: ora 1 persona" : "La tua corsa: ora \(people) persone",
                "Vedi la corsa",
                page,
                "Qualcuno si è unito alla corsa condivisa da \(place), o l'ha lasciata. Li "
                    + "incontri tutti lì e non aspetti chi è in ritardo."
            )
        }
    }
}
