/// Where a link or a form leads.
package struct Address: Hashable, Sendable {
    /// The address, ready for an attribute once escaped.
    package let text: String

    /// An address within this server.
    ///
    /// - Parameters:
    ///   - path: its beginning, as written in the program.
    ///   - parts: further parts of the path, which are encoded (a slash in one does not divide).
    ///   - query: fields after the question mark, which are encoded.
    ///   - fragment: the element of the page, which is encoded; none where empty.
    package init(
        _ path: StaticString,
        _ parts: String...,
        query: KeyValuePairs<String, String> = [:],
        fragment: String = ""
    ) {
        var text = path.description
        for part in parts {
            if !text.hasSuffix("/") { text += "/" }
            text += Self.encoded(part)
        }
        if !query.isEmpty {
            text +=
                "?"
                + query.map { "\(Self.encoded($0))=\(Self.encoded($1))" }
                .joined(separator: "&")
        }
        if !fragment.isEmpty { text += "#\(Self.encoded(fragment))" }
        self.text = text
    }

    /// Validates an address that comes from outside.
    ///
    /// - Returns: nil unless its scheme is safe to follow: `https`, `mailto`,
    ///   `tel`, `geo` (RFC 5870).
    package init?(outside text: String) {
        let kinds = ["https://", "mailto:", "tel:", "geo:"]
        guard kinds.contains(where: text.lowercased().hasPrefix), Self.isPlain(text) else {
            return nil
        }
        self.text = text
    }

    /// Validates an address within this server that comes from outside: where to
    /// continue after signing in.
    ///
    /// - Returns: nil where it leads anywhere else, however it is written.
    package init?(withinServer text: String) {
        guard text.hasPrefix("/"), !text.hasPrefix("//"), Self.isPlain(text) else { return nil }
        self.text = text
    }

    /// Whether it holds nothing that a browser would drop or read as something else.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    }

    /// Percent-encodes all but RFC 3986's unreserved characters.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
