/// The Base64 encodings of RFC 4648.
public enum Base64 {
    /// Encodes with the standard alphabet and `=` padding (RFC 4648, 4).
    public static func encoded(_ bytes: [UInt8]) -> String {
        encoded(bytes, plus: UInt8(ascii: "+"), slash: UInt8(ascii: "/"), isPadded: true)
    }

    /// Encodes with the standard alphabet and without padding, as password hashes do.
    public static func encodedWithoutPadding(_ bytes: [UInt8]) -> String {
        encoded(bytes, plus: UInt8(ascii: "+"), slash: UInt8(ascii: "/"), isPadded: false)
    }

    /// Encodes with the URL-safe alphabet and without padding (RFC 4648, 5).
    public static func encodedForURL(_ bytes: [UInt8]) -> String {
        encoded(bytes, plus: UInt8(ascii: "-"), slash: UInt8(ascii: "_"), isPadded: false)
    }

    /// Decodes either alphabet, with or without padding; nil for any other text.
    public static func decoded(_ text: some StringProtocol) -> [UInt8]? {
        var letters = [UInt8](text.utf8)
        let length = letters.count
        while letters.last == UInt8(ascii: "=") { letters.removeLast() }
        guard letters.count % 4 != 1, length - letters.count <= 2 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for letter in letters {
            guard let value = value(letter) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        // The remaining bits belong to no byte and are zero in a canonical encoding.
        return bits & ((1 << count) - 1) == 0 ? bytes : nil
    }

    private static func value(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    private static func encoded(
        _ bytes: [UInt8],
        plus: UInt8,
        slash: UInt8,
        isPadded: Bool
    ) -> String {
        func letter(_ value: UInt8) -> UInt8 {
            switch value {
            case 0..<26: UInt8(ascii: "A") + value
            case 26..<52: UInt8(ascii: "a") + value - 26
            case 52..<62: UInt8(ascii: "0") + value - 52
            case 62: plus
            default: slash
            }
        }
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<Swift.min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(3 - group.count) * 8
            for place in 0...group.count {
                text.append(letter(UInt8(bits >> UInt32(18 - 6 * place) & 63)))
            }
        }
        if isPadded {
            while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
