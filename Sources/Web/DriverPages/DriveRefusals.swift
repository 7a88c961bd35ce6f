import Chronology
import Dispatching
import HTTPTypes
import Localization
import Markup
import TaxiPages

extension DriveTrouble {
    /// What a driver is told when the rules do not allow what he asked for.
    ///
    /// - Parameters:
    ///   - refusal: what the dispatcher said.
    ///   - time: writes a moment as the city's clocks show it.
    init(_ refusal: Refusal, time: (Moment) -> String) {
        let (title, advice) = refusal.stateWords ?? refusal.rideWords ?? refusal.otherWords
        self.init(refusal.problemName, title, advice)
        switch refusal {
        case .waitUntil(let moment):
            self.advice = Text(
                "You can say that nobody came from \(time(moment)) on.",
                "Puoi dire che non è venuto nessuno dalle \(time(moment))."
            )
        case .placeUnknown, .outOfContact, .outsideCity:
            remedy = Remedy(address: Address("/drive/where"), label: WhereWords.title)
        case .licenceExpired:
            remedy = Remedy(address: Address("/account/papers"), label: CommonTexts.papers)
        case .invalid, .codeMissing, .reasonMissing: status = .unprocessableContent
        default: break
        }
    }
}

extension Refusal {
    /// The name by which programs know it.
    fileprivate var problemName: String {
        switch self {
        case .alreadyOnDuty: "already-available"
        case .alreadyOffDuty: "already-unavailable"
        case .outsideCity: "outside-city"
        case .placeUnknown: "place-unknown"
        case .outOfContact: "out-of-contact"
        case .licenceExpired: "licence-expired"
        case .riding: "riding"
        case .notRiding: "not-riding"
        case .offerGone: "offer-gone"
        case .meetingPointNotReached: "meeting-point-not-reached"
        case .destinationNotReached: "destination-not-reached"
        case .nobodyAboard: "nobody-aboard"
        case .alreadyAboard: "already-aboard"
        case .codeMissing: "code-missing"
        case .codeLocked: "code-locked"
        case .noShowDisabled: "no-show-disabled"
        case .waitUntil: "wait"
        case .suspended: "suspended"
        case .setupIncomplete: "not-open-yet"
        case .noSuchTaxi: "no-such-taxi"
        default: "refused"
        }
    }

    /// What concerns the driver's state; nil for everything else.
    fileprivate var stateWords: (title: Text, advice: Text)? {
        switch self {
        case .alreadyOnDuty:
            (
                Text("You are available already", "Sei già disponibile"),
                Text("Nothing has changed.", "Non è cambiato nulla.")
            )
        case .alreadyOffDuty:
            (
                Text("You are unavailable already", "Sei già non disponibile"),
                Text("Nothing has changed.", "Non è cambiato nulla.")
            )
        case .outsideCity:
            (
                Text("You are outside the city", "Sei fuori città"),
                Text(
                    "Here you cannot become available. Drive into a zone of the city, then try "
                        + "again.",
                    "Qui non puoi renderti disponibile. Entra in una zona della città e riprova."
                )
            )
        case .placeUnknown:
            (
                Text("We do not know where you are", "Non sappiamo dove sei"),
                Text(
                    "Say where you are first: your zone's queue follows from it.",
                    "Prima indica dove sei: la coda della tua zona dipende da questo."
                )
            )
        case .outOfContact:
            (
                Text("We do not hear from you", "Non riceviamo la tua posizione"),
                Text(
                    "No position has come for some time. Say where you are, then try again.",
                    "Da un po' non arriva la tua posizione. Indica dove sei e riprova."
                )
            )
        case .licenceExpired:
            (
                Text("Your licence no longer holds", "La tua licenza non è più valida"),
                Text(
                    "Send the new one to the city; when it is verified, you can drive again.",
                    "Invia quella nuova alla città; quando è confermata puoi guidare di nuovo."
                )
            )
        case .riding:
            (
                Text("You have a ride", "Hai una corsa"),
                Text(
                    "End it first; then you can become unavailable.",
                    "Prima concludila; poi puoi renderti non disponibile."
                )
            )
        case .notRiding:
            (
                Text("You have no ride", "Non hai nessuna corsa"),
                Text(
                    "It has ended, or the passenger has cancelled it.",
                    "È finita, oppure il passeggero l'ha annullata."
                )
            )
        case .notQueued:
            (
                Text("You are in no queue", "Non sei in nessuna coda"),
                Text("Become available first.", "Prima renditi disponibile.")
            )
        case .noSuchTaxi:
            (
                Text("Your taxi is not registered", "Il tuo taxi non è registrato"),
                Text(
                    "The city has taken it from the register. Ask the city's administrators.",
                    "La città lo ha tolto dal registro. Rivolgiti agli amministratori della città."
                )
            )
        default: nil
        }
    }

    /// What concerns an offer or a ride; nil for everything else.
    fileprivate var rideWords: (title: Text, advice: Text)? {
        switch self {
        case .offerGone:
            (
                Text("This offer is no longer open", "Questa offerta non è più aperta"),
                Text(
                    "It was not answered in time, or the passenger no longer wants the taxi.",
                    "Non hai risposto in tempo, oppure il passeggero non vuole più il taxi."
                )
            )
        case .meetingPointNotReached:
            (
                Text(
                    "You have not reached the meeting point",
                    "Non hai raggiunto il punto d'incontro"
                ),
                Text(
                    "Your positions do not show it yet. If you are there, say where you are; if "
                        + "that does not help, the operator can.",
                    "Le tue posizioni non lo mostrano ancora. Se sei lì, indica dove sei; se non "
                        + "basta, può aiutarti l'operatore."
                )
            )
        case .destinationNotReached:
            (
                Text("You have not reached the destination", "Non hai raggiunto la destinazione"),
                Text(
                    "Your positions do not show it yet. If the passenger gets out here, ask the "
                        + "operator to end the ride.",
                    "Le tue posizioni non lo mostrano ancora. Se il passeggero scende qui, chiedi "
                        + "all'operatore di concludere la corsa."
                )
            )
        case .nobodyAboard:
            (
                Text("Nobody is aboard", "Non c'è nessuno a bordo"),
                Text(
                    "First say how many are aboard, or that nobody came.",
                    "Prima indica quanti sono a bordo, oppure che non è venuto nessuno."
                )
            )
        case .alreadyAboard:
            (
                Text("Your passengers are aboard", "I passeggeri sono a bordo"),
                Text("Nothing has changed.", "Non è cambiato nulla.")
            )
        case .codeMissing:
            (
                Text("The code is missing", "Manca il codice"),
                Text(
                    "Ask the passenger for the code and enter it.",
                    "Chiedi il codice al passeggero e inseriscilo."
                )
            )
        case .codeLocked:
            (
                Text("Too many wrong codes", "Troppi codici errati"),
                Text(
                    "This passenger cannot board by code any more. The operator can cancel the "
                        + "ride, and gives you your turn back.",
                    "Questo passeggero non può più salire con il codice. L'operatore può annullare "
                        + "la corsa e ridarti il turno."
                )
            )
        case .noShowDisabled:
            (
                Text("You cannot say that nobody came", "Non puoi dire che non è venuto nessuno"),
                Text(
                    "In this city only the operator can end a ride whose passenger does not come.",
                    "In questa città solo l'operatore può chiudere una corsa il cui passeggero non "
                        + "arriva."
                )
            )
        case .waitUntil:
            (
                Text("Wait a little longer", "Aspetta ancora un po'"),
                Text("You can say it later.", "Potrai dirlo più tardi.")
            )
        default: nil
        }
    }

    /// What concerns the city, a form, or a passenger's request.
    fileprivate var otherWords: (title: Text, advice: Text) {
        switch self {
        case .setupIncomplete, .setupAlreadyComplete, .nothingSetUp:
            (
                Text("The service has not opened yet", "Il servizio non è ancora aperto"),
                Text("The city is preparing it.", "La città lo sta preparando.")
            )
        case .suspended(let reason):
            (
                Text("The taxi service is suspended", "Il servizio taxi è sospeso"),
                Text(
                    "The city has suspended it for this reason: \(reason)",
                    "La città lo ha sospeso per questo motivo: \(reason)"
                )
            )
        case .notSuspended:
            (
                Text("The taxi service goes on", "Il servizio taxi prosegue"),
                Text("Nothing has changed.", "Non è cambiato nulla.")
            )
        case .reasonMissing:
            (
                Text("The reason is missing", "Manca il motivo"),
                Text("Say why, in a few words.", "Scrivi perché, in poche parole.")
            )
        case .invalid, .codeTaken, .noSuchZone:
            (
                Text("This cannot be", "Questo non può essere"),
                Text(
                    "Something that was entered is not possible. Check it and try again.",
                    "Un dato inserito non è possibile. Controllalo e riprova."
                )
            )
        case .tooSmall:
            (
                Text("Your taxi is too small", "Il tuo taxi è troppo piccolo"),
                Text(
                    "This passenger needs more seats, or room for a wheelchair.",
                    "Questo passeggero ha bisogno di più posti, o di spazio per una sedia a "
                        + "rotelle."
                )
            )
        default:
            (
                Text("The request has changed", "La richiesta è cambiata"),
                Text(
                    "It has ended, or it stands otherwise by now. Your page says how it is.",
                    "È finita, oppure ora è diversa. La tua pagina dice com'è."
                )
            )
        }
    }
}
