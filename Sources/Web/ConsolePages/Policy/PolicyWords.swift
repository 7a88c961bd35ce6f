import Dispatching
import Localization
import TaxiPages

enum PolicyWords {
    static let title = Text("Rules of the service", "Regole del servizio")
    static func inForce(_ name: String) -> Text {
        Text("In force: \(name).", "In vigore: \(name).")
    }
    static func version(_ hash: UInt64) -> Text {
        let digits = String(hash, radix: 16)
        return Text("Version \(digits)", "Versione \(digits)")
    }
    static let never = Text(
        "These are the rules that the program came with; nobody has adopted any yet.",
        "Sono le regole fornite con il programma; nessuno ne ha ancora adottate."
    )
    static let rule = Text("Rule", "Regola")
    static let value = Text("Value", "Valore")
    static let before = Text("In force", "In vigore")
    static let after = Text("From now on", "D'ora in poi")
    static let yes = Text("yes", "sì")
    static let no = Text("no", "no")
    static let noLimit = Text("no limit", "nessun limite")
    static let nothing = Text("nothing", "nulla")
    static let edit = Text("Change single rules", "Cambia singole regole")
    static let choose = Text("Choose a preset", "Scegli un modello")
    static let chooseLead = Text(
        "You see what differs before anything changes.",
        "Vedi cosa cambia prima che cambi qualcosa."
    )
    static let use = Text("See what changes", "Vedi cosa cambia")
    static let files = Text("As a file", "Come file")
    static let download = Text("Take the rules in force as a file", "Scarica le regole in vigore")
    static let upload = Text("Read rules from a file", "Leggi le regole da un file")
    static let uploadHint = Text(
        "Lines of \"key: value\", as in the file that you can take here.",
        "Righe \"chiave: valore\", come nel file che puoi scaricare qui."
    )
    static let read = Text("Check the file", "Controlla il file")
    static let history = Text(
        "Adopted so far, the newest first",
        "Adottate finora, dalla più recente"
    )
    static let again = Text("See what changes", "Vedi cosa cambia")
    static let name = Text("Name", "Nome")
    static let nameHint = Text(
        "Small letters, digits, - and _, such as milano-2027.",
        "Lettere minuscole, cifre, - e _, come milano-2027."
    )
    static let badName = Text(
        "Use 1 to 40 small letters, digits, - or _, beginning with a letter.",
        "Usa da 1 a 40 lettere minuscole, cifre, - o _, iniziando con una lettera."
    )
    static let presetName = Text(
        "This is the name of a preset, and these rules are not its rules. Choose another name.",
        "È il nome di un modello, e queste non sono le sue regole. Scegli un altro nome."
    )
    static let endless = Text(
        "If nobody remembers who refused, the offers for one request must be limited (above 0): "
            + "else a request would never end.",
        "Se nessuno ricorda chi ha rifiutato, le proposte per una richiesta vanno limitate (più di "
            + "0): altrimenti una richiesta non finirebbe mai."
    )
    static let check = Text("See what changes", "Vedi cosa cambia")
    static let editTitle = Text("Change rules", "Cambia le regole")
    static let editLead = Text(
        "Nothing changes yet: the next page shows what differs.",
        "Non cambia ancora nulla: la pagina dopo mostra le differenze."
    )
    static let confirm = Text("Put these rules into force", "Metti in vigore queste regole")
    static func differences(_ count: Int, _ name: String) -> Text {
        Text(
            "Rules that change with \(name): \(count). A backup is taken first. Open offers keep "
                + "their deadlines.",
            "Regole che cambiano con \(name): \(count). Prima viene fatto un backup. Le proposte "
                + "aperte tengono la loro scadenza."
        )
    }
    static func same(_ name: String) -> Text {
        Text(
            "\(name) says the same as the rules in force. You can adopt it, so that it is on "
                + "record.",
            "\(name) dice lo stesso delle regole in vigore. Puoi adottarlo, così resta agli atti."
        )
    }
    static let changes = Text("What changes", "Cosa cambia")
    static let adopt = Text("Put into force", "Metti in vigore")
    static let back = Text("Back, change nothing", "Indietro, senza cambiare nulla")
    static let outdated = Text(
        "Other rules came into force in the meantime. Look at the differences again.",
        "Nel frattempo sono entrate in vigore altre regole. Ricontrolla le differenze."
    )
    static let adopted = Text("The rules are in force.", "Le regole sono in vigore.")
    static let chooseOne = Text("Choose one of the values.", "Scegli uno dei valori.")
    static let notText = Text(
        "Choose a text file of at most 64 kB in UTF-8.",
        "Scegli un file di testo di al massimo 64 kB in UTF-8."
    )
    static let unreadable = Text("not readable any more", "non più leggibile")

    static func allPresets(_ value: Text) -> Text {
        Text(
            "All presets: \(value.in(.english)).",
            "Tutti i modelli: \(value.in(.italian))."
        )
    }

    static func presets(_ values: [(String, Text)]) -> Text {
        func joined(_ words: (Text) -> String) -> String {
            values.map { "\($0.0) \(words($0.1))" }.joined(separator: "; ") + "."
        }
        return Text(
            "Presets: " + joined { $0.in(.english) },
            "Modelli: " + joined { $0.in(.italian) }
        )
    }

    static func list(_ words: [Text]) -> Text {
        guard !words.isEmpty else { return nothing }
        return Text(
            words.map { $0.in(.english) }.joined(separator: ", "),
            words.map { $0.in(.italian) }.joined(separator: ", ")
        )
    }

    static func fault(_ range: Text) -> Text {
        Text(
            "This cannot be read. \(range.in(.english))",
            "Non si può leggere. \(range.in(.italian))"
        )
    }
}

extension PolicyFailure {
    /// What is wrong with a policy file, and on which line.
    var words: Text {
        switch self {
        case .badValue(let key, let value, let allowed, let line):
            Text(
                sentence,
                (line.map { "Riga \($0): " } ?? "")
                    + "\(key) non può essere \"\(value)\": prende \(Self.italian(key) ?? allowed)."
            )
        case .unknownKey(let key, let line):
            Text(sentence, "Riga \(line): la chiave \"\(key)\" non esiste.")
        case .repeatedKey(let key, let line):
            Text(sentence, "Riga \(line): \(key) compare due volte.")
        case .badLine(let text, let line):
            Text(sentence, "Riga \(line): \"\(text)\" non ha la forma \"chiave: valore\".")
        case .unknownBase(let name, let line):
            Text(
                sentence,
                "Riga \(line): based_on non può essere \"\(name)\": prende milano-a, milano-b o "
                    + "viavai."
            )
        case .endless: PolicyWords.endless
        }
    }

    /// What a key takes in a file, in Italian.
    private static func italian(_ key: String) -> String? {
        guard let row = Policy.rows.first(where: { $0.name == key }) else { return nil }
        return switch row.kind {
        case .seconds(let least, let most): "secondi da \(least) a \(most)"
        case .hours(let least, let most): "ore da \(least) a \(most)"
        case .metres(let least, let most): "metri da \(least) a \(most)"
        case .percent(let least, let most): "percento da \(least) a \(most)"
        case .count(let least, let most): "un numero da \(least) a \(most)"
        case .optional(let least, let most): "none o un numero da \(least) a \(most)"
        case .flag: "true o false"
        case .choice(let words): words.joined(separator: ", ")
        case .fields(let words): "un elenco tra [ ] di " + words.joined(separator: ", ")
        }
    }
}
