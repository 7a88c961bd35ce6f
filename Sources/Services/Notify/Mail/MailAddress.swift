/// The address of a mailbox, restricted to the part of RFC 5321 that mail servers agree on.
///
/// A dot-atom of ASCII before the `@` and a domain of labels after it; no quotes, comments or
/// spaces, so that an address can neither end a header nor inject a command.
package struct MailAddress: Sendable, Hashable {
    /// The address with its domain in lower case.
    package let text: String

    /// The longest address and the longest local part (RFC 5321, 4.5.3.1).
    private static let limits = (whole: 254, local: 64)

    /// Parses an address; nil if the format is wrong.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= Self.limits.whole,
            parts[0].utf8.count <= Self.limits.local,
            Self.isDotted(parts[0], by: Self.isAtom),
            Self.isDotted(parts[1], by: Self.isLabel)
        else { return nil }
        self.text = parts[0] + "@" + parts[1].lowercased()
    }

    /// The part before the `@`.
    var localPart: Substring { text.prefix { $0 != "@" } }

    /// The part after the `@`.
    var domain: Substring { text.drop { $0 != "@" }.dropFirst() }

    private static func isDotted(_ text: Substring, by rule: (Substring) -> Bool) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(rule)
    }

    /// Whether the text is an atom of RFC 5322, 3.2.3.
    private static func isAtom(_ text: Substring) -> Bool {
        let special = Array("!#$%&'*+-/=?^_`{|}~".utf8)
        return !text.isEmpty && text.utf8.allSatisfy { isAlphanumeric($0) || special.contains($0) }
    }

    private static func isLabel(_ text: Substring) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
            && text.utf8.first != hyphen && text.utf8.last != hyphen
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
