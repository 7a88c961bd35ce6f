import Localization

/// Messages to drivers about changes of their duty or queue position that they did
/// not make themselves.
///
/// The reason and the position are sentences that the web module writes in the driver's language.
package enum DutyMessage: Sendable, Equatable, Codable {
    /// The driver was taken off duty (G1, G4, R104).
    case ended(reason: String, page: Link)
    /// An operator restored the driver's queue position.
    case turnRestored(standing: String, page: Link)
    /// The driver returned to the city and is queued again (R27).
    case cameBack(standing: String, page: Link)

    var kind: Kind { .dutyChanged }

    func letter(_ time: WrittenTime) -> Letter {
        switch self {
        case .ended(let reason, let page):
            time.language.pick(
                Letter(
                    "You are unavailable now",
                    short: reason,
                    "See where you stand",
                    page,
                    "\(reason) You get no requests until you become available again."
                ),
                Letter(
                    "Ora non sei disponibile",
                    short: reason,
                    "Vedi la tua situazione",
                    page,
                    "\(reason) Non ricevi richieste finché non ti rendi di nuovo disponibile."
                )
            )
        case .turnRestored(let standing, let page):
            time.language.pick(
                Letter(
                    "Your turn was given back to you",
                    short: "Your turn was given back to you. \(standing)",
                    "See where you stand",
                    page,
                    "An operator gave you your turn back. \(standing)"
                ),
                Letter(
                    "Ti è stato ridato il turno",
                    short: "Ti è stato ridato il turno. \(standing)",
                    "Vedi la tua situazione",
                    page,
                    "Un operatore ti ha ridato il turno. \(standing)"
                )
            )
        case .cameBack(let standing, let page):
            time.language.pick(
                Letter(
                    "You are back in the city, and in the queue",
                    short: "You are back in the city. \(standing)",
                    "See where you stand",
                    page,
                    "You came back into the city, and you are available. \(standing)"
                ),
                Letter(
                    "Sei rientrato in città e sei in coda",
                    short: "Sei rientrato in città. \(standing)",
                    "Vedi la tua situazione",
                    page,
                    "Sei rientrato in città e sei disponibile. \(standing)"
                )
            )
        }
    }
}
