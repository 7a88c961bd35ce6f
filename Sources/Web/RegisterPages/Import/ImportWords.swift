package import Identity
package import Localization
import TaxiPages
import WebCore

enum ImportWords {
    static let title = Text("Import from the old system", "Importa dal vecchio sistema")
    static let tile = Text(
        "Bring drivers, passengers, reservations and rides in from tables",
        "Porta qui tassisti, passeggeri, prenotazioni e corse da tabelle"
    )
    static let lead = Text(
        "Each table is first checked without effect. Only then you decide.",
        "Ogni tabella viene prima controllata senza effetti. Solo dopo decidi tu."
    )
    static let file = Text("Table (CSV file)", "Tabella (file CSV)")
    static let fileHint = Text(
        "UTF-8, with commas or semicolons; the first line names the columns. At most 16 MB.",
        "UTF-8, con virgole o punti e virgola; la prima riga nomina le colonne. Al massimo 16 MB."
    )
    static let check = Text("Check the table", "Controlla la tabella")
    static let checking = Text("Checking…", "Controllo…")
    static let entering = Text("Entering…", "Inserimento…")
    static let noFile = Text("Choose a file.", "Scegli un file.")
    static let gone = Text(
        "The file is no longer kept here. Nothing was entered; send it again.",
        "Il file non è più disponibile. Non è stato inserito nulla; invialo di nuovo."
    )
    static let columns = Text("The columns", "Le colonne")
    static let caption = Text("Columns, in any order", "Colonne, in qualsiasi ordine")
    static let template = Text("Download an empty table", "Scarica una tabella vuota")
    static let column = Text("Column", "Colonna")
    static let meaning = Text("Meaning", "Significato")
    static let needed = Text("Needed", "Necessaria")
    static let example = Text("Example", "Esempio")
    static let required = Text("yes", "sì")
    static let mayMiss = Text("may be left out", "può mancare")
    static let language = Text(
        "Language of mails: it or en; Italian where empty",
        "Lingua delle e-mail: it o en; italiano se vuota"
    )
    static let seats = Text(
        "Seats for passengers, 1 to 9; 4 where empty",
        "Posti per i passeggeri, da 1 a 9; 4 se vuota"
    )
    static let neededSeats = Text(
        "Seats that are needed, 1 to 9; 1 where empty",
        "Posti necessari, da 1 a 9; 1 se vuota"
    )
    static let wheelchair = Text(
        "Room for a wheelchair: yes or no; no where empty",
        "Spazio per una sedia a rotelle: yes o no; no se vuota"
    )
    static let back = Text("Back", "Indietro")
    static let another = Text("Choose another file", "Scegli un altro file")
    static let field = Text("Field", "Campo")
    static let wrong = Text("What is wrong", "Cosa non va")
    static let wrongLines = Text(
        "Lines that cannot be entered",
        "Righe che non si possono inserire"
    )
    static func found(_ report: ImportOutcome) -> Text {
        let wrong = report.rejected.count
        return Text(
            "\(report.good) lines are in order, \(wrong) are not. Nothing is entered yet.",
            "\(report.good) righe sono corrette, \(wrong) no. Non è ancora stato inserito nulla."
        )
    }
    static func enterAll(_ count: Int) -> Text {
        Text("Enter all \(count) lines", "Inserisci tutte le \(count) righe")
    }
    static func enterGood(_ count: Int) -> Text {
        Text(
            "Enter the \(count) lines that are in order",
            "Inserisci le \(count) righe corrette"
        )
    }
    static func entered(_ count: Int) -> Text {
        Text("\(count) lines were entered.", "\(count) righe inserite.")
    }
    static func more(_ count: Int) -> Text {
        Text("And \(count) further lines.", "E altre \(count) righe.")
    }
}

extension BadTable {
    /// Why the table cannot be read.
    package var words: Text {
        switch self {
        case .tooLarge(let most):
            Text(
                "The file is larger than \(most >> 20) MB.",
                "Il file supera i \(most >> 20) MB."
            )
        case .tooManyRows(let most):
            Text("There are more than \(most) lines.", "Ci sono più di \(most) righe.")
        case .noColumns:
            Text(
                "The first line must name the columns, in UTF-8.",
                "La prima riga deve nominare le colonne, in UTF-8."
            )
        case .missingColumns(let names):
            Text(
                "These columns are missing: \(Self.list(names)).",
                "Mancano queste colonne: \(Self.list(names))."
            )
        case .unknownColumns(let names):
            Text(
                "These columns are unknown or named twice: \(Self.list(names)).",
                "Queste colonne sono sconosciute o ripetute: \(Self.list(names))."
            )
        }
    }

    /// Names from a file of which nobody knows how long they are.
    private static func list(_ names: [String]) -> String {
        names.prefix(10).map { String($0.prefix(40)) }.joined(separator: ", ")
    }
}
