/// Text of people in header fields: as it is where that is safe, else as encoded words (RFC 2047).
enum EncodedWord {
    /// The bytes of text in one encoded word: 13 groups of four characters for three bytes each,
    /// so that the word fits on a line beside a name like `Subject`.
    private static let byteLimit = 39

    /// A text for a field like `Subject`.
    static func text(_ text: String) -> String {
        let flat = flattened(text)
        // What looks like an encoded word must not be read as one.
        let isPlain = !flat.contains("=?") && flat.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        // A long word could not be folded.
        let isShort = flat.split(separator: " ").allSatisfy { $0.utf8.count <= byteLimit }
        return isPlain && isShort ? flat : words(flat)
    }

    /// A name and an address for fields like `To`.
    static func mailbox(_ address: MailAddress, name: String) -> String {
        let flat = flattened(name)
        if flat.isEmpty { return address.text }
        let isPlain = flat.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || byte == 0x20
        }
        return "\(isPlain ? text(flat) : words(flat)) <\(address.text)>"
    }

    /// The text on one line: control characters, line and paragraph separators and runs of spaces
    /// become one space.
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
            // A character must not be split between words.
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
