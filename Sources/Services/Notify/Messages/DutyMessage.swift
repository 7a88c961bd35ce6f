import Localization

/// What is said to drivers of their duty and their place in a queue where they did not change it
/// themselves.
///
/// Why, and where he stands, are sentences of his page in his language.
package enum DutyMessage: Sendable, Equatable, Codable {
    /// He was taken off duty (G1, G4, R104).
    case ended(reason: String, page: Link)
    /// An operator gave him his turn back.
    case turnRestored(standing: String, page: Link)
    /// He came back into the city and is queued again (R27).
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
