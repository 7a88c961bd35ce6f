import Dispatching
import Localization
import Taxi
import TaxiPages

/// The words of the operator's live pages.
enum OperationsWords {
    static let title = Text("Live operations", "Servizio in diretta")
    static let requests = Text("Requests", "Richieste")
    static let queues = Text("Queues of the zones", "Code delle zone")
    static let map = Text("Map of taxis and requests", "Mappa di taxi e richieste")
    static let taxis = Text("All taxis", "Tutti i taxi")
    static let waiting = Text("Waiting", "In attesa")
    static let active = Text("Rides", "Corse")
    static let free = Text("Free taxis", "Taxi liberi")
    static let noCar = Text("No taxi found", "Senza taxi")
    static let medianWait = Text("Usual wait", "Attesa tipica")
    static let asOf = Text("As it was at", "Situazione delle")
    static let lastHour = Text(
        "Who found no taxi, and the wait that half of all were below, are of the last hour.",
        "Chi non ha trovato un taxi, e l'attesa sotto cui è rimasta metà, sono dell'ultima ora."
    )
    static let which = Text("Which requests", "Quali richieste")
    static let allZones = Text("Requests of all zones", "Richieste di tutte le zone")
    static let request = Text("Request", "Richiesta")
    static let since = Text("Since", "Dalle")
    static let place = Text("Meeting point", "Punto d'incontro")
    static let state = Text("State", "Stato")
    static let next = Text("Whose turn it is", "A chi tocca")
    static let nobody = Text("nobody", "nessuno")
    static let justNow = Text("just now", "proprio ora")
    static let alert = Text("Alert", "Allarme")

    /// From how many seconds on somebody should look after a request.
    static let lateSeconds: Int64 = 300

    static func waits(_ seconds: Int64) -> Text {
        guard seconds >= 0 else {
            let left = CommonTexts.duration(seconds: -seconds)
            return Text("in \(left.in(.english))", "tra \(left.in(.italian))")
        }
        let time = CommonTexts.duration(seconds: seconds)
        return Text("waiting \(time.in(.english))", "attende da \(time.in(.italian))")
    }

    static func onlyFirst(_ count: Int) -> Text {
        Text(
            "Only the first \(count) are shown. Choose a zone to see the others.",
            "Sono mostrate solo le prime \(count). Scegli una zona per vedere le altre."
        )
    }

    static func everyZone(_ count: Int) -> Text {
        Text("All \(count) zones", "Tutte le \(count) zone")
    }

    // MARK: What happens with a request

    static let seeking = Text("being decided", "in corso di decisione")
    static func asking(_ count: Int, _ code: String, until time: String) -> Text {
        let place = DriveStanding.ordinal(max(1, count))
        return Text(
            "asking the \(place.in(.english)): taxi \(code), until \(time)",
            "interpellato il \(place.in(.italian)): taxi \(code), fino alle \(time)"
        )
    }
    static let held = Text(
        "held: a driver of the zone is being asked for another request",
        "in sospeso: un tassista della zona è interpellato per un'altra richiesta"
    )
    static let parked = Text("set aside by an operator", "messa da parte da un operatore")
    static func nextTry(_ time: String) -> Text {
        Text("the search goes on at \(time)", "la ricerca continua alle \(time)")
    }
    static func riding(_ stage: Ride.Stage, _ code: String) -> Text {
        switch stage {
        case .onTheWay: Text("taxi \(code) is on its way", "il taxi \(code) sta arrivando")
        case .atMeetingPoint:
            Text(
                "taxi \(code) is at the meeting point",
                "il taxi \(code) è al punto d'incontro"
            )
        case .aboard: Text("on board of taxi \(code)", "a bordo del taxi \(code)")
        }
    }
    static func joined(_ owner: RequestNumber) -> Text {
        Text(
            "rides along with request \(owner.rawValue)",
            "viaggia con la richiesta \(owner.rawValue)"
        )
    }

    /// What an operator did just now, by the name in the address.
    static let notices: [String: Text] = [
        "assign": Text("The taxi is being asked.", "Il taxi è stato interpellato."),
        "hold": Text("The request is set aside.", "La richiesta è messa da parte."),
        "release": Text("The search goes on.", "La ricerca continua."),
        "replace": Text(
            "The taxi does not come any more, and the passenger is told.",
            "Il taxi non viene più e il passeggero viene avvisato."
        ),
        "cancel": Text(
            "The request is cancelled, and its passenger is told.",
            "La richiesta è annullata e il passeggero viene avvisato."
        ),
        "called": Text(
            "A taxi is being sought for the caller.",
            "Si cerca un taxi per chi ha telefonato."
        ),
        "reserved": Text(
            "The taxi is reserved, and the caller is told.",
            "Il taxi è prenotato e chi ha telefonato viene avvisato."
        ),
        "already": Text(
            "This caller has a request under way already.",
            "Chi telefona ha già una richiesta in corso."
        ),
        "end": Text("The ride has ended.", "La corsa è conclusa."),
        "turn": Text(
            "The driver has his turn back, and is told: only those who got theirs back before him "
                + "are ahead.",
            "Il tassista ha riavuto il turno e viene avvisato: davanti ha solo chi l'ha riavuto "
                + "prima."
        ),
        "off": Text(
            "The driver is off duty, and is told.",
            "Il tassista è fuori servizio e viene avvisato."
        ),
    ]
}

extension RequestFilter {
    /// The kind, above its table.
    var label: Text {
        switch self {
        case .waiting: Text("Waiting for a taxi", "In attesa di un taxi")
        case .parked: Text("Set aside", "Messe da parte")
        case .riding: Text("Rides under way", "Corse in atto")
        case .reserved: Text("Reservations to come", "Prenotazioni future")
        }
    }

    /// What stands in the place of an empty table.
    var empty: Text {
        switch self {
        case .waiting:
            Text("Nobody waits for a taxi.", "Nessuno attende un taxi.")
        case .parked:
            Text("No request is set aside.", "Nessuna richiesta è messa da parte.")
        case .riding: Text("No taxi has a ride.", "Nessun taxi ha una corsa.")
        case .reserved: Text("No reservation is to come.", "Nessuna prenotazione in arrivo.")
        }
    }
}
