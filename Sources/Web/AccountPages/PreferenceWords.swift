import Identity
import Localization
import Notify
import TaxiPages

enum PreferenceWords {
    static let title = Text("Messages to you", "Messaggi per te")
    static let lead = Text(
        "What concerns your account itself always comes by mail.",
        "Ciò che riguarda l'account stesso arriva sempre per e-mail."
    )
    static let channels = Text("How we may reach you", "Come possiamo raggiungerti")
    static let channelsHint = Text(
        "For each message we take the fastest of these that reaches you.",
        "Per ogni messaggio usiamo il più rapido di questi che ti raggiunge."
    )
    static let quietFrom = Text("Quiet from", "Silenzio dalle")
    static let quietUntil = Text("Quiet until", "Silenzio fino alle")
    static let quietHint = Text(
        "Such as 22:00. What cannot wait, as a taxi that arrives, comes all the same.",
        "Per esempio 22:00. Ciò che non può aspettare, come un taxi in arrivo, arriva comunque."
    )
    static let badTime = Text(
        "Write two different times such as 22:00 and 07:00, or none.",
        "Scrivi due orari diversi come 22:00 e 07:00, oppure nessuno."
    )
    static let kinds = Text("Other ways for single messages", "Altri modi per singoli messaggi")
    static let asAbove = Text("As above", "Come sopra")
    static let never = Text("Not at all", "Mai")
}

enum ConsentWords {
    static let title = Text("Your consent", "Il tuo consenso")
    static let lead = Text(
        "We keep your data because you consented to it. Here is the text:",
        "Conserviamo i tuoi dati perché hai dato il consenso. Ecco il testo:"
    )
    static func given(_ version: String) -> Text {
        Text(
            "You consented to version \(version) of the text",
            "Hai acconsentito alla versione \(version) del testo"
        )
    }
    static let changed = Text(
        "The text in force is one that you have not consented to yet.",
        "Il testo in vigore è uno a cui non hai ancora acconsentito."
    )
    static let consent = Text("I consent to the text in force", "Acconsento al testo in vigore")
    static let withdraw = Text("Withdraw your consent", "Revoca il consenso")
    static let withdrawLead = Text(
        "You may do so at any time. Without it we may keep nothing about you, so withdrawing it "
            + "means deleting your account.",
        "Puoi farlo in ogni momento. Senza consenso non possiamo conservare nulla di te: revocarlo "
            + "significa eliminare il tuo account."
    )
    static let `else` = Text("What you choose besides", "Cos'altro puoi scegliere")
    static let elseLead = Text(
        "Nothing else is done with your data. Which messages reach you, and how, you choose here:",
        "Con i tuoi dati non si fa altro. Quali messaggi ricevi, e come, lo scegli qui:"
    )
}

extension Preferences.Channel {
    /// What the channel is called.
    var label: Text {
        switch self {
        case .mail: Text("E-mail", "E-mail")
        case .push: Text("Notification on your device", "Notifica sul dispositivo")
        case .sms: Text("SMS", "SMS")
        }
    }
}

extension Kind {
    /// Whether a person with these roles ever gets it.
    func concerns(_ roles: Set<Role>) -> Bool {
        switch self {
        case .offer, .dutyChanged, .driverVerified, .driverRejected: roles.contains(.driver)
        default: roles.contains(.traveller)
        }
    }

    /// What a message of this kind tells; for those of which people choose the channel.
    var label: Text {
        switch self {
        case .offer: Text("A ride is offered to you", "Ti viene proposta una corsa")
        case .dutyChanged:
            Text(
                "You become unavailable, or are queued again",
                "Diventi non disponibile, o torni in coda"
            )
        case .driverVerified: Text("Your papers are verified", "I tuoi documenti sono confermati")
        case .driverRejected:
            Text("Your papers are not accepted", "I tuoi documenti non sono accettati")
        case .reservationBooked: Text("You have reserved a taxi", "Hai prenotato un taxi")
        case .reservationChanged:
            Text("Your reservation has changed", "La tua prenotazione è cambiata")
        case .reservationCancelled:
            Text("Your reservation is cancelled", "La tua prenotazione è annullata")
        case .reservationReminder:
            Text("Your reservation is soon", "La tua prenotazione è vicina")
        case .reservationNotServed:
            Text("No taxi for your reservation", "Nessun taxi per la tua prenotazione")
        case .taxiFound: Text("A taxi is coming", "Un taxi sta arrivando")
        case .taxiArrived: Text("The taxi is there", "Il taxi è arrivato")
        case .passengerMissed: Text("The taxi did not find you", "Il taxi non ti ha trovato")
        case .rideDropped: Text("The driver cannot come", "Il tassista non può venire")
        case .sharingChanged:
            Text("A ride that you share has changed", "Una corsa che condividi è cambiata")
        case .receipt: Text("Receipts", "Ricevute")
        case .serviceSuspended: Text("The service is suspended", "Il servizio è sospeso")
        case .serviceResumed: Text("The service goes on", "Il servizio riprende")
        default: Text(same: rawValue)
        }
    }
}
