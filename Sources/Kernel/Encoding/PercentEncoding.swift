/// The percent-encoding of addresses (RFC 3986, 2.1).
public enum PercentEncoding {
    /// Encodes all bytes but the unreserved characters (RFC 3986, 2.3).
    public static func encoded(_ text: some StringProtocol) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                let digits = Hex.upperCaseDigits(byte)
                encoded += [UInt8(ascii: "%"), digits.high, digits.low]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Decodes bytes.
    ///
    /// A percent sign without two digits stays as it is, as in the URL standard of WHATWG.
    ///
    /// - Parameters:
    ///   - bytes: the encoded bytes.
    ///   - plusIsSpace: whether `+` means a space, as in forms.
    /// - Returns: the decoded bytes, which need not be UTF-8.
    public static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(Hex.value),
                let low = rest.dropFirst().first.flatMap(Hex.value)
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return decoded
    }
}
