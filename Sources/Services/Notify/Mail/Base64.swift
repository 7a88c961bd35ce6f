/// The Base64 encodings of RFC 4648.
enum Base64 {
    private static let plain = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )
    private static let forURLs = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    /// Encodes with the standard alphabet and `=` padding (RFC 4648, 4).
    static func encoded(_ bytes: [UInt8]) -> String {
        let text = encoded(bytes, letters: plain)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    /// Encodes with the URL-safe alphabet and without padding (RFC 4648, 5).
    static func encodedForURL(_ bytes: [UInt8]) -> String {
        encoded(bytes, letters: forURLs)
    }

    /// Decodes either alphabet, with or without padding; nil for any other text.
    static func decoded(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        let unfilled = Array(text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed())
        guard unfilled.count % 4 != 1, text.utf8.count - unfilled.count <= 2 else { return nil }
        for letter in unfilled {
            guard let value = plain.firstIndex(of: letter) ?? forURLs.firstIndex(of: letter) else {
                return nil
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        // The remaining bits belong to no byte and are zero in a canonical encoding.
        return bits & ((1 << UInt32(count)) - 1) == 0 ? bytes : nil
    }

    private static func encoded(_ bytes: [UInt8], letters: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(3 - group.count) * 8
            for place in 0...group.count {
                text.append(letters[Int(bits >> UInt32(18 - 6 * place) & 63)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
