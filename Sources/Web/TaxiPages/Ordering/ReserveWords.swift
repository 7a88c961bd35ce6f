package import Chronology
package import Dispatching
package import Localization
package import Taxi

/// The words of reservations.
package enum ReserveWords {
    package static let list = Text("Your reservations", "Le tue prenotazioni")
    package static let tile = Text(
        "Have a taxi at an hour that you choose; see, change and delete",
        "Un taxi all'ora che scegli; vedi, modifica ed elimina"
    )
    package static func count(_ count: Int) -> Text {
        switch count {
        case 0: Text("You have no reservations", "Non hai prenotazioni")
        case 1: Text("You have 1 reservation", "Hai 1 prenotazione")
        default: Text("You have \(count) reservations", "Hai \(count) prenotazioni")
        }
    }
    package static let none = Text(
        "When you have reserved a taxi, you find it here until its ride has ended.",
        "Quando avrai prenotato un taxi lo troverai qui fino alla fine della corsa."
    )
    package static let another = Text("Reserve a taxi", "Prenota un taxi")
    package static let state = Text("How it stands", "A che punto è")
    package static let hour = Text("Reserved for", "Prenotato per")

    package static func state(_ one: Reservation) -> Text {
        switch one.phase {
        case .reserved where one.tries == 0: Text("reserved", "prenotata")
        case .reserved: Text("no taxi yet, tried again", "ancora nessun taxi, si riprova")
        case .seeking, .offered, .held, .parked: Text("taxis are asked", "si chiede ai taxi")
        case .riding, .joined: Text("a taxi was found", "taxi trovato")
        }
    }

    package static let check = Text("Check your reservation", "Controlla la prenotazione")
    package static func checkTitle(_ hour: Text) -> Text {
        Text("A taxi on \(hour.in(.english))", "Un taxi \(hour.in(.italian))")
    }
    package static func confirm(_ draft: OrderDraft) -> Text? {
        guard draft.due != nil else { return nil }
        return draft.changes == nil
            ? Text("Reserve the taxi", "Prenota il taxi")
            : Text("Change the reservation", "Modifica la prenotazione")
    }
    package static let needsAccount = Text(
        "A reservation belongs to an account: sign in, or create one. What you filled in stays.",
        "Una prenotazione appartiene a un account: accedi, o creane uno. I dati inseriti restano."
    )
    package static let booked = Text(
        "Done: your taxi is reserved.",
        "Fatto: il tuo taxi è prenotato."
    )
    package static let changed = Text(
        "Done: your reservation was changed.",
        "Fatto: la prenotazione è stata modificata."
    )

    package static func title(_ hour: Text) -> Text {
        Text(
            "Your taxi is reserved for \(hour.in(.english))",
            "Il tuo taxi è prenotato per \(hour.in(.italian))"
        )
    }

    /// What will happen at the hour, by the rules in force (R78, R79).
    package static func plan(_ times: ReservationTimes, _ clock: (Moment) -> String) -> Text {
        let first = clock(times.first)
        guard times.retries > 0 else {
            return Text(
                "At \(first) we ask the taxis that wait in your zone, one after the other. No taxi "
                    + "is promised before. Either way we tell you.",
                "Alle \(first) chiediamo ai taxi in attesa nella tua zona, uno dopo l'altro. Prima "
                    + "nessun taxi è garantito. In ogni caso ti avvisiamo."
            )
        }
        let every = interval(times.everySeconds)
        let last = clock(times.last)
        return Text(
            "At \(first) we ask the taxis that wait in your zone, one after the other. If none can "
                + "come we try again every \(every), \(times.retries) times at most, the last at "
                + "\(last). No taxi is promised before. Either way we tell you.",
            "Alle \(first) chiediamo ai taxi in attesa nella tua zona, uno dopo l'altro. Se "
                + "nessuno può venire riproviamo ogni \(every), al massimo \(times.retries) "
                + "volte, l'ultima alle \(last). Prima nessun taxi è garantito. In ogni caso ti "
                + "avvisiamo."
        )
    }

    private static func interval(_ seconds: Int64) -> String {
        seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    package static func tried(_ count: Int) -> Text {
        count == 1
            ? Text(
                "No taxi could come yet: we have asked once.",
                "Ancora nessun taxi ha potuto: abbiamo chiesto una volta."
            )
            : Text(
                "No taxi could come yet: we have asked \(count) times.",
                "Ancora nessun taxi ha potuto: abbiamo chiesto \(count) volte."
            )
    }
    package static let busy = Text(
        "You have another ride under way. Until it ends, no taxi is sought for this one.",
        "Hai un'altra corsa in corso. Finché non finisce, per questa non si cerca un taxi."
    )
    package static func again(_ next: String?, last: String) -> Text {
        guard let next else {
            return Text(
                "We try again, the last time at \(last).",
                "Riproviamo, l'ultima volta alle \(last)."
            )
        }
        return Text(
            "We try again at \(next), and for the last time at \(last). Then we tell you.",
            "Riproviamo alle \(next), e per l'ultima volta alle \(last). Poi ti avvisiamo."
        )
    }
    package static let thenTold = Text(
        "When a taxi was found you get its plate, its code and when it arrives: here and by "
            + "message. An hour before we remind you.",
        "Quando un taxi è trovato ricevi targa, codice e ora d'arrivo: qui e con un messaggio. "
            + "Un'ora prima te lo ricordiamo."
    )

    package static let changeTitle = Text("Change or delete", "Modifica o elimina")
    package static func rules(_ times: ReservationTimes, _ until: Text) -> Text {
        Text(
            "You can change place, hour and people until \(until.in(.english)), and delete it "
                + "until a taxi was found.",
            "Puoi modificare luogo, ora e persone fino a \(until.in(.italian)), ed eliminarla "
                + "finché non è stato trovato un taxi."
        )
    }
    package static let change = Text("Change", "Modifica")
    package static let delete = Text("Delete", "Elimina")
    package static let fixed = Text(
        "A taxi was found: it can no longer be changed or deleted.",
        "Un taxi è stato trovato: non si può più modificare né eliminare."
    )
    package static func tooLateToChange(_ policy: Policy) -> Text {
        let least = LaterWords.length(policy[.reserveMin])
        return Text(
            "Less than \(least.in(.english)) before, it can only be deleted.",
            "A meno di \(least.in(.italian)) dall'ora si può solo eliminare."
        )
    }
    package static let changing = Text(
        "You are changing a reservation. It stands as it is until you confirm.",
        "Stai modificando una prenotazione. Resta com'è finché non confermi."
    )
    package static let notNow = Text(
        "A reservation is changed to another hour. For a taxi now leave it as it is, or delete it.",
        "Una prenotazione si sposta a un'altra ora. Per un taxi adesso lasciala com'è, o "
            + "eliminala."
    )
    package static let seeOld = Text("See the reservation", "Vedi la prenotazione")
    package static let leave = Text("Leave it as it is", "Lasciala com'è")

    /// The line of a driver's home (ui.md 4.5).
    package static let next = Text("Next reservation", "Prossima prenotazione")
    package static func next(_ hour: String, _ zone: String) -> Text {
        Text("\(hour), \(zone)", "\(hour), \(zone)")
    }
}
