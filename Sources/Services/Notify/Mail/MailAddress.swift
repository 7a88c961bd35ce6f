/// The address of a mailbox, in the part of RFC 5321 that mail servers agree about.
///
/// A dot-atom of ASCII before the `@` and a name of labels after it; no quotes, comments or
/// spaces, so an address can neither end a header nor begin another command.
package struct MailAddress: Sendable, Hashable {
    /// The address, its domain in small letters.
    package let text: String

    /// The longest address and the longest part before the `@` (RFC 5321, 4.5.3.1).
    private static let limits = (whole: 254, local: 64)

    /// An address; nil where it is none.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= Self.limits.whole,
            parts[0].utf8.count <= Self.limits.local,
            Self.isDotted(parts[0], by: Self.isAtom),
            Self.isDotted(parts[1], by: Self.isLabel)
        else { return nil }
        self.text = parts[0] + "@" + parts[1].lowercased()
    }

    /// What stands before the `@`.
    var localPart: Substring { text.prefix { $0 != "@" } }

    /// What stands behind it.
    var domain: Substring { text.drop { $0 != "@" }.dropFirst() }

    private static func isDotted(_ text: Substring, by rule: (Substring) -> Bool) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(rule)
    }

    /// RFC 5322, 3.2.3.
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
