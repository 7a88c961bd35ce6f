/// Hexadecimal digits.
public enum Hex {
    /// The two digits of a byte as ASCII, in upper case.
    public static func upperCaseDigits(_ byte: UInt8) -> (high: UInt8, low: UInt8) {
        (digit(byte >> 4, letters: UInt8(ascii: "A")), digit(byte & 15, letters: UInt8(ascii: "A")))
    }

    /// The value of an ASCII digit of either case; nil for any other byte.
    public static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Writes a colour as style sheets have it.
    ///
    /// - Parameter rgb: the colour as 0xRRGGBB.
    /// - Returns: the colour such as `#c8102e`.
    public static func colour(_ rgb: UInt32) -> String {
        "#" + String(rgb | 0x100_0000, radix: 16).suffix(6)
    }

    static func digit(_ value: UInt8, letters: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : letters + value - 10
    }
}

extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits, two for each.
    public var hex: String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            text.append(Hex.digit(byte >> 4, letters: UInt8(ascii: "a")))
            text.append(Hex.digit(byte & 15, letters: UInt8(ascii: "a")))
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension UInt64 {
    /// The number as 16 lower-case hexadecimal digits.
    public var hex: String {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }.hex
    }
}

extension [UInt8] {
    /// Decodes lower-case hexadecimal digits; nil for any other text, so that no bytes have two
    /// spellings.
    public init?(hex: String) {
        let digits = [UInt8](hex.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        reserveCapacity(digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            let pair = digits[place...place + 1]
            let isUpperCase = pair.contains { $0 < UInt8(ascii: "a") && $0 > UInt8(ascii: "9") }
            guard !isUpperCase, let high = Hex.value(digits[place]),
                let low = Hex.value(digits[place + 1])
            else { return nil }
            append(high << 4 | low)
        }
    }
}
