import Localization
import TaxiPages

/// The words with which an operator calls a taxi for somebody.
enum CallerWords {
    static let title = Text("Call a taxi for a caller", "Chiama un taxi per chi telefona")
    static let lead = Text(
        "The caller gets code, plate and news by message. For a taxi now no name is kept, and the "
            + "contact is forgotten some days later.",
        "Chi telefona riceve codice, targa e notizie con un messaggio. Per un taxi subito nessun "
            + "nome è conservato, e il recapito viene dimenticato dopo qualche giorno."
    )
    static let refused = Text(
        "By the city's rules, or because this server can send no messages, taxis are called only "
            + "by passengers with an account.",
        "Per le regole della città, o perché questo server non può inviare messaggi, i taxi sono "
            + "chiamati solo da passeggeri con un account."
    )
    static let contact = Text("Contact", "Recapito")
    static let contactHint = Text(
        "The caller's own: one request at a time for each. To reserve for later, the e-mail or "
            + "the user name of the caller's account.",
        "Quello di chi telefona: una richiesta alla volta per ciascuno. Per prenotare, l'e-mail o "
            + "il nome utente del suo account."
    )
    static let accountHint = Text(
        "Only to reserve for later: the e-mail or the user name of the caller's account.",
        "Solo per prenotare: l'e-mail o il nome utente dell'account di chi telefona."
    )
    static let noAccount = Text(
        "A reservation needs an account, and there is none with this e-mail or user name. For a "
            + "taxi now choose Now.",
        "Per prenotare serve un account, e non ce n'è uno con questa e-mail o questo nome utente. "
            + "Per un taxi adesso scegli Adesso."
    )
    static let language = Text("Language of the messages", "Lingua dei messaggi")
    static let check = Text("Check it with the caller", "Controlla con chi telefona")
    static let confirm = Text("Is this right?", "È giusto?")
    static let call = Text("Call the taxi", "Chiama il taxi")
    static let again = Text("Fill it in anew", "Compila di nuovo")
}
