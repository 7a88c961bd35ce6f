package import Chronology
package import Dispatching

/// Describes facts in Italian.
package struct ItalianTeller: StoryTeller {
    private let clock: @Sendable (Moment) -> String

    /// Creates a teller that formats times with the given function, for example as 08:31:05.
    package init(clock: @escaping @Sendable (Moment) -> String) {
        self.clock = clock
    }

    /// Formats an instant.
    package func time(_ moment: Moment) -> String { clock(moment) }

    /// States that no driver had an offer for a request.
    package func nobodyAsked(_ request: RequestNumber) -> String {
        "Per la richiesta \(request.rawValue) non è stato interpellato nessun tassista."
    }

    /// States that a taxi had an offer.
    package func asked(_ taxi: String) -> String { "È stato interpellato il taxi \(taxi)." }

    /// Describes a fact in a sentence.
    package func sentence(_ fact: Fact) -> String {
        switch fact {
        case .asked(let zone, let needs, let isShared):
            "Chiamata di un taxi nella zona \(zone) per \(people(needs))"
                + (isShared ? ", corsa condivisibile." : ".")
        case .booked(let zone, let needs, let due, let firstTry):
            "Prenotazione di un taxi nella zona \(zone) per \(people(needs)) alle ore"
                + " \(clock(due)); la ricerca comincia alle \(clock(firstTry))."
        case .joined(let owner): "Condivide la corsa della richiesta \(owner.rawValue)."
        case .gainedJoiner(let joiner):
            "La richiesta \(joiner.rawValue) si aggiunge alla corsa."
        case .tried(let count):
            "Comincia la ricerca per la prenotazione (tentativo \(count))."
        case .postponed(let cause, let next):
            "\(why(cause)); il prossimo tentativo è alle \(clock(next))."
        case .held(let next):
            "Nessun tassista è libero, ma uno della zona è interpellato per un'altra richiesta:"
                + " in attesa al più tardi fino alle \(clock(next))."
        case .heldTried(let count): "Si riprova (\(count))."
        case .parked(let reason): "L'operatore l'ha messa da parte: \(reason)."
        case .unparked: "L'operatore l'ha ripresa."
        case .changedOwner(let old, let new):
            "La richiesta \(old.rawValue) si è ritirata; ora la corsa è della richiesta"
                + " \(new.rawValue)."
        case .ended(let outcome, let reason):
            end(outcome) + (reason.isEmpty ? "." : ": \(reason).")
        default: driving(fact)
        }
    }

    private func driving(_ fact: Fact) -> String {
        switch fact {
        case .offered(let taxi, let rule, let place, let deadline, let passed):
            "È interpellato il taxi \(taxi), \(place)º della coda, \(by(rule)); ha tempo fino"
                + " alle \(clock(deadline))." + over(passed)
        case .shown(let taxi): "Il taxi \(taxi) mostra l'offerta."
        case .renewed(let taxi, let deadline):
            "Il servizio era fermo: ora il taxi \(taxi) ha tempo fino alle \(clock(deadline))."
        case .declined(let taxi, let outcome): "Il taxi \(taxi) \(did(outcome))."
        case .accepted(let taxi): "Il taxi \(taxi) accetta."
        case .assigned(let taxi, let reason): "L'operatore ha scelto il taxi \(taxi): \(reason)."
        case .stated(let taxi):
            "Quanto segue è sulla parola del tassista: nessun dispositivo ha misurato dov'era il "
                + "taxi \(taxi)."
        case .reached(let taxi): "Il taxi \(taxi) è al punto d'incontro."
        case .wrongCode(let taxi): "Nel taxi \(taxi) è stato inserito un codice errato."
        case .boarded(let taxi, let count):
            count == 1
                ? "A bordo del taxi \(taxi): 1 persona."
                : "A bordo del taxi \(taxi): \(count) persone."
        case .arrived(let taxi): "Il taxi \(taxi) è a destinazione."
        case .givenBack(let taxi, .dispatcher, let reason):
            "L'operatore ne manda un altro al posto del taxi \(taxi): \(reason)."
        case .givenBack(let taxi, let cause, _): "Il taxi \(taxi) non può venire\(because(cause))."
        default: ""
        }
    }

    private func over(_ passed: [Fact.Passed]) -> String {
        if passed.isEmpty { return "" }
        let each = passed.map { "\($0.taxi) (\(short($0.reason)))" }.joined(separator: ", ")
        return " Davanti c'era\(passed.count == 1 ? "" : "no") \(each)."
    }

    private func people(_ needs: Capacity) -> String {
        (needs.seats == 1 ? "1 passeggero" : "\(needs.seats) passeggeri")
            + (needs.wheelchair ? " e una sedia a rotelle" : "")
    }

    private func by(_ rule: OfferRule) -> String {
        switch rule {
        case .firstInQueue: "come primo che può servirla"
        case .heldRequest: "come primo che può servirla, dopo l'attesa della richiesta"
        case .reservation: "come primo che può servire la prenotazione"
        case .assigned: "per scelta dell'operatore"
        case .neighbour: "da un'altra zona, la più vicina con un tassista che può servirla"
        }
    }

    private func did(_ outcome: OfferOutcome) -> String {
        switch outcome {
        case .refused: "rifiuta e va in fondo alla sua coda"
        case .ignored: "non risponde in tempo e va in fondo alla sua coda"
        case .undeliverable: "non è raggiungibile; si interpella il prossimo"
        case .withdrawn: "non è più interpellato e conserva il suo posto"
        }
    }

    private func because(_ cause: GiveBackCause) -> String {
        switch cause {
        case .breakdown: ": ha un guasto"
        case .accident: " dopo un incidente"
        case .road: ": la strada è chiusa"
        case .other, .dispatcher: ", dice il tassista"
        }
    }

    private func why(_ cause: PostponeCause) -> String {
        switch cause {
        case .noTaxi: "Nessun tassista l'ha presa"
        case .passengerBusy: "Il passeggero ha un'altra richiesta in corso"
        case .suspended: "Il servizio è sospeso"
        }
    }

    private func end(_ outcome: RequestOutcome) -> String {
        switch outcome {
        case .completed: "La corsa è finita"
        case .noTaxi: "Non c'erano taxi nella zona: il passeggero è stato avvisato"
        case .allRefused:
            "Tutti quelli che si potevano interpellare hanno rifiutato: il passeggero è stato"
                + " avvisato"
        case .heldTooLong:
            "Si è riprovato quanto le regole consentono: il passeggero è stato avvisato"
        case .dropped:
            "Si è provato per la prenotazione quanto le regole consentono, poi è decaduta"
        case .cancelled: "Il passeggero ha annullato"
        case .withdrawn: "L'operatore l'ha annullata"
        case .noShow: "Il passeggero non si è presentato"
        case .suspended: "Il servizio è stato sospeso: il passeggero è stato avvisato"
        case .outsideCity:
            "Le zone sono state ridisegnate e il punto d'incontro ne è rimasto fuori"
        }
    }

    private func short(_ reason: Fact.Reason) -> String {
        switch reason {
        case .tooSmall: "troppo piccolo"
        case .askedBefore: "già interpellato"
        case .cameLater: "arrivato dopo l'inizio del tentativo"
        case .assigned: "l'operatore ne ha scelto un altro"
        case .furtherBack, .elsewhere, .nearer, .status, .chosen: "non interpellabile"
        }
    }

    /// Describes in a sentence why a taxi did not get an offer.
    package func sentence(_ reason: Fact.Reason, taxi: String) -> String {
        switch reason {
        case .tooSmall: "Il taxi \(taxi) non può portare quanto richiesto."
        case .askedBefore: "Il taxi \(taxi) era già stato interpellato per questa richiesta."
        case .cameLater: "Il taxi \(taxi) è entrato in coda dopo l'inizio del tentativo."
        case .assigned: "Lo ha scelto l'operatore."
        case .furtherBack(let ahead): "Il taxi \(taxi) era più indietro: \(ahead) davanti a lui."
        case .elsewhere(let zone): "Il taxi \(taxi) era in coda in un'altra zona, \(zone)."
        case .nearer(let zone):
            "Il taxi \(taxi) era in \(zone); è stato interpellato un tassista di una zona più"
                + " vicina."
        case .status(let status): "Il taxi \(taxi) era \(state(status))."
        case .chosen: "È toccato a lui."
        }
    }

    private func state(_ status: TaxiStatus) -> String {
        switch status {
        case .available: "disponibile"
        case .pendingConfirmation: "interpellato per un'altra richiesta"
        case .riding: "in corsa"
        case .unavailable: "fuori servizio"
        case .outOfCity: "fuori città"
        case .outOfContact: "senza contatto"
        case .removed: "non più registrato"
        }
    }
}
