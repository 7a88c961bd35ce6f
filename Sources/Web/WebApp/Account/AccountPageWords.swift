import Localization
import Markup
import WebCore

enum DashboardWords {
    static let title = LayoutTexts.dashboard
    static func welcome(_ name: String) -> Text { Text("Welcome, \(name)", "Ciao, \(name)") }
    static let account = Text(
        "See and change what we keep about you, take it along, delete it",
        "Vedi e modifica ciò che conserviamo di te, scaricalo, cancellalo"
    )
    static let sessions = Text(
        "See where you are signed in, and sign out there",
        "Vedi dove hai effettuato l'accesso, ed esci da lì"
    )
}

enum AccountPageWords {
    static let title = Text("Your account", "Il tuo account")
    static let edit = Text("Change your profile", "Modifica il tuo profilo")
    static let change = Text("Change", "Modifica")
    static let save = Text("Save", "Salva")
    static let notGiven = Text("not given", "non indicato")
    static let back = Text("Back to your account", "Torna al tuo account")
    static let newEmail = Text("New e-mail address", "Nuovo indirizzo e-mail")
    static let newEmailLead = Text(
        "We send a link to the new address. Until you open it, the old one holds.",
        "Inviamo un link al nuovo indirizzo. Finché non lo apri, vale quello vecchio."
    )
    static let newUserName = Text("New user name", "Nuovo nome utente")
    static let newUserNameLead = Text(
        "We send a link to your e-mail address. Until you open it, the old name holds.",
        "Inviamo un link al tuo indirizzo e-mail. Finché non lo apri, vale il vecchio nome."
    )
    static let sendLink = Text("Send the link", "Invia il link")
    static let confirmChange = Text("Confirm the change", "Conferma la modifica")
    static func waits(_ value: String) -> Text {
        Text(
            "\(value) waits for you to open the link in our mail.",
            "\(value) attende che tu apra il link nella nostra e-mail."
        )
    }
    static let giveUp = Text("Give this change up", "Rinuncia alla modifica")
    static let sessions = Text("Where you are signed in", "Dove hai effettuato l'accesso")
    static let sessionsLead = Text(
        "Do you not know one of these? End it, and change your password.",
        "Non ne riconosci uno? Chiudilo e cambia la password."
    )
    static let export = Text(
        "Take all your data along (a file)",
        "Scarica tutti i tuoi dati (un file)"
    )
    static let device = Text("Device", "Dispositivo")
    static let lastUse = Text("Last use", "Ultimo uso")
    static let action = Text("Action", "Azione")
    static let thisOne = Text("This one", "Questo")
    static let unknown = Text("Unknown device", "Dispositivo sconosciuto")
    static let endSession = Text("Sign out", "Esci")
    static let endOthers = Text("Sign out everywhere else", "Esci da tutti gli altri")
    static let notices: [String: Text] = [
        "saved": Text("Saved.", "Salvato."),
        "password": Text(
            "Your password is changed. You are signed out on all other devices.",
            "La password è cambiata. Sei uscito da tutti gli altri dispositivi."
        ),
        "mail": Text(
            "Look at your mail: the change holds once you open the link.",
            "Controlla la posta: la modifica vale quando apri il link."
        ),
        "aborted": Text("Everything stays as it was.", "Resta tutto com'era."),
        "device": Text(
            "This browser shows notices now.",
            "Ora questo browser mostra le notifiche."
        ),
        "device-gone": Text(
            "The device shows no notices any more.",
            "Il dispositivo non mostra più notifiche."
        ),
    ]
}
