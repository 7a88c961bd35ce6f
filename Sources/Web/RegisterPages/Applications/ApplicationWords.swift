import Identity
import Localization
import TaxiPages
import WebCore

enum ApplicationWords {
    static let title = Text("Applications of others", "Applicazioni di terzi")
    static let lead = Text(
        "Programs of other companies that may use the service in the name of people who agree. "
            + "The interface they use comes with a later version.",
        "Programmi di altre aziende che possono usare il servizio per conto di chi acconsente. "
            + "L'interfaccia che useranno arriva con una versione successiva."
    )
    static let none = Text(
        "None is registered yet. Register one when its company has signed your terms.",
        "Nessuna è registrata. Registrane una quando l'azienda ha firmato le condizioni."
    )
    static let register = Text("Register an application", "Registra un'applicazione")
    static let registerButton = Text("Register and show the key", "Registra e mostra la chiave")
    static let formLead = Text(
        "Allow only what it needs: you can change it at any time.",
        "Permetti solo ciò che serve: puoi cambiarlo in ogni momento."
    )
    static let change = Text("Change", "Modifica")
    static let state = Text("State", "Stato")
    static let active = Text("Active", "Attiva")
    static let revoked = Text("Revoked", "Revocata")
    static let wasRevoked = Text("Its key was taken away:", "La sua chiave è stata tolta:")
    static let lastUse = Text("Last use", "Ultimo uso")
    static let neverUsed = Text("Never used", "Mai usata")
    static let rate = Text("Requests a minute", "Richieste al minuto")
    static let rateHint = Text("At most so many, 1 to 6000.", "Al massimo tante, da 1 a 6000.")
    static let nameHint = Text(
        "As people will be asked about it.",
        "Come sarà presentata alle persone."
    )
    static let contact = Text("Office that answers for it", "Ufficio che ne risponde")
    static let contactHint = Text(
        "An e-mail address of the company, not of a person.",
        "Un indirizzo e-mail dell'azienda, non di una persona."
    )
    static let redirects = Text("Addresses to come back to", "Indirizzi di ritorno")
    static let redirectsHint = Text(
        "One https:// address a line, at most 10. People are sent nowhere else.",
        "Un indirizzo https:// per riga, al massimo 10. Le persone non vanno altrove."
    )
    static let noRedirects = Text("none", "nessuno")
    static let scopes = Text("What it may do", "Cosa può fare")
    static let made = Text("Registered", "Registrata")
    static let keyMade = Text("Key made", "Chiave creata")
    static let newKey = Text("Make a new key", "Crea una nuova chiave")
    static func newKeyOf(_ name: String) -> Text {
        Text("A new key for \(name)", "Una nuova chiave per \(name)")
    }
    static let newKeyLead = Text(
        "The old key is worth nothing from that moment on: agree on it with the company.",
        "Da quel momento la vecchia chiave non vale più: concordalo con l'azienda."
    )
    static let keyTitle = Text("The key, shown once", "La chiave, mostrata una volta")
    static let keyLead = Text(
        "Copy it now and send it to the company on a safe way. We do not keep it and cannot show "
            + "it again.",
        "Copiala ora e inviala all'azienda per una via sicura. Non la conserviamo e non possiamo "
            + "mostrarla di nuovo."
    )
    static let kept = Text("I have kept it", "L'ho conservata")
    static let revoke = Text("Revoke", "Revoca")
    static func revokeOf(_ name: String) -> Text {
        Text("Revoke \(name)?", "Revocare \(name)?")
    }
    static let revokeLead = Text(
        "Its key stops working at once, for everybody who uses it. This cannot be taken back.",
        "La sua chiave smette subito di funzionare, per chiunque la usi. Non si può annullare."
    )
    static let tooMany = Text(
        "There are as many applications as there can be.",
        "Ci sono già tutte le applicazioni possibili."
    )
    static let notices: [String: Text] = [
        "saved": Text("Saved.", "Salvato."),
        "revoked": Text("Its key is worth nothing now.", "La sua chiave non vale più."),
        "shown": Text(
            "That was done already, and the key was shown once. If you do not have it, make "
                + "another.",
            "Questo era già stato fatto e la chiave è stata mostrata una volta. Se non l'hai, "
                + "creane un'altra."
        ),
    ]

    /// The fields of the form, with what is wrong.
    static func fields(
        _ form: ApplicationForm,
        _ problems: [ApplicationProblem],
        typedRate: String?
    ) -> [Field] {
        func error(_ name: String) -> Text? { problems.first { $0.field == name }?.words }
        return [
            Field(
                name: "name",
                label: FormField.name.label,
                hint: nameHint,
                value: form.name,
                error: error("name")
            ),
            Field(
                name: "contact",
                label: contact,
                kind: .email,
                hint: contactHint,
                value: form.contact,
                error: error("contact")
            ),
            Field(
                name: "redirects",
                label: redirects,
                kind: .longText,
                hint: redirectsHint,
                value: form.redirects.joined(separator: "\n"),
                error: error("redirects"),
                isRequired: false
            ),
            Field(
                name: "scopes",
                label: scopes,
                kind: .several(Scope.allCases.map { ($0.rawValue, $0.words) }),
                value: form.scopes.map(\.rawValue).joined(separator: ","),
                error: error("scopes")
            ),
            Field(
                name: "rate",
                label: rate,
                kind: .number,
                hint: rateHint,
                value: typedRate ?? "\(form.requestsPerMinute)",
                error: error("rate")
            ),
        ]
    }
}

extension ApplicationProblem {
    /// The field that it belongs to.
    fileprivate var field: String {
        switch self {
        case .nameMissing, .badName: "name"
        case .badContact: "contact"
        case .tooManyRedirects, .badRedirect, .repeatedRedirect: "redirects"
        case .noScopes: "scopes"
        case .badRate: "rate"
        case .tooManyApplications: ""
        }
    }

    /// What is wrong, and what to write instead.
    fileprivate var words: Text {
        switch self {
        case .nameMissing: Text("Fill this in.", "Compila questo campo.")
        case .badName(let most):
            Text(
                "Write one line of at most \(most) characters.",
                "Scrivi una riga di al massimo \(most) caratteri."
            )
        case .badContact:
            Text(
                "Write an address such as office@example.org.",
                "Scrivi un indirizzo come ufficio@example.org."
            )
        case .tooManyRedirects(let most):
            Text("Write at most \(most) addresses.", "Scrivi al massimo \(most) indirizzi.")
        case .badRedirect(let address):
            Text(
                "People cannot be sent to \(address): write addresses such as "
                    + "https://www.example.org/back.",
                "Non si può andare a \(address): scrivi indirizzi come "
                    + "https://www.example.org/ritorno."
            )
        case .repeatedRedirect(let address):
            Text("\(address) stands twice.", "\(address) compare due volte.")
        case .noScopes: Text("Choose at least one.", "Scegline almeno una.")
        case .badRate(let least, let most):
            Text(
                "Write a number from \(least) to \(most).",
                "Scrivi un numero da \(least) a \(most)."
            )
        case .tooManyApplications: ApplicationWords.tooMany
        }
    }
}

extension Scope {
    /// What it allows, in plain words.
    var words: Text {
        switch self {
        case .createAccounts: Text("Register new passengers", "Registrare nuovi passeggeri")
        case .readProfile:
            Text(
                "See name and contact of a person who agreed",
                "Vedere nome e contatti di chi acconsente"
            )
        case .changeProfile:
            Text(
                "Change the profile of a person who agreed",
                "Cambiare il profilo di chi acconsente"
            )
        case .callTaxis: Text("Call taxis and cancel calls", "Chiamare taxi e annullare")
        case .reserve:
            Text("Make, see and delete reservations", "Fare, vedere e cancellare prenotazioni")
        case .shareRides:
            Text("Propose and join shared rides", "Proporre e unirsi a corse condivise")
        case .followRides:
            Text(
                "See arrival, taxi and past rides of a person who agreed",
                "Vedere arrivo, taxi e corse passate di chi acconsente"
            )
        case .driverDuty:
            Text(
                "Set a driver's availability and answer offers",
                "Impostare la disponibilità di un tassista e rispondere alle proposte"
            )
        case .driverPosition:
            Text("Report a driver's position", "Inviare la posizione di un tassista")
        case .driverRides:
            Text(
                "Say that a passenger is aboard and that a ride ended",
                "Dire che un passeggero è a bordo e che una corsa è finita"
            )
        }
    }
}
