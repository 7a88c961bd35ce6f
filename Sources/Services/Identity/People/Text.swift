import Foundation

extension String {
    /// The text without leading and trailing blanks.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

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

extension [UInt8] {
    /// The bytes as lower-case hexadecimal digits.
    var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * count)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes lower-case hexadecimal digits; nil for any other text.
    init?(hex: String) {
        let text = Array(hex.utf8)
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: text.count, by: 2) {
            guard let high = Self.digit(text[place]), let low = Self.digit(text[place + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        self = bytes
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
