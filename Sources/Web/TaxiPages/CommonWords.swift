package import Localization
import WebCore

/// Texts that pages of several features have.
package enum CommonWords {
    package static let busy = Text("One moment…", "Un momento…")

    package static let signIn = LayoutTexts.signIn

    package static let dashboard = LayoutTexts.dashboard

    package static let createAccount = Text("Create your account", "Crea il tuo account")

    package static let save = Text("Save", "Salva")

    package static let backToAccount = Text("Back to your account", "Torna al tuo account")

    package static let notGiven = Text("not given", "non indicato")

    package static let action = Text("Action", "Azione")

    package static let creating = Text("Sending…", "Invio…")

    package static let create = Text("Create account", "Crea account")

    package static let papers = Text("Your taxi and licences", "Il tuo taxi e le tue licenze")

    package static let becomeDriver = Text("Register as a taxi driver", "Registrati come tassista")

    package static let applicationSent = Text(
        "We have sent you a link. Open it within 7 days. Then the city looks at your licences and "
            + "writes to you.",
        "Ti abbiamo inviato un link. Aprilo entro 7 giorni. Poi la città controlla le tue licenze "
            + "e ti scrive."
    )

    package static let search = Text("Find", "Cerca")

    package static let unknownRide = Text("not known", "non noto")

    package static let rideTime = Text("When", "Quando")

    package static let feedback = Text("Ratings, reports, appeals", "Valutazioni, segnalazioni, reclami")

    package static let feedbackText = Text("In your words", "A parole tue")

    package static let accepted = Text("Accepted", "Accettata")

    package static let rideEnded = Text("Ended", "Finita")

    package static let outcome = Text("What became of it", "Com'è andata")

    package static let todaysRides = Text("Today's rides", "Le corse di oggi")

    /// A distance that people read: metres in steps of ten, or kilometres with a decimal.
    package static func distance(_ metres: Int64) -> Text {
        if metres < 995 {
            let rounded = metres < 20 ? max(0, metres) : (metres + 5) / 10 * 10
            return Text(same: "\(rounded) m")
        }
        let tenths = (metres + 50) / 100
        return Text(
            "\(tenths / 10).\(tenths % 10) km",
            "\(tenths / 10),\(tenths % 10) km"
        )
    }

    /// A time that passes or has passed, in its largest unit.
    package static func duration(seconds: Int64) -> Text {
        let seconds = max(0, seconds)
        if seconds < 100 { return Text(same: "\(seconds) s") }
        if seconds < 5_970 { return Text(same: "\((seconds + 30) / 60) min") }
        return Text(same: "\(seconds / 3_600) h \(seconds % 3_600 / 60) min")
    }

    package static let stops = Text("Stops in this order", "Fermate in quest'ordine")

    package static let passenger = Text("Who rides", "Chi viaggia")

    package static let unknownZone = Text("unknown", "non si sa")

    package static let zone = Text("Zone", "Zona")

    package static let until = Text("until", "fino al")

    package static let cannotBeUndone = Text(
        "This cannot be undone.",
        "Non si può tornare indietro."
    )

    /// Until when the backups can be read: `BackupFolder` removes their keys by then.
    package static let backupsKeep = Text(
        "In our backups this can be read for up to 7 days more, or until the next one is made if "
            + "that is later.",
        "Nelle copie di sicurezza questi dati restano leggibili al massimo altri 7 giorni, o fino "
            + "alla prossima copia se viene fatta più tardi."
    )

    package static let rides = Text("Your rides", "Le tue corse")

    package static let ridesTile = Text(
        "See what you asked for, and what became of it",
        "Vedi cosa hai chiesto e com'è andata"
    )

    package static let drive = Text("Drive", "Guida")

    package static let driveTile = Text(
        "Be available, take rides, see your place in the queue",
        "Renditi disponibile, accetta corse, vedi il tuo posto in coda"
    )

    package static let papersTile = Text(
        "See how your licences stand, and propose new ones",
        "Vedi lo stato delle tue licenze e proponine di nuove"
    )

    package static let savedPlaces = Text("Your places", "I tuoi luoghi")

    package static let reliability = Text("Your reliability", "La tua affidabilità")

    package static let console = Text("Console", "Console")

    package static let consoleTile = Text(
        "Set up and run the city's taxi service",
        "Configura e gestisci il servizio taxi della città"
    )
}
