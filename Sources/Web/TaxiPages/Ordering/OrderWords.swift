import Dispatching
package import Localization

package enum OrderWords {
    package static let title = Text("Where are you going?", "Dove vuoi andare?")
    package static let from = Text("From", "Da")
    package static let fromHint = Text(
        "Street and number, a stop or a place; or coordinates such as 45.46427, 9.18951",
        "Via e numero, una fermata o un luogo; oppure coordinate come 45.46427, 9.18951"
    )
    package static let coordinatesOnly = Text(
        "No addresses are known here: write coordinates such as 45.46427, 9.18951.",
        "Qui non sono noti indirizzi: scrivi coordinate come 45.46427, 9.18951."
    )
    package static let to = Text("To", "A")
    package static let toHint = Text(
        "Then we can tell you about what it will cost.",
        "Così possiamo dirti circa quanto costerà."
    )
    package static let passengers = Text("How many travel", "Quante persone viaggiano")
    package static func people(_ count: UInt8) -> Text {
        count == 1
            ? Text("1 person", "1 persona") : Text("\(count) people", "\(count) persone")
    }
    package static func badSeats(_ most: UInt8) -> Text {
        Text("Choose from 1 to \(most).", "Scegli da 1 a \(most).")
    }
    package static let needs = Text("You need", "Ti serve")
    package static let wheelchair = Text("Room for a wheelchair", "Posto per una sedia a rotelle")
    package static let goOn = Text("Go on", "Continua")
    package static let busy = Text("One moment…", "Un momento…")
    package static let pointInstead = Text(
        "Show the meeting point on a map instead",
        "Indica invece il punto d'incontro sulla mappa"
    )
    package static let swap = Text("Swap from and to", "Scambia partenza e arrivo")

    package static func missing(_ end: RideEnd) -> Text {
        switch end {
        case .from:
            Text(
                "Say where the taxi shall come to: we do not know where you are.",
                "Di' dove deve venire il taxi: non sappiamo dove sei."
            )
        case .to:
            Refusal.destinationMissing.words
        }
    }
    package static let unknownPlace = Text(
        "We do not find this place. Check the name of the street, or leave the number out.",
        "Non troviamo questo luogo. Controlla il nome della via, o togli il numero."
    )
    package static let noPosition = Text(
        "Your device does not tell us where you are. Write the address instead.",
        "Il dispositivo non ci dice dove sei. Scrivi l'indirizzo."
    )
    package static func vague(_ metres: Double, allowed: Int64) -> Text {
        let known = Int64(min(max(metres, 0), 1e9).rounded())
        return Text(
            "We know where you are only to \(known) m; a taxi needs \(allowed) m or better. "
                + "Write the address, or correct it.",
            "Sappiamo dove sei solo a meno di \(known) m; a un taxi servono \(allowed) m o meno. "
                + "Scrivi l'indirizzo, o correggilo."
        )
    }

    package static let whichPlace = Text("Which place do you mean?", "Quale luogo intendi?")
    package static func found(_ typed: String, _ end: RideEnd) -> Text {
        switch end {
        case .from: Text("From “\(typed)”", "Da «\(typed)»")
        case .to: Text("To “\(typed)”", "A «\(typed)»")
        }
    }
    package static let noneOfThese = Text("None of these: write it again", "Nessuno di questi: riscrivi")
    package static let chooseOne = Text("Choose one of these places.", "Scegli uno di questi luoghi.")
}

package enum PointWords {
    package static func title(_ end: RideEnd) -> Text {
        switch end {
        case .from: Text("Where shall the taxi come?", "Dove deve venire il taxi?")
        case .to: Text("Where are you going?", "Dove vuoi andare?")
        }
    }
    package static let lead = Text(
        "Click or tap the place on the map. The buttons move the map; pressed with a key, the map "
            + "takes its middle.",
        "Fai clic o tocca il luogo sulla mappa. I pulsanti spostano la mappa; con un tasto, la "
            + "mappa prende il suo centro."
    )
    package static let picture = Text(
        "Map: the place that you click becomes the point",
        "Mappa: il luogo su cui fai clic diventa il punto"
    )
    package static func chosen(_ words: String) -> Text {
        Text("The point: \(words)", "Il punto: \(words)")
    }
    package static let none = Text("No point is chosen yet.", "Nessun punto è ancora scelto.")
    package static let use = Text("Use this point", "Usa questo punto")
    package static let moves: [(name: String, words: Text)] = [
        ("in", Text("Closer", "Più vicino")), ("out", Text("Further away", "Più lontano")),
        ("north", Text("North", "Nord")), ("south", Text("South", "Sud")),
        ("west", Text("West", "Ovest")), ("east", Text("East", "Est")),
    ]
    package static let write = Text("Write the address instead", "Scrivi invece l'indirizzo")
    package static let noMap = Text(
        "There is no map here: write the address.",
        "Qui non c'è una mappa: scrivi l'indirizzo."
    )
}

package enum CheckWords {
    package static let title = Text("Check your request", "Controlla la richiesta")
    package static func wait(_ minutes: Int64) -> Text {
        Text("A taxi in about \(minutes) min", "Un taxi tra circa \(minutes) min")
    }
    package static let someTaxi = Text("A taxi waits in your zone", "C'è un taxi nella tua zona")
    package static let noTaxi = Text("No taxi waits in your zone now", "Ora non c'è un taxi nella tua zona")
    package static let noTaxiLead = Text(
        "You can ask all the same: if one comes free just then, it is yours.",
        "Puoi chiedere lo stesso: se uno si libera proprio allora, è tuo."
    )
    package static let lead = Text(
        "Nothing was sent yet. Is this right?",
        "Non è stato ancora inviato nulla. È giusto?"
    )
    package static let meeting = Text("Meeting point", "Punto d'incontro")
    package static let destination = Text("Destination", "Destinazione")
    package static let notSaid = Text("You will tell the driver", "La dirai al tassista")
    package static let waiting = Text("Waiting time", "Attesa")
    package static let unknown = Text("Not known", "Non nota")
    package static func taxis(_ count: Int) -> Text {
        switch count {
        case 0: Text("no taxi in your zone", "nessun taxi nella tua zona")
        case 1: Text("1 taxi in your zone", "1 taxi nella tua zona")
        default: Text("\(count) taxis in your zone", "\(count) taxi nella tua zona")
        }
    }
    package static func about(_ minutes: Int64) -> Text {
        Text("about \(minutes) min", "circa \(minutes) min")
    }
    package static let fare = Text("Fare", "Tariffa")
    package static func estimate(_ likely: String, _ low: String, _ high: String) -> Text {
        Text(
            "about \(likely) (from \(low) to \(high), as traffic is)",
            "circa \(likely) (da \(low) a \(high), secondo il traffico)"
        )
    }
    package static func fixed(_ amount: String) -> Text {
        Text("\(amount), a fixed fare", "\(amount), tariffa fissa")
    }
    package static let fareWithoutDestination = Text(
        "Say where you are going to see it",
        "Indica la destinazione per vederla"
    )
    package static let change = Text("Change", "Modifica")
    package static let onMap = Text("On the map", "Sulla mappa")
    package static let confirm = Text("Request a taxi", "Chiedi un taxi")
    package static let busy = Text("Requesting…", "Richiesta in corso…")
    package static let asGuest = Text("Go on without an account", "Continua senza account")
    package static let outside = Text(
        "The meeting point lies outside the city",
        "Il punto d'incontro è fuori città"
    )
    package static let outsideLead = Text(
        "The city's taxis cannot be sent there. Choose a place inside the city.",
        "I taxi della città non possono essere mandati lì. Scegli un luogo in città."
    )
    package static let nothingSent = Text("No taxi was requested", "Nessun taxi è stato richiesto")
}
