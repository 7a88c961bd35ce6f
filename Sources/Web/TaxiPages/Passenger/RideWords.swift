import Chronology
package import Localization
import Taxi

package enum RideWords {
    package static let steps = [
        Text("Searching", "Ricerca"), Text("Taxi found", "Taxi trovato"),
        Text("Taxi here", "Taxi arrivato"), Text("On board", "A bordo"),
        Text("Done", "Finita"),
    ]

    package static func title(_ state: RideState, minutes: Int64?) -> Text {
        switch state {
        case .asking, .held: Text("We are looking for a taxi", "Stiamo cercando un taxi")
        case .parked: Text("The operator looks after it", "Se ne occupa l'operatore")
        case .reserved: Text("Your taxi is reserved", "Il tuo taxi è prenotato")
        case .coming:
            minutes.map { minutes in
                Text(
                    "Your taxi arrives in about \(minutes) min",
                    "Il tuo taxi arriva tra circa \(minutes) min"
                )
            } ?? Text("Your taxi is on its way", "Il tuo taxi sta arrivando")
        case .here: Text("Your taxi is here", "Il tuo taxi è arrivato")
        case .aboard: Text("You are on board", "Sei a bordo")
        }
    }

    /// The same in a line of every page.
    package static func banner(_ state: RideState) -> Text {
        switch state {
        case .coming(.at), .coming(.unknown): Text("Your taxi is coming", "Il tuo taxi arriva")
        default: title(state, minutes: nil)
        }
    }
    package static let follow = Text("Follow it", "Segui")
    package static func last(_ code: String) -> Text {
        Text("Last taxi \(code)", "Ultimo taxi \(code)")
    }
    package static let region = Text("Your taxi", "Il tuo taxi")

    package static func asking(_ count: Int) -> Text {
        if count <= 1 {
            return Text(
                "Asking the first taxi in line…",
                "Chiediamo al primo taxi in coda…"
            )
        }
        return Text(
            "Asking the \(english(count)) taxi in line…",
            "Chiediamo al \(count)º taxi in coda…"
        )
    }

    private static func english(_ count: Int) -> String {
        let ending =
            switch (count % 10, count % 100) {
            case (_, 11), (_, 12), (_, 13): "th"
            case (1, _): "st"
            case (2, _): "nd"
            case (3, _): "rd"
            default: "th"
            }
        return "\(count)\(ending)"
    }

    package static let held = Text(
        "All taxis near you are answering somebody else. As soon as one is free we ask it.",
        "Tutti i taxi vicini stanno rispondendo ad altri. Appena uno è libero, gli chiediamo."
    )
    package static let lostTaxi = Text(
        "The taxi that was on its way cannot come. Your request keeps its place.",
        "Il taxi che stava arrivando non può venire. La tua richiesta conserva il suo posto."
    )
    package static let parked = Text(
        "A person is finding you a taxi. You need do nothing.",
        "Una persona ti sta trovando un taxi. Non devi fare nulla."
    )
    package static let here = Text(
        "It waits at the meeting point. Compare the plate before you get in.",
        "Ti aspetta al punto d'incontro. Controlla la targa prima di salire."
    )
    package static let aboard = Text("Have a good ride.", "Buon viaggio.")
    package static let already = Text(
        "You have a request under way already: this is it. One at a time.",
        "Hai già una richiesta in corso: eccola. Una alla volta."
    )

    package static let plate = Text("Plate", "Targa")
    package static let taxi = Text("Taxi", "Taxi")
    package static let code = Text("Your code", "Il tuo codice")
    package static let driver = Text("Driver", "Tassista")
    package static let codeHint = Text(
        "Tell the driver this code when you get in, and nobody else.",
        "Di' questo codice al tassista quando sali, e a nessun altro."
    )

    package static let looked = Text("Updated at", "Aggiornato alle")
    package static let looksAgain = Text(
        "This page looks again every 20 s.",
        "La pagina si aggiorna ogni 20 s."
    )
    package static let lookAgain = Text("Look again", "Aggiorna")
    package static let notices = Text(
        "Be told when the taxi comes, also while this page is closed: allow notices on this device",
        "Fatti avvisare quando arriva il taxi, anche a pagina chiusa: permetti gli avvisi su "
            + "questo dispositivo"
    )
    /// From how many seconds on a position is old (ui.md 4.1, 5).
    package static let staleSeconds: Int64 = 30
    package static func seen(_ seconds: Int64) -> Text {
        seconds < 120
            ? Text("The taxi was seen \(seconds) s ago.", "Il taxi è stato visto \(seconds) s fa.")
            : Text(
                "The taxi was seen \(seconds / 60) min ago.",
                "Il taxi è stato visto \(seconds / 60) min fa."
            )
    }
    package static let stale = Text(
        "We do not hear from it just now: what stands here may be old.",
        "Ora non ne abbiamo notizie: ciò che vedi può essere vecchio."
    )
    package static let unseen = Text(
        "We do not hear from the taxi just now, so we do not know where it is.",
        "Ora non abbiamo notizie del taxi, quindi non sappiamo dove sia."
    )

    package static let cancel = Text("Cancel", "Annulla")
    package static func cancelRule(_ rule: CancelRule) -> Text {
        switch rule {
        case .free, .reserved:
            Text("Nobody is on the way yet.", "Nessuno è ancora in viaggio.")
        case .taxiComing:
            Text("A taxi is already coming to you.", "Un taxi sta già venendo da te.")
        case .never:
            Text(
                "In this city a request cannot be cancelled.",
                "In questa città una richiesta non si può annullare."
            )
        case .found:
            Text(
                "A taxi was found: it can no longer be cancelled.",
                "Un taxi è stato trovato: non si può più annullare."
            )
        case .there:
            Text(
                "The taxi is there: it can no longer be cancelled. Tell the driver.",
                "Il taxi è arrivato: non si può più annullare. Dillo al tassista."
            )
        }
    }
}

package enum CancelWords {
    package static func title(_ rule: CancelRule) -> Text {
        rule == .reserved
            ? Text("Delete your reservation?", "Eliminare la prenotazione?")
            : Text("Cancel your taxi?", "Annullare il taxi?")
    }
    package static func consequence(_ rule: CancelRule) -> Text {
        switch rule {
        case .reserved:
            Text(
                "No taxi is sought for that hour, and nobody comes for nothing. If you want one "
                    + "then after all, you reserve anew, as far ahead as the city asks.",
                "Per quell'ora non si cerca nessun taxi e nessuno viene per niente. Se poi ne "
                    + "vuoi uno, prenoti di nuovo, con l'anticipo che la città chiede."
            )
        case .taxiComing:
            Text(
                "A driver is already on the way to you and gave up other rides for it. He is told "
                    + "at once. The cancellation is noted.",
                "Un tassista sta già venendo da te e per questo ha rinunciato ad altre corse. "
                    + "Viene avvisato subito. L'annullamento viene registrato."
            )
        default:
            Text(
                "No taxi has been found yet, so nobody comes for nothing. To have a taxi later you "
                    + "ask anew, behind those who have asked meanwhile.",
                "Nessun taxi è stato ancora trovato, quindi nessuno viene per niente. Se più tardi "
                    + "vuoi un taxi devi chiedere di nuovo, dopo chi ha chiesto nel frattempo."
            )
        }
    }
    package static func confirm(_ rule: CancelRule) -> Text {
        rule == .reserved
            ? Text("Yes, delete it", "Sì, elimina") : Text("Yes, cancel", "Sì, annulla")
    }
    package static let busy = Text("Cancelling…", "Annullamento…")
    package static let keep = Text("No, keep it", "No, tienilo")
    package static let refused = Text("It was not cancelled", "Non è stata annullata")
}
