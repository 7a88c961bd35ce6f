package import Localization

package enum SuspensionWords {
    package static let title = Text("Suspend the service", "Sospendi il servizio")
    package static let notOpen = Text(
        "The service is not open yet: there is nothing to suspend.",
        "Il servizio non è ancora aperto: non c'è nulla da sospendere."
    )
    package static func lead(_ waiting: Int, _ reserved: Int) -> Text {
        Text(
            "For a strike, severe weather or an order of the council. Now waiting for a taxi: "
                + "\(waiting). Reservations: \(reserved).",
            "Per sciopero, maltempo o ordine della giunta. Ora in attesa di un taxi: \(waiting). "
                + "Prenotazioni: \(reserved)."
        )
    }
    package static let english = Text("Reason in English", "Motivo in inglese")
    package static let italian = Text("Reason in Italian", "Motivo in italiano")
    package static let reasonHint = Text(
        "It stands on the first page as you write it. Where a language is empty, its readers see "
            + "the other. At most 200 characters.",
        "Sta sulla prima pagina come lo scrivi. Se una lingua è vuota, chi la legge vede l'altra. "
            + "Al massimo 200 caratteri."
    )
    package static let until = Text("Probably until", "Probabilmente fino a")
    package static let untilHint = Text(
        "Day and hour, such as 2026-11-30 08:30. Nothing ends by itself: you lift it.",
        "Giorno e ora, come 2026-11-30 08:30. Non finisce da sola: la termini tu."
    )
    package static let badUntil = Text(
        "Write a day and hour to come, such as 2026-11-30 08:30, or nothing.",
        "Scrivi un giorno e un'ora futuri, come 2026-11-30 08:30, o niente."
    )
    package static let because = Text(
        "The city has suspended it for this reason:",
        "La città lo ha sospeso per questo motivo:"
    )
    package static let thought = Text("Probably until", "Probabilmente fino a")
    package static let reasonMissing = Text(
        "Write the reason in one language at least.",
        "Scrivi il motivo in almeno una lingua."
    )
    package static let check = Text("See what happens", "Vedi cosa succede")
    package static let confirm = Text("Really suspend the service?", "Sospendere davvero il servizio?")
    package static let suspend = Text("Suspend now", "Sospendi adesso")
    package static let back = Text("Back, change nothing", "Indietro, senza cambiare nulla")
    package static func effects(_ waiting: Int, _ reserved: Int, _ riding: Int) -> [Text] {
        [
            Text(
                "Requests without a taxi end at once, and their passengers are told: \(waiting).",
                "Le richieste senza taxi finiscono subito e i passeggeri sono avvisati: \(waiting)."
            ),
            Text(
                "Reservations stay until their hour. Those that fall due meanwhile are tried again "
                    + "when you lift it, as long as their hour has not passed: \(reserved).",
                "Le prenotazioni restano fino alla loro ora. Quelle che scadono intanto si "
                    + "ritentano quando riprendi, se l'ora non è passata: \(reserved)."
            ),
            Text(
                "Passengers who are being fetched or driven arrive: \(riding).",
                "I passeggeri già assegnati o a bordo arrivano: \(riding)."
            ),
            Text(
                "New requests are refused with your reason. Drivers keep their places.",
                "Le nuove richieste sono rifiutate con il tuo motivo. I tassisti tengono il posto."
            ),
        ]
    }
    package static let isSuspended = Text("The service is suspended", "Il servizio è sospeso")
    package static func lifting(_ reserved: Int) -> Text {
        Text(
            "When you lift it, requests are served again at once, and reservations whose hour has "
                + "not passed are tried: \(reserved).",
            "Quando riprendi, le richieste si servono subito e si tentano le prenotazioni la cui "
                + "ora non è passata: \(reserved)."
        )
    }
    package static let lift = Text("Lift the suspension", "Riprendi il servizio")
    package static let notices: [String: Text] = [
        "suspended": Text("The service is suspended.", "Il servizio è sospeso."),
        "resumed": Text("The service goes on.", "Il servizio riprende."),
    ]
}
