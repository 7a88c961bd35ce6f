/// The strings of JSON (RFC 8259, 7).
public enum JSONString {
    /// A text with its quotes.
    ///
    /// The less-than sign and the line separators of Unicode are escaped too, so that the JSON may
    /// stand within a script of a page.
    public static func quoted(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\n": json += "\\n"
            case "\0"..<" ", "<", "\u{2028}", "\u{2029}":
                json += "\\u"
                json += String(UInt64(scalar.value).hex.suffix(4))
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }

    /// An object whose values are texts, its members in the order of their names.
    public static func object(_ fields: [String: String]) -> String {
        object(of: fields.sorted { $0.key < $1.key }.map { ($0.key, quoted($0.value)) })
    }

    /// An object whose values are JSON already, its members in this order.
    public static func object(of members: [(name: String, json: String)]) -> String {
        "{" + members.map { quoted($0.name) + ":" + $0.json }.joined(separator: ",") + "}"
    }
}
