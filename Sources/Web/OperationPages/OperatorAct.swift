import Dispatching
import Identity
import Localization
import Taxi
import TaxiPages

/// An operator's intervention in a request, with a reason (C11).
enum RequestAct: String, CaseIterable, Sendable {
    /// Offers the request to a taxi out of turn.
    case assign
    /// Sets the request aside.
    case hold
    /// Resumes the search for a taxi.
    case release
    /// Looks for a replacement for a taxi that cannot come.
    case replace
    /// Cancels the request, reservation or ride.
    case cancel
    /// Ends the ride even where the checks do not allow it.
    case end

    /// The actions available for a request in its current state; the dispatcher
    /// makes the final decision.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isSuspended: whether the service is suspended.
    /// - Returns: the actions, in display order.
    static func possible(on request: Request, isSuspended: Bool) -> [RequestAct] {
        allCases.filter { act in
            switch (act, request.phase) {
            case (.assign, .offered), (.assign, .held), (.assign, .parked), (.assign, .reserved):
                request.isLive && !isSuspended
            case (.hold, .offered), (.hold, .held):
                request.isLive && request.due == nil && !isSuspended
            case (.release, .parked): !isSuspended
            case (.replace, .riding(let ride)): ride.stage != .aboard && !isSuspended
            case (.end, .riding): true
            case (.cancel, _): true
            default: false
            }
        }
    }

    /// The corresponding entry in the audit log.
    var audited: AuditAct {
        switch self {
        case .assign: .assignTaxi
        case .hold: .holdRequest
        case .release: .releaseRequest
        case .replace: .replaceTaxi
        case .cancel: .cancelRequest
        case .end: .endRide
        }
    }

    /// Whether the action applies only to the taxi that was assigned when the
    /// operator saw the page.
    var isOfTaxi: Bool { self == .replace || self == .end }

    /// Whether the operator must give a reason.
    var needsReason: Bool { self != .release }

    /// The title, on the button and at the top of the page.
    var title: Text {
        switch self {
        case .assign: Text("Assign to a taxi", "Assegna a un taxi")
        case .hold: Text("Set it aside", "Metti da parte")
        case .release: Text("Take up again", "Riprendi")
        case .replace: Text("Send another taxi", "Manda un altro taxi")
        case .cancel: Text("Cancel for the passenger", "Annulla per il passeggero")
        case .end: Text("End the ride", "Concludi la corsa")
        }
    }

    /// The consequences of the action.
    var lead: Text {
        switch self {
        case .assign:
            Text(
                "The taxi is asked out of turn; who is being asked now keeps his place. If it does "
                    + "not take the request, the search goes on as usual.",
                "Il taxi viene interpellato fuori turno; chi è interpellato ora tiene il suo "
                    + "posto. Se non accetta, la ricerca continua come al solito."
            )
        case .hold:
            Text(
                "Nobody is asked any more until you take it up again. The passenger sees that an "
                    + "operator looks after it.",
                "Nessuno viene più interpellato finché non la riprendi. Il passeggero vede che se "
                    + "ne occupa un operatore."
            )
        case .release:
            Text(
                "The search for a taxi goes on at once.",
                "La ricerca di un taxi continua subito."
            )
        case .replace:
            Text(
                "For a taxi that cannot come: its driver goes off duty and reads your reason. The "
                    + "search goes on at once, and the passenger is told.",
                "Per un taxi che non può venire: il tassista va fuori servizio e legge il tuo "
                    + "motivo. La ricerca continua subito e il passeggero viene avvisato."
            )
        case .cancel:
            Text(
                "It ends for good, and the passenger is told; of a reservation he reads your "
                    + "reason. A taxi that is on its way gets its turn back as the rules say.",
                "Finisce definitivamente e il passeggero viene avvisato; di una prenotazione "
                    + "legge il tuo motivo. Un taxi in arrivo riprende il suo turno secondo le "
                    + "regole."
            )
        case .end:
            Text(
                "The ride counts as driven, though the checks do not show it; the driver is free "
                    + "again.",
                "La corsa vale come effettuata anche se i controlli non lo mostrano; il tassista "
                    + "torna libero."
            )
        }
    }
}

/// An operator's intervention in a driver's state, with a reason.
enum TaxiAct: String, CaseIterable, Sendable {
    /// Restores the turn of a driver who lost it unfairly.
    case turn
    /// Takes the driver off duty.
    case off

    /// The actions available for a taxi in its current state; the dispatcher
    /// makes the final decision.
    static func possible(on taxi: Taxi) -> [TaxiAct] {
        allCases.filter { act in
            switch act {
            case .turn: taxi.rank?.isRestored == false
            case .off: taxi.isOnDuty && taxi.status != .riding
            }
        }
    }

    /// The command for the dispatcher.
    func command(_ taxi: TaxiNumber, reason: String) -> Command {
        switch self {
        case .turn: .restoreTurn(taxi, reason: reason)
        case .off: .takeOffDuty(taxi, reason: reason)
        }
    }

    /// The corresponding entry in the audit log.
    var audited: AuditAct {
        switch self {
        case .turn: .restoreTurn
        case .off: .takeOffDuty
        }
    }

    /// The title, on the button and at the top of the page.
    var title: Text {
        switch self {
        case .turn: Text("Give the turn back", "Restituisci il turno")
        case .off: Text("Take off duty", "Metti fuori servizio")
        }
    }

    /// The consequences of the action.
    var lead: Text {
        switch self {
        case .turn:
            Text(
                "The driver goes to the front of the queue that he is in, behind only those who "
                    + "got their turn back before him, and is told. For a driver who lost his turn "
                    + "through no fault of his own; a second time changes nothing.",
                "Il tassista va in testa alla coda in cui si trova, dietro solo a chi ha riavuto "
                    + "il turno prima di lui, e viene avvisato. Per chi ha perso il turno senza "
                    + "colpa; una seconda volta non cambia nulla."
            )
        case .off:
            Text(
                "The driver leaves his queue, gets no requests and is told. He may become "
                    + "available again by himself.",
                "Il tassista lascia la coda, non riceve richieste e viene avvisato. Può rendersi "
                    + "di nuovo disponibile da solo."
            )
        }
    }
}

/// UI texts for the pages on which an operator confirms an action.
enum OperatorActWords {
    static let reason = Text("Reason", "Motivo")
    static let reasonHint = Text(
        "It stays in the log for good: write no names and no addresses. At most 200 characters.",
        "Resta per sempre nel registro: niente nomi né indirizzi. Al massimo 200 caratteri."
    )
    static let reasonMissing = Text("Write why you do it.", "Scrivi perché lo fai.")
    static let reasonTooLong = Text(
        "Write no more than 200 characters.",
        "Scrivi non più di 200 caratteri."
    )
    static let reasonLimit = 200
    static let taxi = Text("Free taxi", "Taxi libero")
    static let taxiHint = Text(
        "The nearest to the meeting point that can carry the passengers, in a straight line.",
        "I più vicini al punto d'incontro che possono portare i passeggeri, in linea d'aria."
    )
    static let otherCode = Text("Or the code of another free taxi", "O il codice di un altro taxi")
    static let noTaxi = Text("Choose a taxi.", "Scegli un taxi.")
    static let noFree = Text(
        "No taxi that can carry the passengers is free now. Set the request aside, or wait.",
        "Ora non è libero nessun taxi che possa portare i passeggeri. Puoi mettere da parte la "
            + "richiesta, o attendere."
    )
    static let back = Text("Back, change nothing", "Indietro, senza cambiare nulla")
    static let nothingDone = Text("Nothing was done", "Non è stato fatto nulla")
    static let look = Text("Look at it as it is now", "Guarda com'è adesso")
    static func titled(_ act: Text, request: RequestNumber) -> Text {
        Text(
            "\(act.in(.english)): request \(request.rawValue)",
            "\(act.in(.italian)): richiesta \(request.rawValue)"
        )
    }
    static func titled(_ act: Text, taxi: String) -> Text {
        Text("\(act.in(.english)): taxi \(taxi)", "\(act.in(.italian)): taxi \(taxi)")
    }
}

extension Refusal {
    /// The explanation of a refusal for operators.
    var operatorWords: Text {
        switch self {
        case .noSuchRequest:
            Text(
                "The request has ended meanwhile, or never was.",
                "Intanto la richiesta è finita, o non è mai esistita."
            )
        case .alreadyAboard:
            Text(
                "The passengers are aboard: no other taxi can be sent any more.",
                "I passeggeri sono a bordo: il loro taxi non si può più sostituire."
            )
        case .wrongPhase, .notRiding:
            Text(
                "Meanwhile the request is further on, and this is no longer possible.",
                "Intanto la richiesta è andata avanti e questo non è più possibile."
            )
        case .notQueued:
            Text(
                "The taxi is in no queue: only a taxi that waits in one can be asked, or get its "
                    + "turn back.",
                "Il taxi non è in nessuna coda: solo un taxi in attesa può essere interpellato o "
                    + "riavere il turno."
            )
        case .tooSmall:
            Text(
                "The taxi cannot carry what the passengers need.",
                "Il taxi non può portare ciò che serve ai passeggeri."
            )
        case .riding:
            Text(
                "The taxi has a ride: it can be taken off duty when the ride has ended.",
                "Il taxi ha una corsa: si può mettere fuori servizio quando è conclusa."
            )
        default: words
        }
    }
}
