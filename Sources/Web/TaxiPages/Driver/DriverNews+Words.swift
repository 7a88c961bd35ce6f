package import Dispatching
package import Localization
package import Taxi

extension RequestOutcome {
    /// How a ride ended, in words for the driver.
    package var driverWords: Text {
        switch self {
        case .completed: Text("driven", "effettuata")
        case .cancelled: Text("cancelled by the passenger", "annullata dal passeggero")
        case .withdrawn: Text("cancelled by the operator", "annullata dall'operatore")
        case .noShow: Text("nobody came", "non è venuto nessuno")
        case .suspended: Text("the service was suspended", "servizio sospeso")
        case .outsideCity: Text("the zones were redrawn", "zone ridisegnate")
        case .noTaxi, .allRefused, .heldTooLong, .dropped:
            Text("no taxi was found", "nessun taxi trovato")
        }
    }
}

extension DriverNews.Happening {
    /// A sentence about an event that affects the driver; nil if the driver caused it.
    package func words(_ policy: Policy) -> Text? {
        switch self {
        case .offerClosed(let outcome): outcome.words
        case .rideEnded(_, .completed): nil
        case .rideEnded(_, let outcome): outcome.lostRide
        case .offDuty(let cause, let reason): cause.words(policy, reason)
        case .queued(let cause): cause.words
        case .leftCity:
            Text(
                "You left the city: you get no requests until you are back.",
                "Hai lasciato la città: non ricevi richieste finché non rientri."
            )
        }
    }
}

extension OfferOutcome {
    fileprivate var words: Text? {
        switch self {
        case .refused: nil
        case .ignored:
            Text(
                "You did not answer an offer: it went on, and you went to the end of the queue.",
                "Non hai risposto a un'offerta: è passata ad altri e tu sei in fondo alla coda."
            )
        case .undeliverable:
            Text(
                "An offer could not reach you: it went on, and you went to the end of the queue.",
                "Un'offerta non ti ha raggiunto: è passata ad altri e tu sei in fondo alla coda."
            )
        case .withdrawn:
            Text(
                "The offer was withdrawn. It does not count against you.",
                "L'offerta è stata ritirata. Non conta a tuo sfavore."
            )
        }
    }
}

extension RequestOutcome {
    fileprivate var lostRide: Text {
        switch self {
        case .cancelled:
            Text("The passenger cancelled the ride.", "Il passeggero ha annullato la corsa.")
        case .noShow:
            Text("Nobody came to your ride.", "Alla tua corsa non è venuto nessuno.")
        default:
            Text("The operator cancelled your ride.", "L'operatore ha annullato la tua corsa.")
        }
    }
}

extension OffDutyCause {
    /// A sentence about why the driver is off duty; nil if the driver chose it.
    package func words(_ policy: Policy, _ reason: String) -> Text? {
        switch self {
        case .driver: nil
        case .ignoredOffers:
            Text(
                "You did not answer \(policy[.maxIgnored]) offers in a row, so you are unavailable "
                    + "now.",
                "Non hai risposto a \(policy[.maxIgnored]) offerte di fila: ora non sei "
                    + "disponibile."
            )
        case .outOfContact:
            Text(
                "We did not hear from you for too long, so you are unavailable now.",
                "Non abbiamo ricevuto tue notizie per troppo tempo: ora non sei disponibile."
            )
        case .licence:
            Text(
                "Your licence no longer holds, so you are unavailable now.",
                "La tua licenza non è più valida: ora non sei disponibile."
            )
        case .replaced:
            Text(
                "The operator gave your ride to another taxi, and you are unavailable"
                    + (reason.isEmpty ? "." : ": \(reason)"),
                "L'operatore ha dato la tua corsa a un altro taxi e non sei disponibile"
                    + (reason.isEmpty ? "." : ": \(reason)")
            )
        case .dispatcher where reason.isEmpty:
            Text(
                "The operator made you unavailable.",
                "L'operatore ti ha reso non disponibile."
            )
        case .dispatcher:
            Text(
                "The operator made you unavailable: \(reason)",
                "L'operatore ti ha reso non disponibile: \(reason)"
            )
        }
    }
}

extension QueueCause {
    fileprivate var words: Text? {
        switch self {
        case .enteredCity:
            Text(
                "You are back in the city: you are available, and last in the queue of this zone.",
                "Sei rientrato in città: sei disponibile, ultimo in coda in questa zona."
            )
        case .changedZone:
            Text(
                "You are in another zone now, and last in its queue.",
                "Ora sei in un'altra zona, ultimo nella sua coda."
            )
        case .regainedContact:
            Text(
                "We hear from you again: you are in the queue.",
                "Riceviamo di nuovo la tua posizione: sei in coda."
            )
        case .redrawn:
            Text(
                "The city redrew its zones: you are in the queue of this one.",
                "La città ha ridisegnato le zone: sei nella coda di questa."
            )
        case .turnRestored:
            Text(
                "The operator gave you your turn back: only who got it back before you is ahead.",
                "L'operatore ti ha ridato il turno: davanti hai solo chi l'ha riavuto prima."
            )
        default: nil
        }
    }
}
