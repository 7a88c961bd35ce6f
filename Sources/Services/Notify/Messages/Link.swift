import Encoding

/// The URL of a page, safe to be inserted into a message.
///
/// It is never made of user input: it contains only printable ASCII and no character that could end
/// it in a text, in HTML or in a header.
package struct Link: Sendable, Hashable, Codable {
    /// The complete URL.
    package let text: String

    /// The longest URL that mail programs do not break.
    private static let lengthLimit = 900

    /// Creates a link from a complete URL; nil unless it is `https://…`, or `http://` on loopback.
    package init?(_ text: String) {
        let number = text.dropFirst("http://".count).prefix { $0 == "." || $0.isNumber }
        let near = ["localhost", "[::1]"] + (Self.isLoopback(number) ? [String(number)] : [])
        let loopback = near.map { "http://" + $0 }.contains { start in
            text.hasPrefix(start) && [nil, ":", "/"].contains(text.dropFirst(start.count).first)
        }
        let secure = "https://"
        guard loopback || text.hasPrefix(secure) && text.utf8.count > secure.utf8.count,
            text.utf8.count <= Self.lengthLimit, text.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.text = text
    }

    /// Decodes and validates a URL.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let link = Link(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a link")
            )
        }
        self = link
    }

    /// Encodes the URL as a string.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Returns the link to a page below this one.
    ///
    /// - Parameters:
    ///   - path: the path segments; each is percent-encoded, including slashes.
    ///   - query: names and values, percent-encoded too.
    /// - Returns: the link; nil if it would be too long.
    package func page(_ path: [String], query: [(String, String)] = []) -> Link? {
        var whole = text.hasSuffix("/") ? String(text.dropLast()) : text
        for step in path { whole += "/" + PercentEncoding.encoded(step) }
        for (place, pair) in query.enumerated() {
            let parts = [pair.0, pair.1].map(PercentEncoding.encoded)
            whole += (place == 0 ? "?" : "&") + parts.joined(separator: "=")
        }
        return Link(whole)
    }

    private static func isLoopback(_ address: Substring) -> Bool {
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !Array("\"'<>\\^`{|}".utf8).contains(byte)
    }
}
