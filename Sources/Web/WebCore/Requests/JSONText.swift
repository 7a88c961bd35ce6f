import Encoding

/// A text as JSON writes it, with its quotes (RFC 8259).
package struct JSONText: CustomStringConvertible {
    package let description: String

    package init(_ text: String) {
        var json = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\n": json += "\\n"
            case "\0"..<" ", "<", "\u{2028}", "\u{2029}":
                json += "\\u" + UInt64(character.value).hex.suffix(4)
            default: json.unicodeScalars.append(character)
            }
        }
        description = json + "\""
    }
}
