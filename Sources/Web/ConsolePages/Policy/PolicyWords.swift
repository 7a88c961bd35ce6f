import Dispatching
import Localization
import TaxiPages

extension PolicyTexts {
    static func version(_ hash: UInt64) -> Text {
        let digits = String(hash, radix: 16)
        return PolicyTexts.version2("\(digits)")
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
        return Text(joining: words, separator: ", ")
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
        case .endless: PolicyTexts.endless
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
