import Chronology
import Dispatching
package import Localization
import Taxi
package import WebCore

extension Refusal {
    /// What a passenger is told; every case has words of its own.
    package var words: Text {
        switch self {
        case .setupIncomplete, .setupAlreadyComplete, .nothingSetUp, .suspended, .notSuspended,
            .codeTaken, .invalid, .reasonMissing:
            cityWords
        case .noSuchTaxi, .noSuchZone, .alreadyOnDuty, .alreadyOffDuty, .outsideCity,
            .placeUnknown, .outOfContact, .licenceExpired, .riding, .notRiding, .notQueued:
            taxiWords
        case .offerGone, .meetingPointNotReached, .destinationNotReached, .nobodyAboard,
            .alreadyAboard, .codeMissing, .codeLocked, .noShowDisabled, .waitUntil, .tooSmall:
            rideWords
        case .noSuchRequest, .guestsNotAllowed, .originOutsideCity, .liveRequest,
            .destinationMissing, .tooSoon, .tooFar, .tooLateToCancel, .wrongPhase:
            requestWords
        case .sharingDisabled, .notShared, .seatsLeft, .walkTooLong, .detourTooLong, .waitTooLong:
            sharingWords
        }
    }

    private var cityWords: Text {
        switch self {
        case .setupIncomplete:
            Text(
                "The service has not opened yet. Come back soon.",
                "Il servizio non è ancora aperto. Torna presto."
            )
        case .setupAlreadyComplete:
            Text("The service is open already.", "Il servizio è già aperto.")
        case .nothingSetUp:
            Text(
                "The city has entered no zones or no taxis yet.",
                "La città non ha ancora inserito zone o taxi."
            )
        case .suspended(let reason):
            Text(
                "The service is suspended for this reason: \(reason)",
                "Il servizio è sospeso per questo motivo: \(reason)"
            )
        case .notSuspended:
            Text("The service is not suspended.", "Il servizio non è sospeso.")
        case .codeTaken(let code):
            Text(
                "Another taxi has the code \(code).",
                "Un altro taxi ha il codice \(code)."
            )
        case .invalid("seats"):
            Text(
                "A taxi takes from 1 to 16 people: change how many travel.",
                "Un taxi porta da 1 a 16 persone: modifica quante viaggiano."
            )
        case .invalid(let field):
            Text(
                "Something in it is not as it should be (\(field)). Fill the form in again.",
                "Qualcosa non va (\(field)). Compila di nuovo il modulo."
            )
        case .reasonMissing: Text("A reason is missing.", "Manca un motivo.")
        default: Text("It was refused.", "È stato rifiutato.")
        }
    }

    private var taxiWords: Text {
        switch self {
        case .noSuchTaxi:
            Text("This taxi is no longer in service.", "Questo taxi non è più in servizio.")
        case .noSuchZone:
            Text(
                "The city has just redrawn its zones. Send the form again.",
                "La città ha appena ridisegnato le zone. Invia di nuovo il modulo."
            )
        case .alreadyOnDuty: Text("The driver is available already.", "Il tassista è già libero.")
        case .alreadyOffDuty:
            Text("The driver is off duty already.", "Il tassista è già fuori servizio.")
        case .outsideCity: Text("The taxi is outside the city.", "Il taxi è fuori città.")
        case .placeUnknown:
            Text("It is not known where the taxi is.", "Non si sa dove sia il taxi.")
        case .outOfContact:
            Text("The taxi is not heard from.", "Non si hanno notizie del taxi.")
        case .licenceExpired:
            Text("The driver's licence no longer holds.", "La licenza del tassista è scaduta.")
        case .riding:
            Text(
                "The taxi is driving somebody just now.",
                "Il taxi sta portando qualcuno proprio ora."
            )
        case .notRiding:
            Text("The taxi is driving nobody just now.", "Il taxi ora non porta nessuno.")
        case .notQueued: Text("The taxi is in no queue.", "Il taxi non è in nessuna coda.")
        default: Text("It was refused.", "È stato rifiutato.")
        }
    }

    private var rideWords: Text {
        switch self {
        case .offerGone:
            Text("The offer is no longer open.", "La proposta non è più aperta.")
        case .meetingPointNotReached:
            Text(
                "The taxi has not reached the meeting point yet.",
                "Il taxi non è ancora al punto d'incontro."
            )
        case .destinationNotReached:
            Text(
                "The taxi has not reached the destination yet.",
                "Il taxi non è ancora a destinazione."
            )
        case .nobodyAboard: Text("Nobody is aboard.", "Nessuno è a bordo.")
        case .alreadyAboard: Text("You are aboard already.", "Sei già a bordo.")
        case .codeMissing:
            Text("Tell the driver your code first.", "Prima di' il tuo codice al tassista.")
        case .codeLocked:
            Text(
                "A wrong code was entered too often. The city's operator can help.",
                "È stato inserito troppe volte un codice errato. L'operatore può aiutare."
            )
        case .noShowDisabled:
            Text(
                "In this city a driver waits until you cancel.",
                "In questa città il tassista aspetta finché annulli."
            )
        case .waitUntil:
            Text(
                "The driver must wait for you a little longer.",
                "Il tassista deve aspettarti ancora un po'."
            )
        case .tooSmall:
            Text(
                "This taxi cannot carry what you need.",
                "Questo taxi non può portare ciò che ti serve."
            )
        default: Text("It was refused.", "È stato rifiutato.")
        }
    }

    private var requestWords: Text {
        switch self {
        case .noSuchRequest:
            Text(
                "There is no such request, or it has ended.",
                "Non c'è una richiesta così, o è già finita."
            )
        case .guestsNotAllowed:
            Text(
                "In this city you need an account to call a taxi. Sign in, or create one.",
                "In questa città serve un account per chiamare un taxi. Accedi, o creane uno."
            )
        case .originOutsideCity:
            Text(
                "The meeting point lies outside the city. Choose a place inside it.",
                "Il punto d'incontro è fuori città. Scegli un luogo in città."
            )
        case .liveRequest:
            Text(
                "You have a request under way already. One at a time: follow it, or cancel it.",
                "Hai già una richiesta in corso. Una alla volta: seguila, o annullala."
            )
        case .destinationMissing:
            Text(
                "Say where you are going: in this city the driver must know.",
                "Di' dove vuoi andare: in questa città il tassista deve saperlo."
            )
        case .tooSoon:
            Text(
                "That is too soon to reserve: call a taxi now, or choose a later time.",
                "È troppo presto per prenotare: chiama un taxi ora, o scegli un'ora successiva."
            )
        case .tooFar:
            Text(
                "That is too far ahead to reserve: choose an earlier day.",
                "È troppo lontano per prenotare: scegli un giorno più vicino."
            )
        case .tooLateToCancel:
            Text("It is too late to cancel.", "È troppo tardi per annullare.")
        case .wrongPhase:
            Text(
                "Meanwhile your request is further on, and this is no longer possible.",
                "Intanto la richiesta è andata avanti e questo non è più possibile."
            )
        default: Text("It was refused.", "È stato rifiutato.")
        }
    }

    private var sharingWords: Text {
        switch self {
        case .sharingDisabled:
            Text("Rides are not shared in this city.", "In questa città le corse non si dividono.")
        case .notShared:
            Text("That ride can no longer be shared.", "Quella corsa non si può più dividere.")
        case .seatsLeft(let count):
            Text(
                count == 1 ? "Only 1 seat is left there." : "Only \(count) seats are left there.",
                count == 1 ? "Lì resta solo 1 posto." : "Lì restano solo \(count) posti."
            )
        case .walkTooLong:
            Text(
                "You would not reach its meeting point in time on foot.",
                "A piedi non arriveresti in tempo al suo punto d'incontro."
            )
        case .detourTooLong:
            Text(
                "It would be too long a way round for the others.",
                "Per gli altri sarebbe un giro troppo lungo."
            )
        case .waitTooLong:
            Text("The others would wait too long.", "Gli altri aspetterebbero troppo.")
        default: Text("It was refused.", "È stato rifiutato.")
        }
    }
}

extension TaxiService.Failure {
    /// What a passenger is told.
    package var words: Text {
        switch self {
        case .noPlace:
            Text(
                "We do not know this place. Choose another one.",
                "Non conosciamo questo luogo. Scegline un altro."
            )
        case .destinationTooFar:
            Text(
                "The destination is further away than a taxi drives: 300 km.",
                "La destinazione è più lontana di quanto vada un taxi: 300 km."
            )
        case .positionTooVague(let allowed):
            Text(
                "Your position must be known to \(allowed) m or better. Write the address.",
                "La tua posizione deve essere nota a \(allowed) m o meno. Scrivi l'indirizzo."
            )
        case .missedTooOften:
            Text(
                "Too many of your taxis waited in vain lately: for now you cannot ask for another.",
                "Ultimamente troppi taxi ti hanno aspettato invano: per ora non puoi chiederne."
            )
        case .tooManyReservations(let most):
            Text(
                "You have \(most) reservations, as many as one may have: delete one first.",
                "Hai \(most) prenotazioni, il massimo possibile: eliminane prima una."
            )
        case .notServing, .weakSecret, .planOutdated:
            Text("Try again in a few seconds.", "Riprova tra qualche secondo.")
        case .notYours, .noReceipt:
            Text("There is no such ride of yours.", "Non c'è una tua corsa così.")
        }
    }
}

extension DispatchService.Failure {
    /// What whoever asked is told; nil for what is said otherwise.
    package var failure: Failure? {
        switch self {
        case .busy: .busy(retryAfter: 1)
        case .notServing: .standingBy
        case .notDurable: .unavailable(retryAfter: 5)
        case .outcomeUnknown: .unknownOutcome
        case .keyUsedForAnother: .badRequest
        }
    }
}
