import Dispatching
import Localization
import Taxi
import TaxiPages

/// The words of the driver's home.
enum HomePageWords {
    static let state = Text("State", "Stato")
    static let seen = Text("As it was at", "Situazione delle")
    static let available = Text(
        "You are in the queue and get the next ride that is yours.",
        "Sei in coda e ricevi la prossima corsa che ti spetta."
    )
    static let overtaken = Text(
        "A colleague before you got his turn back: after a lost ride, an offer that was withdrawn "
            + "or a loss of contact, or by the operator's word.",
        "Un collega davanti a te ha riavuto il turno: dopo una corsa persa, un'offerta ritirata o "
            + "un contatto interrotto, o per decisione dell'operatore."
    )
    static let unavailable = Text(
        "You get no requests.",
        "Non ricevi richieste."
    )
    static let unknownPlace = Text(
        "You get no requests. Say where you are before you become available.",
        "Non ricevi richieste. Indica dove sei prima di renderti disponibile."
    )
    static let outOfCity = Text(
        "You get no requests here. When you come back, you are last in the queue of the zone that "
            + "you enter, and you are told.",
        "Qui non ricevi richieste. Quando rientri sei l'ultimo in coda nella zona in cui entri, e "
            + "vieni avvisato."
    )
    static func outOfContact(_ time: String?) -> Text {
        let kept =
            time.map { time in
                Text(
                    " Your place is kept until \(time).",
                    " Il tuo posto è conservato fino alle \(time)."
                )
            } ?? Text(same: "")
        return Text(
            "No position comes that can be used: you are in no queue." + kept.in(.english)
                + " Say where you are to go on.",
            "Non arriva una posizione utilizzabile: non sei in nessuna coda." + kept.in(.italian)
                + " Indica dove sei per continuare."
        )
    }
    static let waiting = Text("Waiting", "Attesa")
    static let since = Text("since", "dalle")
    static let position = Text("Position", "Posizione")
    static let unanswered = Text("Not answered", "Senza risposta")
    static func strikes(_ count: Int, of most: Int64) -> Text {
        Text(
            "\(count) of \(most) in a row",
            "\(count) di \(most) di fila"
        )
    }
    static let today = Text("Today", "Oggi")
    static func rides(_ count: Int, _ sum: String?) -> Text {
        let money = sum.map { ", \($0)" } ?? ""
        return count == 1
            ? Text("1 ride\(money)", "1 corsa\(money)")
            : Text("\(count) rides\(money)", "\(count) corse\(money)")
    }
    static let isAvailable = Text("You are available", "Sei disponibile")
    static let goAvailable = Text("Become available", "Renditi disponibile")
    static let isUnavailable = Text("You are unavailable", "Non sei disponibile")
    static let goUnavailable = Text("Become unavailable", "Renditi non disponibile")
    static let history = Text("All rides that you drove", "Tutte le corse che hai guidato")
    static let todaysRides = Text("Today's rides", "Le corse di oggi")
    static let none = Text(
        "None yet. The rides that you end today stand here.",
        "Ancora nessuna. Qui trovi le corse che concludi oggi."
    )
    static let accepted = Text("Accepted", "Accettata")
    static let ended = Text("Ended", "Finita")
    static let outcome = Text("What became of it", "Com'è andata")
    static let fare = Text("Fare", "Tariffa")
    static func paid(_ fare: String) -> Text {
        Text("The fare was \(fare).", "La tariffa era \(fare).")
    }

    /// What a driver did just now, by the name in the address.
    static let notices: [String: Text] = [
        "available": Text(
            "Done: the city knows that you are available.",
            "Fatto: la città sa che sei disponibile."
        ),
        "unavailable": Text(
            "Done: you are unavailable and get no requests.",
            "Fatto: non sei disponibile e non ricevi richieste."
        ),
        "placed": Text(
            "Thank you: we know where you are.",
            "Grazie: ora sappiamo dove sei."
        ),
        "refused": Text(
            "You refused the ride: it goes to the next driver, and you to the end of the queue.",
            "Hai rifiutato la corsa: passa al prossimo tassista e tu vai in fondo alla coda."
        ),
        "finished": Text(
            "The ride has ended.",
            "La corsa è finita."
        ),
        "given-back": Text(
            "Done: the passenger is told that you cannot come, and you are unavailable.",
            "Fatto: il passeggero viene avvisato che non puoi venire e tu non sei disponibile."
        ),
        "dropped": Text(
            "Done: the passenger is told that you did not find him.",
            "Fatto: il passeggero viene avvisato che non lo hai trovato."
        ),
        "saved": Text("Saved.", "Salvato."),
    ]
}

extension RequestOutcome {
    /// How a ride ended, for its driver.
    var driverWords: Text {
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
    /// What befell a driver, in a sentence; nil for what he did himself.
    func words(_ policy: Policy) -> Text? {
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
    /// Why a driver is off duty, in a sentence; nil where he wished it.
    func words(_ policy: Policy, _ reason: String) -> Text? {
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
