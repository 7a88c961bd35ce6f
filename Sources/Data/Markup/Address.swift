import Encoding

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
    ///   - fragment: the element of the page, which is encoded; none if empty.
    package init(
        _ path: StaticString,
        _ parts: String...,
        query: KeyValuePairs<String, String> = [:],
        fragment: String = ""
    ) {
        var text = path.description
        for part in parts {
            if !text.hasSuffix("/") { text += "/" }
            text += PercentEncoding.encoded(part)
        }
        if !query.isEmpty {
            text +=
                "?"
                + query.map { "\(PercentEncoding.encoded($0))=\(PercentEncoding.encoded($1))" }
                .joined(separator: "&")
        }
        if !fragment.isEmpty { text += "#\(PercentEncoding.encoded(fragment))" }
        self.text = text
    }

    /// Validates an address that comes from outside.
    ///
    /// - Returns: nil unless its scheme is safe to follow: `https`, `mailto`,
    ///   `tel`, `geo` (RFC 5870), or that of TomTom's app, which only shows a way.
    package init?(outside text: String) {
        let kinds = ["https://", "mailto:", "tel:", "geo:", "tomtomgo://x-callback-url/navigate?"]
        guard kinds.contains(where: text.lowercased().hasPrefix), Self.isPlain(text) else {
            return nil
        }
        self.text = text
    }

    /// Validates an address within this server that comes from outside: where to
    /// continue after signing in.
    ///
    /// - Returns: nil if it leads anywhere else, however it is written.
    package init?(withinServer text: String) {
        guard text.hasPrefix("/"), !text.hasPrefix("//"), Self.isPlain(text) else { return nil }
        self.text = text
    }

    /// Whether it holds nothing that a browser would drop or read as something else.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    }
}
