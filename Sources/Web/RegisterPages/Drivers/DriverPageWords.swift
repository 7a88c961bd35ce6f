import Dispatching
import Localization
import Markup
import TaxiPages

enum DriverWordsOfPage {
    static let back = Text("Back to the drivers", "Torna ai tassisti")
    static let person = Text("Person and account", "Persona e account")
    static let papers = Text("Taxi and licences", "Taxi e licenze")
    static let history = Text("History", "Cronologia")
    static let actions = Text("What you can do", "Cosa puoi fare")
    static let account = Text("Account", "Account")
    static let active = Text("In use", "In uso")
    static let unconfirmed = Text(
        "Not in use yet: no password was chosen",
        "Non ancora in uso: nessuna password scelta"
    )
    static let notConfirmed = Text(
        "Not in use yet: the registration is not confirmed",
        "Non ancora in uso: registrazione non confermata"
    )
    static let now = Text("Now", "Adesso")
    static let notRegistered = Text("The taxi may not drive", "Il taxi non può circolare")
    static let inForce = Text("In force", "In vigore")
    static let given = Text("Given", "Indicato")
    static let wanted = Text("Proposed", "Proposto")
    static let changed = Text("(changed)", "(modificato)")
    static let ended = Text("(has ended)", "(scaduta)")
    static let suspended = Text("Suspended:", "Sospeso:")
    static let refused = Text("Not accepted:", "Non accettato:")
    static let unproved = Text(
        "You can look at the papers once the driver has opened the link in our mail.",
        "Potrai controllare i documenti quando il tassista avrà aperto il link della nostra e-mail."
    )
    static let awaiting = Text(
        "The papers wait for you to look at them.",
        "I documenti attendono il tuo controllo."
    )
    static let proposed = Text(
        "New papers wait for you to look at them; until then the old ones hold.",
        "Nuovi documenti attendono il tuo controllo; fino ad allora valgono i vecchi."
    )
    static let expired = Text(
        "A licence has ended: this driver gets no rides until new papers are verified.",
        "Una licenza è scaduta: il tassista non riceve corse finché non ne confermi una nuova."
    )
    static let verify = Text("Verify these papers", "Conferma questi documenti")
    static let refuse = Text("Do not accept…", "Non accettare…")
    static let edit = Text("Change", "Modifica")
    static let suspend = Text("Suspend…", "Sospendi…")
    static let resume = Text("End the suspension", "Termina la sospensione")
    static let invite = Text("Send the mail with the link again", "Invia di nuovo il link")
    static let remove = Text("Remove…", "Rimuovi…")
    static let notices: [String: Text] = [
        "entered": Text("The driver is entered.", "Il tassista è stato inserito."),
        "saved": Text("Saved.", "Salvato."),
        "verified": Text("The papers are verified.", "I documenti sono confermati."),
        "refused": Text(
            "The papers are not accepted; the driver is told.",
            "I documenti non sono accettati; il tassista viene avvisato."
        ),
        "suspended": Text(
            "The driver is suspended and signed out everywhere.",
            "Il tassista è sospeso e disconnesso ovunque."
        ),
        "resumed": Text("The suspension has ended.", "La sospensione è terminata."),
        "invited": Text("The link is on its way.", "Il link è in arrivo."),
        "manyInvitations": Text(
            "Enough links are on their way; wait until one ends.",
            "Ci sono già abbastanza link in arrivo; attendi che ne scada uno."
        ),
    ]

    /// What a taxi does now.
    static func work(_ status: TaxiStatus) -> Text {
        switch status {
        case .available: Text("In a queue", "In coda")
        case .pendingConfirmation: Text("Is being asked", "Ha una richiesta in corso")
        case .riding: Text("Has a ride", "Ha una corsa")
        case .unavailable, .removed: Text("Not in service", "Fuori servizio")
        case .outOfCity: Text("Outside the city", "Fuori città")
        case .outOfContact: Text("Not heard from", "Nessun segnale")
        }
    }
}
