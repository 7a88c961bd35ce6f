/// The address of a page, as it is put into a message.
///
/// It is never made from what people write: it holds nothing but printable ASCII, and no character
/// that could end it in a text, in HTML or in a header.
package struct Link: Sendable, Hashable, Codable {
    /// The whole address.
    package let text: String

    /// The longest address that mail programs keep whole.
    private static let lengthLimit = 900

    /// A page by its whole address; nil where it is not `https://…`, or `http://` on loopback.
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

    /// Reads what `encode` wrote, and nothing else.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let link = Link(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a link")
            )
        }
        self = link
    }

    /// Writes the address.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// A page below this one, with what is asked of it.
    ///
    /// - Parameters:
    ///   - path: steps of the path; each is encoded, so that a slash in one stays in it.
    ///   - query: names and values, encoded too.
    /// - Returns: the link; nil where it would be too long.
    package func page(_ path: [String], query: [(String, String)] = []) -> Link? {
        var whole = text.hasSuffix("/") ? String(text.dropLast()) : text
        for step in path { whole += "/" + Self.encoded(step) }
        for (place, pair) in query.enumerated() {
            whole += (place == 0 ? "?" : "&") + Self.encoded(pair.0) + "=" + Self.encoded(pair.1)
        }
        return Link(whole)
    }

    /// Percent-encodes all but the unreserved characters of RFC 3986, 2.3.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.properties.isAlphabetic || (48...57).contains(byte)
            if byte < 128, isPlain || "-._~".unicodeScalars.contains(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    private static func isLoopback(_ address: Substring) -> Bool {
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !Array("\"'<>\\^`{|}".utf8).contains(byte)
    }
}
