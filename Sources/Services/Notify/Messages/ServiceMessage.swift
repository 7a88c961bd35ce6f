package import Chronology
import Localization

/// Messages about the service as a whole.
package enum ServiceMessage: Sendable, Equatable, Codable {
    /// The service is suspended for a while (R12).
    case suspended(reason: String, until: Moment?)
    /// The service has resumed.
    case resumed(page: Link)
    /// To administrators: a backup failed.
    case backupFailed(at: Moment, reason: String)
    /// To an administrator: a test of mail delivery.
    case testMail(page: Link)

    var kind: Kind {
        switch self {
        case .suspended: .serviceSuspended
        case .resumed: .serviceResumed
        case .backupFailed: .backupFailed
        case .testMail: .testMail
        }
    }

    func letter(_ time: WrittenTime) -> Letter {
        let city = time.city.name
        return switch self {
        case .suspended(let reason, let until):
            time.language.pick(
                Letter(
                    "The taxi service of \(city) is suspended",
                    "No requests and no reservations are served. The reason: \(reason)",
                    until.map { "It is expected to go on from \(time.moment($0))." }
                        ?? "We do not know yet when it goes on."
                ),
                Letter(
                    "Il servizio taxi di \(city) è sospeso",
                    "Non si servono né richieste né prenotazioni. Il motivo: \(reason)",
                    until.map { "Dovrebbe riprendere \(time.moment($0))." }
                        ?? "Non sappiamo ancora quando riprenderà."
                )
            )
        case .resumed(let page):
            time.language.pick(
                Letter(
                    "The taxi service of \(city) is open again",
                    "Request a taxi",
                    page,
                    "Requests and reservations are served again."
                ),
                Letter(
                    "Il servizio taxi di \(city) ha ripreso",
                    "Chiedi un taxi",
                    page,
                    "Si servono di nuovo richieste e prenotazioni."
                )
            )
        case .backupFailed(let moment, let reason):
            time.language.pick(
                Letter(
                    "The backup failed: \(city)",
                    "The backup of \(time.moment(moment)) failed: \(reason)",
                    "Until one succeeds, a broken disk loses what has changed since the last."
                ),
                Letter(
                    "Il backup non è riuscito: \(city)",
                    "Il backup di \(time.moment(moment)) non è riuscito: \(reason)",
                    "Finché uno non riesce, un disco rotto fa perdere ciò che è cambiato "
                        + "dall'ultimo."
                )
            )
        case .testMail(let page):
            time.language.pick(
                Letter(
                    "Mail works: \(city)",
                    "Go on with the set-up",
                    page,
                    "You asked the taxi service of \(city) for this mail. It has arrived, so "
                        + "people will get theirs."
                ),
                Letter(
                    "La posta funziona: \(city)",
                    "Continua la configurazione",
                    page,
                    "Hai chiesto questa e-mail al servizio taxi di \(city). È arrivata, quindi "
                        + "arriveranno anche quelle alle persone."
                )
            )
        }
    }
}
