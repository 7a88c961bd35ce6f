import Dispatching
import Localization
import TaxiPages

extension PolicyRule {
    static let offers = Group(
        title: Text("Offers to drivers", "Proposte ai tassisti"),
        rules: [
            PolicyRule(
                .offerTimeout,
                Text("Time to answer", "Tempo per rispondere"),
                Text(
                    "So long a driver may think; then the offer goes to the next, and he to the "
                        + "end of his queue.",
                    "Per tanto il tassista può pensarci; poi la proposta passa al successivo e lui "
                        + "va in fondo alla coda."
                )
            ),
            PolicyRule(
                .offerPickup,
                Text("Meeting point in the offer", "Luogo d'incontro nella proposta"),
                Text(
                    "What the driver sees before accepting.",
                    "Cosa vede il tassista prima di accettare."
                ),
                [
                    Text("the exact address", "l'indirizzo esatto"),
                    Text("the zone only", "solo la zona"),
                ]
            ),
            PolicyRule(
                .offerShowsDestination,
                Text("Destination for the driver", "Destinazione per il tassista"),
                Text(
                    "When the driver learns where the passenger wants to go. Shown before, rides "
                        + "may be refused because of it.",
                    "Quando il tassista sa dove vuole andare il passeggero. Se lo sa prima, "
                        + "può rifiutare per questo."
                ),
                [
                    Text("never", "mai"), Text("after accepting", "dopo aver accettato"),
                    Text("before accepting", "prima di accettare"),
                ]
            ),
            PolicyRule(
                .maxOffers,
                Text("Offers for one request", "Proposte per una richiesta"),
                Text(
                    "After so many offers the request ends unserved; 0 asks everybody in the "
                        + "queue once.",
                    "Dopo tante proposte la richiesta finisce senza taxi; 0 chiede una volta a "
                        + "tutti quelli in coda."
                )
            ),
            PolicyRule(
                .refusedMemory,
                Text("Who refused is asked again", "Chi ha rifiutato è richiesto di nuovo"),
                Text(
                    "How long it is remembered who refused a request. If it is forgotten at once, "
                        + "limit the offers for one request.",
                    "Per quanto si ricorda chi ha rifiutato. Se si dimentica subito, limita le "
                        + "proposte per una richiesta."
                ),
                [
                    Text("never for this request", "mai per questa richiesta"),
                    Text(
                        "at the next try of a reservation",
                        "al prossimo tentativo di una prenotazione"
                    ),
                    Text("at once", "subito"),
                ]
            ),
        ]
    )

    static let requests = Group(
        title: Text("Requests", "Richieste"),
        rules: [
            PolicyRule(
                .guestRequests,
                Text("Guests", "Ospiti"),
                Text(
                    "Whether people without an account may call a taxi. Only account holders "
                        + "reserve.",
                    "Se chi non ha un account può chiamare un taxi. Prenota solo chi ha un account."
                ),
                [Text("not allowed", "non ammessi"), Text("allowed", "ammessi")]
            ),
            PolicyRule(
                .guestContact,
                Text("How a guest is known", "Come si riconosce un ospite"),
                Text(
                    "What a guest must prove before calling. The browser alone proves nothing.",
                    "Cosa deve dimostrare un ospite prima di chiamare. Il solo browser non "
                        + "dimostra nulla."
                ),
                [
                    Text("by telephone", "con il telefono"), Text("by e-mail", "con l'e-mail"),
                    Text("by telephone or e-mail", "con telefono o e-mail"),
                    Text("by the browser only", "solo dal browser"),
                ]
            ),
            PolicyRule(
                .destination,
                Text("Destination of a request", "Destinazione di una richiesta"),
                Text(
                    "Whether passengers say where they want to go. Reservations and shared rides "
                        + "always need it.",
                    "Se i passeggeri dicono dove vanno. Prenotazioni e corse condivise lo "
                        + "richiedono sempre."
                ),
                [
                    Text("required", "obbligatoria"), Text("optional", "facoltativa"),
                    Text("not asked", "non richiesta"),
                ]
            ),
            PolicyRule(
                .gpsAccuracy,
                Text("Exactness of a position", "Precisione della posizione"),
                Text(
                    "A telephone's position serves as meeting point only if it is known to so "
                        + "many metres; otherwise an address is asked for.",
                    "La posizione del telefono vale come luogo d'incontro solo se è nota entro "
                        + "tanti metri; altrimenti si chiede un indirizzo."
                )
            ),
            PolicyRule(
                .heldTries,
                Text("Tries while no taxi is free", "Tentativi se nessun taxi è libero"),
                Text(
                    "If all taxis of the zone are answering other offers, the request waits and "
                        + "is tried so often; 0 ends it at once.",
                    "Se tutti i taxi della zona stanno rispondendo ad altri, la richiesta attende "
                        + "e si riprova tante volte; 0 la chiude subito."
                )
            ),
            PolicyRule(
                .heldRetry,
                Text("When a waiting request is tried", "Quando si riprova"),
                Text(
                    "At once when a taxi becomes free, or only at fixed times.",
                    "Appena un taxi si libera, o solo a intervalli fissi."
                ),
                [
                    Text("when a taxi becomes free", "appena un taxi si libera"),
                    Text("at fixed times", "a intervalli fissi"),
                ]
            ),
            PolicyRule(
                .heldEvery,
                Text("Time between tries", "Tempo tra i tentativi"),
                Text(
                    "How often a waiting request is tried in any case.",
                    "Ogni quanto si riprova comunque una richiesta in attesa."
                )
            ),
            PolicyRule(
                .cancelRequest,
                Text("Cancelling", "Annullamento"),
                Text(
                    "Until when a passenger may cancel. Reservations can be deleted until a taxi "
                        + "is found.",
                    "Fino a quando il passeggero può annullare. Le prenotazioni si cancellano "
                        + "finché non c'è un taxi."
                ),
                [
                    Text("never", "mai"),
                    Text("until a driver accepts", "finché un tassista accetta"),
                    Text("until the taxi arrives", "finché il taxi arriva"),
                ]
            ),
        ]
    )

    static let reservations = Group(
        title: Text("Reservations", "Prenotazioni"),
        rules: [
            PolicyRule(
                .reserveMin,
                Text("At the earliest", "Anticipo minimo"),
                Text(
                    "So long before the hour a reservation must be made.",
                    "Quanto prima dell'ora si deve prenotare."
                )
            ),
            PolicyRule(
                .reserveMax,
                Text("At the latest", "Anticipo massimo"),
                Text(
                    "So far ahead one can reserve: 360 hours are 15 days.",
                    "Con quanto anticipo si può prenotare: 360 ore sono 15 giorni."
                )
            ),
            PolicyRule(
                .allocateBefore,
                Text("Looking for the taxi", "Ricerca del taxi"),
                Text(
                    "So long before the hour the first taxi of the zone is asked.",
                    "Quanto prima dell'ora si chiede al primo taxi della zona."
                )
            ),
            PolicyRule(
                .reserveRetry,
                Text("Time between tries", "Tempo tra i tentativi"),
                Text(
                    "If no taxi is found for a reservation, it is tried again after so long.",
                    "Se non si trova un taxi per una prenotazione, si riprova dopo tanto."
                )
            ),
            PolicyRule(
                .reserveRetries,
                Text("Further tries", "Altri tentativi"),
                Text(
                    "After so many further tries it is given up, and the passenger is told.",
                    "Dopo tanti altri tentativi si rinuncia e si avvisa il passeggero."
                )
            ),
            PolicyRule(
                .reserveSnapshot,
                Text("Only taxis that wait already", "Solo taxi già in attesa"),
                Text(
                    "Whether only the taxis that are in the queue when a try begins are asked, "
                        + "not those that come during it.",
                    "Se si chiede solo ai taxi in coda all'inizio del tentativo, non a chi arriva "
                        + "durante."
                )
            ),
            PolicyRule(
                .reserveAllRefused,
                Text("If all refuse", "Se tutti rifiutano"),
                Text(
                    "What becomes of a reservation that every driver refused.",
                    "Che ne è di una prenotazione rifiutata da tutti."
                ),
                [Text("try again later", "si riprova"), Text("give it up", "si rinuncia")]
            ),
        ]
    )

    static let boarding = Group(
        title: Text("Boarding and arrival", "Salita e arrivo"),
        rules: [
            PolicyRule(
                .pinDigits,
                Text("Code of the ride", "Codice della corsa"),
                Text(
                    "Passenger and driver compare a code, so that the right person boards.",
                    "Passeggero e tassista confrontano un codice, così sale la persona giusta."
                ),
                [Text("none", "nessuno"), Text("four digits", "quattro cifre")]
            ),
            PolicyRule(
                .codeAttempts,
                Text("Wrong codes", "Codici sbagliati"),
                Text(
                    "After so many wrong codes only an operator can help.",
                    "Dopo tanti codici sbagliati può aiutare solo un operatore."
                )
            ),
            PolicyRule(
                .boardingRadius,
                Text("Question whether aboard", "Domanda se è a bordo"),
                Text(
                    "So near, in metres, the driver is asked whether the passenger is aboard; "
                        + "empty never asks.",
                    "A tanti metri si chiede al tassista se il passeggero è a bordo; vuoto non "
                        + "chiede mai."
                )
            ),
            PolicyRule(
                .etaRefresh,
                Text("Arrival told anew", "Arrivo aggiornato"),
                Text(
                    "How often the passenger is told the arrival anew; 0 tells it once.",
                    "Ogni quanto si aggiorna l'arrivo al passeggero; 0 lo dice una volta."
                )
            ),
            PolicyRule(
                .noShow,
                Text("Passenger who does not come", "Passeggero che non si presenta"),
                Text(
                    "Whether a driver at the meeting point may report it and leave.",
                    "Se il tassista sul posto può segnalarlo e andarsene."
                )
            ),
            PolicyRule(
                .noShowWait,
                Text("Waiting for the passenger", "Attesa del passeggero"),
                Text("So long he waits before that.", "Quanto attende prima di farlo.")
            ),
            PolicyRule(
                .noShowRestore,
                Text("Turn after a lost ride", "Turno dopo una corsa persa"),
                Text(
                    "Where the driver queues whose passenger did not come or cancelled.",
                    "Dove va in coda il tassista il cui passeggero non viene o annulla."
                ),
                [
                    Text("at the end", "in fondo"), Text("where he was", "dov'era"),
                    Text("in front", "davanti"),
                ]
            ),
            PolicyRule(
                .maxMissed,
                Text("Passengers who often do not come", "Passeggeri che spesso non vengono"),
                Text(
                    "Whoever missed so many rides cannot ask for another until one is forgotten or "
                        + "an operator grants the appeal; twice late is once missed, 0 is no "
                        + "limit.",
                    "Chi ha mancato tante corse non può chiederne finché una non è dimenticata o "
                        + "un operatore accoglie il reclamo; due ritardi valgono un'assenza, 0 "
                        + "nessun limite."
                )
            ),
            PolicyRule(
                .missedDays,
                Text("Memory of missed rides", "Memoria delle corse mancate"),
                Text(
                    "For so many days a missed ride counts.",
                    "Per tanti giorni conta una corsa mancata."
                )
            ),
        ]
    )
}
