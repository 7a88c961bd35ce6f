import Encoding

/// Free text in header fields: verbatim if that is safe, otherwise as encoded words (RFC 2047).
enum EncodedWord {
    /// The number of bytes in one encoded word: 13 groups of three bytes with four characters each,
    /// so that the word fits on a line beside a field name like `Subject`.
    private static let byteLimit = 39

    /// Encodes a text for a field like `Subject`.
    static func text(_ text: String) -> String {
        let flat = flattened(text)
        // A text that looks like an encoded word must not be decoded as one.
        let isPlain = !flat.contains("=?") && flat.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        // A long word could not be folded.
        let isShort = flat.split(separator: " ").allSatisfy { $0.utf8.count <= byteLimit }
        return isPlain && isShort ? flat : words(flat)
    }

    /// Encodes a name with an address for fields like `To`.
    static func mailbox(_ address: MailAddress, name: String) -> String {
        let flat = flattened(name)
        if flat.isEmpty { return address.text }
        let isPlain = flat.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == 0x20
        }
        return "\(isPlain ? text(flat) : words(flat)) <\(address.text)>"
    }

    /// Replaces control characters, line and paragraph separators and runs of spaces by one space.
    private static func flattened(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view).split(separator: " ").joined(separator: " ")
    }

    private static func words(_ text: String) -> String {
        var words: [String] = []
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            // A character must not be split between two encoded words.
            let next = Array(String(scalar).utf8)
            if bytes.count + next.count > byteLimit {
                words.append(word(bytes))
                bytes = []
            }
            bytes += next
        }
        words.append(word(bytes))
        return words.joined(separator: " ")
    }

    private static func word(_ bytes: [UInt8]) -> String {
        "=?utf-8?B?\(Base64.encoded(bytes))?="
    }
}
