import Drivers
import Identity
import Localization
import Markup
import TaxiPages

enum DriverListWords {
    static let title = Text("Drivers and taxis", "Tassisti e taxi")
    static let tile = Text(
        "Enter, verify, suspend and remove drivers; see which licences end",
        "Inserisci, verifica, sospendi e rimuovi tassisti; vedi le licenze in scadenza"
    )
    static let enter = Text("Enter a driver", "Inserisci un tassista")
    static let bringIn = Text("Import a table of drivers", "Importa una tabella di tassisti")
    static let find = Text("Find a driver", "Cerca un tassista")
    static let findHint = Text(
        "Taxi code, plate, licence, mobile phone or e-mail in full; or how the name begins.",
        "Codice taxi, targa, licenza, cellulare o e-mail per intero; o l'inizio del nome."
    )
    static let show = Text("Which drivers to show", "Quali tassisti mostrare")
    static let next = Text("Next drivers", "Tassisti successivi")
    static let back = Text("Back to the dashboard", "Torna al pannello")
    static let name = Text("Name", "Nome")
    static let standing = Text("Standing", "Stato")
    static let until = Text("Licences until", "Licenze fino al")
    static let foundThese = Text("Drivers found", "Tassisti trovati")
    static let isVerified = Text("Verified", "Verificato")
    static let isRefused = Text("Not accepted", "Non accettato")
    static let isSuspended = Text("Suspended", "Sospeso")
    static let newPapers = Text(
        "Verified; new papers wait",
        "Verificato; nuovi documenti in attesa"
    )
    static let notFound = Text(
        "Nobody was found. Codes, plates and licences must be written in full.",
        "Nessun risultato. Codici, targhe e licenze vanno scritti per intero."
    )
    static let nobody = Text(
        "There are no drivers yet. Enter one, or import a table.",
        "Non ci sono ancora tassisti. Inseriscine uno, o importa una tabella."
    )
    static let noneSuch = Text("There is no such driver now.", "Al momento non ce ne sono.")
    static let notices: [String: Text] = [
        "removed": Text("The driver is removed.", "Il tassista è stato rimosso.")
    ]
}

extension DriverFilter {
    /// What the filter is called.
    var label: Text {
        switch self {
        case .all: Text("All drivers", "Tutti i tassisti")
        case .awaiting: Text("Waiting to be verified", "In attesa di verifica")
        case .verified: Text("Verified", "Verificati")
        case .refused: Text("Not accepted", "Non accettati")
        case .suspended: Text("Suspended", "Sospesi")
        case .expiring: Text("A licence ends within 90 days", "Una licenza scade entro 90 giorni")
        case .expired: Text("A licence has ended", "Una licenza è scaduta")
        }
    }
}
