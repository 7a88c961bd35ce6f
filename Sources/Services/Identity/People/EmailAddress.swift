/// An e-mail address in the plain form `local@domain` (RFC 5321, 4.1.2, without quoted parts).
///
/// Only ASCII is accepted, so that no two addresses look alike and none can break a header. Upper
/// and lower case are equal, also in the local part, since no provider in use
/// distinguishes them there.
package struct EmailAddress: Hashable, Sendable {
    /// The address as its owner wrote it, trimmed.
    package let text: String

    /// Parses an address; nil if the format is wrong.
    package init?(_ text: String) {
        let trimmed = text.trimmed
        let parts = trimmed.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isLocal(parts[0]), Self.isDomain(parts[1]),
            trimmed.utf8.count <= 254
        else { return nil }
        self.text = trimmed
    }

    /// The text used for comparisons.
    package var normalised: String { text.lowercased() }

    /// Addresses are equal if they differ in case only.
    package static func == (left: Self, right: Self) -> Bool {
        left.normalised == right.normalised
    }

    /// Hashes the text used for comparisons.
    package func hash(into hasher: inout Hasher) { hasher.combine(normalised) }

    private static func isLocal(_ text: Substring) -> Bool {
        // The "atext" of RFC 5322, 3.2.3.
        let marks = Array("!#$%&'*+-/=?^_`{|}~".utf8)
        let atoms = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 64
            && atoms.allSatisfy { atom in
                !atom.isEmpty
                    && atom.utf8.allSatisfy { $0.isLetter || $0.isDigit || marks.contains($0) }
            }
    }

    private static func isDomain(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let hyphen = UInt8(ascii: "-")
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == hyphen }
                    && label.utf8.first != hyphen && label.utf8.last != hyphen
            }
            && labels.last?.utf8.allSatisfy(\.isDigit) == false
    }
}
