import Encoding
import Foundation

extension String {
    /// The text without leading and trailing blanks.
    var trimmed: String { trimmingWhiteSpace() }

    /// The text in Unicode normalisation form C, independent of the keyboard.
    var composed: String { precomposedStringWithCanonicalMapping }

    /// Whether it fits in one line of a page, an e-mail or a log: no control characters, no line or
    /// paragraph separators, nothing that reverses the text direction.
    var isOneLine: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
            default: !(0x202A...0x202E ~= scalar.value || 0x2066...0x2069 ~= scalar.value)
            }
        }
    }
}

extension String {
    /// Whether a mail program or a chat would turn a part of the text into a link.
    ///
    /// A dot alone makes no link, because names and addresses have them too (`Dott.ssa`,
    /// `P.zza Duomo`): there must be a path, or an ending that many domains have.
    var holdsLink: Bool {
        lowercased().split(whereSeparator: \.isWhitespace).contains { word in
            if word.contains("://") || word.contains("www.") { return true }
            let host = word.drop { !$0.isLetter && !$0.isNumber }.prefix { $0 != "/" }
            let labels = host.split(separator: ".")
            guard labels.count > 1, let ending = labels.last?.prefix(while: \.isLetter) else {
                return false
            }
            return host.endIndex < word.endIndex && ending.count > 1
                || Self.linkEndings.contains(String(ending))
        }
    }

    /// The last labels of the domains that are most often abused, none of them an abbreviation.
    private static let linkEndings: Set = [
        "app", "biz", "click", "cn", "com", "eu", "info", "io", "it", "link", "net", "online",
        "org", "ru", "shop", "site", "top", "xyz",
    ]
}

extension Unicode.Scalar {
    /// Whether the character shows nothing of its own: marks of direction, zero width characters,
    /// soft hyphens, tags and fillers.
    ///
    /// The selector that gives an emoji its colours is not counted.
    package var isInvisible: Bool {
        guard value != 0xFE0F else { return false }
        // U+2800, a Braille pattern without dots, has a width and no ink.
        return properties.generalCategory == .format || properties.isDefaultIgnorableCodePoint
            || value == 0x2800
    }
}
