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
    static let none = Text(
        "None yet. The rides that you end today stand here.",
        "Ancora nessuna. Qui trovi le corse che concludi oggi."
    )
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
