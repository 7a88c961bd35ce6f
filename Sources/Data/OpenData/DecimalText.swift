import Encoding

/// Decimal numbers written as text, read without making a string.
package enum DecimalText {
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// Parses a decimal number; nil if the bytes are not one or it is infinite.
    ///
    /// Fifteen significant digits and a power of ten up to 15 are exact in one division, which
    /// covers nearly every number; the rest uses the standard library's slower parser.
    package static func value(_ raw: ArraySlice<UInt8>) -> Double? {
        var mantissa: Int64 = 0
        var digits = 0
        var fraction = 0
        var seenPoint = false
        var index = raw.startIndex
        let negative = raw.first == UInt8(ascii: "-")
        if negative || raw.first == UInt8(ascii: "+") { index += 1 }
        while index < raw.endIndex {
            let byte = raw[index]
            if byte >= 0x30, byte <= 0x39 {
                guard digits < 15 else { return slow(raw) }
                mantissa = mantissa * 10 + Int64(byte - 0x30)
                if mantissa > 0 { digits += 1 }
                if seenPoint { fraction += 1 }
            } else if byte == UInt8(ascii: "."), !seenPoint {
                seenPoint = true
            } else {
                return slow(raw)
            }
            index += 1
        }
        guard fraction < powers.count, digits > 0 || mantissa == 0 else { return slow(raw) }
        guard raw.contains(where: { $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        let value = Double(mantissa) / powers[fraction]
        return negative ? -value : value
    }

    private static func slow(_ raw: ArraySlice<UInt8>) -> Double? {
        guard raw.count <= 40,
            raw.allSatisfy({ ($0 >= 0x2B && $0 <= 0x39) || $0 == 0x65 || $0 == 0x45 }),
            let value = Double(String(decoding: raw, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }
}

extension CSVScanner {
    /// A field of the current row as a decimal number; nil if it is not one.
    func decimal(_ index: Int?) -> Double? {
        guard !isEmpty(index) else { return nil }
        return DecimalText.value(raw(index))
    }
}
