/// The fields of comma-separated text (RFC 4180).
public enum CSVText {
    /// A field, in quotes where it needs them.
    public static func field(_ text: String) -> String {
        text.utf8.contains { ",\"\n\r".utf8.contains($0) } ? quoted(text) : text
    }

    /// A field in quotes.
    public static func quoted(_ text: String) -> String {
        var field: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { field.append(byte) }
            field.append(byte)
        }
        field.append(UInt8(ascii: "\""))
        return String(decoding: field, as: UTF8.self)
    }
}
