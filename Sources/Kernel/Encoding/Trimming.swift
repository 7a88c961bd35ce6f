extension StringProtocol {
    /// The text without the spaces and tabs at its ends (RFC 9110, 5.6.3).
    ///
    /// It compares bytes, since the headers of every request pass through here.
    public func trimmingBlanks() -> String {
        func isMeant(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x09 }
        let bytes = Substring(self).utf8
        guard let first = bytes.firstIndex(where: isMeant),
            let last = bytes.lastIndex(where: isMeant)
        else { return "" }
        return String(Substring(bytes[first...last]))
    }

    /// The text without white space, line ends and zero width spaces at its ends, as Foundation
    /// trims.
    public func trimmingWhiteSpace() -> String {
        let scalars = Substring(self).unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.isWhite }),
            let last = scalars.lastIndex(where: { !$0.isWhite })
        else { return "" }
        return String(Substring(scalars[first...last]))
    }

    /// The text without white space at its ends and without the quotes around it, if any.
    public var unquoted: String {
        let text = trimmingWhiteSpace()
        let bytes = text.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""),
            bytes.last == UInt8(ascii: "\"")
        else { return text }
        return String(text.dropFirst().dropLast())
    }
}

extension Unicode.Scalar {
    /// Whether it has the property White_Space of Unicode or is a zero width space.
    ///
    /// The tables of the standard library do not exist in Embedded mode.
    fileprivate var isWhite: Bool {
        switch value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x205F,
            0x3000:
            true
        default: false
        }
    }
}
