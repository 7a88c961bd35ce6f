import Chronology
import Fares
import Localization
import TaxiPages

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
