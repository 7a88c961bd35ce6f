import Chronology
import Fares
import Localization
import TaxiPages

enum TariffWords {
    static let title = Text("Tariffs", "Tariffe")
    static let lead = Text(
        "What a ride costs, from which day on. Take the amounts from the city's order.",
        "Quanto costa una corsa, e da quale giorno. Prendi gli importi dall'ordinanza comunale."
    )
    static let none = Text(
        "No tariff is entered: passengers see no prices, and meters show none.",
        "Nessuna tariffa inserita: i passeggeri non vedono prezzi e i tassametri nemmeno."
    )
    static let tariffs = Text("Tariffs by their first day", "Tariffe per primo giorno")
    static let validFrom = Text("Valid from", "Valida dal")
    static let name = Text("Name", "Nome")
    static let day = Text("At the start, by day", "Alla partenza, di giorno")
    static let night = Text("At the start, by night", "Alla partenza, di notte")
    static let least = Text("Minimum", "Minimo")
    static let state = Text("State", "Stato")
    static let inForce = Text("In force", "In vigore")
    static let later = Text("Not yet", "Non ancora")
    static let past = Text("Past", "Passata")
    static let change = Text("Enter other tariffs", "Inserisci altre tariffe")
    static let changeLead = Text(
        "The file replaces all tariffs. Keep the past ones in it; each counts from its first day.",
        "Il file sostituisce tutte le tariffe. Lascia anche le passate; ognuna vale dal suo giorno."
    )
    static let download = Text("Take the file in force", "Scarica il file in vigore")
    static let example = Text(
        "Take an example file that shows every key (invented amounts)",
        "Scarica un file di esempio con tutte le voci (importi inventati)"
    )
    static let text = Text("Tariff file", "File delle tariffe")
    static let textHint = Text(
        "Lines of \"key: value\"; a line --- between two tariffs.",
        "Righe \"chiave: valore\"; una riga --- tra due tariffe."
    )
    static let upload = Text("Or choose a file", "Oppure scegli un file")
    static let uploadHint = Text(
        "If you choose one, it counts instead of the text above.",
        "Se ne scegli uno, vale al posto del testo qui sopra."
    )
    static let check = Text("Check", "Controlla")
    static let notText = Text(
        "This file is no text in UTF-8.",
        "Questo file non è un testo in UTF-8."
    )
    static let tooLong = Text(
        "A tariff file has at most 256 kB of text.",
        "Un file di tariffe ha al massimo 256 kB di testo."
    )
    static let confirm = Text("Put these tariffs into force", "Metti in vigore queste tariffe")
    static let confirmLead = Text(
        "The file is in order. Look at the amounts once more. A backup is taken first.",
        "Il file è in ordine. Ricontrolla gli importi. Prima viene fatto un backup."
    )
    static let adopt = Text("Put into force", "Metti in vigore")
    static let back = Text("Back, change nothing", "Indietro, senza cambiare nulla")
    static let adopted = Text("The tariffs are in force.", "Le tariffe sono in vigore.")
    static let note = Text("Why", "Perché")
    static let noteHint = Text(
        "One line that others find in the history: the order's number, for example.",
        "Una riga che altri troveranno nella cronologia: il numero dell'ordinanza, ad esempio."
    )
    static let history = Text("Files so far, the newest first", "File finora, dal più recente")
    static let number = Text("Number", "Numero")
    static let moment = Text("When", "Quando")
    static let author = Text("Who", "Chi")
    static let file = Text("File", "File")
    static let downloadOne = Text("Download", "Scarica")
    static let nobody = Text("Nobody", "Nessuno")
    static let gone = Text("A deleted account", "Un account cancellato")
}

extension TariffFailure {
    /// What is wrong with a tariff file, and on which line.
    var words: Text {
        switch self {
        case .badValue(let key, let value, let allowed, let line):
            Text(
                sentence,
                "Riga \(line): \(key) non può essere \"\(value)\": prende "
                    + "\(Self.italian(allowed))."
            )
        case .unknownKey(let key, let line):
            Text(sentence, "Riga \(line): la chiave \"\(key)\" non esiste.")
        case .repeatedKey(let key, let line):
            Text(sentence, "Riga \(line): \(key) compare due volte.")
        case .badLine(let text, let line):
            Text(sentence, "Riga \(line): \"\(text)\" non ha la forma \"chiave: valore\".")
        case .missingKey(let key, let line):
            Text(sentence, "Alla tariffa che inizia alla riga \(line) manca \(key).")
        case .unknownPlace(let place, let key, let line):
            Text(sentence, "Riga \(line): \(key) nomina \(place), ma non c'è place.\(place).")
        case .repeatedDate(let date, let line):
            Text(
                sentence,
                (line.map { "Riga \($0): " } ?? "")
                    + "c'è un'altra tariffa valida dal \(date.iso8601)."
            )
        case .otherCurrency(let code, let line):
            Text(
                sentence,
                (line.map { "Riga \($0): " } ?? "")
                    + "una tariffa in \(code) non può stare accanto a una in un'altra valuta."
            )
        case .empty: Text(sentence, "Il file non contiene tariffe.")
        }
    }

    /// The Italian words for what a key takes.
    private static func italian(_ allowed: String) -> String {
        phrases.reduce(allowed) { $0.replacing($1.0, with: $1.1) }
    }

    /// What the reader of tariff files says of values, part by part; longer parts come first.
    private static let phrases: [(String, String)] = [
        (
            "a list in [ ] of dates such as 2026-04-06, or 12-25 for every year",
            "un elenco tra [ ] di date come 2026-04-06, o 12-25 per ogni anno"
        ),
        (
            " with at least three corners and no crossing",
            " con almeno tre vertici e senza incroci"
        ),
        ("a code of three capital letters", "un codice di tre lettere maiuscole"),
        (
            "a time such as 06:00 other than night.from",
            "un'ora come 06:00, diversa da night.from"
        ),
        ("a time such as 06:00", "un'ora come 06:00"),
        ("a date such as 2026-01-31", "una data come 2026-01-31"),
        ("a speed such as 24.6", "una velocità come 24.6"),
        ("a number from 0 to 4", "un numero da 0 a 4"),
        ("an amount above 0", "un importo maggiore di 0"),
        ("an amount with at most", "un importo con al massimo"),
        (" decimals", " decimali"),
        ("a whole amount", "un importo intero"),
        ("true or false", "true o false"),
        ("down, nearest or up", "down, nearest o up"),
        (", then once, each or each over NUMBER", ", poi once, each o each over NUMBER"),
        (
            "all zones, zones [NAME, ...] or area [LATITUDE LONGITUDE, ...]",
            "all zones, zones [NOME, ...] o area [LATITUDINE LONGITUDINE, ...]"
        ),
    ]
}
