extension StringProtocol {
    /// The text without spaces and tabs at both ends.
    package var trimmed: String {
        // By bytes, since the headers of every request pass through here.
        func isMeant(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x09 }
        let bytes = Substring(self).utf8
        guard let first = bytes.firstIndex(where: isMeant),
            let last = bytes.lastIndex(where: isMeant)
        else { return "" }
        return String(Substring(bytes[first...last]))
    }
}
