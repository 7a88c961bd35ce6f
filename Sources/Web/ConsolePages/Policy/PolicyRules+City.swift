import Dispatching
import Localization
import TaxiPages

extension PolicyRule {
    static let ending = Group(
        title: Text("End of the ride", "Fine della corsa"),
        rules: [
            PolicyRule(
                .endNeedsPickup,
                Text("Only after the meeting point", "Solo dopo il luogo d'incontro"),
                Text(
                    "Whether a ride can end only once the taxi was seen at the meeting point.",
                    "Se la corsa può finire solo dopo che il taxi è stato al luogo d'incontro."
                )
            ),
            PolicyRule(
                .endNeedsDestination,
                Text("Only at the destination", "Solo a destinazione"),
                Text(
                    "Whether a ride with a known destination can end only there.",
                    "Se una corsa con destinazione nota può finire solo lì."
                )
            ),
            PolicyRule(
                .reachRadius,
                Text("How near is there", "Quanto vicino vale"),
                Text(
                    "Within so many metres a place counts as reached.",
                    "Entro tanti metri un luogo vale come raggiunto."
                )
            ),
            PolicyRule(
                .endOverride,
                Text("Ending against these checks", "Fine contro questi controlli"),
                Text(
                    "Who may end a ride although a check forbids it; each case is on record.",
                    "Chi può chiudere una corsa nonostante i controlli; ogni caso è registrato."
                ),
                [
                    Text("an operator only", "solo un operatore"),
                    Text("the driver, with a reason", "il tassista, con un motivo"),
                ]
            ),
        ]
    )

    static let drivers = Group(
        title: Text("Drivers", "Tassisti"),
        rules: [
            PolicyRule(
                .onboarding,
                Text("Who enters drivers", "Chi inserisce i tassisti"),
                Text(
                    "The city at this console, or drivers by registering; then the city checks "
                        + "their papers.",
                    "La città da questa console, o i tassisti registrandosi; poi la città "
                        + "controlla i documenti."
                ),
                [
                    Text("the city", "la città"),
                    Text("drivers, then checked", "i tassisti, con controllo"),
                    Text("both", "entrambi"),
                ]
            ),
            PolicyRule(
                .sharedTaxis,
                Text("Taxis shared by shifts", "Taxi condivisi a turni"),
                Text(
                    "Whether several drivers may drive the same taxi, one at a time. Where you "
                        + "end it, those who share one already go on.",
                    "Se più tassisti possono guidare lo stesso taxi, uno alla volta. Se lo "
                        + "vieti, chi già ne condivide uno continua."
                )
            ),
            PolicyRule(
                .driverStates,
                Text("States that drivers see", "Stati che vede il tassista"),
                Text(
                    "All states with their reasons, or just available, busy and off shift.",
                    "Tutti gli stati con i motivi, o solo disponibile, occupato e fuori turno."
                ),
                [Text("all", "tutti"), Text("three", "tre")]
            ),
            PolicyRule(
                .enforceBorder,
                Text("Only inside the city", "Solo in città"),
                Text(
                    "Whether a driver must be inside the zones to become available.",
                    "Se il tassista deve essere nelle zone per rendersi disponibile."
                )
            ),
            PolicyRule(
                .maxIgnored,
                Text("Ignored offers", "Proposte ignorate"),
                Text(
                    "After so many unanswered offers in a row the driver becomes unavailable; 0 "
                        + "for never. Refusing does not count.",
                    "Dopo tante proposte di fila senza risposta il tassista diventa non "
                        + "disponibile; 0 per mai. Rifiutare non conta."
                )
            ),
            PolicyRule(
                .noticeRetries,
                Text("Tries of a notice", "Tentativi di un avviso"),
                Text(
                    "How often a notice to a driver is tried again if his telephone is away.",
                    "Quante volte si ritenta un avviso se il telefono del tassista non risponde."
                )
            ),
        ]
    )

    static let positions = Group(
        title: Text("Positions", "Posizioni"),
        rules: [
            PolicyRule(
                .movingInterval,
                Text("Report while moving", "Invio in movimento"),
                Text(
                    "How often a moving taxi says where it is. Less often spares the battery.",
                    "Ogni quanto un taxi in moto dice dov'è. Più di rado risparmia la batteria."
                )
            ),
            PolicyRule(
                .standingInterval,
                Text("Report while standing", "Invio da fermo"),
                Text(
                    "How often a standing taxi says where it is.",
                    "Ogni quanto un taxi fermo dice dov'è."
                )
            ),
            PolicyRule(
                .stale,
                Text("Out of contact", "Contatto perso"),
                Text(
                    "After so long without a report a driver gets no offers.",
                    "Dopo tanto senza notizie il tassista non riceve proposte."
                )
            ),
            PolicyRule(
                .grace,
                Text("Keeping the turn", "Turno conservato"),
                Text(
                    "Who is heard from again within so long has the old place in the queue.",
                    "Chi torna in contatto entro tanto riprende il suo posto in coda."
                )
            ),
            PolicyRule(
                .leaveReports,
                Text("Leaving a zone: reports", "Uscita da una zona: segnali"),
                Text(
                    "After so many reports outside, a zone counts as left, so that one bad fix "
                        + "costs nobody the place.",
                    "Dopo tanti segnali fuori, la zona vale come lasciata: un solo segnale errato "
                        + "non fa perdere il posto."
                )
            ),
            PolicyRule(
                .leaveSeconds,
                Text("Leaving a zone: time", "Uscita da una zona: tempo"),
                Text(
                    "Or after so long outside, whichever comes first.",
                    "Oppure dopo tanto tempo fuori, se accade prima."
                )
            ),
        ]
    )

    static let sharing = Group(
        title: Text("Shared rides", "Corse condivise"),
        rules: [
            PolicyRule(
                .sharing,
                Text("Sharing", "Condivisione"),
                Text(
                    "Whether passengers may share a ride and its cost.",
                    "Se i passeggeri possono condividere una corsa e il suo costo."
                )
            ),
            PolicyRule(
                .shareSeats,
                Text("Seats", "Posti"),
                Text(
                    "So many seats are shared at most before the taxi is known.",
                    "Quanti posti si condividono al massimo prima di conoscere il taxi."
                )
            ),
            PolicyRule(
                .shareDetour,
                Text("Detour", "Deviazione"),
                Text(
                    "So much longer than the direct way nobody's ride may become.",
                    "Di quanto al massimo si può allungare la corsa di ciascuno."
                )
            ),
            PolicyRule(
                .shareWalk,
                Text("Walk", "Cammino"),
                Text(
                    "So long a joiner walks to the meeting point at most.",
                    "Quanto cammina al massimo chi si aggiunge fino al luogo d'incontro."
                )
            ),
            PolicyRule(
                .shareWait,
                Text("Further wait", "Attesa in più"),
                Text(
                    "So long the others wait for a joiner at most.",
                    "Quanto attendono al massimo gli altri per chi si aggiunge."
                )
            ),
        ]
    )

    static let accounts = Group(
        title: Text("Accounts", "Account"),
        rules: [
            PolicyRule(
                .passengerFields,
                Text("What passengers must give", "Cosa devono indicare i passeggeri"),
                Text(
                    "What the form of registration requires. Name, surname, e-mail and password "
                        + "are always asked for.",
                    "Cosa richiede la registrazione. Nome, cognome, e-mail e password si chiedono "
                        + "sempre."
                ),
                [
                    Text("name", "nome"), Text("surname", "cognome"), Text("e-mail", "e-mail"),
                    Text("mobile phone", "cellulare"), Text("user name", "nome utente"),
                    Text("password", "password"), Text("address", "indirizzo"),
                ]
            ),
            PolicyRule(
                .erasure,
                Text("Deleted accounts", "Account cancellati"),
                Text(
                    "How a deleted account is destroyed: its key is, without which no copy can be "
                        + "read.",
                    "Come si distrugge un account cancellato: si distrugge la chiave, senza la "
                        + "quale nessuna copia è leggibile."
                ),
                [Text("by destroying the key", "distruggendo la chiave")]
            ),
        ]
    )

    static let operation = Group(
        title: Text("Operation", "Esercizio"),
        rules: [
            PolicyRule(
                .serviceLevel,
                Text("Promise of speed", "Promessa di velocità"),
                Text(
                    "Which promise is watched: 95 % of requests within 1 s, or within 5 s and "
                        + "all within 10 s.",
                    "Quale promessa si controlla: 95 % delle richieste entro 1 s, o entro 5 s e "
                        + "tutte entro 10 s."
                ),
                [Text("1 s", "1 s"), Text("5 s, all in 10 s", "5 s, tutte in 10 s")]
            ),
            PolicyRule(
                .deployment,
                Text("Servers", "Server"),
                Text(
                    "Whether there should be a standby server. It is set up outside this console, "
                        + "which warns if the database rules one out.",
                    "Se deve esserci un server di riserva. Si configura fuori da questa console, "
                        + "che avvisa se il database non lo permette."
                ),
                [Text("one", "uno"), Text("one and a standby", "uno e una riserva")]
            ),
            PolicyRule(
                .plainHTTP,
                Text("Plain HTTP", "HTTP in chiaro"),
                Text(
                    "How connections without encryption are answered if the setting http.plain is "
                        + "\"policy\". Nothing but this answer is ever sent over them.",
                    "Come si risponde alle connessioni non cifrate se l'impostazione http.plain è "
                        + "\"policy\". Oltre a questa risposta non vi passa nulla."
                ),
                [
                    Text("refuse", "rifiutare"), Text("redirect", "reindirizzare"),
                    Text("off", "spento"),
                ]
            ),
        ]
    )
}
