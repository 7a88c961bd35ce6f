import Chronology
import Dispatching
import Fares
import Localization
import Taxi
import TaxiPages

enum SetUpWords {
    static let title = Text("Set the service up", "Configura il servizio")
    static func lead(_ missing: Int) -> Text {
        Text(
            "Required steps still to be done: \(missing). Until you confirm that all is entered, "
                + "the service refuses everything else.",
            "Passi obbligatori da fare: \(missing). Finché non confermi che è inserito tutto, il "
                + "servizio rifiuta ogni altra operazione."
        )
    }
    static let leadReady = Text(
        "All that is required is there. Look once more, then open the service.",
        "C'è tutto il necessario. Controlla ancora una volta, poi apri il servizio."
    )
    static let leadOpen = Text(
        "The service is open. Everything here can still be changed.",
        "Il servizio è aperto. Qui si può ancora cambiare tutto."
    )
    static let done = Text("Done", "Fatto")
    static let toDo = Text("To do", "Da fare")
    static let advised = Text("Advised", "Consigliato")
    static let toZones = Text("Draw or import zones", "Disegna o importa le zone")
    static let toDrivers = Text("Enter or import drivers", "Inserisci o importa i tassisti")
    static let toPolicy = Text("Choose the rules", "Scegli le regole")
    static let toTariffs = Text("Enter the tariff", "Inserisci la tariffa")
    static let toOpening = Text("Confirm that all is entered", "Conferma che è inserito tutto")
    static let sendTest = Text("Send me a test mail", "Inviami un'e-mail di prova")
    static let taxis = Text("Taxis", "Taxi")

    /// How a step stands, and what to do.
    static func words(of step: SetUpStep, _ setUp: SetUp) -> Text {
        switch step {
        case .cityFile: setUp.hasCityFile ? cityFile : noCityFile
        case .zones:
            setUp.zones > 0
                ? Text("Zones in force: \(setUp.zones).", "Zone in vigore: \(setUp.zones).")
                : noZones
        case .drivers: drivers(setUp)
        case .policy:
            setUp.policy.map { adopted in
                let name = adopted.policy?.name ?? ""
                return Text("In force: \(name).", "In vigore: \(name).")
            } ?? noPolicy
        case .tariff: tariff(setUp)
        case .mail: mail(setUp.mail)
        case .opening: setUp.isOpen ? isOpen : notOpen
        }
    }

    private static let cityFile = Text(
        "Streets and addresses are known: arrivals and fares can be worked out.",
        "Strade e indirizzi sono noti: si possono calcolare arrivi e prezzi."
    )
    private static let noCityFile = Text(
        "No city file: arrivals and fares stay unknown. Make one with \"viavai city import\", name "
            + "it as city.file in the settings, and start the server again.",
        "Nessun file della città: arrivi e prezzi restano ignoti. Crealo con "
            + "\"viavai city import\", indicalo come city.file nelle impostazioni e riavvia il "
            + "server."
    )
    private static let noZones = Text(
        "Each zone has its own queue of taxis. Import them from a GeoJSON file or draw them.",
        "Ogni zona ha la sua coda di taxi. Importale da un file GeoJSON o disegnale."
    )
    private static let noPolicy = Text(
        "Nobody has chosen yet. Begin with one of three presets; each rule can be changed later.",
        "Nessuno ha ancora scelto. Parti da uno dei tre modelli; ogni regola si può cambiare dopo."
    )
    private static let isOpen = Text(
        "The service takes requests.",
        "Il servizio accetta richieste."
    )
    private static let notOpen = Text(
        "When all required steps are done, confirm it: then the service takes requests.",
        "Quando i passi obbligatori sono fatti, conferma: allora il servizio accetta richieste."
    )

    private static func drivers(_ setUp: SetUp) -> Text {
        let waiting = setUp.awaiting
        if setUp.taxis == 0 {
            return waiting > 0
                ? Text(
                    "No taxi may drive yet. Drivers who wait for their papers to be checked: "
                        + "\(waiting).",
                    "Nessun taxi può ancora circolare. Tassisti in attesa del controllo dei "
                        + "documenti: \(waiting)."
                )
                : Text(
                    "Enter the drivers with their taxis one by one, or import a table.",
                    "Inserisci i tassisti con i loro taxi uno per uno, o importa una tabella."
                )
        }
        return Text(
            "Taxis: \(setUp.taxis). Drivers who wait for their papers to be checked: \(waiting).",
            "Taxi: \(setUp.taxis). Tassisti in attesa del controllo dei documenti: \(waiting)."
        )
    }

    private static func tariff(_ setUp: SetUp) -> Text {
        if let tariff = setUp.tariff {
            let date = tariff.validFrom.iso8601
            return Text(
                "In force: \(tariff.name), since \(date).",
                "In vigore: \(tariff.name), dal \(date)."
            )
        }
        return setUp.hasTariffs
            ? Text(
                "The tariffs that are entered are not in force yet: today fares are unknown.",
                "Le tariffe inserite non sono ancora in vigore: oggi i prezzi sono ignoti."
            )
            : Text(
                "Without a tariff passengers see no prices. The city's order has the amounts.",
                "Senza tariffa i passeggeri non vedono i prezzi. Prendi gli importi dall'ordinanza."
            )
    }

    private static func mail(_ state: SetUp.Mail) -> Text {
        switch state {
        case .noRelay:
            Text(
                "No mail server is set: nobody can confirm a registration. Set mail.server and "
                    + "mail.from in the settings, and start the server again.",
                "Nessun server di posta è impostato: nessuno può confermare la registrazione. "
                    + "Imposta mail.server e mail.from nelle impostazioni e riavvia il server."
            )
        case .untested:
            Text(
                "A mail server is set. Ask for a test mail to be sure that it works.",
                "Il server di posta è impostato. Chiedi un'e-mail di prova per sapere se funziona."
            )
        case .waiting:
            Text(
                "A test mail is on its way. Load this page again in a minute.",
                "Un'e-mail di prova è in viaggio. Ricarica questa pagina tra un minuto."
            )
        case .works:
            Text("The mail server took the test mail.", "Il server ha accettato l'e-mail di prova.")
        case .failed(let answer):
            Text(
                "The test mail could not be sent. The mail server said: \(answer)",
                "L'e-mail di prova non è partita. Il server di posta ha risposto: \(answer)"
            )
        }
    }

    // MARK: Opening

    static let openTitle = Text("Open the service", "Apri il servizio")
    static let openLead = Text(
        "You confirm that the city's data is complete. This cannot be taken back; zones, drivers "
            + "and rules can be changed afterwards.",
        "Confermi che i dati della città sono completi. Non si può annullare; zone, tassisti e "
            + "regole si possono cambiare anche dopo."
    )
    static let stillAdvised = Text(
        "You can open without these, but think of it:",
        "Puoi aprire anche senza, ma tienine conto:"
    )
    static let consequences = Text("What opens", "Cosa si apre")
    static let opens = [
        Text(
            "Passengers can call and reserve taxis, as the rules say.",
            "I passeggeri possono chiamare e prenotare taxi, secondo le regole."
        ),
        Text(
            "Drivers can say that they are available, and get offers.",
            "I tassisti possono dirsi disponibili e ricevono proposte."
        ),
        Text(
            "Operators can watch and help at the dispatcher's desk.",
            "Gli operatori possono seguire e aiutare dalla centrale."
        ),
        Text(
            "Every decision is written into the log from then on.",
            "Da allora ogni decisione è scritta nel registro."
        ),
    ]
    static let open = Text("Open the service now", "Apri il servizio adesso")
    static let changed = Text(
        "Something was entered in the meantime. Look at the numbers again.",
        "Nel frattempo è stato inserito qualcosa. Ricontrolla i numeri."
    )
    static let noBackup = Text(
        "The backup that must come first failed, so nothing was changed. Look at the backups.",
        "Il backup che deve venire prima non è riuscito, quindi nulla è cambiato. Guarda i backup."
    )
    static let notices: [String: Text] = [
        "mail": Text(
            "A test mail is on its way to you.",
            "Un'e-mail di prova è in viaggio verso di te."
        ),
        "missing": Text(
            "Not yet: some required steps are still to be done.",
            "Non ancora: restano passi obbligatori da fare."
        ),
        "open": Text("The service is open already.", "Il servizio è già aperto."),
        "opened": Text("The service is open.", "Il servizio è aperto."),
    ]
}
