import Dispatching
import Localization
import TaxiPages

extension PolicyTexts {
    static func version(_ hash: UInt64) -> Text {
        let digits = String(hash, radix: 16)
        return PolicyTexts.versionDigits(digits)
    }

    static func presets(_ values: [(String, Text)]) -> Text {
        let items = values.map { Text(joining: [Text(same: "\($0.0) "), $0.1]) }
        return PolicyTexts.presets(Text(joining: items, separator: "; "))
    }

    static func list(_ words: [Text]) -> Text {
        guard !words.isEmpty else { return nothing }
        return Text(joining: words, separator: ", ")
    }
}

extension PolicyFailure {
    /// What is wrong with a policy file, and on which line.
    var text: Text {
        switch self {
        case .badValue(let key, let value, let allowed, let line):
            FileFaultTexts.badValue(
                line.map(FileFaultTexts.line) ?? Text(same: ""),
                key,
                value,
                Self.allowed(key, allowed)
            )
        case .unknownKey(let key, let line): FileFaultTexts.unknownKey(line, key)
        case .repeatedKey(let key, let line): FileFaultTexts.repeatedKey(line, key)
        case .badLine(let text, let line): FileFaultTexts.badLine(line, text)
        case .unknownBase(let name, let line): FileFaultTexts.unknownBase(line, name)
        case .endless: PolicyTexts.endless
        }
    }

    /// What a key takes in a file.
    private static func allowed(_ key: String, _ allowed: String) -> Text {
        guard let row = Policy.rows.first(where: { $0.name == key }) else {
            return Text(same: allowed)
        }
        return switch row.kind {
        case .seconds(let least, let most): FileFaultTexts.seconds(least, most)
        case .hours(let least, let most): FileFaultTexts.hours(least, most)
        case .metres(let least, let most): FileFaultTexts.metres(least, most)
        case .percent(let least, let most): FileFaultTexts.percent(least, most)
        case .count(let least, let most): FileFaultTexts.count(least, most)
        case .optional(let least, let most): FileFaultTexts.optional(least, most)
        case .flag: FileFaultTexts.trueOrFalse
        case .choice(let words): Text(same: words.joined(separator: ", "))
        case .fields(let words): FileFaultTexts.list(words.joined(separator: ", "))
        }
    }
}
